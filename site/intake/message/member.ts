// Members of what was read of a device's XML or JSON.
import { isObject } from './json.ts';

/** The first member of that name, at any depth up to a few levels, whatever its letters' case. */
export function memberOf(document: unknown, name: string, depth = 6): unknown {
  if (depth === 0 || typeof document !== 'object' || document === null) return undefined;
  const wanted = name.toLowerCase();
  const entries = Object.entries(document);
  for (const [own, value] of entries) if (own.toLowerCase() === wanted) return value;
  for (const [, value] of entries) {
    const found = memberOf(value, name, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text of a member, or of the first of a list; null for one without. */
export function wordOf(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (isObject(first) && '#text' in first) return wordOf(first['#text']);
  if (typeof first === 'number' || typeof first === 'boolean') return String(first);
  return typeof first === 'string' && first.trim() !== '' ? first.trim() : null;
}
