import type { Database } from '../engine/database.ts';
import type { WorkName } from '../engine/stepped-over.ts';

/** Rows of one tenant that background work had to leave out. */
export interface LeftOut {
  work: WorkName;
  tenantCode: string;
  rows: number;
  /** The first of them, and why it failed. */
  rowId: number;
  reason: string;
}

export interface SteppedOverPort {
  /** What is left out now, by work and tenant. */
  leftOut(): Promise<LeftOut[]>;
}

/** In SQL: one statement that counts and picks. */
export class HubSteppedOver implements SteppedOverPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async leftOut(): Promise<LeftOut[]> {
    const { rows } = await this.#database.read((_db, pool) =>
      pool.query<LeftOut>(
        `select work, tenant_code as "tenantCode", count(*)::integer as rows, min(row_id) as "rowId",
           (array_agg(reason order by row_id))[1] as reason
         from stepped_over group by work, tenant_code order by work, tenant_code`,
      ),
    );
    return rows;
  }
}
