import { and, asc, eq, getTableColumns, gt, inArray, isNull, lte, ne, notInArray, or } from 'drizzle-orm';
import type { PolicyContents } from '../port.ts';
import type { Database } from '../../store/engine/database.ts';
import { counters } from '../../store/schema/tables.ts';
import { kbChunks, kbDocs } from './schema.ts';

const { embedding: _embedding, ...textColumns } = getTableColumns(kbChunks);

export function createPolicyContents(database: Database): PolicyContents {
  return {
    head: () =>
      database.read(async (db) => {
        const [counter] = await db
          .select({ value: counters.value })
          .from(counters)
          .where(eq(counters.name, 'kb_change'));
        if (!counter) throw new Error('the counter kb_change is missing');
        return counter.value;
      }),
    chunksWithDocuments: (ids) =>
      database.read((db) =>
        ids.length === 0
          ? Promise.resolve([])
          : db
              .select({ chunk: textColumns, document: getTableColumns(kbDocs) })
              .from(kbChunks)
              .innerJoin(
                kbDocs,
                and(eq(kbDocs.tenantCode, kbChunks.tenantCode), eq(kbDocs.id, kbChunks.docId)),
              )
              .where(inArray(kbChunks.id, [...ids])),
      ),
    documentsById: (ids, { tenantCode, maxRank }) =>
      database.read((db) =>
        db
          .select()
          .from(kbDocs)
          .where(
            and(eq(kbDocs.tenantCode, tenantCode), inArray(kbDocs.id, [...ids]), lte(kbDocs.level, maxRank)),
          ),
      ),
    unembedded: (model, after, limit) =>
      database.read((db) =>
        db
          .select(textColumns)
          .from(kbChunks)
          .innerJoin(kbDocs, and(eq(kbDocs.tenantCode, kbChunks.tenantCode), eq(kbDocs.id, kbChunks.docId)))
          .where(
            and(
              gt(kbChunks.changeNo, after),
              or(isNull(kbChunks.embedModel), ne(kbChunks.embedModel, model)),
              notInArray(kbDocs.status, ['superseded', 'withdrawn']),
            ),
          )
          .orderBy(asc(kbChunks.changeNo))
          .limit(limit),
      ),
  };
}
