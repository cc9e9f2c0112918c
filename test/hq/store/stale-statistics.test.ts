// Landings that are larger than anything the planner knows: no statistics at all, some of a few rows, or some
// of another tenant's rows. Autovacuum is off for every table, so that chance does not mend them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import type { Processor } from '../../../hq/dataset/record.ts';
import { type HubStore, openHubStore } from '../../../hq/stores.ts';
import { firstOf } from '../../support/campaign.ts';
import { TestClock } from '../../support/clock.ts';
import { createHubDatabase, type TestDatabase } from '../../support/postgres.ts';

/**
 * Nodes of one project; a plan that goes through all of them for each would take the better part of an hour.
 */
const MANY = 100_000;
/** Rows of other tables. */
const OTHERS = 30_000;
const PAGE = 5_000;
const LEASE = { sourceId: 'src', token: 'token', until: Number.MAX_SAFE_INTEGER };

/** What the tables held when they were analyzed: rows of these tenants. */
const KNOWN: Record<string, string[]> = {
  'without any': [],
  'of a few rows': ['acme'],
  'of another tenant': ['other'],
};

describe.each(firstOf(Object.entries(KNOWN)))('with statistics %s', (_name, tenants) => {
  let database: TestDatabase;
  let store: HubStore;
  const clock = new TestClock();
  const stamp = { now: clock.now(), newId: () => clock.newId() };
  const query = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await store.pool.query<R>(text, values)).rows;

  beforeAll(async () => {
    database = await createHubDatabase();
    store = await openHubStore({ url: database.url, clock, log: silentLogger(), poolSize: 1 });
    const tables = await query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    await query(tables.map(({ name }) => `alter table ${name} set (autovacuum_enabled = off)`).join('; '));
    for (const [index, tenant] of tenants.entries()) await fill(tenant, 10 * index + 1, 10 * index + 10);
    if (tenants.length > 0) await query('analyze');
    await fill('acme', 101, MANY);
    await query(`insert into dataset_sources (id, tenant_code, name, base_url, key_id, secret_ref, schedule,
      enabled, page_rows, overlap_ms, created_at, updated_at, failures, lease, leased_until)
      values ('src', 'acme', 'src', '', '', '', '', true, 1, 1, 1, 1, 0, 'token', 9e15)`);
    await query(`insert into source_datasets (tenant_code, source_id, dataset, processor, mode, generation,
      run_rows, failures, rows_total, changed_total, duplicate_total)
      select 'acme', 'src', p, p, 'increment', 1, 0, 0, 0, 0, 0
        from unnest(array['projects', 'wbs_nodes', 'milestones', 'ncrs', 'purchase_orders']) p`);
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  /**
   * Rows `from` to `to` of a tenant in every table that the tests read: a chain of nodes, whose last one is
   * the only leaf.
   */
  async function fill(tenant: string, from: number, to: number): Promise<void> {
    const less = Math.min(to, OTHERS);
    for (const [statement, through] of [
      [
        'insert into projects (tenant_code, project_id, code, name, status, milestones_total, ' +
          `milestones_at_risk, open_ncr) select $1, n, 'P' || n, '', 1, 0, 0, 0 from ` +
          'generate_series($2::int, least($3, 3000)) n',
        less,
      ],
      [
        'insert into wbs_nodes (tenant_code, node_id, project_id, parent_id, plan, actual) select $1, ' +
          'n, $2, n - 1, n % 100, n % 100 from generate_series($2::int, $3) n',
        to,
      ],
      [
        'insert into milestones (tenant_code, milestone_id, project_id, status) select $1, n, n % ' +
          '3000, 5 from generate_series($2::int, $3) n',
        less,
      ],
      [
        'insert into ncrs (tenant_code, ncr_id, project_id, closed) select $1, n, n % 3000, false from ' +
          'generate_series($2::int, $3) n',
        less,
      ],
      [
        'insert into purchase_orders (tenant_code, order_id, project_id, milestone_id, late) select ' +
          '$1, n, $2, n, true from generate_series($2::int, $3) n',
        less,
      ],
      [
        'insert into dataset_rows (tenant_code, source_id, dataset, pk, updated_at, deleted, ' +
          `generation, fields) select $1, 'src', 'wbs_nodes', n::text, '2026-01-01T00:00:00.000000Z', ` +
          `false, 1, '{}' from generate_series($2::int, $3) n`,
        to,
      ],
      [
        'insert into events (tenant_code, id, idempotency_key, type, kind, source, received_at, ' +
          `is_test, doc) select $1, n, n::text, 'fire.flame', 'alert', 'video', n, false, '{}' from ` +
          'generate_series($2::int, $3) n',
        less,
      ],
      [
        'insert into verdicts (event_id, tenant_code, verdict, by, by_kind, at) select n, $1, case ' +
          `when n <= 100 then 'confirmed' else 'merged' end, 'li', 'human', n from ` +
          'generate_series($2::int, $3, 2) n',
        less,
      ],
      [
        `insert into incidents (id, tenant_code, layer, site_ref, state, first_at, last_at, event_types,
          sources, severity, member_count, test_member_count, is_test, first_locked, cleared_count,
            created_at, updated_at)
        select n, $1, 'L1', 's', 'open', n, n, '[]', '[]', 'high', 10, 0, false, false, 0, n, n
          from generate_series($2::int, $3, 10) n`,
        less,
      ],
      [
        `insert into incident_members (incident_id, event_id, tenant_code, layer, at, type, source, is_test,
          live, added_at)
        select $2 + (n - $2) / 10 * 10, n, $1, l, n, 'x', 'video', false, true, n
          from generate_series($2::int, $3) n, unnest(array['L1', 'L2']) l where l = 'L1' or n % 10 = 0
        on conflict do nothing`,
        less,
      ],
    ] as const)
      await query(statement, [tenant, from, through]);
    await query(`update counters set value = $1 where name in ('event', 'incident')`, [less]);
    // As if the index stood just below the newest.
    await query('update event_index_progress set events_upto = $1', [less - 400]);
  }

  const land = (
    dataset: Processor,
    rows: { id: number; fields: Record<string, number | boolean | null> }[],
  ) =>
    store.datasetPulls.land(
      LEASE,
      {
        dataset,
        expected: { mode: 'increment', cursor: null, runCursor: null },
        to: null,
        most: { rows: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER },
        rows: rows.map(({ id, fields }) => ({
          pk: String(id),
          updatedAt: '2026-02-01T00:00:00.000000Z',
          deleted: false,
          fields,
        })),
      },
      stamp,
    );
  const page = (fields: (id: number) => Record<string, number | boolean | null>, length = PAGE) =>
    Array.from({ length }, (_, index) => ({ id: MANY + 1 + index, fields: fields(MANY + 1 + index) }));

  /** Rows of these tables that `work` reads. */
  async function rowsRead(tables: string[], work: () => Promise<unknown>): Promise<number> {
    const read = async (): Promise<number> => {
      await query('select pg_stat_force_next_flush()');
      return Number(
        (
          await query<{ read: string }>(
            'select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as read from pg_stat_user_tables ' +
              'where relname = any($1)',
            [tables],
          )
        )[0]?.read,
      );
    };
    const before = await read();
    await work();
    return (await read()) - before;
  }

  test('the figures of a project follow a page of its nodes', async () => {
    const landed = await land(
      'wbs_nodes',
      page((id) => ({
        project_id: 101,
        parent_id: id - 1,
        plan_progress: id === MANY + PAGE ? 42 : 1,
        actual_progress: 7,
      })),
    );
    expect(landed).toMatchObject({ changed: PAGE });
    expect(
      await query(
        'select plan_progress as plan, actual_progress as actual from projects where tenant_code = $1 ' +
          'and project_id = 101',
        ['acme'],
      ),
    ).toEqual([{ plan: 42, actual: 7 }]);
  });

  test('so do those of pages of every other dataset, of as many projects', async () => {
    await land(
      'projects',
      page(() => ({ status: 1, health_score: 50 })),
    );
    await land(
      'ncrs',
      page((id) => ({ project_id: id % 3_000, closed: false }), 300),
    );
    await land(
      'milestones',
      page((id) => ({ project_id: id % 3_000, status: 4 }), 300),
    );
    await land(
      'purchase_orders',
      page((id) => ({ project_id: 101, milestone_id: id }), 300),
    );
    expect(
      await query(
        'select open_ncr as ncrs, milestones_total as milestones from projects where tenant_code = ' +
          `'acme' and project_id = 1001`,
      ),
    ).toEqual([{ ncrs: 11, milestones: 11 }]);
  });

  test('a recompute sweeps what did not come, and computes everything', async () => {
    await query(`update source_datasets set mode = 'recompute', generation = 2`);
    expect(await store.datasetPulls.sweep(LEASE, 'wbs_nodes', [], stamp)).toBe(PAGE);
    for (const dataset of ['projects', 'milestones', 'ncrs', 'purchase_orders', 'wbs_nodes'])
      expect(
        await store.datasetPulls.complete(LEASE, dataset, { asOf: '', trouble: null, settled: null }, stamp),
      ).toBe(true);
    expect(
      await query(
        `select count(*) as orders from purchase_orders where tenant_code = 'acme' and order_id > 100 ` +
          'and drags = 5',
      ),
    ).toEqual([{ orders: OTHERS - 100 }]);
  });

  test('a list by verdict, and a group with others, read little more than they show', async () => {
    expect(
      await rowsRead(['verdicts'], async () => {
        expect(
          await store.events.list({ tenantCode: 'acme', includeTest: true, verdict: 'merged' }, null, 100),
        ).toHaveLength(100);
      }),
    ).toBeLessThan(5_000);
    expect(
      await rowsRead(['incident_members', 'incidents'], () => store.incidents.detail(15_001, null, 100)),
    ).toBeLessThan(500);
  });
});
