import { setImmediate as turn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { IndexChange, IndexSource } from '../../../../common/policy/index/change.ts';
import type { FileState } from '../../../policy/port.ts';
import type { Meta } from '../../engine/meta.ts';

interface FileChange {
  no: number;
  id: number;
  tenant: string;
  source: string;
  level: number;
  from: number;
  until: number;
  state: FileState;
}

interface ClauseChange {
  no: number;
  id: number;
  tenant: string;
  doc: number;
  seq: number;
  title: string;
  path: string | null;
  text: string;
}

const WITHOUT_VECTOR = { embedding: null, model: null, dim: null };

/** What the search index of this site follows: the policies in force as they are here. */
export class LibrarySource implements IndexSource {
  #meta: Meta;
  #epoch: () => string;
  #files: Database.Statement<[number, number], FileChange>;
  #clauses: Database.Statement<[number, number], ClauseChange>;

  constructor(sqlite: Database.Database, meta: Meta, epoch: () => string) {
    this.#meta = meta;
    this.#epoch = epoch;
    this.#files = sqlite.prepare(
      `SELECT change_no AS no, id, tenant_code AS tenant, src_system AS source, level, valid_from AS "from",
         ends_at AS until, state
       FROM library_files WHERE change_no > ? ORDER BY change_no LIMIT ?`,
    );
    this.#clauses = sqlite.prepare(
      `SELECT c.change_no AS no, c.id, c.tenant_code AS tenant, c.doc_id AS doc, c.seq, f.title, c.path,
         c.text
       FROM library_clauses c JOIN library_files f ON f.tenant_code = c.tenant_code AND f.id = c.doc_id
       WHERE c.change_no > ? ORDER BY c.change_no LIMIT ?`,
    );
  }

  /** After a round through all files numbers of clauses may be those of others: an index is made anew. */
  position(): Promise<{ head: number; epoch: string }> {
    const epoch = `${this.#epoch()} ${this.#meta.number('library_round')}`;
    return Promise.resolve({ head: this.#meta.number('library_no'), epoch });
  }

  async changesAfter(changeNo: number, limit: number): Promise<IndexChange[]> {
    await turn();
    const files = this.#files.all(changeNo, limit).map((row) => ({ no: row.no, changes: changesOf(row) }));
    const clauses = this.#clauses.all(changeNo, limit).map(({ no, ...row }) => ({
      no,
      changes: [{ kind: 'chunk' as const, changeNo: no, ...row, ...WITHOUT_VECTOR }],
    }));
    // A row is one step, so that none of its changes is left behind.
    const rows = [...files, ...clauses].sort((a, b) => a.no - b.no).slice(0, limit);
    return rows.flatMap(({ changes }): IndexChange[] => changes);
  }

  async documentsAfter(changeNo: number, limit: number): Promise<IndexChange[]> {
    await turn();
    return this.#files.all(changeNo, limit).flatMap((row) => changesOf(row));
  }
}

/** What is not whole has no clause yet that counts, and is found by nobody. */
function changesOf({ no, state, ...file }: FileChange): IndexChange[] {
  const document: IndexChange = { kind: 'document', changeNo: no, ...file, effective: state === 'here' };
  return state === 'here' ? [document] : [{ kind: 'chunks_gone', changeNo: no, doc: file.id }, document];
}
