import { aloneAmongHubs } from '../engine/advisory-lock.ts';
import type { Database } from '../engine/database.ts';

/** Facts of the database as a whole, that every hub of it must agree with. */
export class HubFacts {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns the value that stands: `value` where there was none */
  async agree(name: FactName, value: string): Promise<string> {
    await this.#database.read((_db, pool) =>
      pool.query('insert into store_facts (name, value) values ($1, $2) on conflict do nothing', [
        name,
        value,
      ]),
    );
    return this.#database.read(async (_db, pool) => {
      const {
        rows: [fact],
      } = await pool.query<{ value: string }>('select value from store_facts where name = $1', [name]);
      if (!fact) throw new Error(`the database has no ${name}`);
      return fact.value;
    });
  }

  /** Runs `work` while no other hub compares this fact with what it has. */
  alone<T>(name: FactName, work: () => Promise<T>): Promise<T> {
    return aloneAmongHubs(this.#database, name, work);
  }

  /** null: there is none. */
  async get(name: FactName): Promise<string | null> {
    return this.#database.read(async (_db, pool) => {
      const { rows } = await pool.query<{ value: string }>('select value from store_facts where name = $1', [
        name,
      ]);
      return rows[0]?.value ?? null;
    });
  }

  async remove(name: FactName): Promise<void> {
    await this.#database.read((_db, pool) => pool.query('delete from store_facts where name = $1', [name]));
  }

  async replace(name: FactName, value: string): Promise<void> {
    await this.#database.read((_db, pool) =>
      pool.query(
        `insert into store_facts (name, value) values ($1, $2)
         on conflict (name) do update set value = excluded.value`,
        [name, value],
      ),
    );
  }
}

/**
 * The print of the master key, the keys for push services, the marks of the folder of evidence and
 * of the place of originals, that it was restored, and which database it is.
 */
export type FactName =
  'push_keys' | 'master_key' | 'evidence_mark' | 'originals_mark' | 'restored' | 'database';
