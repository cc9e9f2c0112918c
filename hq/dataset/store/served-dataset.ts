import type { CallCounter } from '../../../common/dataset/calls.ts';
import { msOfTime, timeOfMs } from '../../../common/dataset/position.ts';
import {
  type DatasetDescriptor,
  type FieldValue,
  QUERY_MS,
  type WireRow,
} from '../../../common/dataset/schema.ts';
import type { RowsQuery, ServedDataset } from '../../../common/dataset/service.ts';
import { formatTime } from '../../../common/time.ts';
import type { Database } from '../../store/engine/database.ts';
import { SERVED, type ServedKey } from '../served.ts';

/**
 * Where the rows of a dataset stand: id, update time, whether the row counts as deleted, the column whose
 * least value is its earliest data, and its fields by column.
 */
const TABLES: Record<
  ServedKey,
  { table: string; deleted: string; earliest: string; columns: Record<string, string> }
> = {
  events_daily: {
    table: 'served_event_counts',
    deleted: 'count = 0',
    earliest: 'day',
    columns: {
      day: 'day',
      site_ref: `nullif(site_ref, '')`,
      type: 'type',
      severity: `nullif(severity, '')`,
      verdict: `nullif(verdict, '')`,
      instance: `nullif(instance, '')`,
      event_count: 'count',
    },
  },
  incident_groups: {
    table: 'incidents',
    deleted: 'is_test',
    earliest: 'first_at',
    columns: {
      layer: 'layer',
      site_ref: 'site_ref',
      point_ref: 'point_ref',
      title: 'title',
      state: 'state',
      severity: 'severity',
      first_at: 'first_at',
      last_at: 'last_at',
      member_count: 'member_count - test_member_count',
      merged_into: 'merged_into',
      instance: 'instance',
    },
  },
  tasks: {
    table: 'tasks',
    deleted: 'false',
    earliest: 'created_at',
    columns: {
      type: 'type',
      state: 'state',
      severity: 'severity',
      title: 'title',
      event_id: 'event_id',
      assignee_org: 'assignee_org',
      due_at: 'due_at',
      result_code: 'result_code',
      created_at: 'created_at',
      taken_over_at: 'taken_over_at',
      completed_at: 'completed_at',
      closed_at: 'closed_at',
      cancelled_at: 'cancelled_at',
      instance: 'instance',
    },
  },
};

type Found = { pk: number; at: number; gone: boolean } & Record<string, FieldValue>;

export interface ServedStore {
  datasets: readonly ServedDataset[];
  calls: CallCounter;
}

/** The datasets that headquarters serves, and the calls for them. */
export class HubServed implements ServedStore {
  readonly datasets: readonly ServedDataset[];
  readonly calls: CallCounter;

  constructor(database: Database) {
    this.datasets = SERVED.map((descriptor) => ({
      descriptor,
      earliest: (tenant) => earliestOf(database, descriptor.key, tenant),
      rows: (query) => rowsOf(database, descriptor, query),
    }));
    this.calls = { add: (caller, now, windowMs) => countCall(database, caller, now, windowMs) };
  }
}

function countCall(
  database: Database,
  caller: string,
  now: number,
  windowMs: number,
): ReturnType<CallCounter['add']> {
  return database.read(async (_db, pool) => {
    const {
      rows: [window],
    } = await pool.query<{ count: number; startedAt: number }>(
      `insert into served_calls as c (caller, started_at, count) values ($1, $2, 1)
       on conflict (caller) do update set
         count = case when $2 - c.started_at between 0 and $3 - 1 then c.count + 1 else 1 end,
         started_at = case when $2 - c.started_at between 0 and $3 - 1 then c.started_at
           else excluded.started_at end
       returning count, started_at as "startedAt"`,
      [caller, now, windowMs],
    );
    if (!window) throw new Error('a call was not counted');
    return window;
  });
}

/** Days as they are, times as RFC 3339. */
function earliestOf(database: Database, key: ServedKey, tenant: string | null): Promise<string | null> {
  const { table, deleted, earliest } = TABLES[key];
  return database.transaction(async ({ client }) => {
    await client.query(`set local statement_timeout = ${QUERY_MS}`);
    // The first by an index where there is one, and no row that counts as deleted.
    const { rows } = await client.query<{ at: string | number }>(
      `select ${earliest} as at from ${table}
       where ($1::text is null or tenant_code = $1) and not (${deleted}) order by ${earliest} limit 1`,
      [tenant],
    );
    const at = rows[0]?.at ?? null;
    return typeof at === 'number' ? formatTime(at) : at;
  });
}

function rowsOf(
  database: Database,
  descriptor: DatasetDescriptor & { key: ServedKey },
  query: RowsQuery,
): Promise<WireRow[]> {
  const { table, deleted, columns } = TABLES[descriptor.key];
  const { at, id } = startOf(query);
  return database.transaction(async ({ client }) => {
    await client.query(`set local statement_timeout = ${QUERY_MS}`);
    const range = (alias: string) =>
      `${alias}.tenant_code = $1 and (${alias}.updated_at, ${alias}.id) > ($2, $3) and ` +
      `${alias}.updated_at <= $4`;
    const { rows } = await client.query<Found>(
      `(select r.id as pk, r.updated_at as at, ${deleted} as gone, ${Object.entries(columns)
        .map(([name, column]) => `${column} as ${name}`)
        .join(', ')}
        from ${table} r where ${range('r')} order by r.updated_at, r.id limit $5)
       union all (select d.id, d.updated_at, true, ${Object.keys(columns)
         .map(() => 'null')
         .join(', ')} from served_deletions d
        where d.dataset = $6 and ${range('d')} order by d.updated_at, d.id limit $5)
       order by at, pk limit $5`,
      [query.tenant, at, id, msOfTime(query.upTo), query.limit, descriptor.key],
    );
    return rows.map((row) => wireRow(row, descriptor));
  });
}

/**
 * Times here have milliseconds: every row of the millisecond lies before a cursor that is some microseconds
 * into it.
 */
function startOf({ after }: RowsQuery): { at: number; id: number } {
  if (!after) return { at: -1, id: 0 };
  const at = msOfTime(after.updatedAt);
  if (after.updatedAt.slice(23, 26) !== '000') return { at, id: Number.MAX_SAFE_INTEGER };
  return { at, id: /^\d{1,15}$/.test(after.pk) ? Number(after.pk) : -1 };
}

function wireRow(row: Found, { fields }: DatasetDescriptor): WireRow {
  const wire: Record<string, FieldValue> = {
    pk: String(row.pk),
    updated_at: timeOfMs(row.at),
    deleted: row.gone,
  };
  if (!row.gone)
    for (const { name, type } of fields)
      wire[name] =
        type === 'time' && typeof row[name] === 'number' ? formatTime(row[name]) : (row[name] ?? null);
  return wire as WireRow;
}
