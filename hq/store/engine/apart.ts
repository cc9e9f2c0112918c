// One bad item never stops the others: where storing several fails for something in them, they are halved
// until it is found.
import { concernsData } from './errors.ts';

/** Characters of a reason that are kept. */
const LONGEST_REASON = 300;

/** Why storing failed, in the words of the store. */
export function reasonOf(error: unknown): string {
  const found = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return (found instanceof Error ? found.message : String(found)).slice(0, LONGEST_REASON);
}

/** What is kept of the parts that went well, in order, and the items of the others. */
export interface Parts<T, R> {
  stored: R[];
  failed: { item: T; reason: string }[];
}

/**
 * @param store writes some of the items; what it has written is undone when it fails
 * @throws what says nothing of an item, as that the database cannot be reached
 */
export async function storeApart<T, R>(
  items: readonly T[],
  store: (some: readonly T[]) => Promise<R>,
): Promise<Parts<T, R>> {
  const parts: Parts<T, R> = { stored: [], failed: [] };
  const take = async (some: readonly T[]): Promise<void> => {
    try {
      parts.stored.push(await store(some));
    } catch (error) {
      const [only] = some;
      if (only === undefined || !concernsData(error)) throw error;
      if (some.length === 1) return void parts.failed.push({ item: only, reason: reasonOf(error) });
      const half = Math.ceil(some.length / 2);
      await take(some.slice(0, half));
      await take(some.slice(half));
    }
  };
  await take(items);
  return parts;
}
