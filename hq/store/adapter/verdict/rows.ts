// What is written beside a verdict or a correction, and the log of verdict changes.
import { eq, inArray } from 'drizzle-orm';
import type { AuditEntry } from '../../../../common/core/audit/port.ts';
import type { FeedbackRecord } from '../../../../common/core/feedback/record.ts';
import type { Companions } from '../../../../common/core/verdict/decide.ts';
import type { NewChange } from '../../../../common/core/verdict/record.ts';
import { decisions } from '../../../receiver/store/schema.ts';
import { advanceCounter, type Counter } from '../../engine/counters.ts';
import type { Tx } from '../../engine/database.ts';
import { feedback, verdictChanges, verdicts } from '../../schema/tables.ts';
import { appendAudit } from '../audit.ts';

export const readVerdict = async (tx: Tx, eventId: number) =>
  (await tx.db.select().from(verdicts).where(eq(verdicts.eventId, eventId)))[0] ?? null;

/** Which decisions of headquarters a change entry answers. To be asked under the change counter's lock. */
export async function answeredOf(
  tx: Tx,
  decisionIds: readonly (string | null)[],
): Promise<Set<string | null>> {
  const ids = decisionIds.filter((id) => id !== null);
  if (ids.length === 0) return new Set();
  const found = await tx.db
    .select({ id: verdictChanges.decisionId })
    .from(verdictChanges)
    .where(inArray(verdictChanges.decisionId, ids));
  return new Set(found.map(({ id }) => id));
}

/**
 * Appends to the change log.
 * @param counter as locked by this transaction
 * @param at epoch ms, not below `counter.at`
 * @returns the number of the first entry
 */
export async function appendChanges(
  tx: Tx,
  counter: Counter,
  changes: readonly NewChange[],
  at: number,
): Promise<number> {
  const first = counter.value + 1;
  if (changes.length === 0) return first;
  await tx.db
    .insert(verdictChanges)
    .values(changes.map((change, index) => ({ ...change, changeNo: first + index, at })));
  await advanceCounter(tx, 'verdict_change', { value: counter.value + changes.length, at });
  return first;
}

/**
 * What goes with the verdicts and corrections of one transaction, in the order in which they were decided.
 */
export class Effects {
  /** Change entries; their numbers follow in this order. */
  readonly changes: NewChange[] = [];
  readonly audit: AuditEntry[] = [];
  readonly feedback: FeedbackRecord[] = [];
  #toSites: (NonNullable<Companions['toSite']> & { kind: 'verdict' | 'correction'; change: number })[] = [];

  add({ change, audit: entry, feedback: message, toSite }: Companions, kind: 'verdict' | 'correction'): void {
    if (toSite) this.#toSites.push({ ...toSite, kind, change: this.changes.length });
    if (message) this.feedback.push(message);
    this.audit.push(entry);
    this.changes.push(change);
  }

  /** @param counter and `at` as for `appendChanges` @returns the number of the first change entry */
  async write(tx: Tx, counter: Counter, at: number): Promise<number> {
    const first = await appendChanges(tx, counter, this.changes, at);
    await appendAudit(tx, ...this.audit);
    if (this.feedback.length > 0) await tx.db.insert(feedback).values(this.feedback);
    if (this.#toSites.length > 0) {
      await tx.db.insert(decisions).values(
        this.#toSites.map(({ decisionId, instance, body, kind, change }) => {
          const { tenantCode, eventId } = this.changes[change] as NewChange;
          return {
            id: decisionId,
            tenantCode,
            instance,
            eventId,
            changeNo: first + change,
            kind,
            body,
            state: 'pending' as const,
            createdAt: at,
            settledAt: null,
            note: null,
          };
        }),
      );
    }
    return first;
  }
}
