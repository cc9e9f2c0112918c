import type { Database } from '../../store/engine/database.ts';
import type { EmbeddingLease } from '../embed/port.ts';

export class HubEmbeddingLease implements EmbeddingLease {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  take(holder: string, now: number, until: number): Promise<boolean> {
    return this.#database.read(async (_db, pool) => {
      const { rowCount } = await pool.query(
        `update kb_embedding set lease = $1, leased_until = $3 where name = 'embedding' and (lease = ` +
          '$1 or leased_until <= $2)',
        [holder, now, until],
      );
      return rowCount === 1;
    });
  }

  release(holder: string): Promise<void> {
    return this.#database.read(async (_db, pool) => {
      await pool.query(
        `update kb_embedding set lease = null, leased_until = 0 where name = 'embedding' and lease = $1`,
        [holder],
      );
    });
  }
}
