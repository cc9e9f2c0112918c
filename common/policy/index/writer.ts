// Carries changes of the policy library into the index file. Numbers of chunks and files are the index's own,
// dense, and never used twice in one file, so that arrays can be indexed by them.
import type Sqlite from 'better-sqlite3';
import type { IndexChange, IndexChunk, IndexDocument } from './change.ts';
import type { IndexMeans } from './layout.ts';
import { ListWriter } from './lists.ts';
import { IndexNames } from './names.ts';
import type { Rows } from './rows.ts';
import { termsOfChunk } from './score.ts';
import { type CompiledOnce, compileOnce } from './statement.ts';
import { floatsOf, unitOf } from './vectors.ts';

/**
 * A rank above every asker's: chunks may come before their file, and are shown to nobody until it has come.
 */
const HIDDEN = 127;

interface DocRow {
  no: number;
  tenant: number;
  source: number;
  effective: number;
  level: number;
  valid_from: number;
  valid_until: number;
}

/** How much is written at a time, unless a program gives less memory. */
const STANDARD = { batch: 1_000, heldBytes: 32 * 1024 * 1024 };

export class IndexWriter {
  #db: Sqlite.Database;
  #rows: Rows;
  #sql: CompiledOnce;
  #names: IndexNames;
  #lists: ListWriter;

  constructor(db: Sqlite.Database, rows: Rows, means: Pick<IndexMeans, 'batch' | 'heldBytes'> = STANDARD) {
    this.#db = db;
    this.#rows = rows;
    this.#sql = compileOnce(db);
    this.#names = new IndexNames(db, this.#sql);
    this.#lists = new ListWriter(db, means);
  }

  /** Applies changes in their order and notes the number of the last one; one transaction. */
  apply(changes: readonly IndexChange[]): void {
    const last = changes.at(-1);
    if (!last) return;
    this.#db
      .transaction(() => {
        for (const change of changes) this.#one(change);
        this.noteState(last.changeNo);
      })
      .immediate();
  }

  /**
   * Adds changes while a new index file is built, in a transaction of the caller, who calls `noteState` at
   * the end.
   */
  gather(changes: readonly IndexChange[]): void {
    for (const change of changes) this.#one(change);
  }

  /**
   * Writes what is still held, how far the file has come, and the highest chunk number given out: deleted
   * chunks stay in the lists of terms, so that their numbers must not be given out again.
   */
  noteState(changeNo: number): void {
    this.#lists.flush();
    this.note('highest_no', String(this.#rows.highest));
    this.note('change_no', String(changeNo));
  }

  note(name: string, value: string): void {
    this.#sql(
      'insert into facts (name, value) values (?, ?) on conflict do update set value = excluded.value',
    ).run(name, value);
  }

  #one(change: IndexChange): void {
    switch (change.kind) {
      case 'document':
        return this.#document(change);
      case 'chunk':
        return this.#chunk(change);
      case 'chunks_gone':
        return this.#chunksGone(change.doc, change.changeNo);
      case 'tenant_gone':
        return this.#tenantGone(change.tenant, change.changeNo);
    }
  }

  #document(document: IndexDocument & { changeNo: number }): void {
    const tenant = this.#names.number('tenant', document.tenant);
    const row = this.#docRow(document.id, tenant);
    this.#sql(
      'update docs set source = ?, effective = ?, level = ?, valid_from = ?, valid_until = ?, ' +
        'change_no = ? where no = ?',
    ).run(
      this.#names.number('source', document.source),
      document.effective ? 1 : 0,
      document.level,
      document.from,
      document.until,
      document.changeNo,
      row.no,
    );
    this.#rows.setDoc(row.no, document.id);
    const now = this.#docRow(document.id, tenant);
    if (JSON.stringify(now) !== JSON.stringify(row)) this.#refilter(now);
  }

  /** Updates the filter columns of a file in the rows of its vectors, which repeat them. */
  #refilter(doc: DocRow): void {
    const chunks = this.#sql('select no, space from chunks where doc = ? and space > 0').all(doc.no) as {
      no: number;
      space: number;
    }[];
    for (const { no, space } of chunks) {
      this.#sql(
        `update vectors_${this.#names.dimOf(space)} set effective = ?, level = ?, valid_from = ?, ` +
          'valid_until = ?, source = ? where rowid = ?',
      ).run(...[doc.effective, doc.level, doc.valid_from, doc.valid_until, doc.source, no].map(BigInt));
    }
  }

  #docRow(id: number, tenant: number): DocRow {
    const find = this.#sql(
      'select no, tenant, source, effective, level, valid_from, valid_until from docs where id = ?',
    );
    const found = find.get(id) as DocRow | undefined;
    if (found) return found;
    this.#sql(
      'insert into docs (id, tenant, source, effective, level, valid_from, valid_until, change_no) ' +
        'values (?, ?, 0, 0, ?, 0, 0, 0)',
    ).run(id, tenant, HIDDEN);
    const made = find.get(id) as DocRow;
    this.#rows.setDoc(made.no, id);
    return made;
  }

  /** The text of a chunk never changes under its id; what comes again may have another vector. */
  #chunk(chunk: IndexChunk & { changeNo: number }): void {
    const tenant = this.#names.number('tenant', chunk.tenant);
    const doc = this.#docRow(chunk.doc, tenant);
    const vector = vectorOf(chunk);
    const space = vector ? this.#names.space(chunk.model ?? '', vector.length) : 0;
    const known = this.#sql('select no, space from chunks where id = ?').get(chunk.id) as
      { no: number; space: number } | undefined;
    if (known) {
      if (known.space > 0) this.#dropVector(known.no, known.space);
      this.#sql('update chunks set space = ?, change_no = ? where no = ?').run(
        space,
        chunk.changeNo,
        known.no,
      );
      this.#rows.setSpace(known.no, space);
    }
    const no = known?.no ?? this.#newChunk(chunk, { doc: doc.no, tenant, space });
    if (vector) this.#addVector(no, vector, doc, space);
  }

  #newChunk(
    chunk: IndexChunk & { changeNo: number },
    at: { doc: number; tenant: number; space: number },
  ): number {
    const no = this.#rows.nextNo();
    const { terms, length } = termsOfChunk(chunk);
    this.#sql(
      'insert into chunks (no, id, doc, tenant, seq, space, length, change_no) ' +
        'values (?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(no, chunk.id, at.doc, at.tenant, chunk.seq, at.space, length, chunk.changeNo);
    this.#rows.addChunk(no, { id: chunk.id, doc: at.doc, seq: chunk.seq, space: at.space, length });
    this.#lists.add({ tenant: at.tenant, no, terms });
    return no;
  }

  #chunksGone(docId: number, before: number): void {
    const rows = this.#sql(
      'select c.no, c.space from chunks c join docs d on d.no = c.doc where d.id = ? and c.change_no < ?',
    ).all(docId, before);
    this.#dropChunks(rows as { no: number; space: number }[]);
  }

  #tenantGone(tenantCode: string, before: number): void {
    const tenant = this.#names.number('tenant', tenantCode);
    this.#dropChunks(
      this.#sql('select no, space from chunks where tenant = ? and change_no < ?').all(tenant, before) as {
        no: number;
        space: number;
      }[],
    );
    this.#sql(
      'delete from docs where tenant = ? and change_no < ? and not exists (select 1 from chunks c ' +
        'where c.doc = docs.no)',
    ).run(tenant, before);
    this.#sql('update docs set effective = 0, level = ? where tenant = ? and change_no < ?').run(
      HIDDEN,
      tenant,
      before,
    );
  }

  #dropChunks(rows: readonly { no: number; space: number }[]): void {
    for (const { no, space } of rows) {
      if (space > 0) this.#dropVector(no, space);
      this.#sql('delete from chunks where no = ?').run(no);
      this.#rows.dropChunk(no);
    }
  }

  #addVector(no: number, vector: Float32Array, doc: DocRow, space: number): void {
    this.#sql(
      `insert into vectors_${vector.length} (rowid, tenant, space, effective, level, valid_from, valid_until,
        source, embedding)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      ...[no, doc.tenant, space, doc.effective, doc.level, doc.valid_from, doc.valid_until, doc.source].map(
        BigInt,
      ),
      Buffer.from(vector.buffer),
    );
  }

  #dropVector(no: number, space: number): void {
    this.#sql(`delete from vectors_${this.#names.dimOf(space)} where rowid = ?`).run(BigInt(no));
  }
}

/**
 * The unit vector of a chunk; null without a vector, or with one of length 0, which has no direction to
 * compare.
 */
function vectorOf({ embedding, dim }: IndexChunk): Float32Array | null {
  return embedding === null || dim === null || embedding.length !== dim * 4
    ? null
    : unitOf(floatsOf(embedding));
}
