// The index file has numbers in place of names; each is given at the first use, and stays.
import type Sqlite from 'better-sqlite3';
import { createVectors } from './layout.ts';
import type { CompiledOnce } from './statement.ts';

export class IndexNames {
  #db: Sqlite.Database;
  #sql: CompiledOnce;
  #numbers = new Map<string, number>();

  constructor(db: Sqlite.Database, sql: CompiledOnce) {
    this.#db = db;
    this.#sql = sql;
  }

  /** The number of the space of vectors of this model and dimension; the first use makes its table. */
  space(model: string, dim: number): number {
    const modelNo = this.number('model', model);
    const key = `space ${modelNo} ${dim}`;
    const number = this.#numbers.get(key);
    if (number !== undefined) return number;
    createVectors(this.#db, dim);
    this.#sql('insert into spaces (model, dim) values (?, ?) on conflict do nothing').run(modelNo, dim);
    const { no } = this.#sql('select no from spaces where model = ? and dim = ?').get(modelNo, dim) as {
      no: number;
    };
    this.#numbers.set(key, no);
    return no;
  }

  /** The dimension of the vectors in a space. */
  dimOf(space: number): number {
    return (this.#sql('select dim from spaces where no = ?').get(space) as { dim: number }).dim;
  }

  number(kind: 'tenant' | 'source' | 'model', name: string): number {
    const key = `${kind} ${name}`;
    const number = this.#numbers.get(key);
    if (number !== undefined) return number;
    this.#sql('insert into names (kind, name) values (?, ?) on conflict do nothing').run(kind, name);
    const { no } = this.#sql('select no from names where kind = ? and name = ?').get(kind, name) as {
      no: number;
    };
    this.#numbers.set(key, no);
    return no;
  }
}
