// A batch of a site of which some items cannot be stored.
import { STORE_FAILED } from '../../../common/uplink/wire.ts';
import { storeApart } from '../../store/engine/apart.ts';
import type { Tx } from '../../store/engine/database.ts';
import { concernsData } from '../../store/engine/errors.ts';
import type { Stored } from './source-position.ts';

/**
 * Stores what can be stored, within one transaction, so that the position moves with it; the rest is refused.
 * @param positionOf of an item, at the site
 */
export async function storeApartIn<T>(
  tx: Tx,
  items: readonly T[],
  positionOf: (item: T) => number,
  store: (some: readonly T[]) => Promise<Stored>,
): Promise<Stored> {
  const { stored, failed } = await storeApart(items, (some) => undone(tx, () => store(some)));
  const rejected = failed.map(({ item, reason }) => ({
    originId: positionOf(item),
    error: STORE_FAILED,
    message: `headquarters could not store it: ${reason}`,
  }));
  const named = failed.map(({ item, reason }) => ({ originId: positionOf(item), reason }));
  return stored.reduce<Stored>(joined, { accepted: 0, duplicates: 0, rejected, failed: named });
}

/** What `work` has written is undone when it fails, and the transaction goes on. */
async function undone<R>({ client }: Tx, work: () => Promise<R>): Promise<R> {
  await client.query('savepoint part');
  try {
    const result = await work();
    await client.query('release savepoint part');
    return result;
  } catch (error) {
    if (concernsData(error)) await client.query('rollback to savepoint part');
    throw error;
  }
}

/** What became of both. */
export const joined = (all: Stored, part: Stored): Stored => ({
  accepted: all.accepted + part.accepted,
  duplicates: all.duplicates + part.duplicates,
  rejected: [...all.rejected, ...part.rejected],
  conflicts: [...(all.conflicts ?? []), ...(part.conflicts ?? [])],
  foreign: [...(all.foreign ?? []), ...(part.foreign ?? [])],
  refused: [...(all.refused ?? []), ...(part.refused ?? [])],
  refusedOrders: [...(all.refusedOrders ?? []), ...(part.refusedOrders ?? [])],
  failed: [...(all.failed ?? []), ...(part.failed ?? [])],
  sameAs: part.sameAs ?? all.sameAs ?? null,
  outgrown: (all.outgrown ?? false) || (part.outgrown ?? false),
});
