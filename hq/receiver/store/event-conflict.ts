// Events of sites that were not stored because their key is of another event: that they exist is kept here.
import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { NewEvent } from '../../../common/core/event/record.ts';
import type { ConflictRecord, EventConflict } from '../port.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { eventConflicts } from './schema.ts';

/** Of one site; what is beyond is still counted, and parked at the site. */
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
  if (good.length > 0) {
    await tx.client.query(
      `delete from event_conflicts where instance = $1 and exists (select 1 from event_conflicts
        where instance = $1)
         and (tenant_code, idempotency_key) in (select * from unnest($2::text[], $3::text[]))`,
      [instance, good.map(({ tenantCode }) => tenantCode), good.map(({ idempotencyKey }) => idempotencyKey)],
    );
  }
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
  await tx.client.query(
    `delete from event_conflicts where instance = $1 and last_at <
       (select last_at from event_conflicts where instance = $1 order by last_at desc offset $2 limit 1)`,
    [instance, MOST_KEPT - 1],
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
