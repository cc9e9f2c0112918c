// The contract of EventPort.
import { describe, expect, test } from 'vitest';
import { eventKey } from '../../common/core/event/port.ts';
import { HOUR, TEST_START } from '../support/clock.ts';
import { follow } from './follow.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { docOf, eventOf, newEvent, range, siteEvent, stored } from './samples.ts';

export function eventContract(make: MakeHarness): void {
  describe('events: ingest', () => ingest(make));
  describe('events: duplicates', () => duplicates(make));
  describe('events: clock', () => clock(make));
  describe('events: concurrency', () => concurrency(make));
}

function ingest(make: MakeHarness): void {
  const bench = useStores(make);

  test('gives one result per event, with ids that ascend in batch order', async () => {
    const first = await bench.stores.events.ingest(
      range(3, (i) => newEvent(`a${i}`)),
      TEST_START,
    );
    const second = await bench.stores.events.ingest(
      range(3, (i) => newEvent(`b${i}`)),
      TEST_START,
    );
    const ids = [...first, ...second].map((result) => result.id);
    expect(ids[0]).toBeGreaterThan(0);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect([...first, ...second].every((result) => !result.duplicate && !result.conflicting)).toBe(true);
  });

  test('an empty batch stores nothing', async () => {
    expect(await bench.stores.events.ingest([], TEST_START)).toEqual([]);
    expect(await bench.stores.events.bounds()).toEqual({ oldest: 1, highWaterMark: 0 });
  });

  test('keeps every member of an event that arose here', async () => {
    const event = newEvent('k', {
      severity: null,
      occurredAt: null,
      isTest: true,
      nodeKey: null,
      kind: 'observation',
      source: 'quick_photo',
    });
    const id = await stored(bench.stores, event);
    const { origin: _, ...members } = event;
    expect(await bench.stores.events.get(id)).toEqual({
      ...members,
      id,
      receivedAt: TEST_START,
      instance: null,
      originId: null,
      originReceivedAt: null,
      verdict: null,
      correctedTo: null,
    });
  });

  test('keeps where an event of another instance arose', async () => {
    const id = await stored(bench.stores, siteEvent('k'));
    expect(await bench.stores.events.get(id)).toMatchObject({
      id,
      nodeKey: null,
      receivedAt: TEST_START,
      instance: 'site-9',
      originId: 77,
      originReceivedAt: TEST_START - 1_000,
    });
  });

  test('keeps text of any script, quotes and long keys to the letter', async () => {
    const keys = [
      '漢字',
      '😀',
      'e\u0301',
      '\u00e9',
      "it's",
      '"%_\\',
      ' a',
      'a ',
      'a',
      'A',
      'k'.repeat(128),
      '\u00a0',
      '\ufeff',
    ];
    const results = await bench.stores.events.ingest(
      keys.map((key) => newEvent(key)),
      TEST_START,
    );
    expect(results.map((result) => result.duplicate)).toEqual(keys.map(() => false));
    const page = await bench.stores.events.page(0, 100);
    expect(page.map((event) => event.idempotencyKey)).toEqual(keys);
  });

  test('keeps the text of doc byte for byte', async () => {
    const doc = '{"payload":{"b":1,"a":1.50,"b2":"\\u0000\\ud800","é":12345678901234567890},"title":"x"}';
    const id = await stored(bench.stores, newEvent('k', { doc }));
    expect((await eventOf(bench.stores, id)).doc).toBe(doc);
  });

  test('keeps times before 1970 and far ahead', async () => {
    const times = [Date.UTC(1901, 0, 1), -1, 0, Date.UTC(9999, 11, 31)];
    await bench.stores.events.ingest(
      times.map((occurredAt, i) => newEvent(`k${i}`, { occurredAt })),
      TEST_START,
    );
    expect((await bench.stores.events.page(0, 10)).map((event) => event.occurredAt)).toEqual(times);
  });

  test('takes the largest batch of the wire', async () => {
    const results = await bench.stores.events.ingest(
      range(1000, (i) => newEvent(`k${i}`)),
      TEST_START,
    );
    expect(results).toHaveLength(1000);
    expect(await bench.stores.events.page(0, 2000)).toHaveLength(1000);
  });

  test('outlives a restart, with the numbering and the clamp', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    const before = await eventOf(bench.stores, id);
    const epoch = bench.stores.epoch();
    await bench.restart();
    expect(bench.stores.epoch()).toBe(epoch);
    expect(await eventOf(bench.stores, id)).toEqual(before);
    const next = await stored(bench.stores, newEvent('next'), TEST_START - HOUR);
    expect(next).toBe(id + 1);
    expect((await eventOf(bench.stores, next)).receivedAt).toBe(TEST_START);
    expect(await bench.stores.events.ingest([newEvent('k')], TEST_START)).toEqual([
      { id, duplicate: true, conflicting: false },
    ]);
  });
}

function duplicates(make: MakeHarness): void {
  const bench = useStores(make);

  test('a known key is not stored again, in a later batch or in the same one', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    const batch = [newEvent('k'), newEvent('new'), newEvent('new'), newEvent('k')];
    const results = await bench.stores.events.ingest(batch, TEST_START);
    expect(results.map((result) => result.duplicate)).toEqual([true, false, true, true]);
    expect(results.map((result) => result.id)).toEqual([id, results[1]?.id, results[1]?.id, id]);
    expect(results.some((result) => result.conflicting)).toBe(false);
    expect(await bench.stores.events.page(0, 10)).toHaveLength(2);
  });

  test('the fresh events between duplicates are numbered in batch order', async () => {
    await stored(bench.stores, newEvent('old'));
    const results = await bench.stores.events.ingest(
      ['a', 'old', 'b', 'a', 'c'].map((key) => newEvent(key)),
      TEST_START,
    );
    const page = await bench.stores.events.page(0, 10);
    expect(page.map((event) => event.idempotencyKey)).toEqual(['old', 'a', 'b', 'c']);
    expect(results.map((result) => page.find((event) => event.id === result.id)?.idempotencyKey)).toEqual([
      'a',
      'old',
      'b',
      'a',
      'c',
    ]);
  });

  test.each([
    ['type', { type: 'vehicle.parking' }],
    ['kind', { kind: 'observation' }],
    ['source', { source: 'quick_photo' }],
    ['severity', { severity: null }],
    ['occurredAt', { occurredAt: null }],
    ['isTest', { isTest: true }],
    ['doc', { doc: docOf({ title: 'other' }) }],
  ] as const)(
    'another %s under the same key is a conflicting duplicate, and the first stays',
    async (_, over) => {
      const id = await stored(bench.stores, newEvent('k'));
      const before = await eventOf(bench.stores, id);
      const results = await bench.stores.events.ingest([newEvent('k', over), newEvent('k')], TEST_START + 1);
      expect(results).toEqual([
        { id, duplicate: true, conflicting: true },
        { id, duplicate: true, conflicting: false },
      ]);
      expect(await eventOf(bench.stores, id)).toEqual(before);
      expect(await bench.stores.events.page(0, 10)).toHaveLength(1);
    },
  );

  test('a conflict inside a batch is told, and the first of the batch is stored', async () => {
    const [first, second] = await bench.stores.events.ingest(
      [newEvent('k'), newEvent('k', { severity: 'low' })],
      TEST_START,
    );
    expect(second).toEqual({ id: first?.id, duplicate: true, conflicting: true });
    expect((await bench.stores.events.page(0, 10)).map((event) => event.severity)).toEqual(['high']);
  });

  test('the order of members in doc and the posting node make no conflict', async () => {
    const id = await stored(bench.stores, newEvent('k', { doc: '{"title":"t","siteRef":"s"}' }));
    const again = newEvent('k', { doc: '{ "siteRef": "s", "title": "t" }', nodeKey: 'cam-2' });
    expect(await bench.stores.events.ingest([again], TEST_START)).toEqual([
      { id, duplicate: true, conflicting: false },
    ]);
  });

  test('the key is unique within its tenant only', async () => {
    const results = await bench.stores.events.ingest(
      [newEvent('k'), newEvent('k', { tenantCode: 'other' })],
      TEST_START,
    );
    expect(results.map((result) => result.duplicate)).toEqual([false, false]);
  });

  test('a tenant and a key do not run into each other', async () => {
    const batch = [newEvent('bc', { tenantCode: 'a' }), newEvent('c', { tenantCode: 'ab' })];
    expect((await bench.stores.events.ingest(batch, TEST_START)).map((result) => result.duplicate)).toEqual([
      false,
      false,
    ]);
    const found = await bench.stores.events.byKeys([
      { tenantCode: 'a', idempotencyKey: 'bc' },
      { tenantCode: 'a', idempotencyKey: 'c' },
    ]);
    expect([...found.keys()]).toEqual([eventKey('a', 'bc')]);
  });
}

function clock(make: MakeHarness): void {
  const bench = useStores(make);

  test('receivedAt never falls: an hour back it stays, and it goes on when the clock has caught up', async () => {
    const steps = [0, 10, -HOUR, -HOUR + 5, 9, 11, HOUR, 0];
    for (const [index, step] of steps.entries())
      await bench.stores.events.ingest([newEvent(`k${index}`)], TEST_START + step);
    const received = (await bench.stores.events.page(0, 100)).map((event) => event.receivedAt - TEST_START);
    expect(received).toEqual([0, 10, 10, 10, 10, 11, HOUR, HOUR]);
  });

  test('a batch of duplicates does not raise the clamp', async () => {
    await stored(bench.stores, newEvent('k'));
    await bench.stores.events.ingest([newEvent('k')], TEST_START + HOUR);
    const id = await stored(bench.stores, newEvent('next'), TEST_START + 1);
    expect((await eventOf(bench.stores, id)).receivedAt).toBe(TEST_START + 1);
  });
}

function concurrency(make: MakeHarness): void {
  const bench = useStores(make);

  test('twenty writers of one key: one is stored, nineteen are told its id', async () => {
    const results = (
      await Promise.all(range(20, () => bench.stores.events.ingest([newEvent('k')], TEST_START)))
    ).flat();
    expect(results.filter((result) => !result.duplicate)).toHaveLength(1);
    expect(new Set(results.map((result) => result.id)).size).toBe(1);
    expect(await bench.stores.events.page(0, 10)).toHaveLength(1);
  });

  test('twenty writers that overlap: every key once, ids without doubles', async () => {
    const batches = range(20, (writer) => range(10, (i) => newEvent(`k${(writer * 5 + i) % 60}`)));
    const results = await Promise.all(batches.map((batch) => bench.stores.events.ingest(batch, TEST_START)));
    const page = await bench.stores.events.page(0, 1000);
    expect(new Set(page.map((event) => event.idempotencyKey)).size).toBe(page.length);
    expect(results.flat().filter((result) => !result.duplicate)).toHaveLength(page.length);
    for (const [writer, batch] of batches.entries()) {
      for (const [i, event] of batch.entries()) {
        expect(page.find((row) => row.id === results[writer]?.[i]?.id)?.idempotencyKey).toBe(
          event.idempotencyKey,
        );
      }
    }
  });

  test('a refused batch does not take its neighbours with it', async () => {
    const bad = newEvent('bad', { tenantCode: null as unknown as string });
    const settled = await Promise.allSettled([
      bench.stores.events.ingest([newEvent('a')], TEST_START),
      bench.stores.events.ingest([newEvent('b'), bad], TEST_START),
      bench.stores.events.ingest([newEvent('c')], TEST_START),
    ]);
    expect(settled.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await bench.stores.events.page(0, 10)).map((event) => event.idempotencyKey).sort()).toEqual([
      'a',
      'c',
    ]);
  });

  test('a reader that follows twenty writers misses nothing and sees ids ascend', async () => {
    const writes = Promise.all(
      range(20, (i) =>
        bench.stores.events.ingest(
          range(3, (j) => newEvent(`k${i}-${j}`)),
          TEST_START + i,
        ),
      ),
    );
    const seen = await follow<number>(writes, 7, async (last = 0) =>
      (await bench.stores.events.page(last, 7)).map((event) => event.id),
    );
    expect(seen).toEqual((await bench.stores.events.page(0, 1000)).map((event) => event.id));
    expect(seen).toHaveLength(60);
  });
}
