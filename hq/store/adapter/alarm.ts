import { EventEmitter } from 'node:events';
import { and, asc, count, desc, eq, isNull, or, sql } from 'drizzle-orm';
import type {
  AlarmChange,
  AlarmCounts,
  AlarmFilter,
  AlarmOrder,
  AlarmPort,
  AlarmRecord,
  RaiseAlarm,
} from '../../../common/core/alarm/port.ts';
import { sites } from '../../receiver/store/schema.ts';
import { lockName } from '../engine/advisory-lock.ts';
import type { Database, Db } from '../engine/database.ts';
import { alarms } from '../schema/tables.ts';

/** What a site reports stands under its name, and is none of the alarms that processes of hubs share. */
const ofNoSite = sql`not exists (select from ${sites} where ${sites.instance} = ${alarms.instance})`;

export class HubAlarms implements AlarmPort {
  #database: Database;
  #changes = new EventEmitter<{ changed: [AlarmChange] }>();

  constructor(database: Database) {
    this.#database = database;
  }

  async raise({ shared, ...alarm }: RaiseAlarm, now: number): Promise<boolean> {
    const { key, severity } = alarm;
    const { began, instance } = await (shared
      ? this.#database.transaction(async (tx) => {
          await lockName(tx, `alarm ${key}`);
          const [standing] = await tx.db
            .select({ instance: alarms.instance })
            .from(alarms)
            .where(and(eq(alarms.key, key), isNull(alarms.clearedAt), ofNoSite))
            .orderBy(alarms.instance)
            .limit(1);
          return upsert(tx.db, { ...alarm, ...standing }, now);
        })
      : this.#database.read((db) => upsert(db, alarm, now)));
    if (began) this.#changes.emit('changed', { key, instance, severity, standing: true });
    return began;
  }

  async clear(key: string, instance: string | null, now: number): Promise<boolean> {
    const ended = await this.#database.read((db) =>
      db
        .update(alarms)
        .set({ clearedAt: now })
        .where(
          and(
            instance === null ? ofNoSite : eq(alarms.instance, instance),
            eq(alarms.key, key),
            isNull(alarms.clearedAt),
          ),
        )
        .returning({ key: alarms.key, instance: alarms.instance, severity: alarms.severity }),
    );
    for (const alarm of ended) this.#changes.emit('changed', { ...alarm, standing: false });
    return ended.length > 0;
  }

  take(key: string, instance: string, by: string, now: number): Promise<boolean> {
    return this.#database.read(async (db) => {
      const { rowCount } = await db
        .update(alarms)
        .set({ takenBy: by, takenAt: now })
        .where(and(eq(alarms.key, key), eq(alarms.instance, instance), isNull(alarms.clearedAt)));
      return rowCount === 1;
    });
  }

  onChange(told: (change: AlarmChange) => void): void {
    this.#changes.on('changed', told);
  }

  list(filter: AlarmFilter, limit: number, order: AlarmOrder = 'recent'): Promise<AlarmRecord[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(alarms)
        .where(
          and(
            filter.tenantCode === null ? undefined : eq(alarms.tenantCode, filter.tenantCode),
            filter.instance === undefined ? undefined : eq(alarms.instance, filter.instance),
            filter.severity === undefined ? undefined : eq(alarms.severity, filter.severity),
            filter.keys && or(...filter.keys.map((key) => sql`starts_with(${alarms.key}, ${key})`)),
            filter.includeCleared ? undefined : isNull(alarms.clearedAt),
          ),
        )
        .orderBy(
          // By name "critical" comes before "warning".
          ...(order === 'worst' ? [asc(alarms.severity), asc(alarms.raisedAt)] : [desc(alarms.lastAt)]),
          alarms.instance,
          alarms.key,
        )
        .limit(limit),
    );
  }

  standing(tenantCode: string | null): Promise<AlarmCounts> {
    return this.#database.read(async (db) => {
      const rows = await db
        .select({ severity: alarms.severity, alarms: count() })
        .from(alarms)
        .where(
          and(isNull(alarms.clearedAt), tenantCode === null ? undefined : eq(alarms.tenantCode, tenantCode)),
        )
        .groupBy(alarms.severity);
      const counts: AlarmCounts = { warning: 0, critical: 0 };
      for (const row of rows) counts[row.severity] = row.alarms;
      return counts;
    });
  }
}

async function upsert(
  db: Db,
  { since, ...alarm }: Omit<RaiseAlarm, 'shared'>,
  now: number,
): Promise<{ began: boolean; instance: string }> {
  const { instance, tenantCode, severity, message } = alarm;
  const details = alarm.details ?? null;
  const [row] = await db
    .insert(alarms)
    .values({ ...alarm, details, raisedAt: since ?? now, count: 1, lastAt: now, clearedAt: null })
    .onConflictDoUpdate({
      target: [alarms.instance, alarms.key],
      set: {
        tenantCode,
        severity,
        message,
        details,
        lastAt: now,
        clearedAt: null,
        count: sql`case when ${alarms.clearedAt} is null then ${alarms.count} + 1 else 1 end`,
        takenBy: sql`case when ${alarms.clearedAt} is null then ${alarms.takenBy} end`,
        takenAt: sql`case when ${alarms.clearedAt} is null then ${alarms.takenAt} end`,
        raisedAt: since ?? sql`case when ${alarms.clearedAt} is null then ${alarms.raisedAt} else ${now} end`,
      },
    })
    .returning({ count: alarms.count });
  return { began: row?.count === 1, instance };
}
