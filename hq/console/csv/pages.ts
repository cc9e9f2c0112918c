import { patiently } from '../api/queries.ts';

/** Rows that one file takes. */
export const MOST_ROWS = 10_000;

interface Part<T> {
  items: readonly T[];
  /** What asks for the next part; null after the last. */
  next: string | null;
}

/**
 * Reads a list to its end, in the order of the hub, or as far as a file takes it.
 * @param fetch a part; null asks for the first
 */
export async function readAll<T>(
  fetch: (next: string | null) => Promise<Part<T>>,
): Promise<{ items: T[]; cut: boolean }> {
  const items: T[] = [];
  let next: string | null = null;
  do {
    const part: Part<T> = await patiently(() => fetch(next));
    items.push(...part.items);
    next = part.next;
  } while (next !== null && items.length < MOST_ROWS);
  return { items: items.slice(0, MOST_ROWS), cut: next !== null || items.length > MOST_ROWS };
}
