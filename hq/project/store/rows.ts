// Rows of the six datasets into their tables. Each writer says what a change tells, and whose figures it
// touches.
import {
  decimal,
  hazardMajor,
  healthOf,
  idOf,
  integer,
  isLate,
  milestoneChanged,
  ncrCreated,
  textOf,
  isTrue,
} from '../decide.ts';
import type { BusinessEvent } from '../../integration/business-event.ts';
import type { LandedRow, Processor } from '../../dataset/record.ts';
import type { Tx } from '../../store/engine/database.ts';

/** What came of writing rows. */
export interface Written {
  /** Projects whose figures may have changed, those that a row has left among them. */
  projects: Set<number>;
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

const project: Column = ['project_id', 'bigint', ({ fields }) => integer(fields.project_id)];
const from = (
  name: string,
  type: string,
  of: (value: string | number | boolean | null | undefined) => unknown,
  field = name,
): Column => [name, type, ({ fields }) => of(fields[field])];

/** Upserts the rows that stand and deletes the others; the rows as they were before. */
async function write<Before extends { id: number }>(
  tx: Tx,
  { tenantCode, landing }: WriteTarget,
  table: Table,
  rows: readonly LandedRow[],
  before: string,
): Promise<Map<number, Before>> {
  const { name, key, columns, fresh = {} } = table;
  const { rows: known } = landing
    ? { rows: [] }
    : await tx.client.query<Before>(
        `select ${key} as id, ${before} from ${name} where tenant_code = $1 and ${key} = any($2::bigint[])`,
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

function projectsOf(
  rows: readonly LandedRow[],
  before: ReadonlyMap<number, { project: number | null }>,
): Set<number> {
  const ids = new Set<number>();
  for (const row of rows) {
    const after = integer(row.fields.project_id);
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
    from('code', 'text', (value) => textOf(value ?? null) ?? ''),
    from('name', 'text', (value) => textOf(value ?? null) ?? ''),
    from('status', 'integer', (value) => integer(value) ?? 0),
    from('health_score', 'integer', healthOf),
  ],
  fresh: { milestones_total: '0', milestones_at_risk: '0', open_ncr: '0' },
};
const WBS: Table = {
  name: 'wbs_nodes',
  key: 'node_id',
  columns: [
    project,
    from('parent_id', 'bigint', integer),
    from('plan', 'double precision', decimal, 'plan_progress'),
    from('actual', 'double precision', decimal, 'actual_progress'),
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
  columns: [project, from('milestone_id', 'bigint', integer), ['late', 'boolean', isLate]],
};

export const WRITERS: Record<
  Exclude<Processor, 'none'>,
  (tx: Tx, target: WriteTarget, rows: readonly LandedRow[]) => Promise<Written>
> = {
  projects: async (tx, place, rows) => {
    const before = await write<{ id: number }>(tx, place, PROJECTS, rows, 'true as known');
    // The figures of a project that was there are right already.
    return { projects: new Set(rows.map(idOf).filter((id) => !before.has(id))), told: [] };
  },
  wbs_nodes: async (tx, place, rows) => ({
    projects: projectsOf(
      rows,
      await write<{ id: number; project: number | null }>(tx, place, WBS, rows, 'project_id as project'),
    ),
    told: [],
  }),
  milestones: async (tx, place, rows) => {
    const before = await write<{ id: number; project: number | null; status: number | null }>(
      tx,
      place,
      MILESTONES,
      rows,
      'project_id as project, status',
    );
    return {
      projects: projectsOf(rows, before),
      told: tellOf(rows, (row) => milestoneChanged(row, before.get(idOf(row))?.status ?? null, place.now)),
    };
  },
  ncrs: async (tx, place, rows) => {
    const before = await write<{ id: number; project: number | null }>(
      tx,
      place,
      NCRS,
      rows,
      'project_id as project',
    );
    return {
      projects: projectsOf(rows, before),
      told: tellOf(rows, (row) => ncrCreated(row, before.has(idOf(row)))),
    };
  },
  hazards: async (tx, place, rows) => {
    const before = await write<{ id: number; major: boolean }>(tx, place, HAZARDS, rows, 'major');
    return {
      projects: new Set(),
      told: tellOf(rows, (row) => hazardMajor(row, before.get(idOf(row))?.major ?? false, place.now)),
    };
  },
  purchase_orders: async (tx, place, rows) => {
    await write<{ id: number }>(tx, place, ORDERS, rows, 'late');
    return { projects: new Set(), told: [] };
  },
};
