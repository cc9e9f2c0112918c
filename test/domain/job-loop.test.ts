import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { JobLoop, type JobLoopOptions } from '../../common/job-loop.ts';
import { silentLogger } from '../../common/log.ts';
import type { RoundResult } from '../../common/loop.ts';
import { TestClock } from '../support/clock.ts';

const INTERVAL = 1_000;

/**
 * Each round tries to start every piece that is wanted; a piece ends when the test says so, or when it is
 * aborted.
 */
class Works extends JobLoop {
  wanted: string[] = [];
  started: string[] = [];
  aborted: string[] = [];
  /** What a piece throws that is aborted; the abort itself, wrapped, unless given. */
  failing: Error | null = null;
  #ends = new Map<string, PromiseWithResolvers<void>>();

  constructor(over: Partial<JobLoopOptions> = {}) {
    super({
      name: 'test',
      interval: INTERVAL,
      concurrency: 2,
      clock: new TestClock(),
      log: silentLogger(),
      onError: () => {},
      ...over,
    });
  }

  override round(): Promise<RoundResult> {
    for (const key of this.wanted) {
      this.inFlight.start(key, (signal) => {
        const end = Promise.withResolvers<void>();
        this.#ends.set(key, end);
        this.started.push(key);
        signal.addEventListener('abort', () => {
          if (this.#ends.has(key)) this.aborted.push(key);
          end.reject(this.failing ?? new Error('the peer was left', { cause: signal.reason }));
        });
        return end.promise;
      });
    }
    return Promise.resolve({ again: false });
  }

  end(key: string, error?: Error): void {
    const end = this.#ends.get(key);
    this.#ends.delete(key);
    if (error) end?.reject(error);
    else end?.resolve();
  }
}

describe('a loop of work side by side', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test('starts each piece once, as many as there is room for, and waits for none', async () => {
    const works = new Works();
    works.wanted = ['a', 'b', 'c'];
    works.start();
    await pass(3 * INTERVAL);
    expect(works.started).toEqual(['a', 'b']);
    works.end('a');
    works.wanted = ['c'];
    await pass(INTERVAL);
    expect(works.started).toEqual(['a', 'b', 'c']);
    await works.stop();
  });

  test('tells of a piece that fails, and goes on', async () => {
    const told: [string, string][] = [];
    const works = new Works({ onError: (error, key) => told.push([key, (error as Error).message]) });
    works.wanted = ['a'];
    works.start();
    await pass(0);
    works.end('a', new Error('broken'));
    await pass(INTERVAL);
    expect(told).toEqual([['a', 'broken']]);
    expect(works.started).toEqual(['a', 'a']);
    await works.stop();
  });

  test('stops with what is under way aborted, told to nobody, and starts nothing more', async () => {
    const onError = vi.fn();
    const works = new Works({ onError });
    works.wanted = ['a'];
    works.start();
    await pass(0);
    await works.stop();
    expect(works.aborted).toEqual(['a']);
    await works.round();
    await pass(5 * INTERVAL);
    expect(works.started).toEqual(['a']);
    expect(onError).not.toHaveBeenCalled();
  });

  test('tells of what goes wrong while a piece is being aborted', async () => {
    const onError = vi.fn();
    const works = new Works({ onError });
    works.wanted = ['a'];
    works.failing = new Error('the database is gone');
    works.start();
    await pass(0);
    await works.stop();
    expect(onError.mock.calls).toEqual([[works.failing, 'a']]);
  });

  test('waits for jobs under way up to the limit of the stop, then aborts them', async () => {
    const works = new Works({ stopWithinMs: 3_000 });
    works.wanted = ['a', 'b'];
    works.start();
    await pass(0);
    const stopped = vi.fn();
    const stopping = works.stop().then(stopped);
    await pass(1_000);
    works.end('a');
    await pass(1_999);
    expect([works.aborted, stopped.mock.calls.length]).toEqual([[], 0]);
    await pass(1);
    await stopping;
    expect(works.aborted).toEqual(['b']);
  });

  test('stops at once when nothing is left to wait for', async () => {
    const works = new Works({ stopWithinMs: 3_000 });
    works.wanted = ['a'];
    works.start();
    await pass(0);
    const stopping = works.stop();
    works.end('a');
    await stopping;
    expect([works.aborted, vi.getTimerCount()]).toEqual([[], 0]);
  });

  test('has settled when the pieces that were started have ended', async () => {
    const works = new Works();
    works.wanted = ['a'];
    await works.round();
    const settled = vi.fn();
    const waiting = works.settled().then(settled);
    await pass(0);
    expect(settled).not.toHaveBeenCalled();
    works.end('a');
    await waiting;
    await works.stop();
  });
});
