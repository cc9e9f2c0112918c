import { aloneAmongHubs } from '../../store/engine/advisory-lock.ts';
import type { Database } from '../../store/engine/database.ts';
import type { StorageMarker } from '../original/original.ts';

const FACT = 'originals_mark';
const NOTE = 'insert into store_facts (name, value) values ($1, $2) on conflict do nothing';
const NEWEST_STORED = `select id, tenant_code as "tenantCode", sha256 from kb_docs
  where stored_at is not null and sha256 is not null order by id desc limit 1`;

type Stored = NonNullable<Awaited<ReturnType<StorageMarker['anyStored']>>>;

/** The mark of the place where originals lie. */
export class HubStorageMarker implements StorageMarker {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  mark(): Promise<string | null> {
    return this.#database.read(async (_db, pool) => {
      const {
        rows: [fact],
      } = await pool.query<{ value: string }>('select value from store_facts where name = $1', [FACT]);
      return fact?.value ?? null;
    });
  }

  async adopt(fresh: string): Promise<string> {
    await this.#database.read((_db, pool) => pool.query(NOTE, [FACT, fresh]));
    return (await this.mark()) ?? fresh;
  }

  alone<T>(work: () => Promise<T>): Promise<T> {
    return aloneAmongHubs(this.#database, 'place of the originals', work);
  }

  anyStored(): Promise<Stored | null> {
    return this.#database.read(
      async (_db, pool) => (await pool.query<Stored>(NEWEST_STORED)).rows[0] ?? null,
    );
  }
}
