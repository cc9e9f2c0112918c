import type { PoolClient } from 'pg';
import type { IndexChange, IndexChunk, IndexSource } from '../../../common/policy/index/change.ts';
import type { Connections } from '../../store/engine/connections.ts';
import type { DocumentState } from '../record.ts';

interface DocumentRow {
  no: number;
  id: number;
  tenant: string;
  source: string;
  status: DocumentState;
  level: number;
  from: number;
  until: number;
}

interface ChunkRow extends IndexChunk {
  no: number;
}

/**
 * What search indexes follow: the change feed with no more of each row than they keep, and where it stands.
 */
export class HubIndexSource implements IndexSource {
  #database: Connections;

  constructor(database: Connections) {
    this.#database = database;
  }

  position(): Promise<{ head: number; epoch: string }> {
    return this.#database.single(async (pool) => {
      const {
        rows: [position],
      } = await pool.query<{ head: number; epoch: string }>(
        `select (select value from counters where name = 'kb_change') as head, (select value from ` +
          `store_facts where name = 'epoch') as epoch`,
      );
      if (!position) throw new Error('the database has no position');
      return position;
    });
  }

  changesAfter(changeNo: number, limit: number): Promise<IndexChange[]> {
    return this.#database.committed(async (client) => {
      await client.query('set transaction isolation level repeatable read, read only');
      return changesAfter(client, changeNo, limit);
    });
  }

  documentsAfter(changeNo: number, limit: number): Promise<IndexChange[]> {
    return this.#database.committed((client) => documentsAfter(client, changeNo, limit));
  }
}

async function documentsAfter(client: PoolClient, after: number, limit: number): Promise<IndexChange[]> {
  const { rows } = await client.query<DocumentRow>(
    `select change_no as no, id, tenant_code as tenant, src_system as source, status, level, valid_from as
      "from", valid_until as until
     from kb_docs where change_no > $1 order by change_no limit $2`,
    [after, limit],
  );
  return rows.map(({ no, status, ...row }) => ({
    kind: 'document',
    changeNo: no,
    ...row,
    effective: status === 'effective',
  }));
}

/** Three sources in one snapshot, merged: of each no more than `limit` can be among the first `limit`. */
async function changesAfter(client: PoolClient, after: number, limit: number): Promise<IndexChange[]> {
  const gone = await client.query<{ no: number; tenant: string; doc: number | null }>(
    'select change_no as no, tenant_code as tenant, doc_id as doc from kb_changes where change_no > $1 ' +
      'order by change_no limit $2',
    [after, limit],
  );
  const documents = await documentsAfter(client, after, limit);
  const chunks = await client.query<ChunkRow>(
    `select c.change_no as no, c.id, c.tenant_code as tenant, c.doc_id as doc, c.seq, d.title,
      c.clause_path as path, c.text, c.embedding, c.embed_model as model, c.dim
     from kb_chunks c join kb_docs d on d.tenant_code = c.tenant_code and d.id = c.doc_id
     where c.change_no > $1
     order by c.change_no limit $2`,
    [after, limit],
  );
  const changes: IndexChange[] = [
    ...gone.rows.map(({ no, tenant, doc }): IndexChange =>
      doc === null
        ? { kind: 'tenant_gone', changeNo: no, tenant }
        : { kind: 'chunks_gone', changeNo: no, doc },
    ),
    ...documents,
    ...chunks.rows.map(({ no, ...row }): IndexChange => ({ kind: 'chunk', changeNo: no, ...row })),
  ];
  return changes.sort((a, b) => a.changeNo - b.changeNo).slice(0, limit);
}
