// Keeps groups, places, facts and counts of events, and facts of tasks, up to what is stored. A round takes
// what is new in one transaction; the lock on its progress row makes sure that one process does it.
import type { Judged } from '../../common/core/event/record.ts';
import { factsOf, judgementOf } from '../../common/core/event/facts.ts';
import type { RoundResult } from '../../common/loop.ts';
import type { Database, Tx } from './database.ts';
import { DAY_MS, HOUR_MS, startOf } from './stats-window.ts';

/** Most events, and most verdict changes, of one round. */
const ROUND = 2_000;

export interface EventIndex {
  /** Takes what is new, unless another process is at it. */
  round(): Promise<RoundResult>;
  /** Retention is about to remove these events; to be called in its transaction. It waits for a round to end. */
  forget(tx: Tx, eventIds: readonly number[]): Promise<void>;
}

interface Row {
  id: number;
  tenant: string;
  type: string;
  kind: string;
  source: string;
  test: boolean;
  at: number | null;
  doc: string;
  verdict: string | null;
  judged: string | null;
}

type Group = [tenant: string, type: string, kind: string, source: string, verdict: string | null, test: boolean, judged: boolean, judgedType: string | null];
type Place = [tenant: string, siteRef: string | null, cameraRef: string | null];

export function createEventIndex(database: Database): EventIndex {
  // Rows of both tables never change, so that what was committed is true for good.
  const groups = new Map<string, number>();
  const places = new Map<string, number>();
  return {
    round: async () => {
      const result = await database.transaction((tx) => takeNew(tx, { groups, places }));
      if (!result) return { again: false };
      for (const [key, id] of result.groups) groups.set(key, id);
      for (const [key, id] of result.places) places.set(key, id);
      return { again: result.again };
    },
    forget: async (tx, eventIds) => {
      // A round that has read them already must not bring them back.
      await tx.client.query(`select 1 from event_index_progress where name = 'events' for update`);
      const { rows } = await tx.client.query<Fact>(
        'delete from event_facts where event_id = any($1) returning tenant_code as tenant, event_id as id, group_id as "group", occurred_at as at', [eventIds]);
      await addCounts(tx, rows.map((fact) => ({ ...fact, by: -1 })));
      await tx.client.query(
        'delete from task_facts f using tasks t where t.event_id = any($1) and f.tenant_code = t.tenant_code and f.task_id = t.id', [eventIds]);
    },
  };
}

interface Known {
  groups: ReadonlyMap<string, number>;
  places: ReadonlyMap<string, number>;
}

async function takeNew(tx: Tx, known: Known): Promise<(Known & { again: boolean }) | null> {
  const { rows: [progress] } = await tx.client.query<{ events: number; changes: number; tasks: number }>(
    `select events_upto as events, changes_upto as changes, tasks_upto as tasks from event_index_progress where name = 'events' for update skip locked`);
  if (!progress) return null;
  // Each statement sees what was committed before it: read after the changes, a new event has its verdict, or the next round has the change.
  const changes = await newChanges(tx, progress.changes);
  const rows = (await newEvents(tx, progress.events)).map(indexed);
  const events = rows.at(-1)?.id ?? progress.events;
  const judged = (await judgedFacts(tx, [...new Set(changes.events)].filter((id) => id <= progress.events))).map(indexed);
  const groups = await numbersOf(tx, GROUPS, [...rows, ...judged].map((row) => row.groupKey), known.groups);
  const places = await numbersOf(tx, PLACES, rows.map((row) => row.placeKey), known.places);
  const facts = rows.map(({ id, at, tenant, groupKey, placeKey }) => ({ id, at, tenant, group: groups.of(groupKey), place: places.of(placeKey) }));
  await insertFacts(tx, facts);
  const moved = judged.map((row) => ({ id: row.id, at: row.at, tenant: row.tenant, from: row.group, group: groups.of(row.groupKey) })).filter(({ from, group }) => group !== from);
  await moveFacts(tx, moved);
  await addCounts(tx, [
    ...facts.map((fact) => ({ ...fact, by: 1 })),
    ...moved.flatMap((fact) => [{ ...fact, group: fact.from, by: -1 }, { ...fact, by: 1 }]),
  ]);
  const tasks = await takeTasks(tx, progress.tasks);
  if (events !== progress.events || changes.upto !== progress.changes || tasks.upto !== progress.tasks) {
    await tx.client.query(
      `update event_index_progress set events_upto = $1, changes_upto = $2, tasks_upto = $3 where name = 'events'`, [events, changes.upto, tasks.upto]);
  }
  return { groups: groups.fresh, places: places.fresh, again: rows.length === ROUND || changes.full || tasks.full };
}

const FIELDS = `e.id, e.tenant_code as tenant, e.type, e.kind, e.source, e.is_test as test, e.occurred_at as at, e.doc, v.verdict, v.judged`;

async function newEvents(tx: Tx, after: number): Promise<Row[]> {
  return (await tx.client.query<Row>(
    `select ${FIELDS} from events e left join verdicts v on v.tenant_code = e.tenant_code and v.event_id = e.id where e.id > $1 order by e.id limit $2`,
    [after, ROUND])).rows;
}

/** A verdict is committed under a change number, and numbers become visible in their order. */
async function newChanges(tx: Tx, after: number): Promise<{ events: number[]; upto: number; full: boolean }> {
  const { rows } = await tx.client.query<{ no: number; event: number; kind: string }>(
    'select change_no as no, event_id as event, kind from verdict_changes where change_no > $1 order by change_no limit $2', [after, ROUND]);
  return { events: rows.filter((row) => row.kind === 'verdict').map((row) => row.event), upto: rows.at(-1)?.no ?? after, full: rows.length === ROUND };
}

async function takeTasks(tx: Tx, after: number): Promise<{ upto: number; full: boolean }> {
  const { rows: [found] } = await tx.client.query<{ upto: number | null; count: number }>(
    `with new as materialized (select id, tenant_code, event_id from tasks where id > $1 order by id limit $2),
     facts as (insert into task_facts (tenant_code, task_id, event_source, event_test)
       select n.tenant_code, n.id, e.source, e.is_test from new n join events e on e.tenant_code = n.tenant_code and e.id = n.event_id)
     select max(id) as upto, count(*) as count from new`, [after, ROUND]);
  return { upto: found?.upto ?? after, full: found?.count === ROUND };
}

async function judgedFacts(tx: Tx, ids: number[]): Promise<(Row & { group: number })[]> {
  if (ids.length === 0) return [];
  return (await tx.client.query<Row & { group: number }>(
    `select ${FIELDS}, f.group_id as "group" from event_facts f join events e on e.tenant_code = f.tenant_code and e.id = f.event_id
     left join verdicts v on v.tenant_code = e.tenant_code and v.event_id = e.id where e.id = any($1)`, [ids])).rows;
}

export const verdictJudged = (text: string | null): Judged | null => (text === null ? null : (JSON.parse(text) as Judged));

/** A row with the keys of its group and its place, as JSON texts. Its `doc` is parsed once, which is most of the work. */
function indexed<R extends Row>(row: R): R & { groupKey: string; placeKey: string } {
  const facts = factsOf(row);
  const judgement = verdictJudged(row.judged);
  const { judged, judgedType } = judgement ? judgementOf(judgement, null) : facts;
  const group: Group = [row.tenant, row.type, row.kind, row.source, row.verdict, row.test, judged, judgedType];
  const place: Place = [row.tenant, facts.siteRef, facts.cameraRef];
  return { ...row, groupKey: JSON.stringify(group), placeKey: JSON.stringify(place) };
}

interface NumberedTable {
  name: string;
  columns: readonly string[];
  types: readonly string[];
}
const GROUPS: NumberedTable = {
  name: 'event_groups', columns: ['tenant_code', 'type', 'kind', 'source', 'verdict', 'is_test', 'judged', 'judged_type'],
  types: ['text', 'text', 'text', 'text', 'text', 'boolean', 'boolean', 'text'],
};
const PLACES: NumberedTable = { name: 'event_places', columns: ['tenant_code', 'site_ref', 'camera_ref'], types: ['text', 'text', 'text'] };

/** Numbers of keys, which are JSON texts; those not known yet are looked up, or made. */
async function numbersOf(tx: Tx, table: NumberedTable, keys: readonly string[], known: ReadonlyMap<string, number>) {
  const missing = [...new Set(keys.filter((key) => !known.has(key)))].map((key) => JSON.parse(key) as unknown[]);
  const fresh = new Map<string, number>();
  if (missing.length > 0) {
    const names = table.columns.join(', ');
    const { rows } = await tx.client.query<unknown[]>({
      text: `insert into ${table.name} (${names}) select * from unnest(${table.types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})
        on conflict (${names}) do update set tenant_code = excluded.tenant_code returning id, ${names}`,
      values: table.columns.map((_, index) => missing.map((key) => key[index])), rowMode: 'array',
    });
    for (const [id, ...key] of rows) fresh.set(JSON.stringify(key), id as number);
  }
  const of = (key: string): number => {
    const id = fresh.get(key) ?? known.get(key);
    if (id === undefined) throw new Error(`${table.name} gave no number for ${key}`);
    return id;
  };
  return { fresh, of };
}

interface NewFact {
  id: number;
  tenant: string;
  at: number | null;
  group: number;
  place: number;
}

async function insertFacts(tx: Tx, facts: readonly NewFact[]): Promise<void> {
  if (facts.length === 0) return;
  await tx.client.query(
    `insert into event_facts (event_id, occurred_at, group_id, place_id, tenant_code)
     select * from unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[], $5::text[])`,
    [facts.map((f) => f.id), facts.map((f) => f.at), facts.map((f) => f.group), facts.map((f) => f.place), facts.map((f) => f.tenant)]);
}

async function moveFacts(tx: Tx, moves: readonly Pick<NewFact, 'id' | 'tenant' | 'group'>[]): Promise<void> {
  if (moves.length === 0) return;
  await tx.client.query(
    `update event_facts f set group_id = m.group_id from unnest($1::text[], $2::bigint[], $3::integer[]) as m (tenant, id, group_id)
     where f.tenant_code = m.tenant and f.event_id = m.id`,
    [moves.map((m) => m.tenant), moves.map((m) => m.id), moves.map((m) => m.group)]);
}

interface Fact {
  tenant: string;
  id: number;
  at: number | null;
  group: number;
}
interface Count {
  tenant: string;
  start: number;
  group: number;
  by: number;
  first: number;
  last: number;
}

/** Adds to the hours and the days that the facts lie in; a fact without a time is in none. */
async function addCounts(tx: Tx, facts: readonly (Fact & { by: number })[]): Promise<void> {
  const hours = sums(facts, HOUR_MS);
  if (hours.length === 0) return;
  await tx.client.query(
    `insert into event_hours as c (tenant_code, start_at, group_id, count)
     select * from unnest($1::text[], $2::bigint[], $3::integer[], $4::bigint[])
     on conflict (tenant_code, start_at, group_id) do update set count = c.count + excluded.count`, columnsOf(hours));
  const days = sums(facts, DAY_MS);
  await tx.client.query(
    `insert into event_days as c (tenant_code, start_at, group_id, count, first_id, last_id)
     select * from unnest($1::text[], $2::bigint[], $3::integer[], $4::bigint[], $5::bigint[], $6::bigint[])
     on conflict (tenant_code, start_at, group_id) do update
       set count = c.count + excluded.count, first_id = least(c.first_id, excluded.first_id), last_id = greatest(c.last_id, excluded.last_id)`,
    [...columnsOf(days), days.map((c) => c.first), days.map((c) => c.last)]);
}

const columnsOf = (counts: readonly Count[]): unknown[][] =>
  [counts.map((c) => c.tenant), counts.map((c) => c.start), counts.map((c) => c.group), counts.map((c) => c.by)];

/** @param unit ms */
function sums(facts: readonly (Fact & { by: number })[], unit: number): Count[] {
  const found = new Map<string, Count>();
  for (const { tenant, id, at, group, by } of facts) {
    if (at === null) continue;
    const start = startOf(at, unit);
    const key = `${start} ${group}`;
    const sum = found.get(key);
    if (sum) Object.assign(sum, { by: sum.by + by, first: Math.min(sum.first, id), last: Math.max(sum.last, id) });
    else found.set(key, { tenant, start, group, by, first: id, last: id });
  }
  return [...found.values()];
}
