import { and, asc, eq } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { jobRow } from '../../../common/core/evidence/decide.ts';
import {
  afterDelivery,
  afterFailure,
  afterRegistration,
  freshPushRow,
  mayClaim,
  type PushRow,
  requestedAudit,
} from '../../../common/core/push/decide.ts';
import type { PushDelivered, PushLease, PushPort, PushState } from '../../../common/core/push/port.ts';
import type { SubscriptionRecord } from '../../../common/core/subscription/port.ts';
import type { Database, Tx } from '../engine/database.ts';
import { evidenceJobs } from '../schema/evidence.ts';
import { pushStates, subscriptions } from '../schema/subscription.ts';
import { appendAudit } from './audit.ts';

/** Rows of one insert, so that the parameters of a statement suffice. */
const INSERT_ROWS = 500;

/** The row of the subscription is locked first everywhere, and stands for its push state. */
export class HubPush implements PushPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  states(): Promise<PushState[]> {
    return this.#database.read(async (db) => {
      const rows = await db.select().from(pushStates).orderBy(asc(pushStates.consumer));
      return rows.map(({ lease: _lease, leasedUntil: _until, ...state }) => state);
    });
  }

  claim(seen: SubscriptionRecord, lease: PushLease, now: number): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const [found = null] = await tx.db
        .select()
        .from(subscriptions)
        .where(eq(subscriptions.consumer, lease.consumer))
        .for('update', { skipLocked: true });
      if (!found) return false;
      const row = (await rowOf(tx, lease.consumer)) ?? freshPushRow(lease.consumer);
      if (!mayClaim(seen, found, row, now)) return false;
      await writeRow(tx, { ...row, lease: lease.token, leasedUntil: lease.until });
      return true;
    });
  }

  renew(lease: PushLease): Promise<boolean> {
    return this.#database.read(async (db) => {
      const { rowCount } = await db
        .update(pushStates)
        .set({ leasedUntil: lease.until })
        .where(and(eq(pushStates.consumer, lease.consumer), eq(pushStates.lease, lease.token)));
      return (rowCount ?? 0) > 0;
    });
  }

  delivered(lease: PushLease, delivered: PushDelivered, stamp: Stamp): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const held = await heldBy(tx, lease);
      if (!held) return false;
      const { row, subscription } = held;
      const pushCursor = Math.max(subscription.pushCursor, delivered.cursor);
      await tx.db.update(subscriptions).set({ pushCursor }).where(eq(subscriptions.consumer, lease.consumer));
      await writeRow(tx, afterDelivery(row, delivered, stamp.now));
      const rows = delivered.jobs.map((job) => jobRow(job, stamp.now));
      for (let at = 0; at < rows.length; at += INSERT_ROWS)
        await tx.db.insert(evidenceJobs).values(rows.slice(at, at + INSERT_ROWS));
      if (rows.length > 0)
        await appendAudit(tx, requestedAudit(lease, subscription.tenantCode, delivered.jobs, stamp));
      return true;
    });
  }

  failed(lease: PushLease, error: string, nextAt: number): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const held = await heldBy(tx, lease);
      if (held) await writeRow(tx, afterFailure(held.row, error, nextAt));
      return held !== null;
    });
  }
}

async function heldBy(
  tx: Tx,
  lease: PushLease,
): Promise<{ row: PushRow; subscription: SubscriptionRecord } | null> {
  const [subscription] = await tx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.consumer, lease.consumer))
    .for('update');
  const row = await rowOf(tx, lease.consumer);
  return subscription && row?.lease === lease.token ? { row, subscription } : null;
}

async function rowOf(tx: Tx, consumer: string): Promise<PushRow | null> {
  const [row] = await tx.db.select().from(pushStates).where(eq(pushStates.consumer, consumer)).for('update');
  return row ?? null;
}

async function writeRow(tx: Tx, row: PushRow): Promise<void> {
  await tx.db.insert(pushStates).values(row).onConflictDoUpdate({ target: pushStates.consumer, set: row });
}

/** What a changed registration does to the pushes; the subscription's row is locked. */
export async function voidPush(tx: Tx, consumer: string): Promise<void> {
  const row = await rowOf(tx, consumer);
  if (row) await writeRow(tx, afterRegistration(row));
}
