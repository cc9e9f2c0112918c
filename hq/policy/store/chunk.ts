import { and, asc, eq, getTableColumns, lte } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { type Db, type Tx } from '../../store/engine/database.ts';
import type { SubmitChunks, SubmitOutcome } from '../command.ts';
import { decideSubmit } from '../document/decide.ts';
import type { Visibility } from '../port.ts';
import type { ChunkText } from '../record.ts';
import { lockFamily, takeNumbers, withNumber, writeDocuments } from './rows.ts';
import { kbChanges, kbChunks, kbDocs } from './schema.ts';

const { embedding: _embedding, ...textColumns } = getTableColumns(kbChunks);

/** Chunks that one statement inserts. */
const SLICE = 500;

/** The chunks of a file in order; empty for a file that the reader may not see. */
export function readChunks(db: Db, docId: number, { tenantCode, maxRank }: Visibility): Promise<ChunkText[]> {
  return db
    .select(textColumns)
    .from(kbChunks)
    .innerJoin(kbDocs, and(eq(kbDocs.tenantCode, kbChunks.tenantCode), eq(kbDocs.id, kbChunks.docId)))
    .where(and(eq(kbChunks.tenantCode, tenantCode), eq(kbChunks.docId, docId), lte(kbDocs.level, maxRank)))
    .orderBy(asc(kbChunks.seq));
}

/** Feed order: the old set goes, the new one comes, then the files that changed. */
export async function submitChunks(tx: Tx, command: SubmitChunks, stamp: Stamp): Promise<SubmitOutcome> {
  const { tenantCode, docId, chunks } = command;
  const { outcome, writes } = decideSubmit(await lockFamily(tx, tenantCode, docId), command, stamp);
  if (!writes) return outcome;
  const gone = await tx.db
    .delete(kbChunks)
    .where(and(eq(kbChunks.tenantCode, tenantCode), eq(kbChunks.docId, docId)))
    .returning({ id: kbChunks.id });
  const numbers = gone.map(({ id }) => id).sort((a, b) => a - b);
  const firstId = await takeNumbers(tx, 'kb_chunk', chunks.length, stamp.now);
  const first = await takeNumbers(tx, 'kb_change', 1 + chunks.length + writes.documents.length, stamp.now);
  await tx.db.insert(kbChanges).values({
    changeNo: first,
    tenantCode,
    docId,
    at: stamp.now,
    firstChunk: numbers[0] ?? null,
    lastChunk: numbers.at(-1) ?? null,
  });
  for (let at = 0; at < chunks.length; at += SLICE) {
    await tx.db.insert(kbChunks).values(
      chunks.slice(at, at + SLICE).map((chunk, index) => ({
        ...chunk,
        id: firstId + at + index,
        tenantCode,
        docId,
        seq: at + index + 1,
        changeNo: first + 1 + at + index,
      })),
    );
  }
  return withNumber(outcome, await writeDocuments(tx, writes, first + 1 + chunks.length));
}
