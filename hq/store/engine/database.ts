// The one way to write: a transaction of at most three tries. And where lists are read from.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { Connections, type DatabaseOptions, POOL_SIZE } from './connections.ts';
import { asAppError } from './errors.ts';
import { POSITION, type Position, Replica } from './replica.ts';

export type Db = NodePgDatabase;

/** A transaction that is open: raw SQL where it is hot, drizzle elsewhere. */
export interface Tx {
  client: pg.PoolClient;
  db: Db;
}

/**
 * A statement of the hot path: the server parses it once a connection, and plans it a few times.
 * @param name of its own for each text
 */
export const prepared = <R extends pg.QueryResultRow>(
  { client }: Tx,
  name: string,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult<R>> => client.query<R>({ name, text, values });

/** What a list is read by: the pool or one connection. */
export type Reader = Pick<pg.PoolClient, 'query'>;

/** How long each further statement of the transaction may take, ms; 0 for as long as it needs. */
export const limitStatements = async (tx: Tx, ms: number): Promise<void> =>
  void (await tx.client.query(`set local statement_timeout = ${Math.max(0, Math.floor(ms))}`));

export class Database extends Connections {
  /** For single statements outside a transaction. */
  readonly db: Db;
  /** null: lists are read from the primary. */
  readonly replica: Replica | null;
  #made = new WeakMap<pg.PoolClient, Tx>();

  constructor(options: DatabaseOptions) {
    super(options);
    this.db = drizzle(this.pool);
    const { readUrl, log, poolSize = POOL_SIZE } = options;
    this.replica = readUrl ? new Replica(readUrl, log, poolSize) : null;
  }

  /** As `committed`. @throws AppError 409 write_contention, 503 store_unavailable, 507 storage_full */
  transaction<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    return this.committed((client) => body(this.#txOf(client)));
  }

  /** A read, or a single statement that is a transaction by itself. @throws as `transaction` */
  read<T>(statement: (db: Db, pool: pg.Pool) => Promise<T>): Promise<T> {
    return this.single((pool) => statement(this.db, pool));
  }

  /**
   * A read of what may be long or often asked for: from a standby, where there is one that has all that was
   * acknowledged before. @throws as `transaction`
   */
  async list<T>(statement: (db: Db, reader: Reader) => Promise<T>): Promise<T> {
    const far = await this.#far(({ client, db }) => statement(db, client)).catch((error: unknown) => {
      throw asAppError(error);
    });
    return far ? far.result : this.single((pool) => statement(this.db, pool));
  }

  /** The same with a connection for several statements of one snapshot. @throws what `body` throws */
  async listing<T>(body: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const far = await this.#far(({ client }) => body(client));
    return far ? far.result : this.session(body);
  }

  override async close(): Promise<void> {
    await this.replica?.close();
    await super.close();
  }

  /** null: it is to be read from the primary. */
  async #far<T>(body: (tx: Tx) => Promise<T>): Promise<{ result: T } | null> {
    if (!this.replica) return null;
    const position = (): Promise<Position> => this.single((pool) => positionOf(pool));
    return this.replica.read(position, (client) => body(this.#txOf(client)));
  }

  #txOf(client: pg.PoolClient): Tx {
    const existing = this.#made.get(client);
    if (existing) return existing;
    const tx = { client, db: drizzle(client) };
    this.#made.set(client, tx);
    return tx;
  }
}

async function positionOf(pool: pg.Pool): Promise<Position> {
  const {
    rows: [position],
  } = await pool.query<Position>(POSITION);
  if (!position) throw new Error('the primary told no position');
  return position;
}
