import { and, asc, eq, getTableColumns, lte } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import type { EmbedChunks, EmbedResult, SubmitChunks, SubmitOutcome } from '../command.ts';
import { decideSubmit } from '../document/decide.ts';
import type { Visibility } from '../port.ts';
import type { ChunkText } from '../record.ts';
import { type Db, type Tx } from '../../store/engine/database.ts';
import { lockFamily, takeNumbers, withNumber, writeDocuments } from './rows.ts';
import { audit } from '../../store/schema/tables.ts';
import { kbChanges, kbChunks, kbDocs } from './schema.ts';

const { embedding: _embedding, ...textColumns } = getTableColumns(kbChunks);

/** Chunks that one statement inserts. */
const SLICE = 500;

/** Empty also for a file that the reader may not see. */
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
  const {
    rows: [gone],
  } = await tx.client.query<{ firstChunk: number | null; lastChunk: number | null }>(
    `with gone as (delete from kb_chunks where tenant_code = $1 and doc_id = $2 returning id)
     select min(id) as "firstChunk", max(id) as "lastChunk" from gone`,
    [tenantCode, docId],
  );
  const firstId = await takeNumbers(tx, 'kb_chunk', chunks.length, stamp.now);
  const first = await takeNumbers(tx, 'kb_change', 1 + chunks.length + writes.documents.length, stamp.now);
  await tx.db.insert(kbChanges).values({ changeNo: first, tenantCode, docId, at: stamp.now, ...gone });
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

export async function embedChunks(tx: Tx, command: EmbedChunks, stamp: Stamp): Promise<EmbedResult[]> {
  const { tenantCode, model, items, actor } = command;
  const { rows } = await tx.client.query<{ id: number; sha256: string }>(
    'select id, text_sha256 as sha256 from kb_chunks where tenant_code = $1 and id = any($2::bigint[]) ' +
      'order by id for update',
    [tenantCode, items.map(({ chunkId }) => chunkId)],
  );
  const known = new Map(rows.map(({ id, sha256 }) => [id, sha256]));
  const results = items.map(({ chunkId, textSha256 }): EmbedResult => {
    const found = known.get(chunkId);
    const reason = found === undefined ? 'not_found' : found === textSha256 ? null : 'hash_mismatch';
    return { chunkId, stored: reason === null, reason };
  });
  const fit = items.filter((_, index) => results[index]?.stored);
  if (fit.length === 0) return results;
  const first = await takeNumbers(tx, 'kb_change', fit.length, stamp.now);
  await tx.client.query(
    `update kb_chunks c set embedding = r.embedding, dim = r.dim, embed_model = $4, change_no = r.no
     from unnest($2::bigint[], $3::bytea[], $5::int[], $6::bigint[]) as r (id, embedding, dim, no)
       where c.tenant_code = $1 and c.id = r.id`,
    [
      tenantCode,
      fit.map(({ chunkId }) => chunkId),
      fit.map(({ embedding }) => embedding),
      model,
      fit.map(({ dim }) => dim),
      fit.map((_, index) => first + index),
    ],
  );
  await tx.db.insert(audit).values({
    id: stamp.newId(),
    at: stamp.now,
    actor,
    action: 'kb.chunks.embedded',
    subject: `kb_chunks:${fit[0]?.chunkId}`,
    tenantCode: null,
    before: null,
    after: { tenantCode, model, dim: fit[0]?.dim, chunks: fit.length },
  });
  return results;
}
