import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLogger } from '../../common/log.ts';
import {
  failingLoops,
  Loop,
  loopCounts,
  type LoopOptions,
  retryFailed,
  watchLoops,
} from '../../common/loop.ts';
import { SecretError } from '../../common/secret/secret.ts';

const INTERVAL = 1_000;

describe('Loop', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const make = (round: LoopOptions['round'], over: Partial<LoopOptions> = {}) =>
    new Loop({
      name: 'test',
      interval: INTERVAL,
      log: silentLogger(),
      random: () => 0.5,
      monotonic: () => performance.now(),
      backoff: { first: 100, cap: 400, jitter: 0.5 },
      round,
      ...over,
    });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test('runs at once, then after each interval', async () => {
    const round = vi.fn(async () => {});
    const loop = make(round);
    loop.start();
    await pass(0);
    expect(round).toHaveBeenCalledTimes(1);
    await pass(INTERVAL - 1);
    expect(round).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(round).toHaveBeenCalledTimes(2);
    await loop.stop();
  });

  test('one that fails for two minutes is told of by the class, until its first success', async () => {
    let broken = true;
    const told = vi.fn();
    const end = watchLoops(told);
    const loop = make(() => (broken ? Promise.reject(new Error('no')) : Promise.resolve()), { about: 'it' });
    loop.start();
    await pass(119_000);
    expect([failingLoops(), told.mock.calls.length]).toEqual([[], 0]);
    await pass(2_000);
    expect(failingLoops()).toMatchObject([{ name: 'test', about: 'it', error: 'no' }]);
    await pass(60_000);
    expect(told).toHaveBeenCalledTimes(1);
    broken = false;
    retryFailed();
    await pass(0);
    expect([failingLoops(), told.mock.calls.length]).toEqual([[], 2]);
    end();
    await loop.stop();
  });

  test('one that is stopped fails no more, and its rounds stay counted by its name', async () => {
    const loop = make(() => Promise.reject(new Error('no')), { name: 'counted' });
    loop.start();
    await pass(200_000);
    expect(failingLoops()).toHaveLength(1);
    await loop.stop();
    expect(failingLoops()).toEqual([]);
    const first = loopCounts().get('counted');
    expect([first?.failures, (first?.failures ?? 0) > 100]).toEqual([first?.runs, true]);
    const before = first?.runs ?? 0;
    const other = make(async () => {}, { name: 'counted' });
    other.start();
    await pass(0);
    expect(loopCounts().get('counted')?.runs).toBe(before + 1);
    await other.stop();
  });

  test('a second start changes nothing', async () => {
    const round = vi.fn(async () => {});
    const loop = make(round);
    loop.start();
    loop.start();
    await pass(0);
    expect(round).toHaveBeenCalledTimes(1);
    await loop.stop();
  });

  test('a round that asks for it is followed at once', async () => {
    let left = 3;
    const round = vi.fn(async () => ({ again: --left > 0 }));
    const loop = make(round);
    loop.start();
    await pass(0);
    expect(round).toHaveBeenCalledTimes(3);
    await loop.stop();
  });

  test('a kick ends the pause', async () => {
    const round = vi.fn(async () => {});
    const loop = make(round);
    loop.start();
    await pass(10);
    loop.kick();
    await pass(0);
    expect(round).toHaveBeenCalledTimes(2);
    await pass(INTERVAL - 1);
    expect(round).toHaveBeenCalledTimes(2);
    await loop.stop();
  });

  test('kicks during a round make one more round, not several', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const round = vi.fn(async () => gates[round.mock.calls.length - 1]?.promise);
    const loop = make(round as LoopOptions['round']);
    loop.start();
    loop.kick();
    loop.kick();
    expect(round).toHaveBeenCalledTimes(1);
    gates[0]?.resolve();
    await pass(0);
    expect(round).toHaveBeenCalledTimes(2);
    gates[1]?.resolve();
    await pass(INTERVAL - 1);
    expect(round).toHaveBeenCalledTimes(2);
    await loop.stop();
  });

  test('rounds never overlap, whatever kicks come', async () => {
    let running = 0;
    let most = 0;
    const loop = make(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 300));
      running -= 1;
    });
    loop.start();
    for (let i = 0; i < 20; i += 1) {
      await pass(77);
      loop.kick();
      loop.start();
    }
    expect(most).toBe(1);
    const stopped = loop.stop();
    await pass(300);
    await stopped;
  });

  test('failures back off by doubling to the cap, and success resets', async () => {
    const times: number[] = [];
    let failing = true;
    const loop = make(async () => {
      times.push(performance.now());
      if (failing) throw new Error('no link');
    });
    loop.start();
    await pass(0);
    expect(loop).toMatchObject({ consecutiveFailures: 1, lastError: 'no link' });
    await pass(100 + 200 + 400 + 400);
    expect(times.slice(1).map((time, i) => time - (times[i] ?? 0))).toEqual([100, 200, 400, 400]);
    failing = false;
    await pass(400);
    expect(loop).toMatchObject({ consecutiveFailures: 0, lastError: null });
    failing = true;
    await pass(INTERVAL);
    expect(loop.consecutiveFailures).toBe(1);
    times.length = 0;
    await pass(100);
    expect(times).toHaveLength(1);
    await loop.stop();
  });

  test('a kick goes through a backoff', async () => {
    const round = vi.fn(async () => {
      throw new Error('no');
    });
    const loop = make(round, { backoff: { first: 60_000, cap: 60_000, jitter: 0 } });
    loop.start();
    await pass(1);
    loop.kick();
    await pass(0);
    expect(round).toHaveBeenCalledTimes(2);
    await loop.stop();
  });

  test('a round that throws at once, or something other than an error, is a failure like any', async () => {
    const loop = make(() => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- what a careless library may do
      throw 'text';
    });
    loop.start();
    await pass(0);
    expect(loop).toMatchObject({ consecutiveFailures: 1, lastError: 'text' });
    await loop.stop();
  });

  test('grows louder after a minute of failures', async () => {
    const log = silentLogger();
    const warn = vi.spyOn(log, 'warn');
    const error = vi.spyOn(log, 'error');
    const loop = make(() => Promise.reject(new Error('no')), {
      log,
      backoff: { first: 10_000, cap: 10_000, jitter: 0 },
    });
    loop.start();
    await pass(60_000);
    expect([warn.mock.calls.length, error.mock.calls.length]).toEqual([7, 0]);
    await pass(10_000);
    expect(error).toHaveBeenCalledTimes(1);
    await loop.stop();
  });

  test('a secret that cannot be read is told in words, without a stack', async () => {
    const log = silentLogger();
    const warn = vi.spyOn(log, 'warn');
    const loop = make(() => Promise.reject(new SecretError('file:/key: cannot be read (ENOENT)')), { log });
    loop.start();
    await pass(0);
    expect(warn).toHaveBeenCalledWith(
      {
        loop: 'test',
        reason: 'file:/key: cannot be read (ENOENT)',
        failures: 1,
        retryInMs: expect.any(Number) as number,
      },
      'round failed',
    );
    await loop.stop();
  });

  test('stop ends the pause and never re-arms', async () => {
    const round = vi.fn(async () => {});
    const loop = make(round);
    loop.start();
    await pass(0);
    await loop.stop();
    loop.kick();
    loop.start();
    await pass(10 * INTERVAL);
    expect(round).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('stop ends a backoff and never re-arms', async () => {
    const round = vi.fn(() => Promise.reject(new Error('no')));
    const loop = make(round);
    loop.start();
    await pass(0);
    await loop.stop();
    await pass(10 * INTERVAL);
    expect(round).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('stop aborts the running round, waits for it, and nothing follows, whatever it answers', async () => {
    const ends = [
      () => Promise.resolve(),
      () => Promise.resolve({ again: true }),
      () => Promise.reject(new Error('aborted')),
    ];
    for (const [end, kicked] of ends.flatMap(
      (one) =>
        [
          [one, false],
          [one, true],
        ] as const,
    )) {
      const gate = Promise.withResolvers<void>();
      let aborted = false;
      const round = vi.fn(async (signal: AbortSignal) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        await gate.promise;
        return end();
      });
      const loop = make(round);
      loop.start();
      await pass(0);
      let stopped = false;
      const stop = loop.stop().then(() => {
        stopped = true;
      });
      if (kicked) loop.kick();
      await pass(INTERVAL);
      expect([aborted, stopped]).toEqual([true, false]);
      gate.resolve();
      await pass(0);
      expect(stopped).toBe(true);
      await stop;
      await pass(10 * INTERVAL);
      expect(round).toHaveBeenCalledTimes(1);
      expect(loop.consecutiveFailures).toBe(0);
    }
  });

  test('stopped before it began it never runs; stopped twice it is still stopped', async () => {
    const round = vi.fn(async () => {});
    const loop = make(round);
    await loop.stop();
    loop.start();
    await pass(INTERVAL);
    expect(round).not.toHaveBeenCalled();
    await loop.stop();
  });

  test('tells when a round ended and when the next is due: never while one runs', async () => {
    const gate = Promise.withResolvers<void>();
    const loop = make(() => gate.promise);
    const begun = performance.now();
    expect(loop.nextDueAt).toBe(begun);
    loop.start();
    await pass(50);
    expect(loop.nextDueAt).toBe(Infinity);
    gate.resolve();
    await pass(0);
    expect(loop.lastFinishedAt).toBe(begun + 50);
    expect(loop.nextDueAt).toBe(begun + 50 + INTERVAL);
    await loop.stop();
  });
});
