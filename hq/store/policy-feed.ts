import { and, asc, eq, getTableColumns, gt, inArray, isNull, lte, ne, notInArray, or } from 'drizzle-orm';
import type { PolicyFeed } from '../policy/port.ts';
import type { PolicyChange } from '../policy/record.ts';
import type { Database, Tx } from './database.ts';
import { kbChanges, kbChunks, kbDocs } from './schema.ts';

const { embedding: _embedding, ...textColumns } = getTableColumns(kbChunks);

export function createPolicyFeed(database: Database): PolicyFeed {
  return {
    head: () => database.read(async (_db, pool) => {
      const { rows: [counter] } = await pool.query<{ value: number }>(`select value from counters where name = 'kb_change'`);
      if (!counter) throw new Error('the counter kb_change is missing');
      return counter.value;
    }),
    changesAfter: (changeNo, limit) => database.transaction(async (tx) => {
      await tx.client.query('set transaction isolation level repeatable read, read only');
      return changesAfter(tx, changeNo, limit);
    }),
    chunksWithDocuments: (ids) => database.read((db) => ids.length === 0 ? Promise.resolve([]) : db.select({ chunk: textColumns, document: getTableColumns(kbDocs) }).from(kbChunks)
      .innerJoin(kbDocs, and(eq(kbDocs.tenantCode, kbChunks.tenantCode), eq(kbDocs.id, kbChunks.docId))).where(inArray(kbChunks.id, [...ids]))),
    documentsById: (ids, { tenantCode, maxRank }) => database.read((db) =>
      db.select().from(kbDocs).where(and(eq(kbDocs.tenantCode, tenantCode), inArray(kbDocs.id, [...ids]), lte(kbDocs.level, maxRank)))),
    unembedded: (model, after, limit) => database.read((db) => db.select(textColumns).from(kbChunks)
      .innerJoin(kbDocs, and(eq(kbDocs.tenantCode, kbChunks.tenantCode), eq(kbDocs.id, kbChunks.docId)))
      .where(and(gt(kbChunks.id, after), or(isNull(kbChunks.embedModel), ne(kbChunks.embedModel, model)), notInArray(kbDocs.status, ['superseded', 'withdrawn'])))
      .orderBy(asc(kbChunks.id)).limit(limit)),
  };
}

/** Three sources in one snapshot, merged: of each no more than `limit` can be among the first `limit`. */
async function changesAfter({ db }: Tx, changeNo: number, limit: number): Promise<PolicyChange[]> {
  const gone = await db.select().from(kbChanges).where(gt(kbChanges.changeNo, changeNo)).orderBy(asc(kbChanges.changeNo)).limit(limit);
  const documents = await db.select().from(kbDocs).where(gt(kbDocs.changeNo, changeNo)).orderBy(asc(kbDocs.changeNo)).limit(limit);
  const chunks = await db.select().from(kbChunks).where(gt(kbChunks.changeNo, changeNo)).orderBy(asc(kbChunks.changeNo)).limit(limit);
  const changes: PolicyChange[] = [
    ...gone.map(({ changeNo: no, tenantCode, docId }): PolicyChange =>
      (docId === null ? { kind: 'tenant_gone', changeNo: no, tenantCode } : { kind: 'chunks_gone', changeNo: no, tenantCode, docId })),
    ...documents.map((document): PolicyChange => ({ kind: 'document', changeNo: document.changeNo, document })),
    ...chunks.map((chunk): PolicyChange => ({ kind: 'chunk', changeNo: chunk.changeNo, chunk })),
  ];
  return changes.sort((a, b) => a.changeNo - b.changeNo).slice(0, limit);
}
