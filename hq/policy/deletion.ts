import { type Clock, stampOf } from '../../common/clock.ts';
import { takeEach } from '../../common/core/left-out/row-by-row.ts';
import { AppError } from '../../common/http/error.ts';
import type { Logger } from '../../common/log.ts';
import { Loop } from '../../common/loop.ts';
import { documentIdOf, keyOf, type OriginalStorage, prefixOf } from './original/original.ts';
import type { Deletion, DeletionPort, PolicyCounts } from './port.ts';

export interface DeletionServiceOptions {
  deletion: DeletionPort;
  storage: OriginalStorage;
  clock: Clock;
  log: Logger;
}

export interface Deleted extends PolicyCounts {
  originals: number;
}

const EVERY_MS = 60_000;

/** Targeted deletion of a tenant (spec 3): the rows of four tables, then the originals under its prefix. */
export class DeletionService {
  readonly counts = { tenants: 0, originals: 0 };
  readonly loop: Loop;
  readonly #options: DeletionServiceOptions;

  constructor(options: DeletionServiceOptions) {
    this.#options = options;
    const { clock, log } = options;
    this.loop = new Loop({
      name: 'policy deletion',
      interval: EVERY_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: () => this.round(),
    });
  }

  /**
   * Counts what a deletion would remove.
   * @param missing how many originals may be missing that the ledger says are stored
   * @throws AppError 503 originals_unavailable, 409 originals_missing
   */
  async preview(tenantCode: string, missing = 0): Promise<Deleted> {
    return {
      ...(await this.#options.deletion.count(tenantCode)),
      originals: (await this.#keys(tenantCode, missing)).length,
    };
  }

  /**
   * Lists the keys of all originals. A store that shows fewer than were put there, such as a bucket that
   * answers with empty lists, would leave the rest behind for ever.
   */
  async #keys(tenantCode: string, missing: number): Promise<string[]> {
    await this.#options.storage.check();
    const stored = await this.#options.deletion.stored(tenantCode);
    const keys: string[] = [];
    for await (const key of this.#options.storage.list(prefixOf(tenantCode))) keys.push(key);
    const there = new Set(keys);
    const gone = stored.filter((document) => !there.has(keyOf(document))).length;
    if (gone <= missing) return keys;
    throw new AppError(
      409,
      'originals_missing',
      `The store of the originals shows ${stored.length - gone} of ${stored.length} originals that ` +
        `were stored; nothing was deleted. Bring the others back, or say with accept_missing: ${gone} ` +
        'that they are lost.',
      { retryable: false, extra: { stored: stored.length, missing: gone } },
    );
  }

  /**
   * Nothing is deleted unless the originals can be reached. When that fails only afterwards the rows are gone
   * and the originals follow in the background: `originals` is null then.
   * @throws as `preview`
   */
  async delete(
    tenantCode: string,
    actor: string,
    missing = 0,
  ): Promise<PolicyCounts & { originals: number | null }> {
    const keys = await this.#keys(tenantCode, missing);
    const noted = await this.#options.deletion.deleteRows(tenantCode, actor, stampOf(this.#options.clock));
    this.counts.tenants += 1;
    try {
      return { ...noted.counts, originals: await this.#removeOriginals(noted, keys) };
    } catch (error) {
      this.#options.log.warn(
        { err: error, deletion: noted.id },
        'the originals of a deleted tenant are still there; they will be deleted when their store can ' +
          'be reached',
      );
      return { ...noted.counts, originals: null };
    }
  }

  /** Completes deletions that were interrupted by an unreachable store or by the end of a process. */
  async round(): Promise<void> {
    await takeEach(await this.#options.deletion.unfinished(100), async (deletion) => {
      await this.#removeOriginals(deletion);
    });
  }

  /** Files registered since have greater numbers, and their originals stay. */
  async #removeOriginals(noted: Deletion, seen: readonly string[] = []): Promise<number> {
    let originals = 0;
    const keys = new Set(seen);
    for await (const key of this.#options.storage.list(prefixOf(noted.tenantCode))) {
      const id = documentIdOf(key);
      if (id === null || id <= noted.lastDocId) keys.add(key);
    }
    for (const key of keys) {
      await this.#options.storage.remove(key);
      originals += 1;
    }
    await this.#options.deletion.finish(noted, originals, stampOf(this.#options.clock));
    this.counts.originals += originals;
    return originals;
  }
}
