// The keys of events, which stay one event for ever, also those of a database from before they had a table.
import { expect, test } from 'vitest';
import { createDatabase } from '../../support/postgres.ts';
import { event, hubStores, migratedTo, T0, uplinked } from './hub.ts';

const hub = hubStores();

test('keys of kept and of deleted events are known after the upgrade', async () => {
  const { url } = await hub.database(createDatabase);
  const client = await migratedTo(url, 19);
  await client.query(
    `insert into events (id, tenant_code, idempotency_key, type, kind, source, severity, occurred_at,
       received_at, is_test, node_key, instance, origin_id, origin_received_at, doc)
     values (3, 'acme', 'kept', 'vehicle.intrusion', 'alert', 'video', 'high', $1::bigint - 1000, $1, false,
       'cam-1', null, null, null, '{"title":"gate"}')`,
    [T0],
  );
  await client.query(
    `insert into forgotten_events (event_id, tenant_code, idempotency_key, instance, origin_id,
       origin_received_at)
     values (1, 'acme', 'gone 门', '', 1, 5), (2, 'acme', 'of-a-site', 'site-1', 9, $1)`,
    [T0 - 500],
  );
  await client.query("update counters set value = 3 where name = 'event'");
  await client.end();
  const store = await hub.open(url);
  const again = [
    event('kept'),
    event('gone 门'),
    uplinked('of-a-site', 9),
    event('of-a-site'),
    event('kept', { tenantCode: 'other' }),
  ];
  const results = await store.events.ingest(again, T0);
  expect(results).toMatchObject([
    { id: 3, duplicate: true, conflicting: false },
    { id: 1, duplicate: true, conflicting: false },
    { id: 2, duplicate: true, conflicting: false },
    { id: 2, duplicate: true, elsewhere: { instance: 'site-1' } },
    { id: 4, duplicate: false },
  ]);
  const named = await store.events.byKeys([{ tenantCode: 'acme', idempotencyKey: 'kept' }]);
  expect([...named.values()].map(({ id }) => id)).toEqual([3]);
});
