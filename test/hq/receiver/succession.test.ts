// Two batches of a site on their way at once: in whichever order they come, at whichever process of
// headquarters, they are stored in theirs.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Succession } from '../../../hq/receiver/admission/succession.ts';
import { decidePosition } from '../../../hq/receiver/decide.ts';
import type { BatchHead } from '../../../hq/receiver/port.ts';

const head = (from: number, to: number, held: number | null): BatchHead => ({
  ...{ instance: 'site-1', epoch: 'e1', version: '1', head: 1_000, oldest: 1 },
  ...{ from, to, held, at: null },
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A store that several processes share: one batch at a time, in the order of asking. */
class Store {
  readonly stored: [number, number][] = [];
  known = 0;
  #last: Promise<unknown> = Promise.resolve();

  write({ from, to, ...more }: BatchHead, tookMs: number, fails: boolean): Promise<string> {
    const work = async (): Promise<string> => {
      await passing(tookMs);
      if (fails) throw new Error('the store cannot be reached');
      const position = decidePosition(this.known, { from, to, ...more });
      if (position.kind !== 'in_step') return position.kind;
      expect(position.gap).toBe(null);
      if (to > this.known) this.stored.push([Math.max(from, this.known), to]);
      this.known = position.cursor;
      return 'stored';
    };
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

const passing = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Way {
  /** Until it comes, to be read, and to be stored, ms. */
  comes: number;
  read: number;
  store: number;
  process: number;
  fails: boolean;
}

/** As the receiver does it. */
async function receive(process: Succession, store: Store, batch: BatchHead, way: Way): Promise<string> {
  await passing(way.comes);
  const place = process.enter('events', batch);
  try {
    await passing(way.read);
    await place.before();
    let outcome = await store.write(batch, way.store, way.fails);
    while (outcome === 'early' && (await place.again()))
      outcome = await store.write(batch, way.store, way.fails);
    return outcome;
  } catch {
    return 'failed';
  } finally {
    place.end();
  }
}

const way = (process: fc.Arbitrary<number>) =>
  fc.record<Way>({
    comes: fc.integer({ min: 0, max: 300 }),
    read: fc.integer({ min: 0, max: 50 }),
    store: fc.integer({ min: 0, max: 50 }),
    process,
    fails: fc.boolean(),
  });

describe('two batches on their way', () => {
  test('are stored in their order without a gap, or not at all, whatever happens to each', async () => {
    const pairs = fc.array(fc.tuple(way(fc.nat(1)), way(fc.nat(1))), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(pairs, async (ways) => {
        const [processes, store] = [[new Succession(), new Succession()], new Store()];
        for (const [first, second] of ways) {
          const held = store.known;
          const both = Promise.all([
            receive(processes[first.process]!, store, head(held, held + 10, null), first),
            receive(processes[second.process]!, store, head(held + 10, held + 15, held), second),
          ]);
          await vi.advanceTimersByTimeAsync(5_000);
          const [one, other] = await both;
          expect(one).toBe(first.fails ? 'failed' : 'stored');
          expect(['stored', 'early', 'failed']).toContain(other);
          if (first.fails) expect(other).not.toBe('stored');
          // Nothing came so late that it was not waited for.
          else expect(other).toBe(second.fails ? 'failed' : 'stored');
        }
        const flat = store.stored.flat();
        expect(flat).toEqual([...flat].sort((a, b) => a - b));
        for (const [index, [from]] of store.stored.entries())
          expect(from).toBe(index === 0 ? 0 : store.stored[index - 1]?.[1]);
      }),
      { numRuns: 300 },
    );
  });

  test('the second waits only as long as the first is worked on, where that fails here', async () => {
    const [process, store] = [new Succession(), new Store()];
    const quick = { comes: 0, read: 0, store: 10, process: 0, fails: false };
    const first = receive(process, store, head(0, 10, null), { ...quick, read: 100, fails: true });
    const second = receive(process, store, head(10, 15, 0), quick);
    await vi.advanceTimersByTimeAsync(125);
    expect(await Promise.all([first, second])).toEqual(['failed', 'early']);
  });

  test('of those whose first did not come, so few wait that there is a turn for it', async () => {
    const [process, store] = [new Succession(), new Store()];
    const quick = { comes: 0, read: 0, store: 0, process: 0, fails: false };
    const sites = ['a', 'b', 'c'].map((instance) =>
      receive(process, store, { ...head(10, 15, 0), instance }, quick),
    );
    await vi.advanceTimersByTimeAsync(20);
    expect(await Promise.race(sites)).toBe('early');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await Promise.all(sites)).toEqual(['early', 'early', 'early']);
  });
});
