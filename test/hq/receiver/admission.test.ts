// Which batch is stored next when more come than can be stored, and what is refused.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Admission, type AdmissionLimits } from '../../../hq/receiver/admission/admission.ts';
import { FairQueue } from '../../../hq/receiver/admission/queue.ts';

interface Batch {
  site: string;
  group: string;
  bytes: number;
}

const batch = (site: string, bytes: number, group = 'acme'): Batch => ({ site, group, bytes });

/** Takes `count` batches; each site of `again` sends its next one as soon as one was taken. */
function taken(queue: FairQueue<Batch>, count: number, again: readonly string[] = []): string[] {
  const order: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const one = queue.take();
    if (!one) break;
    order.push(one.site);
    if (again.includes(one.site)) queue.add(one);
  }
  return order;
}

describe('the queue', () => {
  test('lets a site with three events in beside those with a million', () => {
    const queue = new FairQueue<Batch>();
    for (const site of ['a', 'b', 'c']) queue.add(batch(site, 1_000));
    expect(taken(queue, 3, ['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
    queue.add(batch('small', 10));
    expect(taken(queue, 2, ['a', 'b', 'c'])).toContain('small');
  });

  test('gives sites the same bytes, not the same number of batches', () => {
    const queue = new FairQueue<Batch>();
    queue.add(batch('large', 1_000));
    queue.add(batch('small', 100));
    const order = taken(queue, 44, ['large', 'small']);
    expect(order.filter((site) => site === 'large').length).toBeGreaterThanOrEqual(3);
    expect(order.filter((site) => site === 'small').length).toBeGreaterThanOrEqual(39);
  });

  test('gives a tenant of one site as much as one of many', () => {
    const queue = new FairQueue<Batch>();
    const many = Array.from({ length: 9 }, (_, index) => `many-${index}`);
    for (const site of many) queue.add(batch(site, 100, 'big'));
    queue.add(batch('alone', 100, 'little'));
    const order = taken(queue, 20, [...many, 'alone']);
    expect(order.filter((site) => site === 'alone').length).toBeGreaterThanOrEqual(9);
  });

  test('keeps the order of one site, and gives no credit for having been away', () => {
    const queue = new FairQueue<Batch>();
    queue.add(batch('a', 100));
    taken(queue, 50, ['a']);
    queue.add(batch('late', 100));
    const order = taken(queue, 10, ['a', 'late']);
    expect(order.filter((site) => site === 'late').length).toBeLessThanOrEqual(6);
    const own = new FairQueue<Batch & { no: number }>();
    for (const no of [1, 2, 3]) own.add({ ...batch('a', 100), no });
    expect([own.take()?.no, own.take()?.no, own.take()?.no, own.take()]).toEqual([1, 2, 3, undefined]);
  });

  test('knows what waits in it', () => {
    const queue = new FairQueue<Batch>();
    queue.add(batch('a', 100));
    queue.add(batch('b', 50));
    expect([queue.size, queue.bytes]).toEqual([2, 150]);
    queue.take();
    queue.take();
    expect([queue.size, queue.bytes]).toEqual([0, 0]);
  });
});

describe('admission', () => {
  const limits: AdmissionLimits = {
    atOnce: 2,
    together: 4,
    togetherBytes: 0,
    waitingBytes: 100,
    reserveBytes: 20,
    small: 10,
    secondBytes: 50,
    waitMs: 5_000,
  };
  let now = 0;
  const open = (more: Partial<AdmissionLimits> = {}) =>
    new Admission({ ...limits, ...more }, { groupOf: () => 'acme', monotonic: () => now, random: () => 0.5 });
  /** Batches that a test leaves waiting; each leaves when its turn comes, so that none waits on. */
  const left: Promise<() => void>[] = [];
  const waits = (turn: Promise<() => void>): void => void left.push(turn);
  const letIn = (count: number, leave: () => void): void => {
    for (let turn = 0; turn < count; turn += 1) leave();
  };
  afterEach(async () => {
    for (const leave of await Promise.all(left.splice(0))) leave();
  });

  test('lets so many in at once, and the next with each that leaves', async () => {
    const admission = open();
    const [first, second] = [await admission.enter('a', 10), await admission.enter('b', 10)];
    let third: (() => void) | null = null;
    const waiting = admission.enter('c', 10).then((leave) => (third = leave));
    await Promise.resolve();
    expect([third, admission.waiting, admission.waitingBytes]).toEqual([null, 1, 10]);
    first();
    await waiting;
    expect([admission.waiting, admission.waitingBytes]).toEqual([0, 0]);
    second();
    (third as unknown as () => void)();
    await Promise.all([admission.enter('a', 10), admission.enter('b', 10)]);
  });

  test('lets more batches of events in, which are stored together, as long as they are small', async () => {
    const admission = open({ togetherBytes: 30 });
    const leave = await admission.enter('a', 10, 'events');
    for (const site of ['b', 'c']) await admission.enter(site, 10, 'events');
    waits(admission.enter('large', 20, 'events'));
    // It would fit, but nobody goes before the one whose turn it is.
    waits(admission.enter('small', 5, 'events'));
    expect(admission.waiting).toBe(2);
    leave();
    expect(admission.waiting).toBe(2);
    leave();
    expect(admission.waiting).toBe(1);
    leave();
    expect(admission.waiting).toBe(0);
  });

  test('lets no more of other channels in than may have a connection each', async () => {
    const admission = open({ togetherBytes: 100 });
    const leave = await admission.enter('a', 10, 'verdicts');
    await admission.enter('b', 10, 'work');
    await admission.enter('c', 10, 'events');
    waits(admission.enter('d', 10, 'verdicts'));
    expect(admission.waiting).toBe(1);
    letIn(1, leave);
    expect(admission.waiting).toBe(0);
  });

  test('lets the next one in when the one before it has waited too long', async () => {
    vi.useFakeTimers();
    try {
      const admission = open({ togetherBytes: 10 });
      for (const site of ['a', 'b']) await admission.enter(site, 1, 'events');
      const late = expect(admission.enter('large', 20, 'events')).rejects.toMatchObject({
        code: 'uplink_full',
      });
      await vi.advanceTimersByTimeAsync(limits.waitMs - 1);
      const small = admission.enter('small', 5, 'events');
      await vi.advanceTimersByTimeAsync(1);
      await late;
      await small;
    } finally {
      vi.useRealTimers();
    }
  });

  test('has less room for the second batch of a channel that comes while the first is here', async () => {
    const admission = open();
    await admission.enter('a', 10, 'events');
    const leave = await admission.enter('b', 10, 'events');
    waits(admission.enter('c', 40, 'events'));
    const full = { status: 503, code: 'uplink_full' };
    await expect(admission.enter('a', 20, 'events')).rejects.toMatchObject(full);
    await expect(admission.enter('c', 20, 'events')).rejects.toMatchObject(full);
    waits(admission.enter('a', 20, 'verdicts'));
    waits(admission.enter('d', 20, 'events'));
    letIn(3, leave);
    // The first was answered: what comes now is not the second of anything.
    waits(admission.enter('b', 60, 'events'));
    expect(admission.refused).toBe(2);
    letIn(1, leave);
  });

  test('refuses what does not fit, with what the queue takes to empty, and keeps room for small ones', async () => {
    const admission = open();
    const leave = await admission.enter('a', 50);
    await admission.enter('b', 50);
    const turns = [admission.enter('c', 50), admission.enter('d', 50)];
    await expect(admission.enter('e', 50)).rejects.toMatchObject({
      status: 503,
      code: 'uplink_full',
      retryAfterSeconds: 1,
    });
    const small = admission.enter('f', 10);
    now += 1_000;
    leave();
    await Promise.race(turns);
    // Of 50 bytes in a second, two at a time, the 60 that wait take 0.6 s.
    const refused = admission.enter('g', 60);
    await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 1 });
    expect(admission.refused).toBe(2);
    expect(admission.waiting).toBe(2);
    for (const turn of [...turns, small]) waits(turn);
    letIn(2, leave);
  });

  test('learns nothing of its pace from batches whose callers have gone', async () => {
    const admission = open();
    const leave = await admission.enter('a', 50);
    waits(admission.enter('b', 50));
    const gone = [admission.enter('c', 30), admission.enter('d', 30), admission.enter('e', 30)];
    now += 10_000;
    leave();
    (await (gone[0] as Promise<() => void>))();
    await expect(admission.enter('f', 80)).rejects.toMatchObject({ retryAfterSeconds: 4 });
    waits(gone[1] as Promise<() => void>);
    waits(gone[2] as Promise<() => void>);
    letIn(1, leave);
  });

  test('begins no wait that its site would give up', async () => {
    const admission = open();
    const leave = await admission.enter('a', 1);
    await admission.enter('b', 1);
    waits(admission.enter('c', 60));
    waits(admission.enter('d', 30));
    now += 1_000;
    leave();
    await Promise.resolve();
    await expect(admission.enter('e', 20)).rejects.toMatchObject({ retryAfterSeconds: 17 });
    waits(admission.enter('f', 10));
    expect(admission.waiting).toBe(2);
    letIn(2, leave);
  });

  test('refuses what has waited too long, and gives its turn to nobody', async () => {
    vi.useFakeTimers();
    try {
      const admission = open();
      const leave = await admission.enter('a', 1);
      await admission.enter('b', 1);
      const late = expect(admission.enter('c', 10)).rejects.toMatchObject({ code: 'uplink_full' });
      await vi.advanceTimersByTimeAsync(limits.waitMs);
      await late;
      expect([admission.waiting, admission.waitingBytes]).toEqual([0, 0]);
      leave();
      await admission.enter('d', 10);
    } finally {
      vi.useRealTimers();
    }
  });
});
