// Contention, lost connections, a full disk: what the caller is told, and that the store goes on.
import { describe, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { Database } from '../../../hq/store/engine/database.ts';
import { asAppError } from '../../../hq/store/engine/errors.ts';
import { clientOf } from '../../support/postgres.ts';
import { event, hubStores, stampAt, T0, testClock, verdict, watchStatements } from './hub.ts';

const hub = hubStores();

async function withDatabase<T>(url: string, use: (database: Database) => Promise<T>): Promise<T> {
  const database = new Database({ url, log: silentLogger(), poolSize: 4 });
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

const failWith = (state: string) =>
  `do $$ begin raise exception 'made to fail' using errcode = '${state}'; end $$`;

describe('a transaction', () => {
  test('that collides is tried three times, then refused as retryable', async () => {
    const { url } = await hub.database();
    await withDatabase(url, async (database) => {
      for (const state of ['40001', '40P01', '55P03']) {
        let tries = 0;
        await expect(
          database.transaction(async ({ client }) => {
            tries += 1;
            await client.query(failWith(state));
          }),
        ).rejects.toMatchObject({ status: 409, code: 'write_contention', retryable: true });
        expect(tries).toBe(3);
      }
    });
  });

  test('that collides twice succeeds the third time', async () => {
    const { url } = await hub.database();
    await withDatabase(url, async (database) => {
      let tries = 0;
      expect(
        await database.transaction(async ({ client }) => {
          tries += 1;
          if (tries < 3) await client.query(failWith('40001'));
          return tries;
        }),
      ).toBe(3);
    });
  });

  test('that fails for another reason is not tried again, and its connection is fit for the next', async () => {
    const { url } = await hub.database();
    await withDatabase(url, async (database) => {
      await expect(
        database.transaction(async ({ client }) => void (await client.query('select 1/0'))),
      ).rejects.toThrow(/division by zero/);
      expect(
        await database.transaction(
          async ({ client }) => (await client.query<{ n: number }>('select 1 as n')).rows,
        ),
      ).toEqual([{ n: 1 }]);
    });
  });
});

test('a host of which no address answers is a database that cannot be reached', () => {
  const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  expect(asAppError(refused)).toMatchObject({ status: 503, code: 'store_unavailable', retryAfterSeconds: 5 });
});

test('a connection cut inside a transaction is 503 with Retry-After, stores nothing, and the next call works', async () => {
  const { url } = await hub.database();
  const store = await hub.open(url);
  await store.events.ingest([event('before')], T0);
  let cut = true;
  watchStatements(store, async (statement) => {
    if (statement !== 'commit' || !cut) return;
    cut = false;
    await endOthers(url);
  });
  await expect(store.events.ingest([event('during')], T0)).rejects.toMatchObject({
    status: 503,
    code: 'store_unavailable',
    retryAfterSeconds: 5,
  });
  await expect(store.events.ingest([event('during'), event('after')], T0)).resolves.toMatchObject([
    { id: 2, duplicate: false },
    { id: 3, duplicate: false },
  ]);
});

test('idle connections that are cut are noticed and replaced', async () => {
  const { url } = await hub.database();
  const store = await hub.open(url);
  await Promise.all(Array.from({ length: 4 }, () => store.events.bounds()));
  const allGone = new Promise<void>(
    (resolve) => void store.pool.on('remove', () => void (store.pool.totalCount === 0 && resolve())),
  );
  await endOthers(url);
  await allGone;
  expect(await store.events.bounds()).toEqual({ oldest: 1, highWaterMark: 0 });
});

test('a server that is not there is 503', async () => {
  await withDatabase('postgresql://nobody@127.0.0.1:1/none', async (database) => {
    await expect(database.read((_db, pool) => pool.query('select 1'))).rejects.toMatchObject({ status: 503 });
  });
});

test('a full disk is 507, whoever wraps it', async () => {
  const { url } = await hub.database();
  await withDatabase(url, async (database) => {
    await expect(database.read((db) => db.execute(failWith('53100')))).rejects.toMatchObject({
      status: 507,
      code: 'storage_full',
    });
  });
});

test('errors of the program stay what they are', () => {
  const mistake = new TypeError('x is not a function');
  expect(asAppError(mistake)).toBe(mistake);
});

test('judging waits for who holds the event, and sees what it wrote', async () => {
  const { url } = await hub.database();
  const clock = testClock();
  const store = await hub.open(url, clock);
  await store.events.ingest([event('a')], T0);
  const [first, second] = await Promise.all([
    store.verdicts.write(verdict(1, { by: 'one' }), stampAt(T0, clock)),
    store.verdicts.write(verdict(1, { by: 'two' }), stampAt(T0, clock)),
  ]);
  expect([first.kind, second.kind].sort()).toEqual(['unchanged', 'written']);
});

async function endOthers(url: string): Promise<void> {
  const client = clientOf(url);
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid ' +
      '<> pg_backend_pid()',
  );
  await client.end();
}
