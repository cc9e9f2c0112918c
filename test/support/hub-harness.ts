// The headquarters store for the contract suites. One database serves the tests of a file one after another:
// between them its rows are put back to what the migrations left, which is much faster than a new database.
import type pg from 'pg';
import type { Clock } from '../../common/clock.ts';
import type { Stores } from '../../common/core/stores.ts';
import { silentLogger } from '../../common/log.ts';
import type { HubStoreOptions } from '../../hq/store/open.ts';
import { openHubStore } from '../../hq/stores.ts';
import type { PeerHarness } from '../contract/harness.ts';
import { clientOf, createHubDatabase } from './postgres.ts';

/**
 * A migrated database and how to empty it, over one connection that knows its tables already. It goes with
 * the server of the run.
 */
interface Prepared {
  url: string;
  client: pg.Client;
}

const free: Prepared[] = [];

export function hubHarness(over: Partial<HubStoreOptions> = {}): PeerHarness {
  const opened: Stores[] = [];
  let database: Prepared | null = null;
  let own: Clock | null = null;
  const peer = async (clock: Clock): Promise<Stores> => {
    if (!database) throw new Error('open a store first');
    const stores = await openHubStore({
      ...{ url: database.url, clock, log: silentLogger(), migrate: false },
      ...over,
    });
    opened.push(stores);
    return stores;
  };
  const closeAll = async () => {
    for (const stores of opened.splice(0)) await stores.close();
  };
  return {
    open: async (clock) => {
      own = clock;
      database = free.pop() ?? (await prepare(clock));
      return peer(clock);
    },
    reopen: async () => {
      if (!own) throw new Error('open a store first');
      await closeAll();
      return peer(own);
    },
    peer,
    close: async () => {
      await closeAll();
      if (!database) return;
      await database.client.query('select pg_temp.reset_tables()');
      free.push(database);
      database = null;
    },
  };
}

async function prepare(clock: Clock): Promise<Prepared> {
  const { url } = await createHubDatabase();
  await (await openHubStore({ url, clock, log: silentLogger() })).close();
  const client = clientOf(url);
  await client.connect();
  const rowsOf = async (text: string): Promise<Record<string, unknown>[]> =>
    (await client.query<Record<string, unknown>>(text)).rows;
  const tables = await rowsOf(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const statements: string[] = [];
  for (const name of tables.map((row) => String(row.name))) {
    const [seed] = await rowsOf(`select quote_literal(json_agg(t)::text) as rows from ${name} t`);
    // A table without rows is asked for them only, since to delete from it opens each of its indexes.
    statements.push(`if exists (select from ${name}) then delete from ${name}; end if;`);
    if (seed?.rows)
      statements.push(
        `insert into ${name} select * from json_populate_recordset(null::${name}, ${String(seed.rows)});`,
      );
  }
  // A function, which keeps the plans of its statements for the life of the connection.
  await client.query(
    `create function pg_temp.reset_tables() returns void language plpgsql as ` +
      `$reset$ begin ${statements.join('\n')} end $reset$`,
  );
  return { url, client };
}
