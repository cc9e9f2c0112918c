// The contract of EventPort: reading.
import { describe, expect, test } from 'vitest';
import { type EventFilter, eventKey } from '../../common/core/event/port.ts';
import { TEST_START } from '../support/clock.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { correctionOn, newEvent, range, stored, verdictOn } from './samples.ts';

const ALL: EventFilter = { tenantCode: null, includeTest: true };

export function eventReadContract(make: MakeHarness): void {
  describe('events: get, byKeys, page, bounds', () => reads(make));
  describe('events: list', () => lists(make));
}

function reads(make: MakeHarness): void {
  const bench = useStores(make);

  test('an id that is not there is null', async () => {
    expect(await bench.stores.events.get(1)).toBeNull();
    expect(await bench.stores.events.get(Number.MAX_SAFE_INTEGER)).toBeNull();
  });

  test('byKeys finds by tenant and key and leaves out what is missing', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    const other = await stored(bench.stores, newEvent('k', { tenantCode: 'other' }));
    const found = await bench.stores.events.byKeys([
      { tenantCode: 'acme', idempotencyKey: 'k' },
      { tenantCode: 'acme', idempotencyKey: 'missing' },
      { tenantCode: 'none', idempotencyKey: 'k' },
      { tenantCode: 'acme', idempotencyKey: 'k' },
    ]);
    expect([...found].map(([key, event]) => [key, event.id])).toEqual([[eventKey('acme', 'k'), id]]);
    const both = await bench.stores.events.byKeys([{ tenantCode: 'other', idempotencyKey: 'k' }]);
    expect(both.get(eventKey('other', 'k'))).toEqual(await bench.stores.events.get(other));
  });

  test('byKeys takes no keys, and a thousand', async () => {
    expect((await bench.stores.events.byKeys([])).size).toBe(0);
    await bench.stores.events.ingest(
      range(1000, (i) => newEvent(`k${i}`)),
      TEST_START,
    );
    const found = await bench.stores.events.byKeys(
      range(1000, (i) => ({ tenantCode: 'acme', idempotencyKey: `k${i}` })),
    );
    expect(found.size).toBe(1000);
  });

  test('tally counts the first events after a position by what subscriptions tell apart', async () => {
    const batch = range(6, (i) =>
      newEvent(`k${i}`, {
        tenantCode: i % 2 ? 'acme' : 'other',
        type: i < 4 ? 'vehicle.intrusion' : 'person.fall',
        severity: i === 5 ? null : 'high',
        isTest: i === 4,
      }),
    );
    const ids = (await bench.stores.events.ingest(batch, TEST_START)).map((result) => result.id);
    const tally = async (after: number, most: number) =>
      (await bench.stores.events.tally(after, most))
        .map((one) => [one.tenantCode, one.type, one.severity, one.isTest, one.count].join(' '))
        .toSorted();
    expect(await tally(0, 100)).toEqual([
      'acme person.fall  false 1',
      'acme vehicle.intrusion high false 2',
      'other person.fall high true 1',
      'other vehicle.intrusion high false 2',
    ]);
    expect(await tally(ids[1] ?? 0, 2)).toEqual([
      'acme vehicle.intrusion high false 1',
      'other vehicle.intrusion high false 1',
    ]);
    expect(await tally(ids[5] ?? 0, 10)).toEqual([]);
  });

  test('page begins after the cursor, ascends, keeps to its limit and holds every tenant', async () => {
    const batch = range(5, (i) =>
      newEvent(`k${i}`, { tenantCode: i % 2 ? 'acme' : 'other', isTest: i === 3 }),
    );
    const ids = (await bench.stores.events.ingest(batch, TEST_START)).map((result) => result.id);
    const page = async (after: number, limit: number) =>
      (await bench.stores.events.page(after, limit)).map((event) => event.id);
    expect(await page(0, 100)).toEqual(ids);
    expect(await page(0, 2)).toEqual(ids.slice(0, 2));
    expect(await page(ids[1] ?? 0, 2)).toEqual(ids.slice(2, 4));
    expect(await page(ids[3] ?? 0, 1)).toEqual([ids[4]]);
    expect(await page(ids[4] ?? 0, 10)).toEqual([]);
    expect(await page(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });

  test('page shows the verdict and the newest correction', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    await bench.stores.verdicts.write(verdictOn(id), bench.stamp());
    await bench.stores.verdicts.correct(correctionOn(id, 'z'), bench.stamp());
    await bench.stores.verdicts.correct(correctionOn(id, 'a', { verdict: 'confirmed' }), bench.stamp());
    const [event] = await bench.stores.events.page(0, 1);
    expect(event).toMatchObject({ verdict: 'confirmed', correctedTo: 'confirmed' });
    expect(await bench.stores.events.get(id)).toEqual(event);
  });

  test('bounds of an empty store, and of one with events', async () => {
    expect(await bench.stores.events.bounds()).toEqual({ oldest: 1, highWaterMark: 0 });
    const results = await bench.stores.events.ingest(
      range(3, (i) => newEvent(`k${i}`)),
      TEST_START,
    );
    expect(await bench.stores.events.bounds()).toEqual({
      oldest: results[0]?.id,
      highWaterMark: results[2]?.id,
    });
    await bench.stores.events.ingest([newEvent('k0')], TEST_START);
    expect(await bench.stores.events.bounds()).toEqual({
      oldest: results[0]?.id,
      highWaterMark: results[2]?.id,
    });
    await bench.restart();
    expect(await bench.stores.events.bounds()).toEqual({
      oldest: results[0]?.id,
      highWaterMark: results[2]?.id,
    });
  });

  test('the store can say that it takes writes', async () => {
    await expect(bench.stores.probe()).resolves.toBeUndefined();
    expect(bench.stores.epoch()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
}

function lists(make: MakeHarness): void {
  const bench = useStores(make);

  const keysOf = async (filter: Partial<EventFilter>, before: number | null = null, limit = 100) =>
    (await bench.stores.events.list({ ...ALL, ...filter }, before, limit)).map(
      (event) => event.idempotencyKey,
    );

  test('is newest first and pages without gaps or doubles', async () => {
    await bench.stores.events.ingest(
      range(7, (i) => newEvent(`k${i}`)),
      TEST_START,
    );
    expect(await keysOf({})).toEqual(['k6', 'k5', 'k4', 'k3', 'k2', 'k1', 'k0']);
    const seen: string[] = [];
    for (let before: number | null = null; ;) {
      const page = await bench.stores.events.list(ALL, before, 3);
      seen.push(...page.map((event) => event.idempotencyKey));
      if (page.length < 3) break;
      before = page.at(-1)?.id ?? null;
    }
    expect(seen).toEqual(await keysOf({}));
  });

  test('before is exclusive, and nothing stands before the first', async () => {
    const ids = (
      await bench.stores.events.ingest(
        range(3, (i) => newEvent(`k${i}`)),
        TEST_START,
      )
    ).map((result) => result.id);
    expect(await keysOf({}, ids[1] ?? 0)).toEqual(['k0']);
    expect(await keysOf({}, ids[0] ?? 0)).toEqual([]);
    expect(await keysOf({}, Number.MAX_SAFE_INTEGER)).toHaveLength(3);
  });

  test('filters by where events arose; null is this store', async () => {
    await bench.stores.events.ingest([newEvent('a'), newEvent('b')], TEST_START);
    expect(await keysOf({ instance: null })).toEqual(['b', 'a']);
    expect(await keysOf({ instance: 'elsewhere' })).toEqual([]);
  });

  test('filters by tenant; null is every tenant', async () => {
    await bench.stores.events.ingest(
      [newEvent('a'), newEvent('b', { tenantCode: 'other' }), newEvent('c')],
      TEST_START,
    );
    expect(await keysOf({ tenantCode: 'acme' })).toEqual(['c', 'a']);
    expect(await keysOf({ tenantCode: 'other' })).toEqual(['b']);
    expect(await keysOf({ tenantCode: 'Acme' })).toEqual([]);
    expect(await keysOf({ tenantCode: null })).toEqual(['c', 'b', 'a']);
  });

  test('the limit counts what the filters left', async () => {
    await bench.stores.events.ingest(
      range(9, (i) => newEvent(`k${i}`, { tenantCode: i % 3 ? 'other' : 'acme' })),
      TEST_START,
    );
    expect(await keysOf({ tenantCode: 'acme' }, null, 2)).toEqual(['k6', 'k3']);
  });

  test('filters by exact type', async () => {
    await bench.stores.events.ingest(
      [newEvent('a'), newEvent('b', { type: 'vehicle' }), newEvent('c', { type: 'person.fall' })],
      TEST_START,
    );
    expect(await keysOf({ type: 'vehicle' })).toEqual(['b']);
    expect(await keysOf({ type: 'vehicle.intrusion' })).toEqual(['a']);
  });

  test('filters by severity, any of several; without one it is medium', async () => {
    await bench.stores.events.ingest(
      ([null, 'low', 'medium', 'high', 'critical'] as const).map((severity) =>
        newEvent(severity ?? 'none', { severity }),
      ),
      TEST_START,
    );
    expect(await keysOf({ severities: ['high', 'critical'] })).toEqual(['critical', 'high']);
    expect(await keysOf({ severities: ['medium'] })).toEqual(['medium', 'none']);
    expect(await keysOf({ severities: ['low'], type: 'person.fall' })).toEqual([]);
  });

  test('leaves test events out unless asked', async () => {
    await bench.stores.events.ingest([newEvent('a'), newEvent('b', { isTest: true })], TEST_START);
    expect(await keysOf({ includeTest: false })).toEqual(['a']);
    expect(await keysOf({ includeTest: true })).toEqual(['b', 'a']);
  });

  test('filters by verdict; none is unjudged, and a correction leaves the first verdict standing', async () => {
    const ids = (
      await bench.stores.events.ingest(
        range(4, (i) => newEvent(`k${i}`)),
        TEST_START,
      )
    ).map((result) => result.id);
    const [a = 0, b = 0, c = 0] = ids;
    await bench.stores.verdicts.write(verdictOn(a), bench.stamp());
    await bench.stores.verdicts.write(verdictOn(b, { verdict: 'false_alarm', note: 'rain' }), bench.stamp());
    await bench.stores.verdicts.write(verdictOn(c, { verdict: 'merged', mergedInto: a }), bench.stamp());
    await bench.stores.verdicts.correct(correctionOn(a, 'x'), bench.stamp());
    expect(await keysOf({ verdict: 'none' })).toEqual(['k3']);
    expect(await keysOf({ verdict: 'confirmed' })).toEqual(['k0']);
    expect(await keysOf({ verdict: 'false_alarm' })).toEqual(['k1']);
    expect(await keysOf({ verdict: 'merged' })).toEqual(['k2']);
    expect(await keysOf({ verdict: 'merged', tenantCode: 'other' })).toEqual([]);
    expect(await keysOf({ correctedTo: 'false_alarm' })).toEqual(['k0']);
    expect(await keysOf({ correctedTo: 'none' })).toEqual(['k3', 'k2', 'k1']);
    expect(await keysOf({ standing: 'false_alarm' })).toEqual(['k1', 'k0']);
    expect(await keysOf({ standing: 'confirmed' })).toEqual([]);
    expect(await keysOf({ standing: 'none' })).toEqual(['k3']);
  });

  test('all filters hold together', async () => {
    await bench.stores.events.ingest(
      [
        newEvent('hit'),
        newEvent('tenant', { tenantCode: 'other' }),
        newEvent('type', { type: 'person.fall' }),
        newEvent('test', { isTest: true }),
      ],
      TEST_START,
    );
    expect(
      await keysOf({ tenantCode: 'acme', type: 'vehicle.intrusion', verdict: 'none', includeTest: false }),
    ).toEqual(['hit']);
  });
}
