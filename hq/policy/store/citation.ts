import type { Database } from '../../store/engine/database.ts';
import type { Visibility } from '../port.ts';
import type { DocumentState } from '../record.ts';
import type { CitationPort, CitedChunkNow } from '../verify/port.ts';

interface Row {
  id: number;
  seen: boolean;
  sha256: string;
  intact: boolean | null;
  status: DocumentState;
  from: number;
  until: number;
}

/**
 * What the citation check reads; texts stay in the database, where their fingerprints are taken again. Every
 * id costs the same work whatever is there: one chunk, its own or some other, and that one's file; only then
 * is it asked whether it is the one meant and may be seen. A condition in a `where` would spare some of that
 * for what is missing, and the duration would tell it from what is above the clearance.
 */
export class HubCitations implements CitationPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  cited({ tenantCode, maxRank }: Visibility, chunkIds: readonly number[]): Promise<CitedChunkNow[]> {
    return this.#database.read(async (_db, pool) => {
      const { rows } = await pool.query<Row>(
        `select id, seen, sha256, status, "from", "until", case when seen
            then encode(sha256(convert_to(text, 'UTF8')), 'hex') = sha256 end as intact
         from (
           select asked.id, c.id = asked.id and c.tenant_code = $1
             and d.level <= $3 as seen, c.text, c.text_sha256 as sha256,
             d.status, d.valid_from as "from", d.valid_until as "until"
           from unnest($2::bigint[]) as asked (id)
             cross join lateral (select id, tenant_code, doc_id, text, text_sha256 from kb_chunks
               where id <= 1 + (asked.id - 1) % (select max(id) from kb_chunks) order by id desc limit 1) c
             join kb_docs d on d.tenant_code = c.tenant_code and d.id = c.doc_id
         ) found`,
        [tenantCode, [...new Set(chunkIds)], maxRank],
      );
      return rows.flatMap(({ id, seen, sha256, intact, status, from, until }) =>
        seen
          ? [
              {
                chunkId: id,
                textSha256: sha256,
                intact: intact === true,
                document: { status, validFrom: from, validUntil: until },
              },
            ]
          : [],
      );
    });
  }
}
