import type { ChannelName } from '../../../common/uplink/wire.ts';
import type { BatchHead } from '../port.ts';

/** The store is asked again whether the batch before came, by another process, after these pauses, ms. */
const ASK_AFTER_MS = [25, 50, 100, 200, 400];
/**
 * Batches that wait for one that is not here: each keeps its turn meanwhile, and one turn at least must stay
 * for what they wait for.
 */
const MOST_WAITING = 2;

/** A batch that is worked on, until it was stored or not. */
interface UnderWay {
  from: number;
  to: number;
  ended: Promise<void>;
}

/** The place of one batch among those of its site. */
export interface BatchTurn {
  /** Resolves when the batch before it, if it is worked on here, was stored or was not. */
  before(): Promise<void>;
  /** The batch before it was not stored yet. @returns whether to try again: it may have been meanwhile */
  again(): Promise<boolean>;
  /** It was stored, or will not be. */
  end(): void;
}

/**
 * Puts the batches of a site in order that are on their way together: the second is read while the first is
 * stored, and stored after it, in whichever order they came. Invariant: a batch waits only for one that
 * stands before it, and for one that is not here less than a second, so that no two wait for each other.
 */
export class Succession {
  #underWay = new Map<string, Set<UnderWay>>();
  /** Those that wait for a batch to come, by what they wait for. */
  #awaited = new Map<string, () => void>();
  #waiting = 0;

  enter(channel: ChannelName, head: BatchHead): BatchTurn {
    const line = JSON.stringify([channel, head.instance, head.epoch]);
    const all = this.#underWay.get(line) ?? new Set();
    this.#underWay.set(line, all);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const own = { from: head.from, to: head.to, ended };
    all.add(own);
    this.#awaited.get(`${line} ${own.to}`)?.();
    const before = (): UnderWay | undefined =>
      [...all].find((one) => one.from < own.from && one.to === own.from);
    const [pauses, seen] = [[...ASK_AFTER_MS], { it: false }];
    return {
      before: async () => {
        const first = before();
        seen.it = first !== undefined;
        await first?.ended;
      },
      again: async () => {
        const pause = pauses.shift();
        // It was here, and was not stored.
        if (seen.it || pause === undefined) return false;
        if (!before() && !(await this.#comes(`${line} ${own.from}`, pause))) return false;
        const first = before();
        seen.it = first !== undefined;
        await first?.ended;
        return true;
      },
      end: () => {
        all.delete(own);
        if (all.size === 0 && this.#underWay.get(line) === all) this.#underWay.delete(line);
        resolve();
      },
    };
  }

  /** @returns false where too many wait already */
  async #comes(awaited: string, ms: number): Promise<boolean> {
    if (this.#waiting >= MOST_WAITING) return false;
    const { promise: came, resolve } = Promise.withResolvers<void>();
    const late = setTimeout(resolve, ms);
    this.#waiting += 1;
    this.#awaited.set(awaited, resolve);
    await came;
    clearTimeout(late);
    this.#waiting -= 1;
    if (this.#awaited.get(awaited) === resolve) this.#awaited.delete(awaited);
    return true;
  }
}
