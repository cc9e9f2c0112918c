// Rows of the six datasets into their tables. Each writer says what a change tells, and whose figures it
// touches.
import type { LandedRow, Processor } from '../../dataset/record.ts';
import type { BusinessEvent } from '../../integration/business-event.ts';
import type { Tx } from '../../store/engine/database.ts';
import {
  decimal,
  hazardMajor,
  healthOf,
  integer,
  isLate,
  isTrue,
  milestoneChanged,
  ncrCreated,
  reference,
  textOf,
} from '../decide.ts';

/** What came of writing rows. */
export interface Written {
  /** Projects whose figures may have changed, those that a row has left among them. */
  projects: Set<string>;
  told: { pk: string; event: BusinessEvent }[];
}

interface WriteTarget {
  tenantCode: string;
  now: number;
  /** Nothing is told and figures come at the end: what was there before need not be read. */
  landing: boolean;
}

type Column = readonly [name: string, type: string, value: (row: LandedRow) => unknown];

interface Table {
  name: Exclude<Processor, 'none'>;
  key: string;
  columns: readonly Column[];
  /** Columns that a new row begins with and an update leaves alone, with their value. */
  fresh?: Record<string, string>;
}

const project: Column = ['project_id', 'bigint', ({ fields }) => reference(fields.project_id)];
const idOf = ({ pk }: LandedRow): string => pk;
const from = (
  name: string,
  type: string,
  of: (value: string | number | boolean | null | undefined) => unknown,
  field = name,
): Column => [name, type, ({ fields }) => of(fields[field])];

/** Upserts the rows that stand and deletes the others; the rows as they were before. */
async function write<Before extends { id: string }>(
  tx: Tx,
  { tenantCode, landing }: WriteTarget,
  table: Table,
  rows: readonly LandedRow[],
  before: string,
): Promise<Map<string, Before>> {
  const { name, key, columns, fresh = {} } = table;
  const { rows: known } = landing
    ? { rows: [] }
    : await tx.client.query<Before>(
        `select ${key}::text as id, ${before} from ${name} where tenant_code = $1
          and ${key} = any($2::bigint[])`,
        [tenantCode, rows.map(idOf)],
      );
  const gone = rows.filter(({ deleted }) => deleted);
  if (gone.length > 0)
    await tx.client.query(`delete from ${name} where tenant_code = $1 and ${key} = any($2::bigint[])`, [
      tenantCode,
      gone.map(idOf),
    ]);
  const stand = rows.filter(({ deleted }) => !deleted);
  if (stand.length > 0) {
    const names = columns.map(([column]) => column);
    const arrays = columns.map(([, type], index) => `$${index + 3}::${type}[]`).join(', ');
    await tx.client.query(
      `insert into ${name} (tenant_code, ${[key, ...names, ...Object.keys(fresh)].join(', ')})
       select ${['$1', 'g.*', ...Object.values(fresh)].join(', ')} from unnest($2::bigint[], ${arrays}) as g
       on conflict (tenant_code, ${key}) do update set
         ${names.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      [tenantCode, stand.map(idOf), ...columns.map(([, , value]) => stand.map(value))],
    );
  }
  return new Map(known.map((row) => [row.id, row]));
}

/**
 * The last status of each milestone outlives the milestone, so that a change is told although the milestone
 * was without a status, or deleted, in between. @returns the last statuses before these rows
 */
async function keepStatuses(
  tx: Tx,
  { tenantCode, landing }: WriteTarget,
  rows: readonly LandedRow[],
): Promise<Map<string, number>> {
  const { rows: known } = landing
    ? { rows: [] }
    : await tx.client.query<{ id: string; status: number }>(
        'select milestone_id::text as id, status from milestone_statuses where tenant_code = $1 and ' +
          'milestone_id = any($2::bigint[])',
        [tenantCode, rows.map(idOf)],
      );
  const stated = rows.filter(({ fields }) => integer(fields.status) !== null);
  await tx.client.query(
    `insert into milestone_statuses (tenant_code, milestone_id, status)
       select $1, g.* from unnest($2::bigint[], $3::integer[]) as g
     on conflict (tenant_code, milestone_id) do update set status = excluded.status`,
    [tenantCode, stated.map(idOf), stated.map(({ fields }) => integer(fields.status))],
  );
  return new Map(known.map(({ id, status }) => [id, status]));
}

function projectsOf(
  rows: readonly LandedRow[],
  before: ReadonlyMap<string, { project: string | null }>,
): Set<string> {
  const ids = new Set<string>();
  for (const row of rows) {
    const after = reference(row.fields.project_id);
    if (after !== null) ids.add(after);
    const was = before.get(idOf(row))?.project ?? null;
    if (was !== null) ids.add(was);
  }
  return ids;
}

const tellOf = (rows: readonly LandedRow[], of: (row: LandedRow) => BusinessEvent | null): Written['told'] =>
  rows.flatMap((row) => {
    const event = of(row);
    return event === null ? [] : [{ pk: row.pk, event }];
  });

const PROJECTS: Table = {
  name: 'projects',
  key: 'project_id',
  columns: [
    from('code', 'text', textOf),
    from('name', 'text', textOf),
    from('status', 'integer', integer),
    from('health_score', 'integer', healthOf),
  ],
  fresh: { milestones_total: '0', milestones_at_risk: '0', open_ncr: '0' },
};
const WBS: Table = {
  name: 'wbs_nodes',
  key: 'node_id',
  columns: [
    project,
    from('parent_id', 'bigint', reference),
    from('plan', 'numeric', decimal, 'plan_progress'),
    from('actual', 'numeric', decimal, 'actual_progress'),
  ],
};
const MILESTONES: Table = {
  name: 'milestones',
  key: 'milestone_id',
  columns: [
    project,
    from('code', 'text', textOf),
    from('name', 'text', textOf),
    from('status', 'integer', integer),
  ],
};
const NCRS: Table = { name: 'ncrs', key: 'ncr_id', columns: [project, from('closed', 'boolean', isTrue)] };
const HAZARDS: Table = {
  name: 'hazards',
  key: 'hazard_id',
  columns: [project, from('major', 'boolean', isTrue)],
};
const ORDERS: Table = {
  name: 'purchase_orders',
  key: 'order_id',
  columns: [project, from('milestone_id', 'bigint', reference), ['late', 'boolean', isLate]],
};

export const WRITERS: Record<
  Exclude<Processor, 'none'>,
  (tx: Tx, target: WriteTarget, rows: readonly LandedRow[]) => Promise<Written>
> = {
  projects: async (tx, place, rows) => {
    const before = await write<{ id: string }>(tx, place, PROJECTS, rows, 'true as known');
    // The figures of a project that was there are right already.
    return { projects: new Set(rows.map(idOf).filter((id) => !before.has(id))), told: [] };
  },
  wbs_nodes: async (tx, place, rows) => ({
    projects: projectsOf(
      rows,
      await write<{ id: string; project: string | null }>(
        tx,
        place,
        WBS,
        rows,
        'project_id::text as project',
      ),
    ),
    told: [],
  }),
  milestones: async (tx, place, rows) => {
    const before = await write<{ id: string; project: string | null }>(
      tx,
      place,
      MILESTONES,
      rows,
      'project_id::text as project',
    );
    const statuses = await keepStatuses(tx, place, rows);
    return {
      projects: projectsOf(rows, before),
      told: tellOf(rows, (row) => milestoneChanged(row, statuses.get(idOf(row)) ?? null, place.now)),
    };
  },
  ncrs: async (tx, place, rows) => {
    const before = await write<{ id: string; project: string | null }>(
      tx,
      place,
      NCRS,
      rows,
      'project_id::text as project',
    );
    return {
      projects: projectsOf(rows, before),
      told: tellOf(rows, (row) => ncrCreated(row, before.has(idOf(row)))),
    };
  },
  hazards: async (tx, place, rows) => {
    const before = await write<{ id: string; major: boolean }>(tx, place, HAZARDS, rows, 'major');
    return {
      projects: new Set(),
      told: tellOf(rows, (row) => hazardMajor(row, before.get(idOf(row))?.major ?? false)),
    };
  },
  purchase_orders: async (tx, place, rows) => {
    await write<{ id: string }>(tx, place, ORDERS, rows, 'late');
    return { projects: new Set(), told: [] };
  },
};
