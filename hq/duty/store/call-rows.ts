// Rows of calls, as transactions write them.
import { and, eq, inArray } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Tx } from '../../store/engine/database.ts';
import { take as decideTake } from '../call/decide.ts';
import type { CallWrites } from '../call/record.ts';
import type { TakeOutcome } from '../port.ts';
import { dutyCallEvents, dutyCalls, dutySendings } from './schema.ts';

/** Rows of one insert. */
const AT_ONCE = 200;

/** @returns false where there is one of this alarm */
export async function insertCall(tx: Tx, { call, sendings }: CallWrites): Promise<boolean> {
  const [fresh] = await tx.db
    .insert(dutyCalls)
    .values(call)
    .onConflictDoNothing()
    .returning({ id: dutyCalls.id });
  if (!fresh) return false;
  if (call.eventId !== null) await addEvents(tx, call.id, [call.eventId]);
  for (let from = 0; from < sendings.length; from += AT_ONCE)
    await tx.db.insert(dutySendings).values(sendings.slice(from, from + AT_ONCE));
  return true;
}

export async function addEvents(tx: Tx, callId: string, eventIds: readonly number[]): Promise<void> {
  const rows = eventIds.map((eventId) => ({ eventId, callId }));
  await tx.db.insert(dutyCallEvents).values(rows).onConflictDoNothing();
}

export async function taken(
  tx: Tx,
  callId: string,
  { by, actor }: { by: string; actor: string },
  stamp: Stamp,
): Promise<TakeOutcome> {
  const [call] = await tx.db.select().from(dutyCalls).where(eq(dutyCalls.id, callId)).for('update');
  if (!call) return { kind: 'no_call' };
  const sent = await tx.db.select().from(dutySendings).where(eq(dutySendings.callId, callId));
  const decided = decideTake(call, sent, by, stamp);
  if (decided.kind === 'before') return { kind: 'before', call: decided.call };
  const { state, nextAt, takenBy, takenAt } = decided.call;
  await tx.db.update(dutyCalls).set({ state, nextAt, takenBy, takenAt }).where(eq(dutyCalls.id, callId));
  await cancel(tx, [callId], stamp.now);
  if (decided.sendings.length > 0) await tx.db.insert(dutySendings).values(decided.sendings);
  await appendAudit(tx, {
    id: stamp.newId(),
    at: stamp.now,
    actor,
    action: 'call.taken',
    subject: call.eventId === null ? `alarm:${call.alarmKey}` : `event:${call.eventId}`,
    tenantCode: call.tenantCode,
    before: null,
    after: { call: callId, by },
  });
  return { kind: 'taken', call: decided.call };
}

/** What was to be sent yet is not. */
export async function cancel(tx: Tx, callIds: readonly string[], now: number): Promise<void> {
  if (callIds.length === 0) return;
  await tx.db
    .update(dutySendings)
    .set({ state: 'cancelled', settledAt: now })
    .where(and(inArray(dutySendings.callId, [...callIds]), eq(dutySendings.state, 'pending')));
}

export async function forget(tx: Tx, which: ReturnType<typeof inArray>): Promise<number> {
  const gone = await tx.db.delete(dutyCalls).where(which).returning({ id: dutyCalls.id });
  const ids = gone.map(({ id }) => id);
  if (ids.length > 0) {
    await tx.db.delete(dutySendings).where(inArray(dutySendings.callId, ids));
    await tx.db.delete(dutyCallEvents).where(inArray(dutyCallEvents.callId, ids));
  }
  return ids.length;
}
