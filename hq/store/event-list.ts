// Lists of events, newest first, under any filter. The newest rows are looked at themselves; below them the groups
// (and places) that match are few, and the newest events of each come from an index.
import type { EventFilter } from '../../common/core/event/port.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import { factsOf } from '../../common/core/event/facts.ts';
import type { Database } from './database.ts';
import { SELECT_EVENTS } from './event-rows.ts';
import { DAY_MS } from './stats-window.ts';

/** Newest ids that are looked at row by row, since most lists are filled by them. */
export const LIST_PROBE = 500;
const STEP = 500;

interface Progress {
  events: number;
  changes: number;
  head: number;
}

type Select = (rest: string, values: unknown[]) => Promise<EventRecord[]>;

export function createEventList(database: Database, probe: number): (filter: EventFilter, before: number | null, limit: number) => Promise<EventRecord[]> {
  return (filter, before, limit) => database.read(async (_db, pool) => {
    const select: Select = async (rest, values) => (await pool.query<EventRecord>(`${SELECT_EVENTS} ${rest}`, values)).rows;
    // Read first: facts are only ever ahead of it.
    const { rows: [progress] } = await pool.query<Progress>(
      `select p.events_upto as events, p.changes_upto as changes, c.value as head from event_index_progress p, counters c where c.name = 'event'`);
    if (!progress) throw new Error('the event index has no progress');
    const top = Math.min(before === null ? Infinity : before - 1, progress.head);
    const floor = Math.min(progress.events, top - probe);
    const found = await fromRows(select, filter, { floor, top, limit });
    if (found.length === limit || floor <= 0) return found;
    const span = await idSpan(pool, filter);
    if (!span) return found;
    const range = { changes: progress.changes, floor: Math.min(floor, span.last), first: span.first, limit: limit - found.length };
    const rest = fromFacts(filter, range, anyPlace(filter) ? null : await groupsOf(pool, filter));
    return [...found, ...(await select(rest.text, rest.values))];
  });
}

/** Collects the values of a statement. */
class Values {
  readonly all: unknown[] = [];
  bind(value: unknown): string {
    return `$${this.all.push(value)}`;
  }
}

function rowConditions(filter: EventFilter, values: Values): string[] {
  const { tenantCode, since, until, verdict } = filter;
  // A look-up for each event: joined, verdicts of a kind that the statistics do not know yet would be read whole for each.
  const judged = '(select v.verdict from verdicts v where v.event_id = e.id)';
  return [
    ...(tenantCode === null ? [] : [`e.tenant_code = ${values.bind(tenantCode)}`]),
    ...(['type', 'kind', 'source'] as const).flatMap((name) => (filter[name] === undefined ? [] : [`e.${name} = ${values.bind(filter[name])}`])),
    ...(since === undefined ? [] : [`e.occurred_at >= ${values.bind(since)}`]),
    ...(until === undefined ? [] : [`e.occurred_at < ${values.bind(until)}`]),
    ...(filter.includeTest ? [] : ['not e.is_test']),
    ...(verdict === undefined ? [] : verdict === 'none' ? [`${judged} is null`] : [`${judged} = ${values.bind(verdict)}`]),
  ];
}

/** Places are known from the text of an event only, so that they are compared here. */
async function fromRows(select: Select, filter: EventFilter, ids: { floor: number; top: number; limit: number }): Promise<EventRecord[]> {
  const everywhere = anyPlace(filter);
  const found: EventRecord[] = [];
  for (let high = ids.top; high > ids.floor; ) {
    const values = new Values();
    const where = [`e.id > ${values.bind(Math.max(ids.floor, 0))}`, `e.id <= ${values.bind(high)}`, ...rowConditions(filter, values)];
    const step = everywhere ? ids.limit : STEP;
    const rows = await select(`where ${where.join(' and ')} order by e.id desc limit ${values.bind(step)}`, values.all);
    found.push(...(everywhere ? rows : rows.filter((row) => atPlace(row, filter))));
    if (rows.length < step || found.length >= ids.limit) break;
    high = (rows.at(-1)?.id ?? 0) - 1;
  }
  return found.slice(0, ids.limit);
}

const anyPlace = ({ siteRef, cameraRef }: EventFilter): boolean => siteRef === undefined && cameraRef === undefined;

function atPlace(event: EventRecord, { siteRef, cameraRef }: EventFilter): boolean {
  const facts = factsOf(event);
  return (siteRef === undefined || facts.siteRef === siteRef) && (cameraRef === undefined || facts.cameraRef === cameraRef);
}

interface Pool {
  query<R>(text: string, values: unknown[]): Promise<{ rows: R[] }>;
}

/** Ids between which the counted events of the window lie; null when there are none. */
async function idSpan(pool: Pool, { tenantCode, since, until }: EventFilter): Promise<{ first: number; last: number } | null> {
  if (since === undefined && until === undefined) return { first: 0, last: Number.MAX_SAFE_INTEGER };
  const values = new Values();
  const where = [
    'true', ...(tenantCode === null ? [] : [`tenant_code = ${values.bind(tenantCode)}`]),
    ...(since === undefined ? [] : [`start_at > ${values.bind(since - DAY_MS)}`]), ...(until === undefined ? [] : [`start_at < ${values.bind(until)}`]),
  ];
  const { rows: [span] } = await pool.query<{ first: number | null; last: number | null }>(
    `select min(first_id) as first, max(last_id) as last from event_days where ${where.join(' and ')}`, values.all);
  return span && span.first !== null && span.last !== null ? { first: span.first, last: span.last } : null;
}

interface FactRange {
  /** Verdict changes up to here are known to the facts. */
  changes: number;
  /** Largest and smallest id. */
  floor: number;
  first: number;
  limit: number;
}

function groupConditions(filter: EventFilter, values: Values): string {
  const { tenantCode, verdict } = filter;
  return [
    'true', ...(tenantCode === null ? [] : [`g.tenant_code = ${values.bind(tenantCode)}`]), ...(filter.includeTest ? [] : ['not g.is_test']),
    ...(['type', 'kind', 'source'] as const).flatMap((name) => (filter[name] === undefined ? [] : [`g.${name} = ${values.bind(filter[name])}`])),
    ...(verdict === undefined ? [] : [verdict === 'none' ? 'g.verdict is null' : `g.verdict = ${values.bind(verdict)}`]),
  ].join(' and ');
}

async function groupsOf(pool: Pool, filter: EventFilter): Promise<number[]> {
  const values = new Values();
  const { rows } = await pool.query<{ id: number }>(`select g.id from event_groups g where ${groupConditions(filter, values)}`, values.all);
  return rows.map(({ id }) => id);
}

/**
 * Events in facts; those with a verdict that the facts do not know yet are looked at themselves. They are many after an outage: `not in`
 * keeps them in one hash, where an anti-join may go through them for every row.
 * @param groups when the filter names a place: the groups that it takes, as a constant, which the server hashes
 */
function fromFacts(filter: EventFilter, { changes, floor, first, limit }: FactRange, groups: number[] | null): { text: string; values: unknown[] } {
  const values = new Values();
  const [low, high, most] = [values.bind(first), values.bind(floor), values.bind(limit)];
  const { tenantCode, verdict, since, until, siteRef, cameraRef } = filter;
  const fact = [
    `f.event_id between ${low} and ${high}`,
    ...(since === undefined ? [] : [`f.occurred_at >= ${values.bind(since)}`]), ...(until === undefined ? [] : [`f.occurred_at < ${values.bind(until)}`]),
    ...(verdict === undefined ? [] : ['f.event_id not in (select s.event_id from stale s)']),
  ].join(' and ');
  const newest = (from: string, condition: string): string => `${from} cross join lateral (select f.event_id as id from event_facts f
    where ${condition} and ${fact} order by f.event_id desc limit ${most}) n`;
  const places = groups === null ? '' : [
    'true', ...(tenantCode === null ? [] : [`p.tenant_code = ${values.bind(tenantCode)}`]),
    ...(siteRef === undefined ? [] : [`p.site_ref = ${values.bind(siteRef)}`]), ...(cameraRef === undefined ? [] : [`p.camera_ref = ${values.bind(cameraRef)}`]),
  ].join(' and ');
  const indexed = groups === null
    ? `select n.id from ${newest('event_groups g', 'f.group_id = g.id')} where ${groupConditions(filter, values)}`
    : `select n.id from ${newest('event_places p', `f.place_id = p.id and f.group_id = any(${values.bind(groups)}::integer[])`)} where ${places}`;
  const late = verdict === undefined ? '' : `union all select e.id from stale s join events e on e.id = s.event_id
    ${groups === null ? '' : `join event_facts f on f.tenant_code = e.tenant_code and f.event_id = e.id join event_places p on p.id = f.place_id and ${places}`}
    where ${[`e.id between ${low} and ${high}`, ...rowConditions(filter, values)].join(' and ')}`;
  const text = `where e.id = any(array(
    with stale as materialized (select distinct c.event_id from verdict_changes c where c.change_no > ${values.bind(changes)} and c.kind = 'verdict')
    select id from (${indexed} ${late}) i order by id desc limit ${most})) order by e.id desc`;
  return { text, values: values.all };
}
