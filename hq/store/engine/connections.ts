// The connection pool, and transactions of at most three tries. Without the mapper of `database.ts`, which a
// thread that only reads a few columns would wait for.
import pg from 'pg';
import { AppError } from '../../../common/http/error.ts';
import type { Logger } from '../../../common/log.ts';
import { Damage } from './damage.ts';
import { asAppError, isConnectionLoss, isMoved, isRetryable } from './errors.ts';
import { ServerClient, Servers } from './servers.ts';

export interface DatabaseOptions {
  /** Of one server or of several, of which one takes writes. */
  url: string;
  log: Logger;
  poolSize?: number | undefined;
  /** Of standbys that lists and statistics are read from, as `DATABASE_READ_URL`; null: from the primary. */
  readUrl?: string | null | undefined;
}

const TRIES = 3;
export const POOL_SIZE = 10;
const CONNECT_WITHIN_MS = 5_000;
/** Longest run of one statement, waiting for locks included. */
const STATEMENT_MS = 20_000;
/** Later than the server's own limit: it strikes only when the server does not answer at all. */
const ANSWER_MS = 30_000;
/** A process that hangs with the counter locked would stop every other writer. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** Of every connection that is lent, also to a standby. */
export const LIMITS = {
  connectionTimeoutMillis: CONNECT_WITHIN_MS,
  statement_timeout: STATEMENT_MS,
  query_timeout: ANSWER_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
};
/** What the pool says when it had no connection to lend, and also when a new one did not open. */
const POOL_TIMEOUT = /^timeout exceeded when trying to connect/;
const INT8 = 20;

/**
 * Somebody ended the wait for the standby: what was committed may be gone after a failover, so that it is not
 * acknowledged.
 */
class Unreplicated extends Error {
  readonly code = '57P01';
  constructor() {
    super('the wait for the standby was ended');
  }
}

/** Every bigint here is below 2^53. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
};

export class Connections {
  readonly pool: pg.Pool;
  /** What the server says of damage in what it holds. */
  readonly damage = new Damage();
  readonly #options: DatabaseOptions;
  #servers: Servers;
  /** Connections that must not be used again, with the reason. */
  #lost = new WeakMap<pg.ClientBase, Error>();
  #clients = new Set<pg.PoolClient>();
  /** How often somebody ended a wait for the standby, on any connection. */
  #unreplicated = 0;
  #lent = new Set<pg.PoolClient>();

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#servers = new Servers(options.url);
    this.pool = this.#open(options);
  }

  #open(options: DatabaseOptions): pg.Pool {
    const servers = this.#servers;
    const pool = new pg.Pool({
      Client: class extends ServerClient {
        constructor(config?: pg.ClientConfig) {
          super(servers, config ?? {});
        }
      },
      connectionString: servers.addresses[0],
      verify: (client, done) => void servers.fit(client).then(() => done(), done),
      max: options.poolSize ?? POOL_SIZE,
      ...LIMITS,
      application_name: 'fieldline-hq',
      keepAlive: true,
      types,
    });
    pool.on('error', (error) =>
      this.#options.log.warn({ err: error }, 'an idle database connection was lost'),
    );
    pool.on('connect', (client) => {
      this.#clients.add(client);
      // Before whoever asked is told: what they make of it does not come into this.
      client.connection.on('errorMessage', (said: pg.DatabaseError) => this.damage.hear(said));
      // Listened to for the life of the connection: while it is handed over, neither the pool nor its
      // borrower listens.
      client.on('error', (error) => {
        this.#lost.set(client, error);
        servers.doubt();
      });
      client.on('notice', (notice) => {
        if ((notice as { routine?: string }).routine !== 'SyncRepWaitForLSN') return;
        this.#unreplicated += 1;
        this.#lost.set(client, new Unreplicated());
      });
    });
    pool.on('acquire', (client) => this.#lent.add(client));
    pool.on('release', (error: unknown, client: pg.PoolClient) => {
      this.#lent.delete(client);
      if (isMoved(error)) this.#leaveServer(client);
      // Ended before the pool sees it, so that it is not lent again.
      else if (this.#lost.has(client)) void client.end();
    });
    pool.on('remove', (client) => this.#clients.delete(client));
    return pool;
  }

  /** A server that was demoted answers reads with old data: no connection to it is used again. */
  #leaveServer(reporter: pg.PoolClient): void {
    this.#servers.doubt();
    for (const client of this.#clients) {
      if (client === reporter || this.#lost.has(client)) continue;
      this.#lost.set(client, new Error('its server takes no writes any more'));
      if (!this.#lent.has(client)) client.connection.stream.destroy();
    }
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
        throw this.#busy(error) ?? asAppError(error);
      }
    }
  }

  /** A single statement that is a transaction by itself. @throws as `committed` */
  async single<T>(statement: (pool: pg.Pool) => Promise<T>): Promise<T> {
    const before = this.#unreplicated;
    try {
      const result = await statement(this.pool);
      // Which connections the pool lent is not known here: whatever ran meanwhile is not acknowledged.
      if (this.#unreplicated !== before) throw new Unreplicated();
      return result;
    } catch (error) {
      throw this.#busy(error) ?? asAppError(error);
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  /** Whether the database works, and all connections to it were lent; null: it is something else. */
  #busy(error: unknown): AppError | null {
    // Drizzle wraps what the pool says.
    const said = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (!(said instanceof Error) || !POOL_TIMEOUT.test(said.message)) return null;
    if (this.#lent.size < (this.pool.options.max ?? POOL_SIZE)) return null;
    return new AppError(
      503,
      'overloaded',
      'More is asked of the database at once than it has answered in time; nothing was changed. Send the ' +
        'same request again later.',
      { retryAfterSeconds: 2, cause: error },
    );
  }

  /** Lends one connection. It is thrown away when it broke, or may still be in a transaction. */
  async session<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#lend();
    let broken: Error | undefined;
    try {
      return await use(client);
    } catch (error) {
      broken = isConnectionLoss(error) || isMoved(error) ? (error as Error) : await rollback(client);
      throw error;
    } finally {
      client.release(broken ?? this.#lost.get(client));
    }
  }

  async #lend(): Promise<pg.PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      this.#servers.doubt();
      throw error;
    }
  }

  #once<T>(body: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.session(async (client) => {
      await client.query('begin');
      const result = await body(client);
      const { command } = await client.query('commit');
      const unreplicated = this.#lost.get(client);
      if (unreplicated instanceof Unreplicated) throw unreplicated;
      if (command !== 'COMMIT') throw new Error('a transaction that had failed was committed');
      return result;
    });
  }
}

/** Outside a transaction it does no more than warn. @returns why the connection is not fit for use, if so */
export async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
