import { and, asc, eq } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Stamp } from '../../../common/clock.ts';
import { jobRow } from '../../../common/core/evidence/decide.ts';
import {
  afterDelivery,
  afterFailure,
  afterRegistration,
  freshPushRow,
  mayClaim,
  type PushRow,
  requestedAudit,
} from '../../../common/core/push/decide.ts';
import type { PushDelivered, PushLease, PushPort, PushState } from '../../../common/core/push/port.ts';
import type { SubscriptionRecord } from '../../../common/core/subscription/port.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { evidenceJobs, pushStates, subscriptions } from '../schema/tables.ts';
import type { SiteAudit } from './audit.ts';

export class SitePush implements PushPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #audit: SiteAudit;

  constructor(group: GroupCommit, orm: BetterSQLite3Database, audit: SiteAudit) {
    this.#group = group;
    this.#orm = orm;
    this.#audit = audit;
  }

  async states(): Promise<PushState[]> {
    const rows = this.#orm.select().from(pushStates).orderBy(asc(pushStates.consumer)).all();
    return rows.map(({ lease: _lease, leasedUntil: _until, ...state }) => state);
  }

  claim(seen: SubscriptionRecord, lease: PushLease, now: number): Promise<boolean> {
    return this.#group.write(() => {
      const row =
        this.#orm.select().from(pushStates).where(eq(pushStates.consumer, lease.consumer)).get() ??
        freshPushRow(lease.consumer);
      if (!mayClaim(seen, this.#subscription(lease.consumer), row, now)) return false;
      writeRow(this.#orm, { ...row, lease: lease.token, leasedUntil: lease.until });
      return true;
    });
  }

  renew(lease: PushLease): Promise<boolean> {
    return this.#group.write(() => {
      const { changes } = this.#orm
        .update(pushStates)
        .set({ leasedUntil: lease.until })
        .where(heldBy(lease))
        .run();
      return changes > 0;
    });
  }

  delivered(lease: PushLease, delivered: PushDelivered, stamp: Stamp): Promise<boolean> {
    return this.#group.write(() => {
      const row = this.#held(lease);
      const subscription = this.#subscription(lease.consumer);
      if (!row || !subscription) return false;
      const pushCursor = Math.max(subscription.pushCursor, delivered.cursor);
      this.#orm
        .update(subscriptions)
        .set({ pushCursor })
        .where(eq(subscriptions.consumer, lease.consumer))
        .run();
      writeRow(this.#orm, afterDelivery(row, delivered, stamp.now));
      for (const job of delivered.jobs) this.#orm.insert(evidenceJobs).values(jobRow(job, stamp.now)).run();
      if (delivered.jobs.length > 0)
        this.#audit.insert(requestedAudit(lease, subscription.tenantCode, delivered.jobs, stamp));
      return true;
    });
  }

  failed(lease: PushLease, error: string, nextAt: number): Promise<boolean> {
    return this.#group.write(() => {
      const row = this.#held(lease);
      if (row) writeRow(this.#orm, afterFailure(row, error, nextAt));
      return row !== null;
    });
  }

  #held(lease: PushLease): PushRow | null {
    return this.#orm.select().from(pushStates).where(heldBy(lease)).get() ?? null;
  }

  #subscription(consumer: string): SubscriptionRecord | null {
    return this.#orm.select().from(subscriptions).where(eq(subscriptions.consumer, consumer)).get() ?? null;
  }
}

const heldBy = (lease: PushLease) =>
  and(eq(pushStates.consumer, lease.consumer), eq(pushStates.lease, lease.token));

function writeRow(orm: BetterSQLite3Database, row: PushRow): void {
  orm.insert(pushStates).values(row).onConflictDoUpdate({ target: pushStates.consumer, set: row }).run();
}

/** What a changed registration does to the pushes, in the open transaction. */
export function voidPush(orm: BetterSQLite3Database, consumer: string): void {
  const row = orm.select().from(pushStates).where(eq(pushStates.consumer, consumer)).get();
  if (row) writeRow(orm, afterRegistration(row));
}
