// How deep and how large a parsed JSON value is.

/** Whether objects and lists are nested more than `levels` deep in `value`. Safe on any depth. */
export function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return false;
  if (levels === 0) return true;
  for (const member of Object.values(value)) if (deeperThan(member, levels - 1)) return true;
  return false;
}

/**
 * Bytes of the JSON text of a value in UTF-8, where they are more than `most`; null: they are not. The depth
 * is bounded by what was checked before: JSON.stringify ends in an error on an object nested without bound.
 */
export function bytesBeyond(value: unknown, most: number): number | null {
  // The text of a small value, which most are, need not be made.
  if (atMostBytes(value) <= most) return null;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > most ? bytes : null;
}

/** A UTF-16 unit is at most six bytes, as an escape; a number that is no raw JSON has 25 letters at most. */
function atMostBytes(value: unknown): number {
  if (typeof value === 'string') return value.length * 6 + 2;
  if (typeof value !== 'object' || value === null) return 25;
  if (JSON.isRawJSON(value)) return JSON.stringify(value).length;
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + atMostBytes(entry) + 1, 2);
  let sum = 2;
  for (const [name, member] of Object.entries(value)) sum += name.length * 6 + 4 + atMostBytes(member);
  return sum;
}

/** Characters of all texts in a value, names of members included. */
export function textIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const [name, member] of Object.entries(value)) sum += name.length + textIn(member);
  return sum;
}
