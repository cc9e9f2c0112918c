// What the adapters of the policy library share: reading files under a lock, and writing them with their
// change numbers. Lock order: files in id order, chunks in id order, then the counters kb_doc, kb_chunk,
// kb_change.
import { and, asc, eq } from 'drizzle-orm';
import { appendAudit } from '../../store/adapter/audit.ts';
import { advanceCounter, lockCounter } from '../../store/engine/counters.ts';
import type { Tx } from '../../store/engine/database.ts';
import { type CounterName } from '../../store/schema/tables.ts';
import type { DocumentWrites } from '../document/decide.ts';
import type { PolicyDocument } from '../record.ts';
import { kbDocs } from './schema.ts';

/** Takes `count` numbers. @returns the first of them */
export async function takeNumbers(tx: Tx, name: CounterName, count: number, now: number): Promise<number> {
  const counter = await lockCounter(tx, name);
  await advanceCounter(tx, name, { value: counter.value + count, at: now });
  return counter.value + 1;
}

/**
 * The file and all versions of its policy, locked. The family is found before it is locked and read again
 * under the lock, since another transaction may have changed it in between.
 */
export async function lockFamily(
  tx: Tx,
  tenantCode: string,
  id: number,
): Promise<{ document: PolicyDocument | null; family: PolicyDocument[] }> {
  const [found] = await tx.db
    .select({ policyId: kbDocs.policyId })
    .from(kbDocs)
    .where(and(eq(kbDocs.tenantCode, tenantCode), eq(kbDocs.id, id)));
  if (!found) return { document: null, family: [] };
  const ofPolicy = and(eq(kbDocs.tenantCode, tenantCode), eq(kbDocs.policyId, found.policyId));
  await tx.db.select({ id: kbDocs.id }).from(kbDocs).where(ofPolicy).orderBy(asc(kbDocs.id)).for('update');
  const family = await tx.db.select().from(kbDocs).where(ofPolicy).orderBy(asc(kbDocs.id));
  return { document: family.find((one) => one.id === id) ?? null, family };
}

/**
 * Writes decided files in their order and gives each its number in the feed. @param first number of the first
 */
export async function writeDocuments(
  tx: Tx,
  writes: DocumentWrites,
  first: number,
): Promise<Map<number, PolicyDocument>> {
  const written = new Map<number, PolicyDocument>();
  for (const [index, document] of writes.documents.entries()) {
    const row: PolicyDocument = { ...document, changeNo: first + index };
    const { id: _id, tenantCode: _tenant, ...columns } = row;
    await tx.db
      .insert(kbDocs)
      .values(row)
      .onConflictDoUpdate({ target: [kbDocs.tenantCode, kbDocs.id], set: columns });
    written.set(row.id, row);
  }
  await appendAudit(tx, ...writes.audit);
  return written;
}

/** Writes with numbers taken here. */
export async function commitDocuments(
  tx: Tx,
  writes: DocumentWrites,
  now: number,
): Promise<Map<number, PolicyDocument>> {
  return writeDocuments(tx, writes, await takeNumbers(tx, 'kb_change', writes.documents.length, now));
}

export function withNumber<O extends { kind: string }>(
  outcome: O,
  written: ReadonlyMap<number, PolicyDocument>,
): O {
  if (!('document' in outcome)) return outcome;
  const { id } = outcome.document as PolicyDocument;
  return { ...outcome, document: written.get(id) ?? outcome.document };
}
