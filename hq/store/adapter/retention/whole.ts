// Events whose whole partition has expired go with it, in a moment, and leave nothing for vacuum. SQL
// throughout.
import { consumerSees } from '../../../../common/core/event/decide.ts';
import type { Severity } from '../../../../common/core/event/schema.ts';
import { withSlice } from '../../../../common/core/retention/decide.ts';
import type {
  Counts,
  DeletedSlice,
  DropEvents,
  EventSurvey,
  LostEvents,
} from '../../../../common/core/retention/record.ts';
import { limitStatements, type Tx } from '../../engine/database.ts';
import type { EventIndex } from '../../event-index/event-index.ts';
import { runExclusively } from '../../partition/exclusive.ts';
import { SHARE } from '../../partition/partitions.ts';
import { atLength, type Part, twinOf } from '../../partition/parts.ts';
import { HOLD_SERVED, lockState, readSubscriptions, writeState } from './state.ts';

const NOTHING: DeletedSlice = { events: null, counts: {}, lost: {} };

/**
 * Through where events go. The partition at the edge waits until all of it has expired, where it spans a
 * small part of the time that is kept; otherwise every event of a large hub would be deleted row by row.
 * @param through largest id that has expired
 * @param spanOf time between the first and the last receipt of a partition
 */
export async function wholeThrough(
  parts: readonly Part[],
  { oldest, newest, through }: EventMarks & { through: number },
  before: number,
  spanOf: (part: Part) => Promise<number>,
): Promise<number> {
  const edge = parts.find(({ from, to }) => (from ?? 0) <= through && (to === null || through < to));
  if (!edge || edge.to === null || through === edge.to - 1 || newest.id < edge.to) return through;
  const kept = newest.receivedAt - before;
  if ((await spanOf(edge)) > kept / SHARE) return through;
  return Math.max((edge.from ?? oldest.id) - 1, oldest.id - 1);
}

interface EventMarks {
  oldest: NonNullable<EventSurvey['oldest']>;
  newest: NonNullable<EventSurvey['newest']>;
}

/**
 * Deletes a part of which every event has been written down.
 * @throws PartBusy while others read it
 */
export async function dropPart(
  tx: Tx,
  part: Part,
  { now, before }: DropEvents,
  eventIndex: EventIndex,
): Promise<DeletedSlice> {
  await limitStatements(tx, 0);
  const state = await lockState(tx);
  const {
    rows: [there],
  } = await tx.client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [part.name]);
  if (there?.there !== true) return NOTHING;
  const held = await contentOf(tx, part.name);
  if (held.last !== null && held.until >= before) return NOTHING;
  await tx.client.query(HOLD_SERVED);
  const facts = twinOf(part.name, 'events', 'event_facts');
  const { first, last } = held;
  if (first !== null && last !== null) await eventIndex.forgetPart(tx, { ...held, facts, first, last });
  const lost = await lossesIn(tx, part.name, held.last ?? 0);
  const counts = await deleteBeside(tx, held);
  await runExclusively(tx, `drop table ${part.name}, ${facts}`, part.name);
  // Whoever judged one of them in between has been waited for.
  const late = await deleteBeside(tx, held);
  if (first === null || last === null) return NOTHING;
  const slice: DeletedSlice = {
    events: { from: first, to: last },
    counts: { events: held.count, ...sum(counts, late) },
    lost,
  };
  await writeState(tx, withSlice(state, slice, now));
  return slice;
}

interface Content {
  first: number | null;
  last: number | null;
  count: number;
  tenants: string[];
  /** Of the first and the last of them, epoch ms. */
  since: number;
  until: number;
}

async function contentOf(tx: Tx, part: string): Promise<Content> {
  const { rows } = await atLength<{ tenant: string; first: number; last: number; count: number }>(
    tx,
    `select tenant_code as tenant, min(id) as first, max(id) as last, count(*) as count
     from ${part} group by tenant_code`,
  );
  const receivedAt = async (order: 'asc' | 'desc'): Promise<number> =>
    (
      await tx.client.query<{ at: number }>(
        `select received_at as at from ${part} order by id ${order} limit 1`,
      )
    ).rows[0]?.at ?? 0;
  const none = rows.length === 0;
  return {
    first: none ? null : Math.min(...rows.map(({ first }) => first)),
    last: none ? null : Math.max(...rows.map(({ last }) => last)),
    count: rows.reduce((count, row) => count + row.count, 0),
    tenants: rows.map(({ tenant }) => tenant),
    since: await receivedAt('asc'),
    until: await receivedAt('desc'),
  };
}

/** As `lossesOf` has it, counted in Postgres. */
async function lossesIn(tx: Tx, part: string, last: number): Promise<Record<string, LostEvents>> {
  const lost: Record<string, LostEvents> = {};
  for (const subscription of await readSubscriptions(tx)) {
    if (!subscription.enabled || subscription.cursor >= last) continue;
    const { rows } = await atLength<{
      tenantCode: string;
      type: string;
      severity: Severity | null;
      isTest: boolean;
      count: number;
      first: number;
      last: number;
    }>(
      tx,
      `select tenant_code as "tenantCode", type, severity, is_test as "isTest", count(*) as count,
         min(id) as first, max(id) as last from ${part} where id > $1 group by 1, 2, 3, 4`,
      [subscription.cursor],
    );
    const missed = rows.filter((row) => consumerSees(subscription, row, true));
    if (missed.length > 0)
      lost[subscription.consumer] = {
        events: missed.reduce((count, row) => count + row.count, 0),
        from: Math.min(...missed.map(({ first }) => first)),
        to: Math.max(...missed.map((row) => row.last)),
      };
  }
  return lost;
}

async function deleteBeside(tx: Tx, { first, last, tenants }: Content): Promise<Counts> {
  const drop = async (from: string, and = '', values: unknown[] = []): Promise<number> =>
    (
      await atLength(tx, `delete from ${from} where event_id between $1 and $2 ${and}`, [
        first,
        last,
        ...values,
      ])
    ).rowCount ?? 0;
  if (first === null) return {};
  await drop('served_event_verdicts', 'and tenant_code = any($3::text[])', [tenants]);
  return {
    verdicts: await drop('verdicts'),
    corrections: await drop('corrections'),
    decisions: await drop('decisions', `and state <> 'pending'`),
  };
}

const sum = (a: Counts, b: Counts): Counts => ({
  verdicts: (a.verdicts ?? 0) + (b.verdicts ?? 0),
  corrections: (a.corrections ?? 0) + (b.corrections ?? 0),
  decisions: (a.decisions ?? 0) + (b.decisions ?? 0),
});
