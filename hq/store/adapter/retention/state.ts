// The one row that holds the state of retention.
import type { AuditEntry } from '../../../../common/core/audit/port.ts';
import { emptyState, type RetentionState } from '../../../../common/core/retention/record.ts';
import type { Database, Db, Tx } from '../../engine/database.ts';
import { retention, subscriptions } from '../../schema/tables.ts';
import { appendAudit } from '../audit.ts';

export async function readState(db: Db): Promise<RetentionState> {
  const [row] = await db.select().from(retention);
  return row ? { ...emptyState, ...row.state } : emptyState;
}

/** Locks the state until the transaction ends; the migration made its row. */
export async function lockState(tx: Tx): Promise<RetentionState> {
  const [row] = await tx.db.select().from(retention).for('update');
  if (!row) throw new Error('the row of retention is missing');
  return { ...emptyState, ...row.state };
}

export async function writeState(tx: Tx, state: RetentionState): Promise<void> {
  await tx.db.update(retention).set({ state });
}

export async function write(
  tx: Tx,
  next: { state: RetentionState; audit: AuditEntry | null },
): Promise<void> {
  await writeState(tx, next.state);
  if (next.audit) await appendAudit(tx, next.audit);
}

export const change = (database: Database, next: (state: RetentionState) => RetentionState): Promise<void> =>
  database.transaction(async (tx) => writeState(tx, next(await lockState(tx))));

/** Those whose next events may be among the deleted ones. */
export const readSubscriptions = (tx: Tx) => tx.db.select().from(subscriptions);

/** Rounds of the counts that are served, in one view of the store each, see all of a deletion or fail. */
export const HOLD_SERVED = "update served_progress set events_upto = events_upto where name = 'events'";
