// Lists of events, newest first, under any filter. The newest rows are looked at themselves; below them the
// groups (and places) that match are few, and the newest events of each come from an index.
import { factsOf } from '../../../common/core/event/facts.ts';
import { type Asked, askedOf } from '../../../common/core/event/index/filter.ts';
import { DAY_MS, UNDATED } from '../../../common/core/event/index/window.ts';
import type { EventFilter, Room, Stretch } from '../../../common/core/event/port.ts';
import type { EventRecord } from '../../../common/core/event/record.ts';
import { inRoom, readStretch, type RowReader } from '../adapter/event-room.ts';
import { SELECT_EVENTS } from '../adapter/event-rows.ts';
import { type FactRange, fromFacts, Values } from './list-sql.ts';

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
  /** Events that the index had to leave out. */
  leftOut: number[];
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
    `select p.events_upto as events, p.changes_upto as changes, c.value as newest,
       array(select row_id from stepped_over where work = 'event index'
         and ($1::text is null or tenant_code = $1)) as "leftOut"
     from event_index_progress p, counters c where c.name = 'event'`,
    [filter.tenantCode],
  );
  if (!progress) throw new Error('the event index has no progress');
  const top = Math.min(before === null ? Infinity : before - 1, progress.newest);
  const floor = Math.min(progress.events, top - probe);
  const found = await fromRows(select, filter, { floor, top, room });
  if (found.more || floor <= 0) return found;
  const left = roomAfter(room, found.items);
  const apart = new Set(progress.leftOut.filter((id) => id <= floor));
  const facts = await inFacts(pool, filter, {
    changes: progress.changes,
    floor,
    limit: left.rows + apart.size,
  });
  const indexed = facts.filter((id) => !apart.has(id));
  const also = await leftOut(select, filter, [...apart]);
  const ids = [...indexed, ...also].sort((a, b) => b - a).slice(0, left.rows);
  if (ids.length === 0) return found;
  // By their ids as constants, by which the planner knows the partitions that have them.
  const older = await select('where e.id = any($1::bigint[]) order by e.id desc', [ids], left);
  return { items: [...found.items, ...older.items], more: older.more || ids.length === left.rows };
}

/** Ids of those that match, newest first, as the index has them. */
async function inFacts(
  pool: RowReader,
  filter: EventFilter,
  { changes, floor, limit }: Omit<FactRange, 'first'>,
): Promise<number[]> {
  const span = await idSpan(pool, filter);
  if (!span) return [];
  const asked = askedOf(filter);
  const groups = asked.place.length === 0 ? null : await groupsOf(pool, asked);
  const range = { changes, floor: Math.min(floor, span.last), first: span.first, limit };
  const { text, values } = fromFacts(filter, range, groups);
  return (await pool.query<{ id: number }>(text, values)).rows.map(({ id }) => id);
}

/** Ids of those that match, which are looked at themselves. */
async function leftOut(select: Select, filter: EventFilter, apart: readonly number[]): Promise<number[]> {
  if (apart.length === 0) return [];
  const values = new Values();
  const where = `e.id = any(${values.bind(apart)}::bigint[]) and ${values.whereRows(askedOf(filter))}`;
  const room = { rows: apart.length, bytes: Infinity };
  const { items } = await select(`where ${where} order by e.id desc`, values.all, room);
  return items.filter((row) => atPlace(row, filter)).map(({ id }) => id);
}

const roomAfter = ({ rows, bytes }: Room, items: readonly EventRecord[]): Room => ({
  rows: rows - items.length,
  bytes: bytes - items.reduce((sum, { doc }) => sum + Buffer.byteLength(doc), 0),
});

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

function atPlace(event: EventRecord, filter: EventFilter): boolean {
  const { siteRef, cameraRef, instance, instances } = filter;
  if (instance !== undefined && event.instance !== instance) return false;
  if (instances && (event.instance === null || !instances.has(event.instance))) return false;
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

async function groupsOf(pool: RowReader, { group }: Asked): Promise<number[]> {
  const values = new Values();
  const where = values.where(group, 'g');
  const text = `select g.id from event_groups g where ${where}`;
  const { rows } = await pool.query<{ id: number }>(text, values.all);
  return rows.map(({ id }) => id);
}
