import type { CitationPort } from '../policy/verify/port.ts';
import type { DocumentState } from '../policy/record.ts';
import type { Database } from './database.ts';

interface Row {
  id: number;
  sha256: string;
  intact: boolean;
  status: DocumentState;
  from: number;
  until: number;
}

/** What the citation check reads; texts stay in the database, where their fingerprints are taken again. */
export function createCitations(database: Database): CitationPort {
  return {
    cited: ({ tenantCode, maxRank }, chunkIds) => database.read(async (_db, pool) => {
      const { rows } = await pool.query<Row>(
        `select c.id, c.text_sha256 as sha256, encode(sha256(convert_to(c.text, 'UTF8')), 'hex') = c.text_sha256 as intact,
           d.status, d.valid_from as "from", d.valid_until as "until"
         from kb_chunks c join kb_docs d on d.tenant_code = c.tenant_code and d.id = c.doc_id
         where c.tenant_code = $1 and c.id = any($2::bigint[]) and d.level <= $3`, [tenantCode, [...new Set(chunkIds)], maxRank]);
      return rows.map(({ id, sha256, intact, status, from, until }) =>
        ({ chunkId: id, textSha256: sha256, intact, document: { status, validFrom: from, validUntil: until } }));
    }),
  };
}
