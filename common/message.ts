// What a person reads, as a code with its particulars. The sentences stand in catalogues (`*-messages.ts`),
// English beside Chinese; a language is chosen only where somebody reads.

export type Language = 'en' | 'zh';

/**
 * A particular: as it is, or a message, or several of them, in the language of the sentence that names it.
 */
export type MessageParam = string | number | Message | readonly Message[];

export interface Message {
  code: string;
  params: Readonly<Record<string, MessageParam>>;
}

type Words = string | readonly string[];
type Joined<W extends Words> = W extends string ? W : W extends readonly string[] ? W[number] : never;

/** Names of the particulars of a sentence: `{name}`, or `{name|one|many}`, which depends on that number. */
type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Plain}|${string}` ? Plain : Name) | Names<Rest>
  : never;

type Agrees<En extends Words, Zh extends Words> = [Names<Joined<En>>, Names<Joined<Zh>>] extends [
  Names<Joined<Zh>>,
  Names<Joined<En>>,
]
  ? unknown
  : 'the English and the Chinese sentence name different particulars';

export interface Sentences<Name extends string = string> {
  en: string;
  zh: string;
  /** In the type alone. */
  names?: Name;
}

export type Catalogue = Readonly<Record<string, Sentences>>;

type NamesOf<S> = S extends Sentences<infer Name> ? Name : never;
/** The particulars that the sentences of a code name; nothing where they name none. */
export type Particulars<C extends Catalogue, Code extends keyof C> = [NamesOf<C[Code]>] extends [never]
  ? []
  : [params: Readonly<Record<NamesOf<C[Code]>, MessageParam>>];

/** `w('noId', { word })` in the language at hand. */
export type Say<C extends Catalogue> = <Code extends keyof C & string>(
  code: Code,
  ...params: Particulars<C, Code>
) => string;

/** A message of a catalogue, with just the particulars that its sentences name. */
export type MessageOf<C extends Catalogue> = {
  [Code in keyof C & string]: {
    code: Code;
    params: C[Code] extends Sentences<infer Name> ? Readonly<Record<Name, MessageParam>> : never;
  };
}[keyof C & string];

const joined = (words: Words): string => (typeof words === 'string' ? words : words.join(''));

/**
 * The sentences of one code. Parts of a long one are joined as they are.
 * A particular that only one of the languages names fails the type check.
 */
export function sentences<const En extends Words, const Zh extends Words>(
  en: En & Agrees<En, Zh>,
  zh: Zh,
): Sentences<Names<Joined<En>>> {
  return { en: joined(en), zh: joined(zh) };
}

/** `{name}`, or `{name|one|many}`: replaced here and nowhere else. */
const PLACE = /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g;
const COMMA: Readonly<Record<Language, string>> = { en: ', ', zh: '、' };

/**
 * The sentence of a message. A part of it that the catalogue does not have, which the types cannot exclude,
 * leaves the code with its particulars: a fault is told in any case.
 */
export function say<C extends Catalogue>(catalogue: C, message: MessageOf<C>, language: Language): string {
  return translate(catalogue, message, language) ?? `${message.code} ${JSON.stringify(message.params)}`;
}

/** Says the sentences of one catalogue in one language, as a command line does. */
export const sayer =
  <C extends Catalogue>(catalogue: C, language: Language): Say<C> =>
  (code, ...[params = {}]) =>
    translate(catalogue, { code, params }, language) ?? code;

/**
 * The sentence of a message that comes from a store or over the wire, and so perhaps of another version.
 * @returns null for a code that the catalogue does not have, or without a particular that its sentence names
 */
export function translate(catalogue: Catalogue, message: unknown, language: Language): string | null {
  if (!isMessage(message) || !Object.hasOwn(catalogue, message.code)) return null;
  const { params } = message;
  return fill(catalogue[message.code]?.[language] ?? '', (name) =>
    Object.hasOwn(params, name) ? shown(catalogue, params[name], language) : null,
  );
}

/**
 * What something is called whose name comes from elsewhere, such as a state that another version may know:
 * `states_running` of the catalogue, or the name as it is.
 */
export const wordFor = (catalogue: Catalogue, group: string, name: string, language: Language): string =>
  translate(catalogue, { code: `${group}_${name}`, params: {} }, language) ?? name;

/**
 * A sentence with its particulars.
 * @param valueOf null: there is no such particular
 * @returns null without a particular that the sentence names
 */
export function fill(sentence: string, valueOf: (name: string) => string | null): string | null {
  let whole = true;
  const text = sentence.replace(PLACE, (_, name: string, one?: string, many?: string) => {
    const value = valueOf(name);
    if (value === null) whole = false;
    if (one === undefined) return value ?? '';
    return (value === '1' ? one : many) ?? '';
  });
  return whole ? text : null;
}

/**
 * A text in which what is known stands for its `{name}` and all else stays as it is written, as in templates
 * of people.
 */
export const fillKnown = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(PLACE, (whole, name: string, one?: string) =>
    one === undefined && Object.hasOwn(values, name) ? String(values[name]) : whole,
  );

function shown(catalogue: Catalogue, value: unknown, language: Language): string | null {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return translate(catalogue, value, language);
  const parts = value.map((one) => translate(catalogue, one, language));
  return parts.includes(null) ? null : parts.join(COMMA[language]);
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('params' in value)) return false;
  return typeof value.code === 'string' && typeof value.params === 'object' && value.params !== null;
}
