// Makes the parts of divided tables ahead of what comes. In SQL, since drizzle has no word for partitions.
import { expiredThrough } from '../../../common/core/retention/decide.ts';
import type { RoundResult } from '../../../common/loop.ts';
import { type Database, limitStatements, type Tx } from '../engine/database.ts';
import { atLength, boundOf, EVENTS, LOCK_WITHIN, type Part, partName, partsOf, twinOf } from './parts.ts';

/** Fewest and most events of a part that was made ahead. */
const LEAST = 1_000_000;
const MOST = 10_000_000;
const DAY_MS = 86_400_000;
/** A part spans about this share of the time that events are kept, and a month where they are for ever. */
export const SHARE = 12;
const MONTH_DAYS = 30;
/** Two processes do not divide at once. */
const PARTITION_LOCK = 0x666c7074; // "flpt"
const BOUNDS = 'part_bounds';

export interface Partitions {
  /**
   * Sees to it that the last part is well ahead of what comes.
   * @param now epoch ms
   * @param keepDays how long events are kept; null: for ever
   */
  round(now: number, keepDays: number | null): Promise<RoundResult>;
}

interface Found {
  tail: Part;
  /** The newest number. */
  head: number;
  used: boolean;
}

export class HubPartitions implements Partitions {
  #database: Database;
  #least: number;

  /** @param least fewest events of a part */
  constructor(database: Database, least = LEAST) {
    this.#database = database;
    this.#least = least;
  }

  async round(now: number, keepDays: number | null): Promise<RoundResult> {
    const found = await this.#look();
    const first = found.tail.from ?? 1;
    const span = (keepDays === null ? MONTH_DAYS : Math.min(MONTH_DAYS, keepDays / SHARE)) * DAY_MS;
    const lately = await this.#eventsSince(now - span, found.head);
    const size = Math.min(Math.max(lately, this.#least), MOST);
    if (found.head + size / 2 < first) return { again: false };
    // In use, it gets an end that is not come to even where this stops half way and cannot go on for hours.
    const ahead = found.used ? Math.max(size, this.#least * 10) : size;
    await this.#divide(found, Math.max(found.head, first - 1) + 1 + ahead);
    return { again: false };
  }

  async #look(): Promise<Found> {
    return this.#database.read(async (_db, pool) => {
      const tail = (await partsOf(pool, 'events')).at(-1);
      if (tail?.to !== null) throw new Error('the events have no last partition');
      const {
        rows: [row],
      } = await pool.query<{ head: number; used: boolean }>(
        `select value as head, exists (select from ${tail.name}) as used from counters where name = $1`,
        [EVENTS.counter],
      );
      return { tail, head: row?.head ?? 0, used: row?.used ?? true };
    });
  }

  #eventsSince(since: number, head: number): Promise<number> {
    return this.#database.read(async (_db, pool) => {
      const mark = async (rest: string, values: unknown[]) =>
        (
          await pool.query<{ id: number; receivedAt: number }>(
            `select id, received_at as "receivedAt" from events ${rest} limit 1`,
            values,
          )
        ).rows[0] ?? null;
      const oldest = await mark('order by id', []);
      const newest = await mark('order by id desc', []);
      if (!oldest || !newest) return 0;
      const before = await expiredThrough({ oldest: oldest.id, newest: newest.id }, since, (id) =>
        mark('where id >= $1 order by id', [id]),
      );
      return head - before;
    });
  }

  /** Ends the last part at `to`, and makes another behind it. */
  async #divide({ tail, used }: Found, to: number): Promise<void> {
    try {
      // What is in it is looked through before: intake would wait while it is.
      if (used) await this.#bound(tail, to);
      await this.#database.transaction((tx) => swap(tx, tail, to));
    } catch (error) {
      if (used)
        await this.#unbound(tail).catch((more: unknown) => {
          throw new AggregateError([error, more], `${tail.name} could not be ended, and keeps ${BOUNDS}`);
        });
      throw error;
    }
  }

  /** Has Postgres know that the part holds nothing beyond its end, far ahead of what comes meanwhile. */
  async #bound(tail: Part, to: number): Promise<void> {
    for (const { name, column } of EVENTS.tables) {
      const part = twinOf(tail.name, 'events', name);
      const within = `${tail.from === null ? '' : `${column} >= ${tail.from} and `}${column} < ${to}`;
      await this.#alone((tx) =>
        tx.client.query(
          `alter table ${part} drop constraint if exists ${BOUNDS},
             add constraint ${BOUNDS} check (${within}) not valid`,
        ),
      );
      await this.#alone((tx) => atLength(tx, `alter table ${part} validate constraint ${BOUNDS}`));
    }
  }

  async #unbound(tail: Part): Promise<void> {
    for (const { name } of EVENTS.tables)
      await this.#alone((tx) =>
        tx.client.query(
          `alter table ${twinOf(tail.name, 'events', name)} drop constraint if exists ${BOUNDS}`,
        ),
      );
  }

  #alone(body: (tx: Tx) => Promise<unknown>): Promise<void> {
    return this.#database.transaction(async (tx) => {
      await begin(tx);
      await body(tx);
    });
  }
}

async function begin(tx: Tx): Promise<void> {
  await limitStatements(tx, 0);
  await tx.client.query(`set local lock_timeout = '${LOCK_WITHIN}'`);
  await tx.client.query('select pg_advisory_xact_lock($1)', [PARTITION_LOCK]);
}

/** In a moment: what is in the last part was looked through, or there is nothing in it. */
async function swap(tx: Tx, tail: Part, to: number): Promise<void> {
  await begin(tx);
  const last = (await partsOf(tx.client, 'events')).at(-1);
  // Another process has done it.
  if (last?.name !== tail.name) return;
  for (const { name } of EVENTS.tables) {
    const part = twinOf(tail.name, 'events', name);
    const next = partName(name, to);
    for (const statement of [
      `alter table ${name} detach partition ${part}`,
      `alter table ${name} attach partition ${part} ${boundOf({ from: tail.from, to })}`,
      `alter table ${part} drop constraint if exists ${BOUNDS}`,
      `create table ${next} (like ${name} including all)`,
      // As the migrations have it of every table.
      `alter table ${next} alter column tenant_code set statistics 0`,
      `alter table ${name} attach partition ${next} ${boundOf({ from: to, to: null })}`,
    ])
      await atLength(tx, statement);
  }
}
