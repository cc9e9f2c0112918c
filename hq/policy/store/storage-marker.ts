import type { StorageMarker } from '../original/original.ts';
import type { Database } from '../../store/engine/database.ts';

const FACT = 'originals_mark';
const NOTE = 'insert into store_facts (name, value) values ($1, $2) on conflict do nothing';
const NEWEST_STORED = `select id, tenant_code as "tenantCode", sha256 from kb_docs
  where stored_at is not null and sha256 is not null order by id desc limit 1`;

type Stored = NonNullable<Awaited<ReturnType<StorageMarker['anyStored']>>>;

export function createStorageMarker(database: Database): StorageMarker {
  const mark = () =>
    database.read(async (_db, pool) => {
      const {
        rows: [fact],
      } = await pool.query<{ value: string }>('select value from store_facts where name = $1', [FACT]);
      return fact?.value ?? null;
    });
  return {
    mark,
    adopt: async (fresh) => {
      await database.read((_db, pool) => pool.query(NOTE, [FACT, fresh]));
      return (await mark()) ?? fresh;
    },
    anyStored: () =>
      database.read(async (_db, pool) => (await pool.query<Stored>(NEWEST_STORED)).rows[0] ?? null),
  };
}
