import { and, eq, lt, sql } from 'drizzle-orm';
import {
  claimOf,
  KEPT_MS,
  type KeptAnswer,
  type KeyClaim,
  type KeyedRequest,
  KEYS_OF_CALLER,
  type RetryPort,
} from '../../../common/http/retry.ts';
import type { Database, Tx } from '../engine/database.ts';
import { retriedRequests } from '../schema/tables.ts';

/** Old keys that each claim forgets, so that they grow no more than they are used. */
const FORGOTTEN = 100;

/** Requests with an `Idempotency-Key`, for every process of the hub. */
export class HubRetries implements RetryPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  claim(request: KeyedRequest): Promise<KeyClaim> {
    return this.#database.transaction(async (tx) => {
      await forget(tx, request.at - KEPT_MS);
      // Without the bound a caller could keep as many as it likes.
      const room = sql`(select count(*) < ${KEYS_OF_CALLER} from (select 1 from ${retriedRequests}
        where ${retriedRequests.caller} = ${request.caller} limit ${KEYS_OF_CALLER}) known)`;
      const [added] = await tx.db
        .insert(retriedRequests)
        .select(
          sql`select ${request.caller}, ${request.key}, ${request.fingerprint}, ${request.at}::bigint,
            null::integer, null::text where ${room}`,
        )
        .onConflictDoNothing()
        .returning({ key: retriedRequests.key });
      if (added) return { kind: 'first' };
      const [kept] = await tx.db.select().from(retriedRequests).where(theOne(request));
      return kept ? claimOf(kept, request) : { kind: 'too_many' };
    });
  }

  settle(request: KeyedRequest, { status, body }: KeptAnswer): Promise<void> {
    return this.#database.read(async (db) => {
      await db.update(retriedRequests).set({ status, body }).where(theOne(request));
    });
  }

  release(request: KeyedRequest): Promise<void> {
    return this.#database.read(async (db) => {
      await db.delete(retriedRequests).where(theOne(request));
    });
  }
}

const theOne = ({ caller, key }: KeyedRequest) =>
  and(eq(retriedRequests.caller, caller), eq(retriedRequests.key, key));

async function forget({ db }: Tx, before: number): Promise<void> {
  const old = db
    .select({ caller: retriedRequests.caller, key: retriedRequests.key })
    .from(retriedRequests)
    .where(lt(retriedRequests.at, before))
    .limit(FORGOTTEN)
    .for('update', { skipLocked: true });
  await db.delete(retriedRequests).where(sql`(${retriedRequests.caller}, ${retriedRequests.key}) in ${old}`);
}
