// The events that verdicts are about. Their rows are locked and read in SQL, as the lists read them.
import type { EventRecord } from '../../../../common/core/event/record.ts';
import type { Tx } from '../../engine/database.ts';
import { SELECT_EVENTS } from '../event-rows.ts';

/** Reads an event and keeps others from judging it until the transaction ends. */
export async function lockEvent(tx: Tx, id: number): Promise<EventRecord | null> {
  const {
    rows: [locked],
  } = await tx.client.query('select 1 from events where id = $1 for update', [id]);
  // A second statement: it sees what the holder of the lock before this one wrote.
  return locked ? readEvent(tx, id) : null;
}

export async function readEvent(tx: Tx, id: number): Promise<EventRecord | null> {
  const {
    rows: [event],
  } = await tx.client.query<EventRecord>(`${SELECT_EVENTS} where e.id = $1`, [id]);
  return event ?? null;
}

/** Reads events and keeps others from judging them until the transaction ends. */
export async function lockEvents(tx: Tx, ids: readonly number[]): Promise<Map<number, EventRecord>> {
  await tx.client.query('select 1 from events where id = any($1::bigint[]) order by id for update', [ids]);
  // A second statement: it sees what the holder of a lock before this one wrote.
  return readEvents(tx, ids);
}

export async function readEvents(tx: Tx, ids: readonly number[]): Promise<Map<number, EventRecord>> {
  if (ids.length === 0) return new Map();
  const { rows } = await tx.client.query<EventRecord>(`${SELECT_EVENTS} where e.id = any($1::bigint[])`, [
    ids,
  ]);
  return new Map(rows.map((event) => [event.id, event]));
}
