// Lists of the events of one site, also of those that came before the index of events knew of sites.
import { expect, test } from 'vitest';
import type { EventFilter } from '../../../common/core/event/port.ts';
import { silentLogger } from '../../../common/log.ts';
import { LIST_PROBE } from '../../../hq/store/event-index/list.ts';
import { migrate, MIGRATIONS_DIR, readMigrations } from '../../../hq/store/migrate.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { clientOf } from '../../support/postgres.ts';
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

test('an index from before is brought over, each event to the place of its site', async () => {
  const { url } = await hub.database();
  const client = clientOf(url);
  await client.connect();
  const before = (await readMigrations(MIGRATIONS_DIR)).filter(({ number }) => number < 7);
  await migrate(client, before, silentLogger(), () => T0);
  await client.query(
    `insert into events (id, tenant_code, idempotency_key, type, kind, source, severity, occurred_at,
       received_at, is_test, instance, origin_id, doc)
     select id, 'acme', id, 'a.b', 'alert', 'video', 'high', 1, 1, false, instance, id, '{}'
     from (values (1, null), (2, 'site-1'), (3, 'site-2'), (4, 'site-1'), (5, null)) as e (id, instance)`,
  );
  await client.query(
    `insert into event_places (tenant_code, id, site_ref) overriding system value
     values ('acme', 7, 'shared'), ('acme', 8, 'of one site')`,
  );
  await client.query(`select setval(pg_get_serial_sequence('event_places', 'id'), 8)`);
  await client.query(
    `insert into event_facts (tenant_code, event_id, occurred_at, group_id, place_id)
     values ('acme', 1, 1, 1, 7), ('acme', 2, 1, 1, 7), ('acme', 3, 1, 1, 7), ('acme', 4, 1, 1, 8),
       ('acme', 5, 1, 1, 7)`,
  );
  await hub.open(url);
  const { rows } = await client.query<{ id: number; ref: string; instance: string | null; place: number }>(
    `select f.event_id as id, p.site_ref as ref, p.instance, p.id as place
     from event_facts f join event_places p on p.tenant_code = f.tenant_code and p.id = f.place_id order by 1`,
  );
  await client.end();
  expect(rows.map(({ id, ref, instance }) => [Number(id), ref, instance])).toEqual([
    [1, 'shared', null],
    [2, 'shared', 'site-1'],
    [3, 'shared', 'site-2'],
    [4, 'of one site', 'site-1'],
    [5, 'shared', null],
  ]);
  expect(new Set(rows.map(({ place }) => place)).size).toBe(4);
});
