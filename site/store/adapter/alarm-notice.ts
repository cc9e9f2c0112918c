import { and, eq, notInArray } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { AlarmNoticePort } from '../../../common/agent/alarm/port.ts';
import type { AlarmNotice, NoticeChange } from '../../../common/agent/alarm/record.ts';
import type { NewNotification } from '../../../common/core/notification/record.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { alarmNotices } from '../schema/tables.ts';
import type { SiteNotifications } from './notification.ts';

/** What channels were told of alarms. One process has the store, so that nobody else tells meanwhile. */
export class SiteAlarmNotices implements AlarmNoticePort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #notifications: SiteNotifications;

  constructor(group: GroupCommit, orm: BetterSQLite3Database, notifications: SiteNotifications) {
    this.#group = group;
    this.#orm = orm;
    this.#notifications = notifications;
  }

  async list(): Promise<AlarmNotice[]> {
    return this.#orm.select().from(alarmNotices).all();
  }

  tell(message: NewNotification, changes: readonly NoticeChange[]): Promise<boolean> {
    return this.#group.write(() => {
      for (const { alarm, after } of changes) {
        const { channelId, instance, key } = alarm;
        const row = and(
          eq(alarmNotices.channelId, channelId),
          eq(alarmNotices.instance, instance),
          eq(alarmNotices.key, key),
        );
        this.#orm.delete(alarmNotices).where(row).run();
        if (after) this.#orm.insert(alarmNotices).values(after).run();
      }
      this.#notifications.add([message]);
      return true;
    });
  }

  async forget(channels: readonly string[]): Promise<void> {
    await this.#group.write(() =>
      this.#orm
        .delete(alarmNotices)
        .where(notInArray(alarmNotices.channelId, [...channels]))
        .run(),
    );
  }
}
