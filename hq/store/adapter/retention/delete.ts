// What retention looks for and deletes: statements over ranges of rows, written in SQL.
import {
  cutSlice,
  type EventToDrop,
  expiredThrough,
  lossesOf,
  withSlice,
} from '../../../../common/core/retention/decide.ts';
import type {
  Counts,
  DeletedSlice,
  DropEvents,
  DropRecords,
  EventMark,
  EventSurvey,
} from '../../../../common/core/retention/record.ts';
import type { Database, Tx } from '../../engine/database.ts';
import type { EventIndex } from '../../event-index/event-index.ts';
import { PartBusy } from '../../partition/exclusive.ts';
import { type Part, partsOf } from '../../partition/parts.ts';
import { rememberPart } from './forgotten.ts';
import { HOLD_SERVED, lockState, readSubscriptions, writeState } from './state.ts';
import { dropPart, wholeThrough } from './whole.ts';

const SELECT_MARK = 'select id, received_at as "receivedAt" from events';

export function survey(database: Database, before: number): Promise<EventSurvey> {
  return database.read(async (_db, pool) => {
    const mark = async (rest: string, values: unknown[]): Promise<EventMark | null> =>
      (await pool.query<EventMark>(`${SELECT_MARK} ${rest} limit 1`, values)).rows[0] ?? null;
    const oldest = await mark('order by id', []);
    const newest = await mark('order by id desc', []);
    if (!oldest || !newest) return { oldest: null, newest: null, expiredThrough: 0, holds: [] };
    const through = await expiredThrough({ oldest: oldest.id, newest: newest.id }, before, (id) =>
      mark('where id >= $1 order by id', [id]),
    );
    const spanOf = async ({ name }: Part): Promise<number> => {
      const times = `select received_at as at from ${name} order by id`;
      const { rows } = await pool.query<{ span: number | null }>(
        `select (${times} desc limit 1) - (${times} limit 1) as span`,
      );
      return rows[0]?.span ?? 0;
    };
    const parts = await partsOf(pool, 'events');
    const whole = await wholeThrough(parts, { oldest, newest, through }, before, spanOf);
    return { oldest, newest, expiredThrough: whole, holds: [] };
  });
}

/** Deletes the oldest events: a partition at once of which all may go, otherwise a slice of rows. */
export async function dropOldest(
  database: Database,
  command: DropEvents,
  eventIndex: EventIndex,
): Promise<DeletedSlice> {
  const parts = await database.read((_db, pool) => partsOf(pool, 'events'));
  for (const part of parts) {
    if (part.to === null || part.to - 1 > command.through) break;
    try {
      await rememberPart(database, part);
      const slice = await database.transaction((tx) => dropPart(tx, part, command, eventIndex));
      if (slice.events !== null) return slice;
    } catch (error) {
      // The next round tries again.
      if (error instanceof PartBusy) return { events: null, counts: {}, lost: {} };
      throw error;
    }
  }
  return database.transaction((tx) => dropEvents(tx, command, eventIndex));
}

interface OldEvent extends EventToDrop {
  /** Where it arose: '' for headquarters, with its id and receipt time there. */
  instance: string;
  originId: number;
  originReceivedAt: number;
}

async function dropEvents(tx: Tx, command: DropEvents, eventIndex: EventIndex): Promise<DeletedSlice> {
  const state = await lockState(tx);
  // Whoever judges one of these now is waited for, and whoever wants to waits and finds it gone.
  const { rows } = await tx.client.query<OldEvent>(
    `select id, tenant_code as "tenantCode", type, severity, is_test as "isTest",
       received_at as "receivedAt", coalesce(instance, '') as instance, coalesce(origin_id, id) as "originId",
       coalesce(origin_received_at, received_at) as "originReceivedAt", octet_length(doc) as bytes from events
         where id <= $1 order by id limit $2 for update`,
    [command.through, command.limit],
  );
  const going = cutSlice(rows, command, []);
  const [oldest, newest] = [going[0], going.at(-1)];
  if (!oldest || !newest) return { events: null, counts: {}, lost: {} };
  await eventIndex.forget(
    tx,
    going.map(({ id }) => id),
  );
  await forgetServed(tx, going);
  const slice = {
    events: { from: oldest.id, to: newest.id },
    counts: await remove(tx, going),
    lost: lossesOf(going, await readSubscriptions(tx)),
  };
  await writeState(tx, withSlice(state, slice, command.now));
  return slice;
}

/**
 * The counts that are served go by one view of events and verdicts: a round that began before this fails, and
 * is tried again.
 */
async function forgetServed(tx: Tx, going: readonly OldEvent[]): Promise<void> {
  await tx.client.query(HOLD_SERVED);
  await tx.client.query(
    `delete from served_event_verdicts v using unnest($1::text[], $2::bigint[]) as n (tenant, id)
     where v.tenant_code = n.tenant and v.event_id = n.id`,
    [going.map(({ tenantCode }) => tenantCode), going.map(({ id }) => id)],
  );
}

async function remove(tx: Tx, going: readonly OldEvent[]): Promise<Counts> {
  const ids = going.map(({ id }) => id);
  await tx.client.query(
    `insert into forgotten_events (event_id, tenant_code, instance, origin_id, origin_received_at)
     select * from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
     on conflict (tenant_code, event_id) do nothing`,
    [
      ids,
      going.map(({ tenantCode }) => tenantCode),
      going.map(({ instance }) => instance),
      going.map(({ originId }) => originId),
      going.map(({ originReceivedAt }) => originReceivedAt),
    ],
  );
  const drop = async (from: string): Promise<number> =>
    (await tx.client.query(`delete from ${from}`, [ids])).rowCount ?? 0;
  return {
    events: await drop('events where id = any($1::bigint[])'),
    verdicts: await drop('verdicts where event_id = any($1::bigint[])'),
    corrections: await drop('corrections where event_id = any($1::bigint[])'),
    // One that its site has not answered yet still goes down, and the answer is noted.
    decisions: await drop(`decisions where event_id = any($1::bigint[]) and state <> 'pending'`),
  };
}

/** Statements that delete at most $1 rows. */
const DROP = {
  // The events of the change log ascend almost, so the first that stays ends it.
  changes: `with old as (select tenant_code, change_no, at < $2 and event_id <= $3 as goes
    from verdict_changes order by change_no limit $1),
      stays as (select min(change_no) as no from old where not goes)
    delete from verdict_changes c using old, stays
    where c.tenant_code = old.tenant_code and c.change_no = old.change_no and (stays.no is null
      or old.change_no < stays.no)`,
  feedback: `with site as (delete from site_feedback where (tenant_code, id) in (select tenant_code, id
      from site_feedback where event_id <= $2 order by event_id limit $1) returning 1),
    own as (delete from feedback where (tenant_code, id) in (select tenant_code, id from feedback
      where event_id <= $2 and state <> 'pending' order by event_id limit $1) returning 1)
    select 1 from site union all select 1 from own`,
  audit:
    'delete from audit where (at, id) in (select at, id from audit where at < $2 order by at, id limit $1)',
  evidence_jobs: `delete from evidence_jobs where (tenant_code, id) in (select tenant_code, id
    from evidence_jobs
    where created_at < $2 and state <> 'pending' order by created_at limit $1)`,
  alarms:
    'delete from alarms where (instance, key) in (select instance, key from alarms where cleared_at < ' +
    '$2 limit $1)',
};

export async function dropRecords(tx: Tx, { kind, before, limit, now }: DropRecords): Promise<number> {
  const state = await lockState(tx);
  const { deletedUpto } = state;
  const values =
    kind === 'changes' ? [limit, before, deletedUpto] : [limit, kind === 'feedback' ? deletedUpto : before];
  const count = (await tx.client.query(DROP[kind], values)).rowCount ?? 0;
  await writeState(tx, withSlice(state, { events: null, counts: { [kind]: count }, lost: {} }, now));
  return count;
}
