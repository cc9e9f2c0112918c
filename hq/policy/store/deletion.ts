import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Stamp } from '../../../common/clock.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import { lockCounter } from '../../store/engine/counters.ts';
import { type Database, limitStatements, type Tx } from '../../store/engine/database.ts';
import type { Deletion, DeletionPort, PolicyCounts } from '../port.ts';
import { takeNumbers } from './rows.ts';
import {
  kbChanges,
  kbChunks,
  kbClearance,
  kbDeletions,
  kbDocs,
  kbOpenQuestions,
  kbQaLog,
  kbReadings,
  kbSynonyms,
} from './schema.ts';

/** The four tables by what they are counted as. */
const TABLES = {
  docs: kbDocs,
  chunks: kbChunks,
  clearance: kbClearance,
  qaLog: kbQaLog,
} as const satisfies Record<keyof PolicyCounts, PgTable>;
const NAMES = Object.keys(TABLES) as (keyof PolicyCounts)[];

export class HubPolicyDeletion implements DeletionPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  count(tenantCode: string): Promise<PolicyCounts> {
    return this.#database.read(async (db) => {
      const counts: PolicyCounts = { docs: 0, chunks: 0, clearance: 0, qaLog: 0 };
      for (const name of NAMES)
        counts[name] = await db.$count(TABLES[name], eq(TABLES[name].tenantCode, tenantCode));
      return counts;
    });
  }

  stored(tenantCode: string): Promise<{ id: number; tenantCode: string; sha256: string }[]> {
    return this.#database.read(async (db) => {
      const { id, sha256, storedAt } = kbDocs;
      const rows = await db
        .select({ id, tenantCode: kbDocs.tenantCode, sha256 })
        .from(kbDocs)
        .where(and(eq(kbDocs.tenantCode, tenantCode), isNotNull(storedAt)));
      return rows.flatMap((row) => (row.sha256 === null ? [] : [{ ...row, sha256: row.sha256 }]));
    });
  }

  deleteRows(tenantCode: string, actor: string, stamp: Stamp): Promise<Deletion> {
    return this.#database.transaction((tx) => deleteRows(tx, tenantCode, actor, stamp));
  }

  unfinished(limit: number): Promise<Deletion[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(kbDeletions)
        .where(isNull(kbDeletions.finishedAt))
        .orderBy(asc(kbDeletions.requestedAt))
        .limit(limit),
    );
  }

  finish(deletion: Deletion, originals: number, stamp: Stamp): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const { tenantCode, id } = deletion;
      const done = await tx.db
        .update(kbDeletions)
        .set({ finishedAt: stamp.now })
        .where(
          and(eq(kbDeletions.tenantCode, tenantCode), eq(kbDeletions.id, id), isNull(kbDeletions.finishedAt)),
        )
        .returning({ id: kbDeletions.id });
      if (done.length > 0)
        await appendAudit(tx, entryOf(stamp, deletion, 'kb.tenant.originals_deleted', { originals }));
    });
  }
}

/**
 * The counter of files is locked first: what is registered afterwards has a greater number and is not
 * deleted.
 */
async function deleteRows(tx: Tx, tenantCode: string, actor: string, stamp: Stamp): Promise<Deletion> {
  await limitStatements(tx, 0);
  const { value: lastDocId } = await lockCounter(tx, 'kb_doc');
  await tx.db
    .select({ id: kbDocs.id })
    .from(kbDocs)
    .where(eq(kbDocs.tenantCode, tenantCode))
    .orderBy(asc(kbDocs.id))
    .for('update');
  const counts: PolicyCounts = { docs: 0, chunks: 0, clearance: 0, qaLog: 0 };
  for (const name of NAMES)
    counts[name] =
      (await tx.db.delete(TABLES[name]).where(eq(TABLES[name].tenantCode, tenantCode))).rowCount ?? 0;
  await tx.db.delete(kbReadings).where(eq(kbReadings.tenantCode, tenantCode));
  await tx.db.delete(kbSynonyms).where(eq(kbSynonyms.tenantCode, tenantCode));
  await tx.db.delete(kbOpenQuestions).where(eq(kbOpenQuestions.tenantCode, tenantCode));
  await tx.db.insert(kbChanges).values({
    changeNo: await takeNumbers(tx, 'kb_change', 1, stamp.now),
    tenantCode,
    docId: null,
    at: stamp.now,
  });
  const deletion: Deletion = {
    id: stamp.newId(),
    tenantCode,
    lastDocId,
    counts,
    requestedBy: actor,
    requestedAt: stamp.now,
  };
  await tx.db.insert(kbDeletions).values({ ...deletion, finishedAt: null });
  await appendAudit(tx, entryOf(stamp, deletion, 'kb.tenant.deleted', counts));
  return deletion;
}

const entryOf = (stamp: Stamp, { id, tenantCode, requestedBy }: Deletion, action: string, after: object) => ({
  id: stamp.newId(),
  at: stamp.now,
  actor: requestedBy,
  action,
  subject: `kb_deletion:${id}`,
  tenantCode: null,
  before: null,
  after: { tenantCode, ...after },
});
