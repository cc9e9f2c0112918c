// The connection pool, and transactions of at most three tries. Without the mapper of `database.ts`, which a thread that only
// reads a few columns would wait for.
import pg from 'pg';
import type { Logger } from '../../common/log.ts';
import { asAppError, isConnectionLoss, isRetryable } from './errors.ts';

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

export class Connections {
  readonly pool: pg.Pool;
  #log: Logger;

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
  }

  /**
   * Runs `body` in one READ COMMITTED transaction and resolves when it is
   * durable. After a serialisation failure, a deadlock or a lock timeout `body`
   * runs again, so it must have no effect outside the transaction.
   * @throws AppError 409 write_contention, 503 store_unavailable, 507 storage_full
   */
  async committed<T>(body: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(body);
      } catch (error) {
        if (attempt < TRIES && isRetryable(error)) continue;
        throw asAppError(error);
      }
    }
  }

  /** A single statement that is a transaction by itself. @throws as `committed` */
  async single<T>(statement: (pool: pg.Pool) => Promise<T>): Promise<T> {
    try {
      return await statement(this.pool);
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

  #once<T>(body: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.session(async (client) => {
      await client.query('begin');
      const result = await body(client);
      const { command } = await client.query('commit');
      if (command !== 'COMMIT') throw new Error('a transaction that had failed was committed');
      return result;
    });
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
