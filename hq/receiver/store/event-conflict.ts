// Events of sites that were not stored because their key is of another event: that they exist is kept here.
import { and, desc, eq, exists, getTableColumns, lt, sql } from 'drizzle-orm';
import type { NewEvent } from '../../../common/core/event/record.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import type { ConflictRecord, EventConflict } from '../port.ts';
import { eventConflicts } from './schema.ts';

/** Most conflicts kept of one site; further ones are counted, and parked at the site. */
const MOST_KEPT = 10_000;

interface Sent {
  instance: string;
  events: readonly NewEvent[];
  conflicts: readonly EventConflict[];
}

/** Keeps the conflicts of a batch; an event that came in without one has none any more. */
export async function keepConflicts(
  tx: Tx,
  { instance, events, conflicts }: Sent,
  now: number,
): Promise<void> {
  const open = new Set(conflicts.map(({ key, tenantCode }) => JSON.stringify([tenantCode, key])));
  const good = events.filter(
    ({ tenantCode, idempotencyKey }) => !open.has(JSON.stringify([tenantCode, idempotencyKey])),
  );
  if (good.length > 0) await dropConflicts(tx, instance, good);
  if (conflicts.length === 0) return;
  const once = [
    ...new Map(conflicts.map((one) => [JSON.stringify([one.tenantCode, one.key]), one])).values(),
  ];
  await tx.db
    .insert(eventConflicts)
    .values(once.map((one) => ({ ...one, firstAt: now, lastAt: now, count: 1 })))
    .onConflictDoUpdate({
      target: [eventConflicts.tenantCode, eventConflicts.instance, eventConflicts.key],
      set: {
        lastAt: now,
        count: sql`${eventConflicts.count} + 1`,
        heldBy: sql`excluded.held_by`,
        heldId: sql`excluded.held_id`,
      },
    });
  await dropBeyondMost(tx, instance);
}

async function dropBeyondMost(tx: Tx, instance: string): Promise<void> {
  const ofSite = eq(eventConflicts.instance, instance);
  const last = tx.db
    .select({ at: eventConflicts.lastAt })
    .from(eventConflicts)
    .where(ofSite)
    .orderBy(desc(eventConflicts.lastAt))
    .offset(MOST_KEPT - 1)
    .limit(1);
  await tx.db.delete(eventConflicts).where(and(ofSite, lt(eventConflicts.lastAt, last)));
}

async function dropConflicts(tx: Tx, instance: string, good: readonly NewEvent[]): Promise<void> {
  const ofSite = eq(eventConflicts.instance, instance);
  const tenants = sql.param(good.map(({ tenantCode }) => tenantCode));
  const keys = sql.param(good.map(({ idempotencyKey }) => idempotencyKey));
  await tx.db.delete(eventConflicts).where(
    and(
      ofSite,
      exists(
        tx.db
          .select({ one: sql`1` })
          .from(eventConflicts)
          .where(ofSite),
      ),
      sql`(${eventConflicts.tenantCode}, ${eventConflicts.key}) in
            (select * from unnest(${tenants}::text[], ${keys}::text[]))`,
    ),
  );
}

export function listConflicts(
  database: Database,
  filter: { instance?: string | undefined; tenantCode: string | null },
  limit: number,
): Promise<ConflictRecord[]> {
  return database.read((db) =>
    db
      .select(getTableColumns(eventConflicts))
      .from(eventConflicts)
      .where(
        and(
          filter.instance === undefined ? undefined : eq(eventConflicts.instance, filter.instance),
          filter.tenantCode === null ? undefined : eq(eventConflicts.tenantCode, filter.tenantCode),
        ),
      )
      .orderBy(
        desc(eventConflicts.lastAt),
        eventConflicts.instance,
        eventConflicts.tenantCode,
        eventConflicts.key,
      )
      .limit(limit),
  );
}
