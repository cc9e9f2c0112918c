// What the hot statements of the integration read of tables that have grown since their plans were made. On
// one connection, whose plans are kept and whose statistics can be asked for.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { LEASE_MS } from '../../../hq/integration/sender.ts';
import { type HubStore, openHubStore } from '../../../hq/stores.ts';
import { TestClock } from '../../support/clock.ts';
import { createHubDatabase, type TestDatabase } from '../../support/postgres.ts';

const MANY = 20_000;
/** From which on Postgres keeps a statement's plan. */
const KEPT_AFTER = 6;

let store: HubStore;
let clock: TestClock;
let database: TestDatabase;
beforeAll(async () => {
  clock = new TestClock();
  database = await createHubDatabase();
  store = await openHubStore({ url: database.url, clock, log: silentLogger(), poolSize: 1 });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

/** Rows of the tables that `work` reads. */
async function rowsRead(tables: string[], work: () => Promise<unknown>): Promise<number> {
  const read = async (): Promise<number> => {
    await store.pool.query('select pg_stat_force_next_flush()');
    const { rows } = await store.pool.query<{ read: string }>(
      'select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as read from pg_stat_user_tables where ' +
        'relname = any($1)',
      [tables],
    );
    return Number(rows[0]?.read);
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

test('a snapshot, of its token, client and project', async () => {
  const { snapshots } = store.integration;
  const ask = () => snapshots.read({ tokenSha256: 'token-77', projectCode: 'P-77', now: clock.now() });
  for (let time = 0; time < KEPT_AFTER; time += 1) expect(await ask()).toEqual({ kind: 'invalid_token' });
  await store.pool.query(
    'insert into open_clients (tenant_code, client_id, name, secret_sha256, status, created_at, ' +
      `updated_at) select 'acme', 'client-' || n, '', '', 'enabled', 0, 0 from generate_series(1, 1000) n`,
  );
  await store.pool.query(
    `insert into open_tokens (tenant_code, sha256, client_id, expires_at) select 'acme', 'token-' || ` +
      `n, 'client-' || (1 + n % 1000), $1 from generate_series(1, $2::int) n`,
    [clock.now() + 1_000, MANY],
  );
  await store.pool.query(
    'insert into projects (tenant_code, project_id, code, name, status, milestones_total, ' +
      `milestones_at_risk, open_ncr) select 'acme', n, 'P-' || n, '', 2, 0, 0, 0 from generate_series(1, ` +
      '$1::int) n',
    [MANY],
  );
  expect(
    await rowsRead(['open_tokens', 'open_clients', 'projects'], async () =>
      expect(await ask()).toMatchObject({ kind: 'found', project: { projectCode: 'P-77' } }),
    ),
  ).toBeLessThan(20);
});

test('a token, of its client', async () => {
  const { tokens } = store.integration;
  let token = 0;
  const ask = () =>
    tokens.issue({
      tenantCode: 'acme',
      clientId: 'client-77',
      secretSha256: 'ab'.repeat(32),
      ip: '192.0.2.1',
      unsureIp: false,
      tokenSha256: `mine-${(token += 1)}`,
      now: clock.now(),
      expiresAt: clock.now() + 1_000,
    });
  await store.pool.query(`update open_clients set secret_sha256 = $1 where client_id = 'client-77'`, [
    'ab'.repeat(32),
  ]);
  for (let time = 0; time < KEPT_AFTER; time += 1) await ask();
  expect(
    await rowsRead(['open_clients', 'open_tokens', 'open_failures'], async () =>
      expect(await ask()).toMatchObject({ kind: 'issued' }),
    ),
  ).toBeLessThan(20);
});

test(
  'a claim of deliveries, of those that it takes: neither what is finished, nor what waits for a dead ' +
    'receiver',
  async () => {
    const { queue } = store.integration;
    const claim = () => queue.claim(clock.now(), clock.newId(), LEASE_MS, 256);
    for (let time = 0; time < KEPT_AFTER; time += 1) expect((await claim()).claimed).toEqual([]);
    await store.pool.query(
      'insert into webhooks (tenant_code, id, name, url, events, status, secret_ref, failures, ' +
        `created_at, updated_at) select 'acme', id, id, '', 'all', 'enabled', '', failures, 0, 0 from ` +
        `(values ('dead', 9), ('well', 0)) w (id, failures)`,
    );
    await store.pool.query(
      `insert into business_events (tenant_code, id, event, body, at) select 'acme', 'event-' || n, ` +
        `'ncr.created', '{}', 0 from generate_series(1, $1::int) n`,
      [MANY],
    );
    await store.pool.query(
      `insert into webhook_deliveries (tenant_code, id, webhook_id, event_id, event, status, attempts,
        next_at, created_at, settled_at)
     select 'acme', w || n, w, 'event-' || n, 'ncr.created', case when w = 'well' and n > 5 then 'success'
       else 'pending' end, 1, 0, 0, case when w = 'well' and n > 5 then 0 end
     from generate_series(1, $1::int) n, unnest(array['dead', 'well']) w`,
      [MANY],
    );
    expect(
      await rowsRead(['webhook_deliveries', 'business_events', 'webhooks'], async () => {
        const { claimed } = await claim();
        expect(claimed.map(({ webhookId }) => webhookId).sort()).toEqual([
          'dead',
          'dead',
          ...Array.from({ length: 5 }, () => 'well'),
        ]);
      }),
    ).toBeLessThan(200);
  },
);
