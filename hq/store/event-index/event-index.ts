// Carries out the index of events (common/core/event/index) in Postgres, up to what is stored. A round takes
// what is new in one transaction; the lock on its progress row makes sure that one process does it.
import { entryOf, type IndexedRow } from '../../../common/core/event/index/entry.ts';
import {
  type Counted,
  type EventFact,
  type IndexRound,
  missingOf,
  movesEvent,
  planRound,
  type Rejudged,
} from '../../../common/core/event/index/plan.ts';
import type { RoundResult } from '../../../common/loop.ts';
import { copyRows, RowWriter, textBytes } from '../engine/copy.ts';
import type { Database, Tx } from '../engine/database.ts';
import { forgetNoted, takeAgain, takeAll, type Work } from '../engine/stepped-over.ts';
import { addCounts, columnsOf } from './counts.ts';
import { type GoingPart, takeCounts } from './going-part.ts';
import { GROUPS, numberIn, numbersOf, PLACES } from './numbers.ts';
import { countMarked, markTasksIn, markTasksOf } from './task-counts.ts';

/** Most events, and most verdict changes, of one round. */
const ROUND = 2_000;

export interface EventIndex {
  /** Indexes what is new, unless another process is doing so. */
  round(): Promise<RoundResult>;
  /**
   * Retention is about to remove these events; to be called in its transaction. It waits for a round to end.
   */
  forget(tx: Tx, eventIds: readonly number[]): Promise<void>;
  /** The same of all events of a partition of `event_facts`, which goes after it. */
  forgetPart(tx: Tx, part: GoingPart): Promise<void>;
}

/** How far the index has come. */
export interface Progress {
  events: number;
  changes: number;
}
export const PROGRESS = `select events_upto as events, changes_upto as changes
  from event_index_progress where name = 'events'`;

/** An event as `IndexedRow`; `e` is its row and `v` that of its verdict. */
export const INDEXED = `e.id, e.tenant_code as tenant, e.type, e.kind, e.source, e.is_test as test,
  e.severity, e.instance, e.occurred_at as at, e.doc, v.verdict, v.judged,
  case when v.verdict is not null then (select c.verdict from corrections c where c.event_id = e.id
    order by c.seq desc limit 1) end as "correctedTo"`;

export class HubEventIndex implements EventIndex {
  #database: Database;
  #known: { groups: Map<string, number>; places: Map<string, number> };

  constructor(database: Database) {
    this.#database = database;
    this.#known = { groups: new Map<string, number>(), places: new Map<string, number>() };
  }

  async round(): Promise<RoundResult> {
    const result = await this.#database.transaction((tx) => takeNew(tx, this.#known));
    if (!result) return { again: false };
    for (const [key, id] of result.groups) this.#known.groups.set(key, id);
    for (const [key, id] of result.places) this.#known.places.set(key, id);
    return { again: result.again };
  }

  async forget(tx: Tx, eventIds: readonly number[]): Promise<void> {
    // Waits for a running round, which has read these events already and would add them again.
    await tx.client.query(`${PROGRESS} for update`);
    const { rows } = await tx.client.query<Omit<Counted, 'by'> & { tenant: string }>(
      `delete from event_facts where event_id = any($1)
         returning tenant_code as tenant, event_id as id, group_id as "group", occurred_at as at`,
      [eventIds],
    );
    await addCounts(
      tx,
      rows.map((fact) => ({ ...fact, by: -1 })),
    );
    await forgetNoted(tx, ['event index', 'dataset counts'], eventIds);
    await markTasksOf(tx, eventIds);
  }

  async forgetPart(tx: Tx, part: GoingPart): Promise<void> {
    await tx.client.query(`${PROGRESS} for update`);
    await takeCounts(tx, part);
    await tx.client.query(
      "delete from stepped_over where work in ('event index', 'dataset counts') and row_id between $1 and $2",
      [part.first, part.last],
    );
    await markTasksIn(tx, part.first, part.last);
  }
}

type Known = Record<'groups' | 'places', Map<string, number>>;

async function takeNew(tx: Tx, numbered: Known): Promise<(Known & { again: boolean }) | null> {
  const {
    rows: [progress],
  } = await tx.client.query<Progress>(`${PROGRESS} for update skip locked`);
  if (!progress) return null;
  // Changes are read first. Each statement sees what was committed before it: a new event then has its
  // verdict, or the next round has the change.
  const changes = await newChanges(tx, progress.changes);
  const fresh = await newIds(tx, progress.events);
  const events = fresh.at(-1) ?? progress.events;
  const rejudged = [...new Set(changes.events)].filter((id) => id <= progress.events);
  const given: Known = { groups: new Map(), places: new Map() };
  const work: Work = {
    name: 'event index',
    tenantOf: 'select tenant_code as tenant from events where id = $1',
    take: (ids) => indexAll(tx, ids, numbered, given),
  };
  await takeAgain(tx, work);
  await takeAll(tx, work, fresh);
  await takeAll(tx, work, rejudged);
  const moreTasks = await countMarked(tx);
  if (events !== progress.events || changes.through !== progress.changes) {
    await tx.client.query(
      `update event_index_progress set events_upto = $1, changes_upto = $2 where name = 'events'`,
      [events, changes.through],
    );
  }
  return { ...given, again: fresh.length === ROUND || changes.full || moreTasks };
}

/** Of events that are indexed already the group is made right. @param given takes the numbers given here */
async function indexAll(tx: Tx, ids: readonly number[], numbered: Known, given: Known): Promise<void> {
  const rejudged = (await judgedFacts(tx, ids)).map(entryOf);
  const indexed = new Set(rejudged.map(({ id }) => id));
  const fresh = (
    await newEvents(
      tx,
      ids.filter((id) => !indexed.has(id)),
    )
  ).map(entryOf);
  const missing = (texts: readonly string[], of: keyof Known): string[] =>
    missingOf(texts, new Map([...numbered[of], ...given[of]]));
  const groupTexts = [...fresh, ...rejudged].map(({ group }) => group);
  const placeTexts = fresh.map(({ place }) => place);
  const groups = await numbersOf(tx, GROUPS, missing(groupTexts, 'groups'));
  const places = await numbersOf(tx, PLACES, missing(placeTexts, 'places'));
  const numbers = {
    group: numberIn(groups, given.groups, numbered.groups),
    place: numberIn(places, given.places, numbered.places),
  };
  await write(tx, planRound(fresh, rejudged, numbers));
  for (const [text, id] of groups) given.groups.set(text, id);
  for (const [text, id] of places) given.places.set(text, id);
}

async function newIds(tx: Tx, after: number): Promise<number[]> {
  const { rows } = await tx.client.query<{ id: number }>(
    'select id from events where id > $1 order by id limit $2',
    [after, ROUND],
  );
  return rows.map(({ id }) => id);
}

async function newEvents(tx: Tx, ids: readonly number[]): Promise<IndexedRow[]> {
  if (ids.length === 0) return [];
  return (
    await tx.client.query<IndexedRow>(
      `select ${INDEXED} from events e
     left join verdicts v on v.tenant_code = e.tenant_code and v.event_id = e.id where e.id = any($1)
       order by e.id`,
      [ids],
    )
  ).rows;
}

/** A verdict is committed under a change number, and numbers become visible in their order. */
async function newChanges(
  tx: Tx,
  after: number,
): Promise<{ events: number[]; through: number; full: boolean }> {
  const { rows } = await tx.client.query<{ no: number; event: number; kind: string }>(
    `select change_no as no, event_id as event, kind from verdict_changes
     where change_no > $1 order by change_no limit $2`,
    [after, ROUND],
  );
  const events = rows.filter(movesEvent).map((row) => row.event);
  return { events, through: rows.at(-1)?.no ?? after, full: rows.length === ROUND };
}

async function judgedFacts(tx: Tx, ids: readonly number[]): Promise<(IndexedRow & Pick<Rejudged, 'was'>)[]> {
  if (ids.length === 0) return [];
  return (
    await tx.client.query<IndexedRow & Pick<Rejudged, 'was'>>(
      `select ${INDEXED}, f.group_id as was from event_facts f
     join events e on e.tenant_code = f.tenant_code and e.id = f.event_id
     left join verdicts v on v.tenant_code = e.tenant_code and v.event_id = e.id where e.id = any($1)`,
      [ids],
    )
  ).rows;
}

const COPY_FACTS =
  'copy event_facts (event_id, occurred_at, group_id, place_id, tenant_code) from stdin (format binary)';
const FACT_FIXED_BYTES = 2 * 12 + 2 * 8;

function factRows(facts: readonly EventFact[]): Buffer {
  const writer = new RowWriter(facts.length * 64);
  for (const { id, at, group, place, tenant } of facts) {
    writer.row(5, FACT_FIXED_BYTES + textBytes(tenant));
    writer.int8(id);
    writer.int8(at);
    writer.int4(group);
    writer.int4(place);
    writer.text(tenant);
  }
  return writer.take();
}

async function write(tx: Tx, { facts, moves, counted }: IndexRound): Promise<void> {
  if (facts.length > 0) await copyRows(tx.client, COPY_FACTS, [factRows(facts)]);
  if (moves.length > 0)
    await tx.client.query(
      `update event_facts f set group_id = m.group_id
     from unnest($1::text[], $2::bigint[], $3::integer[]) as m (tenant, id, group_id)
     where f.tenant_code = m.tenant and f.event_id = m.id`,
      columnsOf(moves, ['tenant', 'id', 'group']),
    );
  await addCounts(tx, counted);
}
