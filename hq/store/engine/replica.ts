// Lists and statistics from a standby, which then need not be read from the primary.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../../../common/log.ts';
import { LIMITS, rollback, types } from './connections.ts';
import { isConnectionLoss, isRetryable, sqlStateOf } from './errors.ts';
import { ServerClient, ServerNoStandby, Servers } from './servers.ts';

/** How long a read waits for the standby to have what was stored before it, ms; usually it has it already. */
const WAIT_MS = 250;
const LOOK_EVERY_MS = 10;
/** A standby that is away is not asked again within this, ms. */
const AWAY_MS = 5_000;

/** How far a store is: its position in the write-ahead log, and its epoch. */
export interface Position {
  lsn: string;
  epoch: string;
}

export const POSITION = `select pg_current_wal_lsn()::text as lsn,
  (select value from store_facts where name = 'epoch') as epoch`;
const HAS = `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() >= $1::pg_lsn
  and (select value from store_facts where name = 'epoch') = $2 end as has`;

export type ReplicaState = 'used' | 'away' | 'behind';

/**
 * Invariant: what is read here holds all that was acknowledged, by whichever process, before the read was
 * asked for. Otherwise the caller is told to read from the primary.
 */
export class Replica {
  /** Reads since the start: from here, and from the primary because the standby was away or behind. */
  readonly counts: Record<ReplicaState, number> = { used: 0, away: 0, behind: 0 };
  #pool: pg.Pool;
  #log: Logger;
  #state: ReplicaState = 'used';
  /** Monotonic ms before which it is not asked again. */
  #notBefore = -Infinity;

  /** @param url of one standby or of several, as `DATABASE_READ_URL` */
  constructor(url: string, log: Logger, poolSize: number) {
    this.#log = log;
    const servers = new Servers(url, 'reads');
    this.#pool = new pg.Pool({
      Client: class extends ServerClient {
        constructor(config?: pg.ClientConfig) {
          super(servers, config ?? {});
        }
      },
      connectionString: servers.addresses[0],
      verify: (client, done) => void servers.fit(client).then(() => done(), done),
      max: poolSize,
      ...LIMITS,
      application_name: 'fieldline-hq reads',
      keepAlive: true,
      types,
    });
    this.#pool.on('connect', (client) => client.on('error', () => servers.doubt()));
    this.#pool.on('error', (error) =>
      this.#log.debug({ err: error }, 'a connection to the standby was lost'),
    );
  }

  get state(): ReplicaState {
    return this.#state;
  }

  /**
   * @param position of the primary when the read was asked for
   * @returns null: read from the primary @throws what `body` throws and the standby is not to blame for
   */
  async read<T>(
    position: () => Promise<Position>,
    body: (client: pg.PoolClient) => Promise<T>,
  ): Promise<{ result: T } | null> {
    if (performance.now() < this.#notBefore) return this.#passOn(this.#state);
    const through = await position();
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      return this.#passOn('away', error);
    }
    let broken: Error | undefined;
    try {
      if (!(await this.#has(client, through))) return this.#passOn('behind');
      const result = await body(client);
      this.#enter('used');
      this.counts.used += 1;
      return { result };
    } catch (error) {
      broken = isConnectionLoss(error) ? (error as Error) : await rollback(client);
      if (!isStandbysFault(error)) throw error;
      return this.#passOn('away', error);
    } finally {
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** A standby that was behind already is not waited for. */
  async #has(client: pg.PoolClient, { lsn, epoch }: Position): Promise<boolean> {
    const until = performance.now() + (this.#state === 'used' ? WAIT_MS : 0);
    for (;;) {
      const {
        rows: [row],
      } = await client.query<{ has: boolean | null }>(HAS, [lsn, epoch]);
      // It was promoted since the connection was made.
      if (row?.has === null) throw new ServerNoStandby('the server is no standby of this database');
      if (row?.has) return true;
      if (performance.now() >= until) return false;
      await pause(LOOK_EVERY_MS);
    }
  }

  #passOn(state: ReplicaState, error?: unknown): null {
    this.counts[state] += 1;
    if (error !== undefined) this.#notBefore = performance.now() + AWAY_MS;
    this.#enter(state, error);
    return null;
  }

  /** Told once, and again when it is over. */
  #enter(state: ReplicaState, error?: unknown): void {
    if (state === this.#state) return;
    this.#state = state;
    if (state === 'used') this.#log.info('lists and statistics are read from the standby again');
    else if (state === 'behind')
      this.#log.warn('the standby is behind; lists and statistics are read from the primary meanwhile');
    else
      this.#log.warn(
        { err: error },
        'the standby cannot be read; lists and statistics are read from the primary meanwhile',
      );
  }
}

/** Away, out of connections, no standby, or in conflict with what it replays: the primary can answer. */
const isStandbysFault = (error: unknown): boolean =>
  isConnectionLoss(error) ||
  isRetryable(error) ||
  error instanceof ServerNoStandby ||
  /^(?:53|42P01)/.test(sqlStateOf(error) ?? '');
