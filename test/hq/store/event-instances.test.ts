// Lists of the events of one site.
import { expect, test } from 'vitest';
import type { EventFilter } from '../../../common/core/event/port.ts';
import { LIST_PROBE } from '../../../hq/store/event-index/list.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { event, hubStores, stampAt, T0, testClock, uplinked, verdict } from './hub.ts';

const hub = hubStores();
const at = (cameraRef?: string) => ({
  doc: JSON.stringify({ siteRef: 's', ...(cameraRef ? { cameraRef } : {}) }),
});
const of = (key: string, instance: string, originId: number) =>
  uplinked(key, originId, { ...at('c'), origin: { instance, originId, receivedAt: T0 } });

async function keysOf(store: HubStore, filter: Partial<EventFilter>, limit = 10): Promise<string[]> {
  const all = { tenantCode: 'acme', includeTest: false, ...filter };
  return (await store.events.list(all, null, limit)).map(({ idempotencyKey }) => idempotencyKey);
}

async function expectNarrowed(store: HubStore): Promise<void> {
  expect(await keysOf(store, { instance: null })).toEqual(['d', 'a']);
  expect(await keysOf(store, { instance: 'site-1' })).toEqual(['e', 'b']);
  expect(await keysOf(store, { instance: 'site-1' }, 1)).toEqual(['e']);
  expect(await keysOf(store, { instance: 'site-2', cameraRef: 'c' })).toEqual(['c']);
  expect(await keysOf(store, { instance: 'site-2', cameraRef: 'other' })).toEqual([]);
  expect(await keysOf(store, { instance: 'site-3' })).toEqual([]);
  expect(await keysOf(store, { instance: 'site-1', tenantCode: 'other' })).toEqual([]);
  expect(await keysOf(store, { instance: 'site-1', tenantCode: null })).toEqual(['e', 'b']);
  expect(await keysOf(store, { instance: 'site-1', verdict: 'confirmed' })).toEqual(['b']);
  expect(await keysOf(store, { instance: 'site-1', verdict: 'none', severities: ['high'] })).toEqual(['e']);
}

test('a list is narrowed to one site, before and after its events are indexed and judged', async () => {
  const store = await hub.open((await hub.database()).url);
  const all = [
    event('a', at('c')),
    of('b', 'site-1', 1),
    of('c', 'site-2', 1),
    event('d', at()),
    of('e', 'site-1', 2),
  ];
  await store.events.ingest(all, T0);
  await store.verdicts.write(verdict(2), stampAt(T0, testClock()));
  await expectNarrowed(store);
  await store.eventIndex.round();
  await expectNarrowed(store);
  // Newer ones than are looked at row by row.
  const newer = Array.from({ length: LIST_PROBE }, (_, i) => of(`newer-${i}`, 'site-9', i + 1));
  await store.events.ingest(newer, T0);
  await store.eventIndex.round();
  await expectNarrowed(store);
  expect(await keysOf(store, { instance: 'site-9' }, 1_000)).toHaveLength(LIST_PROBE);
});
