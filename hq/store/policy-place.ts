import type { PlaceNote } from '../policy/original.ts';
import type { Database } from './database.ts';

const FACT = 'originals_mark';

export function createPlaceNote(database: Database): PlaceNote {
  const mark = () => database.read(async (_db, pool) =>
    (await pool.query<{ value: string }>('select value from store_facts where name = $1', [FACT])).rows[0]?.value ?? null);
  return {
    mark,
    adopt: async (fresh) => {
      await database.read((_db, pool) => pool.query('insert into store_facts (name, value) values ($1, $2) on conflict do nothing', [FACT, fresh]));
      return (await mark()) ?? fresh;
    },
    anyStored: () => database.read(async (_db, pool) => (await pool.query<{ id: number; tenantCode: string; sha256: string }>(
      'select id, tenant_code as "tenantCode", sha256 from kb_docs where stored_at is not null and sha256 is not null order by id desc limit 1')).rows[0] ?? null),
  };
}
