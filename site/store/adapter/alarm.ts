import { EventEmitter } from 'node:events';
import { and, asc, count, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type {
  AlarmChange,
  AlarmCounts,
  AlarmFilter,
  AlarmOrder,
  AlarmPort,
  AlarmRecord,
  RaiseAlarm,
} from '../../../common/core/alarm/port.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { alarms } from '../schema/tables.ts';

export class SiteAlarms implements AlarmPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #changes = new EventEmitter<{ changed: [AlarmChange] }>();

  constructor(group: GroupCommit, orm: BetterSQLite3Database) {
    this.#group = group;
    this.#orm = orm;
  }

  async raise({ since, shared: _one, ...alarm }: RaiseAlarm, now: number): Promise<boolean> {
    const { key, instance, severity } = alarm;
    const { began, changed } = await this.#group.write(() => {
      const prior = this.#read(key, instance);
      const standing = prior !== null && prior.clearedAt === null;
      const row: AlarmRecord = {
        ...alarm,
        details: alarm.details ?? null,
        raisedAt: since ?? (standing ? prior.raisedAt : now),
        count: standing ? prior.count + 1 : 1,
        lastAt: now,
        clearedAt: null,
        takenBy: standing ? prior.takenBy : null,
        takenAt: standing ? prior.takenAt : null,
      };
      this.#orm
        .insert(alarms)
        .values(row)
        .onConflictDoUpdate({ target: [alarms.instance, alarms.key], set: row })
        .run();
      return { began: !standing, changed: !standing || prior.severity !== severity };
    });
    if (changed) this.#changes.emit('changed', { key, instance, severity, standing: true });
    return began;
  }

  async clear(key: string, instance: string | null, now: number): Promise<boolean> {
    const standing = and(
      eq(alarms.key, key),
      instance === null ? undefined : eq(alarms.instance, instance),
      isNull(alarms.clearedAt),
    );
    if (!this.#orm.select({ key: alarms.key }).from(alarms).where(standing).get()) return false;
    const ended = await this.#group.write(() =>
      this.#orm
        .update(alarms)
        .set({ clearedAt: now })
        .where(standing)
        .returning({ key: alarms.key, instance: alarms.instance, severity: alarms.severity })
        .all(),
    );
    for (const alarm of ended) this.#changes.emit('changed', { ...alarm, standing: false });
    return ended.length > 0;
  }

  take(key: string, instance: string, by: string, now: number): Promise<boolean> {
    return this.#group.write(
      () =>
        this.#orm
          .update(alarms)
          .set({ takenBy: by, takenAt: now })
          .where(and(eq(alarms.key, key), eq(alarms.instance, instance), isNull(alarms.clearedAt)))
          .run().changes > 0,
    );
  }

  onChange(told: (change: AlarmChange) => void): void {
    this.#changes.on('changed', told);
  }

  async list(filter: AlarmFilter, limit: number, order: AlarmOrder = 'recent'): Promise<AlarmRecord[]> {
    const where: (SQL | undefined)[] = [];
    if (filter.tenantCode !== null) where.push(eq(alarms.tenantCode, filter.tenantCode));
    if (filter.instance !== undefined) where.push(eq(alarms.instance, filter.instance));
    if (filter.severity !== undefined) where.push(eq(alarms.severity, filter.severity));
    if (filter.keys) where.push(or(...filter.keys.map((key) => sql`instr(${alarms.key}, ${key}) = 1`)));
    if (!filter.includeCleared) where.push(isNull(alarms.clearedAt));
    const rows = this.#orm
      .select()
      .from(alarms)
      .where(and(...where))
      .orderBy(
        // By name "critical" comes before "warning".
        ...(order === 'worst' ? [asc(alarms.severity), asc(alarms.raisedAt)] : [desc(alarms.lastAt)]),
        alarms.key,
      )
      .limit(limit)
      .all();
    return rows.map(({ details, ...rest }) => ({ ...rest, details: details ?? null }));
  }

  async standing(tenantCode: string | null): Promise<AlarmCounts> {
    const counts: AlarmCounts = { warning: 0, critical: 0 };
    const rows = this.#orm
      .select({ severity: alarms.severity, alarms: count() })
      .from(alarms)
      .where(
        and(isNull(alarms.clearedAt), tenantCode === null ? undefined : eq(alarms.tenantCode, tenantCode)),
      )
      .groupBy(alarms.severity)
      .all();
    for (const row of rows) counts[row.severity] = row.alarms;
    return counts;
  }

  #read(key: string, instance: string): AlarmRecord | null {
    const row = this.#orm
      .select()
      .from(alarms)
      .where(and(eq(alarms.key, key), eq(alarms.instance, instance)))
      .get();
    return row ? { ...row, details: row.details ?? null } : null;
  }
}
