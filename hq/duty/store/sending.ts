import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm';
import type { Database } from '../../store/engine/database.ts';
import type { Sending } from '../call/record.ts';
import type { CallPort, SentOf, Settled } from '../port.ts';
import { dutyCalls, dutySendings } from './schema.ts';

type SendingPort = Pick<CallPort, 'sendings' | 'sending' | 'claim' | 'settle' | 'seen'>;

/** What was sent of calls. */
export class HubSendings implements SendingPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  sendings(callId: string, limit: number): Promise<Sending[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(dutySendings)
        .where(eq(dutySendings.callId, callId))
        .orderBy(asc(dutySendings.createdAt), asc(dutySendings.id))
        .limit(limit),
    );
  }

  async sending(id: string): Promise<SentOf | null> {
    return (await this.#withCalls([id]))[0] ?? null;
  }

  async claim(now: number, leaseMs: number, limit: number): Promise<SentOf[]> {
    const ids = await this.#database.transaction(async (tx) => {
      const due = await tx.db
        .select({ id: dutySendings.id })
        .from(dutySendings)
        .where(and(eq(dutySendings.state, 'pending'), lte(dutySendings.nextAt, now)))
        .orderBy(asc(dutySendings.nextAt), asc(dutySendings.id))
        .limit(limit)
        .for('update', { skipLocked: true });
      const claimed = due.map(({ id }) => id);
      if (claimed.length > 0)
        await tx.db
          .update(dutySendings)
          .set({ nextAt: now + leaseMs })
          .where(inArray(dutySendings.id, claimed));
      return claimed;
    });
    return this.#withCalls(ids);
  }

  async #withCalls(ids: readonly string[]): Promise<SentOf[]> {
    if (ids.length === 0) return [];
    const rows = await this.#database.read((db) =>
      db
        .select({ sending: dutySendings, call: dutyCalls })
        .from(dutySendings)
        .innerJoin(dutyCalls, eq(dutyCalls.id, dutySendings.callId))
        .where(inArray(dutySendings.id, [...ids]))
        .orderBy(asc(dutySendings.nextAt), asc(dutySendings.id)),
    );
    return rows.map(({ sending, call }) => ({ ...sending, call }));
  }

  /** One that was cancelled while it was on its way has been sent all the same. */
  settle({ id, error, nextAt }: Settled, now: number): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const [row] = await tx.db.select().from(dutySendings).where(eq(dutySendings.id, id)).for('update');
      if (!row) return;
      const attempts = row.attempts + 1;
      if (error === null) {
        const sent = { state: 'sent' as const, attempts, settledAt: now, lastError: null };
        await tx.db.update(dutySendings).set(sent).where(eq(dutySendings.id, id));
        return;
      }
      const again = nextAt !== null && row.state === 'pending';
      const state = row.state !== 'pending' ? row.state : again ? 'pending' : 'failed';
      await tx.db
        .update(dutySendings)
        .set({ state, attempts, lastError: error, ...(again ? { nextAt } : { settledAt: now }) })
        .where(eq(dutySendings.id, id));
    });
  }

  seen(sendingId: string, opened: boolean, now: number): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const own = eq(dutySendings.id, sendingId);
      await tx.db
        .update(dutySendings)
        .set({ shownAt: now })
        .where(and(own, isNull(dutySendings.shownAt)));
      if (opened)
        await tx.db
          .update(dutySendings)
          .set({ openedAt: now })
          .where(and(own, isNull(dutySendings.openedAt)));
    });
  }
}
