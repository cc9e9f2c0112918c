import { and, eq, inArray, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import type { ChannelRecord } from '../../../common/agent/channel/record.ts';
import type { Stamp } from '../../../common/clock.ts';
import type { HandedResult } from '../../../common/uplink/notification.ts';
import { enabledChannels } from '../../store/adapter/channel.ts';
import { addNotifications } from '../../store/adapter/notification.ts';
import { lockCounter } from '../../store/engine/counters.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { channels, notifications } from '../../store/schema/tables.ts';
import { resultOf, rowOf } from '../decide.ts';
import type { Handed, SiteNotificationPort, SiteNotifications } from '../port.ts';
import { notificationSites } from './schema.ts';

/**
 * Messages whose event is not here are not deleted with an event; they are deleted this long after they were
 * settled, when the site next hands something up, ms.
 */
const KEPT_MS = 30 * 86_400_000;
const REMOVED_AT_ONCE = 200;

export function createSiteNotifications(database: Database): SiteNotificationPort {
  return {
    take: (instance, owned, handed, stamp) =>
      database.transaction((tx) => take(tx, { instance, owned }, handed, stamp)),
    results: (owned, ids) => results(database, owned, ids),
    underWay: async (instance, most) => {
      const rows = await database.read((db) =>
        db
          .select({ one: sql`1` })
          .from(notifications)
          .where(and(eq(notifications.instance, instance), eq(notifications.state, 'pending')))
          .limit(most),
      );
      return rows.length;
    },
    heard: (instance, backlog, now) =>
      database.read(async (db) => {
        const fresh = { backlog, heardAt: now };
        await db
          .insert(notificationSites)
          .values({ instance, ...fresh, takenTotal: 0, lastTakenAt: null })
          .onConflictDoUpdate({ target: notificationSites.instance, set: fresh });
      }),
    counts: () => counts(database),
  };
}

/** The lock of the counter lets one call at a time find out what is known. */
async function take(
  tx: Tx,
  { instance, owned }: { instance: string; owned: readonly string[] },
  handed: readonly Handed[],
  { now }: Stamp,
): Promise<void> {
  await lockCounter(tx, 'notification');
  const known = new Set(
    (
      await tx.db
        .select({ id: notifications.originId })
        .from(notifications)
        .where(
          ofSites(
            owned,
            handed.map(({ item }) => item.id),
          ),
        )
    ).map(({ id }) => id),
  );
  const byTenant = new Map<string, ChannelRecord[]>();
  for (const { item } of handed)
    if (!byTenant.has(item.tenant_code))
      byTenant.set(item.tenant_code, await enabledChannels(tx, item.tenant_code));
  const fresh = new Map(handed.flatMap((one) => (known.has(one.item.id) ? [] : [[one.item.id, one]])));
  const rows = [...fresh.values()].flatMap((one) =>
    (byTenant.get(one.item.tenant_code) ?? [])
      .filter(({ channel }) => channel === one.item.channel)
      .map(({ id }) => rowOf(instance, one, id, now)),
  );
  await addNotifications(tx, rows, now);
  const taken = new Set(rows.map(({ originId }) => originId)).size;
  if (taken === 0) return;
  await tx.db
    .update(notificationSites)
    .set({ takenTotal: sql`${notificationSites.takenTotal} + ${taken}`, lastTakenAt: now })
    .where(eq(notificationSites.instance, instance));
  await removeOld(tx, instance, now);
}

const ofSites = (owned: readonly string[], ids: readonly string[]) =>
  and(inArray(notifications.instance, [...owned]), inArray(notifications.originId, [...ids]));

async function removeOld(tx: Tx, instance: string, now: number): Promise<void> {
  const old = tx.db
    .select({ id: notifications.id })
    .from(notifications)
    .where(
      and(
        eq(notifications.instance, instance),
        isNull(notifications.eventId),
        ne(notifications.state, 'pending'),
        lt(notifications.settledAt, now - KEPT_MS),
      ),
    )
    .limit(REMOVED_AT_ONCE);
  await tx.db.delete(notifications).where(inArray(notifications.id, old));
}

async function results(
  database: Database,
  owned: readonly string[],
  ids: readonly string[],
): Promise<Map<string, HandedResult>> {
  if (ids.length === 0) return new Map();
  const rows = await database.read((db) => db.select().from(notifications).where(ofSites(owned, ids)));
  const used = [...new Set(rows.flatMap(({ channelId }) => channelId ?? []))];
  const named = await database.read((db) =>
    db.select({ id: channels.id, name: channels.name }).from(channels).where(inArray(channels.id, used)),
  );
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return new Map(
    [...Map.groupBy(rows, ({ originId }) => originId ?? '')].map(([id, own]) => [
      id,
      resultOf(id, own, (channelId) => names.get(channelId) ?? null),
    ]),
  );
}

async function counts(database: Database): Promise<Map<string, SiteNotifications>> {
  const [sites, open] = await Promise.all([
    database.read((db) => db.select().from(notificationSites)),
    database.read((db) =>
      db
        .select({
          instance: notifications.instance,
          underWay: sql<number>`count(*) filter (where state = 'pending')`.mapWith(Number),
          failed: sql<number>`count(*) filter (where state = 'failed')`.mapWith(Number),
          oldestUnderWayAt: sql<number | null>`min(created_at) filter (where state = 'pending')`,
          lastError: sql<string | null>`(array_agg(last_error order by seq desc)
            filter (where last_error is not null))[1]`,
        })
        .from(notifications)
        .where(and(isNotNull(notifications.instance), sql`${notifications.state} <> 'sent'`))
        .groupBy(notifications.instance),
    ),
  ]);
  const found = new Map(open.map(({ instance, ...rest }) => [instance, rest]));
  return new Map(
    sites.map(({ instance, ...site }) => [
      instance,
      { ...site, underWay: 0, failed: 0, oldestUnderWayAt: null, lastError: null, ...found.get(instance) },
    ]),
  );
}
