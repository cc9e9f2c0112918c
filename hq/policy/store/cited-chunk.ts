// What an answer cites. SQL, since the planner would read whole tables by the statistics of another tenant.
import type { Tx } from '../../store/engine/database.ts';
import type { CitedChunk } from '../qa-log/decide.ts';

/**
 * Chunks that exist, and chunks of sets that were replaced, in one statement, so that none falls between the
 * two. Read row by row through the indexes, whatever the planner believes about the tables.
 */
const CITED = `
  select asked.id as "chunkId", d.id as "docId", found.sha256, found.path as "clausePath", d.version as
    "docVersion", d.level
  from unnest($2::bigint[]) as asked (id)
    cross join lateral (
      (select doc_id, text_sha256 as sha256, clause_path as path from kb_chunks where tenant_code = $1
        and id = asked.id limit 1)
      union all
      (select doc_id, null, null from (select doc_id, last_chunk from kb_changes
        where tenant_code = $1 and first_chunk <= asked.id order by first_chunk desc limit 1) gone
          where last_chunk >= asked.id)
    ) found
    cross join lateral (select id, version, level from kb_docs where tenant_code = $1 and id = found.doc_id
      limit 1) d`;

/** Those of the tenant among these chunks, each once. */
export async function citedChunks(
  tx: Tx,
  tenantCode: string,
  chunkIds: readonly number[],
): Promise<CitedChunk[]> {
  const { rows } = await tx.client.query<CitedChunk>(CITED, [tenantCode, [...new Set(chunkIds)]]);
  return rows;
}
