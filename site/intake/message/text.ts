// Words of devices, made fit for events.

/** Without control characters and blanks at the ends, cut to a length; null when nothing is left. */
export function cleanText(value: unknown, max: number): string | null {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string') return null;
  const clean = [...text.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ').trim()].slice(0, max).join('').trim();
  return clean === '' ? null : clean;
}

/** A device's own word as the last member of an event type: `Fire-Detection` becomes `fire_detection`. */
export function typeWord(raw: string): string {
  const word = raw
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 80);
  return word === '' ? 'unnamed' : word;
}

/**
 * The type of an event by the device's word: as configured, by the table of the source, or under its name.
 */
export function typeOf(
  raw: string,
  { vendor, table, configured }: { vendor: string; table: TypeTable; configured: TypeNames | undefined },
): { type: string; known: boolean; kind: 'alert' | 'observation' } {
  const own = ownOf(configured, raw) ?? ownOf(configured, raw.toLowerCase());
  const entry = ownOf(table, raw.toLowerCase());
  if (own !== undefined) return { type: own, known: true, kind: entry?.kind ?? 'alert' };
  if (entry) return { type: entry.type, known: true, kind: entry.kind ?? 'alert' };
  return { type: `${vendor}.${typeWord(raw)}`, known: false, kind: 'alert' };
}

/** What a record says of a device's word; a word such as `constructor` names nothing that is inherited. */
export const ownOf = <T>(record: Readonly<Record<string, T>> | undefined, word: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, word) ? record[word] : undefined;

export type TypeNames = Readonly<Record<string, string>>;
/** What a source's words mean, by the word in small letters. */
export type TypeTable = Readonly<Record<string, { type: string; kind?: 'observation' }>>;
