// Lists of events, newest first, under any filter. The newest rows are looked at themselves; below them the
// groups (and places) that match are few, and the newest events of each come from an index.
import { factsOf } from '../../../common/core/event/facts.ts';
import {
  askedOf,
  asksForVerdict,
  sqlOfConditions,
  type Asked,
  type Condition,
  type FilterColumn,
} from '../../../common/core/event/index/filter.ts';
import { MOVES_EVENT } from '../../../common/core/event/index/plan.ts';
import { DAY_MS, UNDATED } from '../../../common/core/event/index/window.ts';
import type { EventFilter, Room, Stretch } from '../../../common/core/event/port.ts';
import type { EventRecord } from '../../../common/core/event/record.ts';
import { inRoom, readStretch, type RowReader } from '../port/event-room.ts';
import { SELECT_EVENTS } from '../port/event-rows.ts';

/** Newest ids that are looked at row by row, since most lists are filled by them. */
export const LIST_PROBE = 500;
const STEP = 500;

interface Progress {
  /** Events up to this id are indexed. */
  events: number;
  /** Verdict changes up to this number are indexed. */
  changes: number;
  /** Id of the newest event. */
  newest: number;
}

/** Rows of this condition, newest first. */
type Select = (rest: string, values: unknown[], room: Room) => Promise<Stretch>;

export interface ListOptions {
  filter: EventFilter;
  /** Only smaller ids; null: from the newest. */
  before: number | null;
  room: Room;
  /** Newest ids that are looked at row by row. */
  probe: number;
}

/** Events that match, newest first. */
export async function listEvents(
  pool: RowReader,
  { filter, before, room, probe }: ListOptions,
): Promise<Stretch> {
  const select: Select = (rest, values, left) =>
    readStretch(pool, inRoom({ text: `${SELECT_EVENTS} ${rest}`, values }, 'desc', left), left);
  // Read before the facts, which can only be newer.
  const {
    rows: [progress],
  } = await pool.query<Progress>(
    `select p.events_upto as events, p.changes_upto as changes, c.value as newest
     from event_index_progress p, counters c where c.name = 'event'`,
    [],
  );
  if (!progress) throw new Error('the event index has no progress');
  const asked = askedOf(filter);
  const top = Math.min(before === null ? Infinity : before - 1, progress.newest);
  const floor = Math.min(progress.events, top - probe);
  const found = await fromRows(select, filter, { floor, top, room });
  if (found.more || floor <= 0) return found;
  const span = await idSpan(pool, filter);
  if (!span) return found;
  const left = roomAfter(room, found.items);
  const range: FactRange = {
    changes: progress.changes,
    floor: Math.min(floor, span.last),
    first: span.first,
    limit: left.rows,
  };
  const groups = asked.place.length === 0 ? null : await groupsOf(pool, asked);
  const rest = fromFacts(filter, range, groups);
  const { rows } = await pool.query<{ id: number }>(rest.text, rest.values);
  if (rows.length === 0) return found;
  // By their ids as constants, by which the planner knows the partitions that have them.
  const ids = rows.map(({ id }) => id);
  const older = await select('where e.id = any($1::bigint[]) order by e.id desc', [ids], left);
  return { items: [...found.items, ...older.items], more: older.more || ids.length === left.rows };
}

const roomAfter = ({ rows, bytes }: Room, items: readonly EventRecord[]): Room => ({
  rows: rows - items.length,
  bytes: bytes - items.reduce((sum, { doc }) => sum + Buffer.byteLength(doc), 0),
});

/**
 * Rows of events hold neither. They are looked up for each event: in a join, verdicts of a kind that the
 * statistics do not know yet would all be read for each event.
 */
const VERDICT = '(select v.verdict from verdicts v where v.event_id = e.id)';
const CORRECTED = '(select c.verdict from corrections c where c.event_id = e.id order by c.seq desc limit 1)';

/** Columns that rows of events have under another name, or not at all. */
const ROW_SQL: Partial<Record<FilterColumn, string>> = {
  // An event without one counts as medium.
  severity: "coalesce(e.severity, 'medium')",
  verdict: VERDICT,
  corrected_to: CORRECTED,
  standing: `coalesce(${CORRECTED}, ${VERDICT})`,
};

/** Collects the values of a statement. */
class Values {
  readonly all: unknown[] = [];
  bind = (value: unknown): string => `$${this.all.push(value)}`;

  where(conditions: readonly Condition[], alias: string): string {
    const sqlOf = (column: FilterColumn): string =>
      column === 'standing' ? `coalesce(${alias}.corrected_to, ${alias}.verdict)` : `${alias}.${column}`;
    return sqlOfConditions(conditions, sqlOf, this.bind);
  }

  /** Conditions on rows of events, which hold no place number. */
  whereRows({ group, time }: Asked): string {
    return sqlOfConditions([...group, ...time], (column) => ROW_SQL[column] ?? `e.${column}`, this.bind);
  }
}

/** Places are known from the text of an event only, so that they are compared here. */
async function fromRows(
  select: Select,
  filter: EventFilter,
  ids: { floor: number; top: number; room: Room },
): Promise<Stretch> {
  const asked = askedOf(filter);
  const everywhere = asked.place.length === 0;
  const items: EventRecord[] = [];
  for (let high = ids.top; high > ids.floor;) {
    const left = roomAfter(ids.room, items);
    if (left.rows <= 0 || left.bytes <= 0) return { items, more: true };
    const values = new Values();
    const range = `e.id > ${values.bind(Math.max(ids.floor, 0))} and e.id <= ${values.bind(high)}`;
    const where = `${range} and ${values.whereRows(asked)}`;
    const step = { ...left, rows: everywhere ? left.rows : STEP };
    const rest = `where ${where} order by e.id desc limit ${values.bind(step.rows)}`;
    const found = await select(rest, values.all, step);
    const there = everywhere ? found.items : found.items.filter((row) => atPlace(row, filter));
    items.push(...there.slice(0, left.rows));
    if (items.length === ids.room.rows) return { items, more: true };
    if (!found.more) break;
    high = (found.items.at(-1)?.id ?? 0) - 1;
  }
  return { items, more: false };
}

function atPlace(event: EventRecord, { siteRef, cameraRef, instance }: EventFilter): boolean {
  if (instance !== undefined && event.instance !== instance) return false;
  const facts = factsOf(event);
  return (
    (siteRef === undefined || facts.siteRef === siteRef) &&
    (cameraRef === undefined || facts.cameraRef === cameraRef)
  );
}

/** Ids between which the counted events of the window lie; null when there are none. */
async function idSpan(pool: RowReader, filter: EventFilter): Promise<{ first: number; last: number } | null> {
  const { tenantCode, since, until } = filter;
  if (since === undefined && until === undefined) return { first: 0, last: Number.MAX_SAFE_INTEGER };
  const values = new Values();
  const where = [
    `start_at > ${UNDATED}`,
    ...(tenantCode === null ? [] : [`tenant_code = ${values.bind(tenantCode)}`]),
    ...(since === undefined ? [] : [`start_at > ${values.bind(since - DAY_MS)}`]),
    ...(until === undefined ? [] : [`start_at < ${values.bind(until)}`]),
  ];
  const {
    rows: [span],
  } = await pool.query<{ first: number | null; last: number | null }>(
    `select min(first_id) as first, max(last_id) as last from event_days where ${where.join(' and ')}`,
    values.all,
  );
  const { first = null, last = null } = span ?? {};
  return first !== null && last !== null ? { first, last } : null;
}

interface FactRange {
  /** Verdict changes up to here are known to the facts. */
  changes: number;
  /** Largest and smallest id. */
  floor: number;
  first: number;
  limit: number;
}

async function groupsOf(pool: RowReader, { group }: Asked): Promise<number[]> {
  const values = new Values();
  const where = values.where(group, 'g');
  const text = `select g.id from event_groups g where ${where}`;
  const { rows } = await pool.query<{ id: number }>(text, values.all);
  return rows.map(({ id }) => id);
}

/**
 * Ids of events in facts, newest first; those with a verdict that the facts do not know yet are looked at
 * themselves.
 * They are many after an outage: `not in` keeps them in one hash, where an anti-join may go through them for
 * every row. What is looked up one by one stands behind `offset 0`: to weigh joins of two tables with a dozen
 * partitions each took the planner most of a second.
 * @param groups when the filter names a place: the groups that it takes. They too are looked up in a hash; a
 *   constant array would be weighed by the planner, number by number, for each partition
 */
function fromFacts(
  filter: EventFilter,
  { changes, floor, first, limit }: FactRange,
  groups: number[] | null,
): { text: string; values: unknown[] } {
  const { tenantCode } = filter;
  // An event that came to a group after the groups were read has a change since, too.
  const judged = asksForVerdict(filter) || groups !== null;
  const asked = askedOf(filter);
  const values = new Values();
  const [low, high, most] = [values.bind(first), values.bind(floor), values.bind(limit)];
  const notStale = 'f.event_id not in (select s.event_id from stale s)';
  const known = judged ? notStale : 'true';
  const range = `f.event_id between ${low} and ${high} and ${values.where(asked.time, 'f')}`;
  const fact = `${range} and ${known}`;
  const newest = (from: string, condition: string): string => `${from} cross join lateral (
    select f.event_id as id from event_facts f where ${condition} and ${fact}
    order by f.event_id desc limit ${most}) n`;
  const tenant: Condition[] =
    tenantCode === null ? [] : [{ column: 'tenant_code', operator: '=', value: tenantCode }];
  // Postgres refuses a parameter that the statement does not use, so it is added only here.
  const places = groups === null ? '' : values.where([...tenant, ...asked.place], 'p');
  const inGroups = (): string =>
    `f.place_id = p.id and (f.group_id in (select unnest(${values.bind(groups)}::integer[]))) is true`;
  const indexed =
    groups === null
      ? `select n.id from ${newest('event_groups g', 'f.group_id = g.id')} where ` +
        `${values.where(asked.group, 'g')}`
      : `select n.id from ${newest('event_places p', inGroups())} where ${places}`;
  const late = !judged
    ? ''
    : `union all select e.id from stale s cross join lateral (select * from events
      where tenant_code = s.tenant_code and id = s.event_id and id between ${low} and ${high} offset 0) e
    ${
      groups === null
        ? ''
        : `cross join lateral (select tenant_code, place_id from event_facts
        where tenant_code = e.tenant_code and event_id = e.id offset 0) f
      join event_places p on p.tenant_code = f.tenant_code and p.id = f.place_id and ${places}`
    }
    where ${values.whereRows(asked)}`;
  const text = `with stale as materialized (select distinct c.tenant_code, c.event_id from verdict_changes c
      where c.change_no > ${values.bind(changes)} and c.${MOVES_EVENT})
    select id from (${indexed} ${late}) i order by id desc limit ${most}`;
  return { text, values: values.all };
}
