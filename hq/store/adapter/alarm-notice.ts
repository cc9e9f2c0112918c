import { and, eq, notInArray } from 'drizzle-orm';
import type { AlarmNoticePort } from '../../../common/agent/alarm/port.ts';
import type { AlarmNotice, NoticeChange } from '../../../common/agent/alarm/record.ts';
import type { NewNotification } from '../../../common/core/notification/record.ts';
import { lockName } from '../engine/advisory-lock.ts';
import type { Database } from '../engine/database.ts';
import { alarmNotices } from '../schema/tables.ts';
import { addNotifications } from './notification.ts';

/** What channels were told of alarms; of several processes that look at once one tells. */
export class HubAlarmNotices implements AlarmNoticePort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(): Promise<AlarmNotice[]> {
    return this.#database.read((db) => db.select().from(alarmNotices));
  }

  tell(message: NewNotification, changes: readonly NoticeChange[]): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const { channelId } = message;
      if (channelId === null) throw new Error('a message about alarms needs a channel');
      await lockName(tx, `alarm notices ${channelId}`);
      const known = await tx.db.select().from(alarmNotices).where(eq(alarmNotices.channelId, channelId));
      const at = new Map(known.map(({ instance, key, toldAt }) => [`${instance}\n${key}`, toldAt]));
      if (changes.some(({ alarm, before }) => (at.get(`${alarm.instance}\n${alarm.key}`) ?? null) !== before))
        return false;
      for (const { alarm, after } of changes) {
        const row = and(
          eq(alarmNotices.channelId, channelId),
          eq(alarmNotices.instance, alarm.instance),
          eq(alarmNotices.key, alarm.key),
        );
        await tx.db.delete(alarmNotices).where(row);
        if (after) await tx.db.insert(alarmNotices).values(after);
      }
      await addNotifications(tx, [message], message.createdAt);
      return true;
    });
  }

  forget(channels: readonly string[]): Promise<void> {
    return this.#database.read(
      async (db) =>
        void (await db.delete(alarmNotices).where(notInArray(alarmNotices.channelId, [...channels]))),
    );
  }
}
