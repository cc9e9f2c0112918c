// Lists of the events of one site, also of those that came before the index of events knew of sites.
import type pg from 'pg';
import { expect, test } from 'vitest';
import type { EventFilter } from '../../../common/core/event/port.ts';
import { LIST_PROBE } from '../../../hq/store/event-index/list.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { createDatabase } from '../../support/postgres.ts';
import { event, hubStores, migratedTo, migrateTo, stampAt, T0, testClock, uplinked, verdict } from './hub.ts';

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

/** A database as a program left it whose newest migration had this number. */
async function databaseOf(newest: number): Promise<{ url: string; client: pg.Client }> {
  const { url } = await hub.database(createDatabase);
  return { url, client: await migratedTo(url, newest) };
}

test('an index from before is brought over, each event to the place of its site', async () => {
  const { client } = await databaseOf(6);
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
  await migrateTo(client, 7);
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

test('an index from before groups had a severity is made anew, and is right meanwhile', async () => {
  const { url, client } = await databaseOf(9);
  await client.query(
    `insert into events (id, tenant_code, idempotency_key, type, kind, source, severity, occurred_at,
       received_at, is_test, instance, origin_id, doc)
     select id, 'acme', 'e' || id, 'a.b', 'alert', 'video', severity, 1, 1, false, instance, id, '{}'
     from (values (1, 'high', null), (2, null, 'site-1'), (3, 'critical', 'site-1')) as e (id, severity, instance)`,
  );
  await client.query(
    `insert into event_groups (tenant_code, id, type, kind, source, is_test, judged) overriding system value
     values ('acme', 1, 'a.b', 'alert', 'video', false, false)`,
  );
  await client.query(
    `insert into event_places (tenant_code, id, instance) overriding system value
     values ('acme', 1, null), ('acme', 2, 'site-1')`,
  );
  await client.query(`insert into event_facts (tenant_code, event_id, occurred_at, group_id, place_id)
    values ('acme', 1, 1, 1, 1), ('acme', 2, 1, 1, 2), ('acme', 3, 1, 1, 2)`);
  await client.query(`insert into event_days values ('acme', 0, 1, 3, 1, 3)`);
  await client.query(`insert into event_hours values ('acme', 0, 1, 3)`);
  await client.query('update event_index_progress set events_upto = 3');
  await client.query("update counters set value = 3 where name = 'event'");
  await client.end();
  const store = await hub.open(url);
  const right = async (): Promise<void> => {
    expect(await keysOf(store, { severities: ['critical'] })).toEqual(['e3']);
    expect(await keysOf(store, { severities: ['medium', 'high'] })).toEqual(['e2', 'e1']);
    expect(await keysOf(store, { instance: 'site-1' })).toEqual(['e3', 'e2']);
    const { events } = await store.stats.window(
      { tenantCode: 'acme', since: 0, until: 10, asOf: T0 },
      15_000,
    );
    expect(events.map(({ instance, severity, count }) => [instance, severity, count]).sort()).toEqual([
      [null, 'high', 1],
      ['site-1', 'critical', 1],
      ['site-1', 'medium', 1],
    ]);
  };
  await right();
  expect(await store.eventIndex.round()).toEqual({ again: false });
  await right();
});

test('counts that are served go over to the instances of their events', async () => {
  const { url, client } = await databaseOf(9);
  await client.query(
    `insert into events (id, tenant_code, idempotency_key, type, kind, source, severity, occurred_at,
       received_at, is_test, instance, origin_id, doc)
     select id, 'acme', id, 'a.b', 'alert', 'video', 'high', 1, 1, test, instance, id,
       json_build_object('siteRef', site)::text
     from (values (1, 'dam', 'site-1', false), (2, 'dam', 'site-1', false), (3, 'dam', null, false),
       (4, 'quay', 'site-2', false), (5, 'dam', 'site-3', true), (6, 'dam', 'site-3', false))
       as e (id, site, instance, test)`,
  );
  await client.query("insert into served_event_verdicts values ('acme', 4, 'confirmed')");
  // Retention has deleted two of the first cell, and all of the last two.
  await client.query(
    `insert into served_event_counts (tenant_code, id, day, site_ref, type, severity, verdict, count, updated_at)
       overriding system value
     values ('acme', 1, '1970-01-01', 'dam', 'a.b', 'high', '', 5, 7),
       ('acme', 2, '1970-01-01', 'quay', 'a.b', 'high', 'confirmed', 1, 7),
       ('acme', 3, '1969-12-31', 'quay', 'a.b', 'high', '', 4, 7),
       ('acme', 4, '1969-12-31', 'dam', 'a.b', 'high', '', 3, 7)`,
  );
  await client.query("select setval(pg_get_serial_sequence('served_event_counts', 'id'), 4)");
  // Event 6 is not counted yet.
  await client.query('update served_progress set events_upto = 5');
  await client.query("update counters set value = 6 where name = 'event'");
  const store = await hub.open(url);
  while ((await store.servedCounts.round(T0)).again);
  const { rows } = await client.query<Record<string, unknown>>(
    `select id::int, day, site_ref, instance, count::int, updated_at > 7 as told from served_event_counts
     order by id`,
  );
  await client.end();
  expect(rows.map((row) => Object.values(row))).toEqual([
    [1, '1970-01-01', 'dam', 'site-1', 4, true],
    [2, '1970-01-01', 'quay', 'site-2', 1, true],
    [3, '1969-12-31', 'quay', 'site-2', 4, true],
    [4, '1969-12-31', 'dam', '', 3, false],
    [5, '1970-01-01', 'dam', '', 1, true],
    [6, '1970-01-01', 'dam', 'site-3', 1, true],
  ]);
});
