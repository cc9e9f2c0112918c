import { and, asc, eq, getTableColumns, gt, inArray, isNull, lte, ne, notInArray, or } from 'drizzle-orm';
import type { Database } from '../../store/engine/database.ts';
import { counters } from '../../store/schema/tables.ts';
import type { PolicyContents, Visibility } from '../port.ts';
import type { ChunkText, ChunkWithDocument, PolicyDocument } from '../record.ts';
import { kbChunks, kbDocs } from './schema.ts';

const { embedding: _embedding, ...textColumns } = getTableColumns(kbChunks);

export class HubPolicyContents implements PolicyContents {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  head(): Promise<number> {
    return this.#database.read(async (db) => {
      const [counter] = await db
        .select({ value: counters.value })
        .from(counters)
        .where(eq(counters.name, 'kb_change'));
      if (!counter) throw new Error('the counter kb_change is missing');
      return counter.value;
    });
  }

  chunksWithDocuments(ids: readonly number[]): Promise<ChunkWithDocument[]> {
    return this.#database.read((db) =>
      ids.length === 0
        ? Promise.resolve([])
        : db
            .select({ chunk: textColumns, document: getTableColumns(kbDocs) })
            .from(kbChunks)
            .innerJoin(kbDocs, and(eq(kbDocs.tenantCode, kbChunks.tenantCode), eq(kbDocs.id, kbChunks.docId)))
            .where(inArray(kbChunks.id, [...ids])),
    );
  }

  documentsById(ids: readonly number[], { tenantCode, maxRank }: Visibility): Promise<PolicyDocument[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(kbDocs)
        .where(
          and(eq(kbDocs.tenantCode, tenantCode), inArray(kbDocs.id, [...ids]), lte(kbDocs.level, maxRank)),
        ),
    );
  }

  unembedded(model: string, after: number, limit: number): Promise<ChunkText[]> {
    return this.#database.read((db) =>
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
    );
  }
}
