// Pure: the sections of a body, and what becomes of a revision when somebody else was first.

export interface Section {
  text: string;
  title?: string;
  editable?: 'human';
  revisedBy?: string;
  revisedAt?: string;
}

/** The section in which whoever answers for a report signs it; empty until then. */
export const SIGN_OFF = 'sign_off';

/** Sections by their names; further members of a section are of whoever stored it. */
export type Sections = Readonly<Record<string, Record<string, unknown> & { text: string }>>;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export function sectionOf(raw: Sections[string]): Section {
  const [title, revisedBy, revisedAt] = [raw.title, raw.revisedBy, raw.revisedAt].map(textOf);
  return {
    text: raw.text,
    ...(title === undefined ? {} : { title }),
    ...(raw.editable === 'human' ? { editable: 'human' as const } : {}),
    ...(revisedBy === undefined ? {} : { revisedBy }),
    ...(revisedAt === undefined ? {} : { revisedAt }),
  };
}

/** Texts of the sections that people may revise, by their names. */
export const editable = (sections: Sections): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sections).flatMap(([name, raw]) =>
      sectionOf(raw).editable === 'human' ? [[name, raw.text]] : [],
    ),
  );

/** What of the texts differs from the sections that they were written over. */
export const changes = (
  base: Readonly<Record<string, string>>,
  written: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(written).filter(([name, text]) => base[name] !== text));

/** One section in which the object now differs from what was written. */
export interface Difference {
  name: string;
  theirs: string;
  mine: string;
  /** Whether both changed it. */
  both: boolean;
}

/**
 * What of a refused revision differs from the object as it is now.
 * @param base as it was when the writing began @param written all texts of the form @param now the present
 * sections
 */
export function differences(
  base: Readonly<Record<string, string>>,
  written: Readonly<Record<string, string>>,
  now: Sections,
): Difference[] {
  return Object.entries(editable(now)).flatMap(([name, theirs]) => {
    const mine = written[name] ?? theirs;
    if (mine === theirs) return [];
    const both = mine !== base[name] && theirs !== base[name];
    return [{ name, theirs, mine, both }];
  });
}

/** The form to go on with: what they wrote where I changed nothing, what I wrote where I did. */
export const rebased = (
  base: Readonly<Record<string, string>>,
  written: Readonly<Record<string, string>>,
  now: Sections,
): Record<string, string> => ({ ...editable(now), ...changes(base, written) });

/** Who revised it last. */
export function lastReviser(sections: Sections): string | undefined {
  const revised = Object.values(sections)
    .map(sectionOf)
    .filter(({ revisedAt }) => revisedAt !== undefined)
    .sort((a, b) => Date.parse(a.revisedAt ?? '') - Date.parse(b.revisedAt ?? ''));
  return revised.at(-1)?.revisedBy;
}

export type Signed = 'not for it' | 'waiting' | 'signed' | 'changed since';

/** Whether a report was signed, and whether what it says was revised after that. */
export function signedOf(sections: Sections): Signed {
  const place = sections[SIGN_OFF] && sectionOf(sections[SIGN_OFF]);
  if (place?.editable !== 'human') return 'not for it';
  if (place.text.trim() === '') return 'waiting';
  const signedAt = Date.parse(place.revisedAt ?? '');
  const later = Object.entries(sections).some(
    ([name, raw]) => name !== SIGN_OFF && Date.parse(sectionOf(raw).revisedAt ?? '') > signedAt,
  );
  return later ? 'changed since' : 'signed';
}
