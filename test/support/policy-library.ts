// Files and chunks of the policy library written straight into the tables, as many and in whatever state a
// test needs.
import { hash } from 'node:crypto';
import type pg from 'pg';
import { ALWAYS_FROM, type DocumentState, NEVER_UNTIL } from '../../hq/policy/record.ts';

export interface SeedChunk {
  text: string;
  clausePath?: string | null;
  vector?: readonly number[] | Float32Array | null;
  model?: string;
}

export interface SeedDocument {
  tenant?: string;
  source?: string;
  level?: number;
  status?: DocumentState;
  from?: number;
  until?: number;
  chunks: readonly SeedChunk[];
}

export interface SeededChunk {
  id: number;
  docId: number;
  seq: number;
  changeNo: number;
  document: Required<Omit<SeedDocument, 'chunks'>>;
  chunk: SeedChunk;
}

export const sha256 = (text: string): string => hash('sha256', text);

/**
 * Adds files with their chunks in one transaction, the change feed kept as the product keeps it. @returns the
 * chunks, in order
 */
export async function seedLibrary(
  client: pg.ClientBase,
  documents: readonly SeedDocument[],
): Promise<SeededChunk[]> {
  await client.query('begin');
  const counter = async (name: string, by: number): Promise<number> =>
    Number(
      (
        await client.query<{ value: string }>(
          'update counters set value = value + $2 where name = $1 returning value',
          [name, by],
        )
      ).rows[0]?.value,
    ) - by;
  const total = documents.reduce((sum, one) => sum + one.chunks.length, 0);
  let doc = await counter('kb_doc', documents.length);
  let chunk = await counter('kb_chunk', total);
  let change = await counter('kb_change', documents.length + total);
  const seeded: SeededChunk[] = [];
  const docs: object[] = [];
  for (const {
    tenant = 'acme',
    source = 'lib',
    level = 1,
    status = 'effective',
    from = ALWAYS_FROM,
    until = NEVER_UNTIL,
    chunks,
  } of documents) {
    doc += 1;
    // After its chunks, since becoming effective is its newest change.
    const changeNo = (change += chunks.length + 1);
    docs.push({
      id: doc,
      tenant_code: tenant,
      policy_id: doc,
      src_system: source,
      src_key: `seed-${doc}`,
      title: `file ${doc}`,
      version: '1',
      missing_numbers: '[]',
      valid_from: from,
      valid_until: until,
      level,
      status,
      chunk_count: chunks.length,
      created_by: 'test',
      created_at: 0,
      updated_at: 0,
      change_no: changeNo,
    });
    chunks.forEach((one, at) =>
      seeded.push({
        id: (chunk += 1),
        docId: doc,
        seq: at + 1,
        changeNo: changeNo - chunks.length + at,
        document: { tenant, source, level, status, from, until },
        chunk: one,
      }),
    );
  }
  await client.query('insert into kb_docs select * from json_populate_recordset(null::kb_docs, $1)', [
    JSON.stringify(docs),
  ]);
  for (let at = 0; at < seeded.length; at += 2_000) await insertChunks(client, seeded.slice(at, at + 2_000));
  await client.query('commit');
  return seeded;
}

async function insertChunks(client: pg.ClientBase, rows: readonly SeededChunk[]): Promise<void> {
  const vectors = rows.map(({ chunk: { vector } }) =>
    vector ? Buffer.from(Float32Array.from(vector).buffer) : null,
  );
  await client.query(
    `insert into kb_chunks (id, tenant_code, doc_id, seq, clause_path, text, text_sha256, embedding,
      embed_model, dim, change_no)
     select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::int[], $5::text[], $6::text[],
       $7::text[], $8::bytea[], $9::text[], $10::int[], $11::bigint[])`,
    [
      rows.map((r) => r.id),
      rows.map((r) => r.document.tenant),
      rows.map((r) => r.docId),
      rows.map((r) => r.seq),
      rows.map((r) => r.chunk.clausePath ?? null),
      rows.map((r) => r.chunk.text),
      rows.map((r) => sha256(r.chunk.text)),
      vectors,
      rows.map((r) => (r.chunk.vector ? (r.chunk.model ?? 'm') : null)),
      rows.map((r) => r.chunk.vector?.length ?? null),
      rows.map((r) => r.changeNo),
    ],
  );
}

/** Changes columns of a file, as a new change. */
export async function changeDocument(
  client: pg.ClientBase,
  id: number,
  columns: Record<string, string | number>,
): Promise<void> {
  const names = Object.keys(columns);
  await client.query('begin');
  const {
    rows: [counter],
  } = await client.query<{ value: string }>(
    `update counters set value = value + 1 where name = 'kb_change' returning value`,
  );
  await client.query(
    `update kb_docs set change_no = $2, ${names.map((name, at) => `${name} = $${at + 3}`).join(', ')} ` +
      'where id = $1',
    [id, counter?.value, ...Object.values(columns)],
  );
  await client.query('commit');
}
