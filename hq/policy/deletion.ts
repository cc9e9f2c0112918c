import { stampOf, type Clock } from '../../common/clock.ts';
import { Loop } from '../../common/loop.ts';
import type { Logger } from '../../common/log.ts';
import { documentIdOf, prefixOf, type OriginalPlace } from './original.ts';
import type { Deletion, DeletionPort, PolicyCounts } from './port.ts';

export interface DeletionServiceOptions {
  deletion: DeletionPort;
  place: OriginalPlace;
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
  #options: DeletionServiceOptions;

  constructor(options: DeletionServiceOptions) {
    this.#options = options;
    const { clock, log } = options;
    this.loop = new Loop({ name: 'policy deletion', interval: EVERY_MS, log, monotonic: () => clock.monotonic(), round: () => this.round() });
  }

  /** What would go. @throws AppError 503 originals_unavailable */
  async preview(tenantCode: string): Promise<Deleted> {
    const { deletion, place } = this.#options;
    await place.check();
    const keys: string[] = [];
    for await (const key of place.list(prefixOf(tenantCode))) keys.push(key);
    return { ...(await deletion.count(tenantCode)), originals: keys.length };
  }

  /**
   * Nothing is deleted unless the originals can be reached. When that fails only afterwards the rows are gone and the originals follow in the
   * background: `originals` is null then.
   * @throws AppError 503 originals_unavailable
   */
  async delete(tenantCode: string, actor: string): Promise<PolicyCounts & { originals: number | null }> {
    const { deletion, clock, log } = this.#options;
    await this.preview(tenantCode);
    const noted = await deletion.deleteRows(tenantCode, actor, stampOf(clock));
    this.counts.tenants += 1;
    try {
      return { ...noted.counts, originals: await this.#removeOriginals(noted) };
    } catch (error) {
      log.warn({ err: error, deletion: noted.id }, 'the originals of a deleted tenant are still there; they will be deleted when their store can be reached');
      return { ...noted.counts, originals: null };
    }
  }

  /** Ends what was interrupted: by an unreachable store, or by the end of a process. */
  async round(): Promise<void> {
    for (const deletion of await this.#options.deletion.unfinished(100)) await this.#removeOriginals(deletion);
  }

  /** Files registered since have greater numbers, and their originals stay. */
  async #removeOriginals(noted: Deletion): Promise<number> {
    const { deletion, place, clock } = this.#options;
    let originals = 0;
    const keys: string[] = [];
    for await (const key of place.list(prefixOf(noted.tenantCode))) {
      const id = documentIdOf(key);
      if (id === null || id <= noted.uptoDocId) keys.push(key);
    }
    for (const key of keys) {
      await place.remove(key);
      originals += 1;
    }
    await deletion.finish(noted, originals, stampOf(clock));
    this.counts.originals += originals;
    return originals;
  }
}
