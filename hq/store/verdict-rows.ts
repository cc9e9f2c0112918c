// What is written beside a verdict or a correction, and the log of verdict changes.
import { eq } from 'drizzle-orm';
import type { Companions } from '../../common/core/verdict/decide.ts';
import type { NewChange } from '../../common/core/verdict/record.ts';
import { advanceCounter, type Counter } from './counters.ts';
import type { Tx } from './database.ts';
import { SELECT_EVENTS } from './event-rows.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import { audit, decisions, feedback, verdictChanges, verdicts } from './schema.ts';

/** Reads an event and keeps others from judging it until the transaction ends. */
export async function lockEvent(tx: Tx, id: number): Promise<EventRecord | null> {
  const { rows: [locked] } = await tx.client.query('select 1 from events where id = $1 for update', [id]);
  // A second statement: it sees what the holder of the lock before this one wrote.
  return locked ? readEvent(tx, id) : null;
}

export async function readEvent(tx: Tx, id: number): Promise<EventRecord | null> {
  const { rows: [event] } = await tx.client.query<EventRecord>(`${SELECT_EVENTS} where e.id = $1`, [id]);
  return event ?? null;
}

export const readVerdict = async (tx: Tx, eventId: number) =>
  (await tx.db.select().from(verdicts).where(eq(verdicts.eventId, eventId)))[0] ?? null;

/** Whether a change entry answers this decision of headquarters. To be asked under the change counter's lock. */
export async function isAnswered(tx: Tx, decisionId: string | null): Promise<boolean> {
  if (decisionId === null) return false;
  const found = await tx.db.select({ no: verdictChanges.changeNo }).from(verdictChanges)
    .where(eq(verdictChanges.decisionId, decisionId)).limit(1);
  return found.length > 0;
}

/**
 * Appends to the change log.
 * @param counter as locked by this transaction
 * @param at epoch ms, not below `counter.at`
 * @returns the number of the first entry
 */
export async function appendChanges(tx: Tx, counter: Counter, changes: readonly NewChange[], at: number): Promise<number> {
  const first = counter.value + 1;
  if (changes.length === 0) return first;
  await tx.db.insert(verdictChanges).values(changes.map((change, index) => ({ ...change, changeNo: first + index, at })));
  await advanceCounter(tx, 'verdict_change', { value: counter.value + changes.length, at });
  return first;
}

/** Writes all that goes with a verdict or correction. @returns the number of its change entry */
export async function writeCompanions(
  tx: Tx, counter: Counter, written: Companions & { kind: 'written' }, what: { kind: 'verdict' | 'correction'; at: number },
): Promise<number> {
  const changeNo = await appendChanges(tx, counter, [written.change], what.at);
  await tx.db.insert(audit).values(written.audit);
  if (written.feedback) await tx.db.insert(feedback).values(written.feedback);
  if (written.toSite) {
    const { decisionId, instance, body } = written.toSite;
    await tx.db.insert(decisions).values({
      id: decisionId, tenantCode: written.change.tenantCode, instance, eventId: written.change.eventId, changeNo, kind: what.kind,
      body, state: 'pending', createdAt: what.at, settledAt: null, note: null,
    });
  }
  return changeNo;
}
