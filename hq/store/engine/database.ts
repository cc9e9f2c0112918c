// The one way to write: a transaction of at most three tries.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { Connections, type DatabaseOptions } from './connections.ts';

export type Db = NodePgDatabase;

/** A transaction that is open: raw SQL where it is hot, drizzle elsewhere. */
export interface Tx {
  client: pg.PoolClient;
  db: Db;
}

/** How long each further statement of the transaction may take, ms; 0 for as long as it needs. */
export const limitStatements = async (tx: Tx, ms: number): Promise<void> =>
  void (await tx.client.query(`set local statement_timeout = ${Math.max(0, Math.floor(ms))}`));

export class Database extends Connections {
  /** For single statements outside a transaction. */
  readonly db: Db;
  #made = new WeakMap<pg.PoolClient, Tx>();

  constructor(options: DatabaseOptions) {
    super(options);
    this.db = drizzle(this.pool);
  }

  /** As `committed`. @throws AppError 409 write_contention, 503 store_unavailable, 507 storage_full */
  transaction<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    return this.committed((client) => body(this.#txOf(client)));
  }

  /** A read, or a single statement that is a transaction by itself. @throws as `transaction` */
  read<T>(statement: (db: Db, pool: pg.Pool) => Promise<T>): Promise<T> {
    return this.single((pool) => statement(this.db, pool));
  }

  #txOf(client: pg.PoolClient): Tx {
    const existing = this.#made.get(client);
    if (existing) return existing;
    const tx = { client, db: drizzle(client) };
    this.#made.set(client, tx);
    return tx;
  }
}
