import { fillKnown } from '../../../common/message.ts';

export const languages = ['zh', 'en'] as const;
export type Language = (typeof languages)[number];

/** One phrase in both languages; `{name}` stands for a particular. */
export type Phrase = Readonly<Record<Language, string>>;

/** Names of the particulars of a phrase. */
export type ParticularsIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParticularsIn<Rest>
  : never;

/** The phrase itself when both languages name the same particulars; otherwise nothing fits. */
type Same<P> = P extends { zh: infer Zh extends string; en: infer En extends string }
  ? [ParticularsIn<Zh>, ParticularsIn<En>] extends [ParticularsIn<En>, ParticularsIn<Zh>]
    ? P
    : { zh: Zh; en: `name the same particulars as Chinese does: ${ParticularsIn<Zh>}` }
  : Phrase;

export type Catalogue = Readonly<Record<string, Phrase>>;

/**
 * The words of a screen. A phrase that lacks a language, or names other particulars in one, does not compile;
 * nor does the use of one that is not there.
 */
export const catalogue = <const C extends Catalogue>(words: C & { [K in keyof C]: Same<C[K]> }): C => words;

/** Names of the phrases that have no particulars, for tables that name a phrase. */
export type PlainKey<C extends Catalogue> = {
  [K in keyof C]: [ParticularsIn<C[K]['zh']>] extends [never] ? K : never;
}[keyof C];

type Given<P extends Phrase> = [ParticularsIn<P['zh']>] extends [never]
  ? []
  : [particulars: Readonly<Record<ParticularsIn<P['zh']>, string | number>>];

/** `say('since', { at })` in the language at hand. */
export type Say<C extends Catalogue> = <K extends keyof C>(key: K, ...given: Given<C[K]>) => string;

export const sayIn =
  <C extends Catalogue>(words: C, language: Language): Say<C> =>
  (key, ...[particulars]) => {
    const phrase: Phrase | undefined = words[key];
    return fillKnown(phrase?.[language] ?? String(key), particulars ?? {});
  };
