// The connection pool and the one way to write: a transaction of at most three tries.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Logger } from '../../common/log.ts';
import { asAppError, isConnectionLoss, isRetryable } from './errors.ts';
import * as schema from './schema.ts';

export type Db = NodePgDatabase<typeof schema>;

/** A transaction that is open: raw SQL where it is hot, drizzle elsewhere. */
export interface Tx {
  client: pg.PoolClient;
  db: Db;
}

export interface DatabaseOptions {
  url: string;
  log: Logger;
  poolSize?: number | undefined;
}

const TRIES = 3;
const POOL_SIZE = 10;
const CONNECT_WITHIN_MS = 5_000;
/** Longest run of one statement, waiting for locks included. */
const STATEMENT_MS = 20_000;
/** Later than the server's own limit: it strikes only when the server does not answer at all. */
const ANSWER_MS = 30_000;
/** A process that hangs with the counter locked would stop every other writer. */
const IDLE_IN_TRANSACTION_MS = 10_000;
const INT8 = 20;

/** Every bigint here is below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
};

export class Database {
  readonly pool: pg.Pool;
  /** For single statements outside a transaction. */
  readonly db: Db;
  #log: Logger;
  #known = new WeakMap<pg.PoolClient, Tx>();

  constructor(options: DatabaseOptions) {
    this.#log = options.log;
    this.pool = new pg.Pool({
      connectionString: options.url,
      max: options.poolSize ?? POOL_SIZE,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      statement_timeout: STATEMENT_MS,
      query_timeout: ANSWER_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      application_name: 'fieldline-hq',
      keepAlive: true,
      types,
    });
    this.pool.on('error', (error) => this.#log.warn({ err: error }, 'an idle database connection was lost'));
    this.db = drizzle(this.pool, { schema });
  }

  /**
   * Runs `body` in one READ COMMITTED transaction and resolves when it is
   * durable. After a serialisation failure, a deadlock or a lock timeout `body`
   * runs again, so it must have no effect outside the transaction.
   * @throws AppError 409 write_contention, 503 store_unavailable, 507 storage_full
   */
  async transaction<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(body);
      } catch (error) {
        if (attempt < TRIES && isRetryable(error)) continue;
        throw asAppError(error);
      }
    }
  }

  /** A read, or a single statement that is a transaction by itself. @throws as `transaction` */
  async read<T>(statement: (db: Db, pool: pg.Pool) => Promise<T>): Promise<T> {
    try {
      return await statement(this.db, this.pool);
    } catch (error) {
      throw asAppError(error);
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  /** Lends one connection. It is thrown away when it broke, or may still be in a transaction. */
  async session<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => void (broken = error);
    // Between two statements nobody else listens, and an unheard error ends the process.
    client.on('error', onError);
    try {
      return await use(client);
    } catch (error) {
      if (isConnectionLoss(error)) broken ??= error as Error;
      else broken ??= await rollback(client);
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  #once<T>(body: (tx: Tx) => Promise<T>): Promise<T> {
    return this.session(async (client) => {
      await client.query('begin');
      const result = await body(this.#txOf(client));
      const { command } = await client.query('commit');
      if (command !== 'COMMIT') throw new Error('a transaction that had failed was committed');
      return result;
    });
  }

  #txOf(client: pg.PoolClient): Tx {
    const known = this.#known.get(client);
    if (known) return known;
    const tx = { client, db: drizzle(client, { schema }) };
    this.#known.set(client, tx);
    return tx;
  }
}

/** Outside a transaction it does no more than warn. @returns why the connection is not fit for use, if so */
async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
