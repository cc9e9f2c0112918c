// Vectors of chunks, thousands in a batch: SQL, since one statement takes a batch as arrays.
import type { Stamp } from '../../../common/clock.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Tx } from '../../store/engine/database.ts';
import type { EmbedChunks, EmbedResult } from '../command.ts';
import { takeNumbers } from './rows.ts';

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
  await appendAudit(tx, {
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
