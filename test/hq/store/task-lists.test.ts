// Lists and statistics of tasks read what they show, whatever the statistics of the tables say: sites bring
// up tasks of months, of which the planner knows nothing yet. Autovacuum is off, so that chance does not
// mend it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { type HubStore, openHubStore } from '../../../hq/stores.ts';
import { firstOf } from '../../support/campaign.ts';
import { TestClock } from '../../support/clock.ts';
import { createHubDatabase, type TestDatabase } from '../../support/postgres.ts';

/** One a second, in turn open and closed; every two thousandth is of an organisation. */
const MANY = 120_000;
const A_SECOND = 1_000;
/** Rows at the ends of an index that the planner itself looks at. */
const PLANNING = 4;

describe.each(
  firstOf([
    ['without any', 0],
    ['of a few rows', 10],
  ] as const),
)('with statistics %s', (_name, known) => {
  let database: TestDatabase;
  let store: HubStore;
  const clock = new TestClock();
  const query = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await store.pool.query<R>(text, values)).rows;

  beforeAll(async () => {
    database = await createHubDatabase();
    store = await openHubStore({ url: database.url, clock, log: silentLogger(), poolSize: 1 });
    await query('alter table tasks set (autovacuum_enabled = off)');
    await query('alter table task_facts set (autovacuum_enabled = off)');
    await fill(1, known);
    if (known > 0) await query('analyze');
    await fill(known + 1, MANY);
    while ((await store.eventIndex.round()).again);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  async function fill(from: number, to: number): Promise<void> {
    await query(
      `insert into tasks (id, tenant_code, instance, origin_id, type, state, title, severity, assignee_org,
         suppressed, body, created_by, created_at, updated_at, entry_count, step_count, note_count, refusal_count)
       select n, 'acme', 'site-1', n, 'disposal', case when n % 2 = 0 then 'open' else 'closed' end, 'See to it',
         'high', case when n % 2000 = 0 then 'org' end, false, '{}', 'agent', n * $3::bigint, n, 1, 0, 0, 0
       from generate_series($1::int, $2) n`,
      [from, to, A_SECOND],
    );
  }

  /** Rows of tasks that are read from the table while `work` runs, by whatever plan. */
  async function rowsRead(work: () => Promise<unknown>): Promise<number> {
    const read = async (): Promise<number> => {
      await query('select pg_stat_force_next_flush()');
      const [row] = await query<{ rows: number }>(
        `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_user_tables
         where relname = 'tasks'`,
      );
      return row?.rows ?? 0;
    };
    const before = await read();
    await work();
    return (await read()) - before;
  }

  const list = (assigneeOrg: string, tenantCode: string | null = 'acme') =>
    store.tasks.list({ tenantCode, assigneeOrg }, null, 100);
  const tempBytes = async (): Promise<number> => {
    await query('select pg_stat_force_next_flush()');
    const [row] = await query<{ bytes: number }>(
      'select temp_bytes::int as bytes from pg_stat_database where datname = current_database()',
    );
    return row?.bytes ?? 0;
  };
  const window = (since: number, until: number) =>
    store.stats.window({ tenantCode: 'acme', since, until, asOf: clock.now() }, 60_000);

  test('a list of an organisation reads the tasks of that organisation', async () => {
    expect(await list('org')).toHaveLength(MANY / 2_000);
    expect(await rowsRead(() => list('org'))).toBeLessThanOrEqual(MANY / 2_000);
    expect(await list('no such')).toEqual([]);
    expect(await rowsRead(() => list('no such'))).toBe(0);
  });

  test('statistics read the tasks that were created in their window', async () => {
    const { tasks } = await window(100 * A_SECOND, 200 * A_SECOND);
    expect(tasks.reduce((sum, { count }) => sum + count, 0)).toBe(100);
    expect(await rowsRead(() => window(100 * A_SECOND, 200 * A_SECOND))).toBeLessThanOrEqual(100 + PLANNING);
  });

  test('statistics of a whole season need no files beside memory', async () => {
    const before = await tempBytes();
    const { tasks } = await window(0, (MANY + 1) * A_SECOND);
    expect(await tempBytes()).toBe(before);
    expect(tasks.reduce((sum, { count }) => sum + count, 0)).toBe(MANY);
  });
});
