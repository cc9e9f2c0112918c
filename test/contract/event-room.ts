// The contract of EventPort: reading as far as there is room, by what a consumer is to see.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { consumerSees, visibleTo } from '../../common/core/event/decide.ts';
import type { EventFilter, Room } from '../../common/core/event/port.ts';
import { severities } from '../../common/core/event/schema.ts';
import { Watermark } from '../../common/core/event/watermark.ts';
import { scanEvents } from '../../common/core/subscription/scan.ts';
import { SECOND, TEST_START } from '../support/clock.ts';
import { indexEvents } from './event-index.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { newEvent, range } from './samples.ts';

const ALL: EventFilter = { tenantCode: null, includeTest: true };
const EVERYBODY = { tenantCode: null, eventTypes: null, minSeverity: null };
const TYPES = ['vehicle.intrusion', 'vehicle.speeding', 'person.fall', 'vehicles'];

export function eventRoomContract(make: MakeHarness): void {
  describe('events: visible, newest', () => rooms(make));
}

function rooms(make: MakeHarness): void {
  const bench = useStores(make);
  const large = (key: string, size: number, tenantCode = 'acme') =>
    newEvent(key, { tenantCode, doc: JSON.stringify({ title: 'x'.repeat(size) }) });
  const newest = async (room: Room, before: number | null = null) => {
    const { items, more } = await bench.stores.events.newest(ALL, before, room);
    return [items.map((event) => event.idempotencyKey), more];
  };

  test('newest ends with the event that fills the room, and a single larger one still goes', async () => {
    await bench.stores.events.ingest(
      [large('a', 10), large('b', 50_000), large('c', 3_000), large('d', 10)],
      TEST_START,
    );
    expect(await newest({ rows: 10, bytes: 1_000_000 })).toEqual([['d', 'c', 'b', 'a'], false]);
    expect(await newest({ rows: 10, bytes: 2_000 })).toEqual([['d', 'c'], true]);
    expect(await newest({ rows: 2, bytes: 1_000_000 })).toEqual([['d', 'c'], true]);
    expect(await newest({ rows: 10, bytes: 1 })).toEqual([['d'], true]);
  });

  test('newest has the same room behind the index', async () => {
    await bench.stores.events.ingest(
      range(1200, (i) => large(`k${i}`, 200, i % 400 === 0 ? 'few' : 'acme')),
      TEST_START,
    );
    await indexEvents(bench.stores);
    const asked: EventFilter = { ...ALL, tenantCode: 'few' };
    const found = await bench.stores.events.newest(asked, null, { rows: 10, bytes: 250 });
    const keys = found.items.map((event) => event.idempotencyKey);
    expect([keys, found.more]).toEqual([['k800', 'k400'], true]);
  });

  test('a batch of events that a consumer sees is the same whatever the room, and skips nothing', async () => {
    const events = range(120, (i) =>
      newEvent(`k${i}`, {
        tenantCode: ['acme', 'other'][i % 2] as string,
        type: TYPES[i % TYPES.length] as string,
        severity: [...severities, null][i % 5] ?? null,
        isTest: i % 7 === 0,
        doc: JSON.stringify({ title: 'x'.repeat((i % 11) * 100) }),
      }),
    );
    await bench.stores.events.ingest(events, TEST_START);
    bench.clock.advance(3 * SECOND);
    const stored = await bench.stores.events.page(0, 1_000);
    const { highWaterMark } = await bench.stores.events.bounds();
    const filters = fc.record({
      tenantCode: fc.constantFrom(null, 'acme', 'other', 'none'),
      eventTypes: fc.constantFrom(null, ['vehicle.*'], ['person.fall', 'vehicles'], ['*'], ['vehicle*']),
      minSeverity: fc.constantFrom(null, ...severities),
    });
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.boolean(),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 9_000 }),
        async (filter, includeTest, limit, maxText) => {
          const from = { events: bench.stores.events, watermark: new Watermark(), clock: bench.clock };
          const seen: number[] = [];
          let after = 0;
          for (let more = true; more;) {
            const options = { after, limit, includeTest, highWaterMark, maxText };
            const batch = await scanEvents(from, filter, options);
            expect(batch.nextCursor).toBeGreaterThan(after);
            seen.push(...batch.items.map(({ id }) => id));
            [after, more] = [batch.nextCursor, batch.hasMore];
          }
          expect(after).toBe(highWaterMark);
          expect(seen).toEqual(
            stored.filter((event) => consumerSees(filter, event, includeTest)).map(({ id }) => id),
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  test('what is younger than the watermark ends a batch', async () => {
    const ids = [
      ...(await bench.stores.events.ingest([newEvent('a')], TEST_START)),
      ...(await bench.stores.events.ingest([newEvent('b')], TEST_START + 1_500)),
    ].map(({ id }) => id) as [number, number];
    const range = { after: 0, through: ids[1] };
    expect(await bench.stores.events.newestBefore(TEST_START, range)).toBe(ids[0]);
    expect(await bench.stores.events.newestBefore(TEST_START - 1, range)).toBe(0);
    const room = { rows: 10, bytes: 1_000 };
    const { items } = await bench.stores.events.visible(range, visibleTo(EVERYBODY, true), room);
    expect(items.map(({ id }) => id)).toEqual(ids);
  });
}
