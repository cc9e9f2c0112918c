import { and, asc, count, eq, inArray, isNotNull, lt, min, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Stamp } from '../../../../common/clock.ts';
import type { NotificationRecord } from '../../../../common/core/notification/record.ts';
import { decideNotified } from '../../../../common/core/task/notified.ts';
import { formatTime } from '../../../../common/time.ts';
import {
  type HandedNotification,
  type HandedResult,
  MAX_MESSAGE,
} from '../../../../common/uplink/notification.ts';
import type {
  GivenUp,
  HandoverCounts,
  HandoverPort,
  LateReasons,
  Settled,
} from '../../../uplink/notification/port.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import { notifications } from '../../schema/tables.ts';
import type { SiteChannels } from '../channel.ts';
import type { SiteEvents } from '../event.ts';
import type { SiteNotifications } from '../notification.ts';
import type { SiteTasks } from '../task.ts';

/** Who says on a task which way a notification went. */
const HEADQUARTERS = 'headquarters';
// Written out, so that the partial index is used.
const underWay = and(isNotNull(notifications.handover), sql`${notifications.state} = 'pending'`);
const untaken = and(underWay, inArray(notifications.handover, ['waiting', 'offered']));
const asked = and(underWay, inArray(notifications.handover, ['late', 'taken']));
/** What is said of a late message that headquarters turns out not to have. */
const NOT_THERE = 'headquarters does not have it, and it is too late to hand it up';
const byId = (id: string) => eq(notifications.id, id);
/** Messages that change their way in one transaction. */
const AT_ONCE = 200;

/** Notifications that headquarters is to deliver, on SQLite. */
export class SiteHandover implements HandoverPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #events: SiteEvents;
  #tasks: SiteTasks;
  #channels: SiteChannels;
  #notifications: SiteNotifications;
  #first;

  constructor(
    group: GroupCommit,
    orm: BetterSQLite3Database,
    { events, tasks, channels }: { events: SiteEvents; tasks: SiteTasks; channels: SiteChannels },
    all: SiteNotifications,
  ) {
    this.#group = group;
    this.#orm = orm;
    this.#events = events;
    this.#tasks = tasks;
    this.#channels = channels;
    this.#notifications = all;
    this.#first = orm.select({ id: notifications.id }).from(notifications).where(underWay).limit(1).prepare();
  }

  any(): boolean {
    return this.#first.get() !== undefined;
  }

  async takeBack(stamp: Stamp): Promise<number> {
    const waiting = and(underWay, eq(notifications.handover, 'waiting'));
    const own = (row: NotificationRecord): string[] =>
      this.#channels
        .enabledOf(row.tenantCode)
        .flatMap(({ id, channel }) => (channel === row.channel ? [id] : []));
    if (!this.#rows(waiting).some((row) => own(row).length > 0)) return 0;
    return this.#group.write(() => {
      let back = 0;
      for (const row of this.#rows(waiting)) {
        const [first, ...others] = own(row);
        if (first === undefined) continue;
        back += 1;
        const now = { handover: null, nextAt: stamp.now };
        this.#orm
          .update(notifications)
          .set({ ...now, channelId: first })
          .where(byId(row.id))
          .run();
        this.#notifications.add(
          others.map((channelId) => ({ ...row, ...now, channelId, id: stamp.newId() })),
        );
      }
      return back;
    });
  }

  async tooLate(before: number, { untold, unknown }: LateReasons, stamp: Stamp): Promise<GivenUp[]> {
    const old = and(untaken, lt(notifications.createdAt, before));
    if (this.#rows(old, 1).length === 0) return [];
    return this.#group.write(() =>
      this.#rows(old).map((row) => {
        if (row.handover === 'waiting') return this.#failed(row, untold, stamp);
        this.#set(row, { handover: 'late', lastError: unknown });
        this.#say(row, unknown, stamp);
        return givenUp(row, unknown, true);
      }),
    );
  }

  async offer(limit: number): Promise<HandedNotification[]> {
    const rows = this.#rows(untaken, limit);
    const fresh = rows.filter(({ handover }) => handover === 'waiting').map(({ id }) => id);
    if (fresh.length > 0)
      await this.#group.write(() => {
        this.#orm
          .update(notifications)
          .set({ handover: 'offered' })
          .where(inArray(notifications.id, fresh))
          .run();
      });
    return rows.map((row) => this.#onTheWire(row));
  }

  #onTheWire(row: NotificationRecord): HandedNotification {
    return {
      id: row.id,
      tenant_code: row.tenantCode,
      event_key: row.eventId === null ? null : (this.#events.read(row.eventId)?.idempotencyKey ?? null),
      kind: row.kind,
      channel: wayOf(row),
      rule_name: row.ruleName,
      severity: row.severity,
      message: row.message.slice(0, MAX_MESSAGE).toWellFormed(),
      is_test: row.isTest,
      created_at: row.createdAt,
    };
  }

  taken(limit: number): string[] {
    return this.#rows(asked, limit).map(({ id }) => id);
  }

  settle(results: readonly HandedResult[], stamp: Stamp): Promise<Settled> {
    const said = new Map(results.map((result) => [result.id, result]));
    return this.#group.write(() => {
      const settled: Settled = { failed: [], delivered: [] };
      const rows = this.#rows(and(underWay, inArray(notifications.id, [...said.keys()])), said.size);
      for (const row of rows) {
        const result = said.get(row.id);
        if (result) this.#settleOne(row, result, settled, stamp);
      }
      return settled;
    });
  }

  #settleOne(row: NotificationRecord, result: HandedResult, settled: Settled, stamp: Stamp): void {
    const { state, reason } = result;
    if (state === 'failed')
      settled.failed.push(this.#failed(row, `headquarters: ${reason ?? 'no reason was given'}`, stamp));
    if (state === 'sent') settled.delivered.push(this.#delivered(row, result, stamp));
    if (state === 'taken' && row.handover !== 'taken') this.#set(row, { handover: 'taken' });
    if (state !== 'unknown') return;
    if (row.handover === 'late') settled.failed.push(this.#failed(row, NOT_THERE, stamp));
    // Headquarters has lost what it does not know: it is handed up again.
    else if (row.handover !== 'offered') this.#set(row, { handover: 'offered' });
  }

  #delivered(
    row: NotificationRecord,
    { channels, reason, at }: HandedResult,
    stamp: Stamp,
  ): Pick<GivenUp, 'tenantCode' | 'channel'> {
    const settledAt = at ?? stamp.now;
    const deliveredBy = channels.join(', ').slice(0, 1_000);
    this.#end(row, { state: 'sent', handover: 'taken', settledAt, deliveredBy, lastError: reason });
    const also = reason === null ? '' : `; others failed: ${reason}`;
    this.#say(
      row,
      `delivered by headquarters through ${deliveredBy} at ${formatTime(settledAt)}${also}`,
      stamp,
    );
    return { tenantCode: row.tenantCode, channel: wayOf(row) };
  }

  #failed(row: NotificationRecord, error: string, stamp: Stamp): GivenUp {
    this.#end(row, { state: 'failed', settledAt: stamp.now, lastError: error });
    this.#say(row, `not delivered: ${error}`, stamp);
    return givenUp(row, error);
  }

  #end(row: NotificationRecord, set: Partial<NotificationRecord>): void {
    this.#set(row, { ...set, attempts: row.attempts + 1 });
  }

  #set({ id }: NotificationRecord, set: Partial<NotificationRecord>): void {
    this.#orm.update(notifications).set(set).where(byId(id)).run();
  }

  /** Notes on the task of the message, if there is one, which way it went. */
  #say({ taskId, channel }: NotificationRecord, how: string, stamp: Stamp): void {
    const { task } = taskId === null ? { task: null } : this.#tasks.seen(taskId);
    if (!task) return;
    const said = { by: HEADQUARTERS, note: `${channel}: ${how}`.slice(0, 1_000) };
    this.#tasks.writeNow(task, decideNotified(task, said, stamp));
  }

  counts(): HandoverCounts {
    const waiting = this.#orm
      .select({
        rows: count(),
        oldest: min(notifications.createdAt),
        bytes: sql<number>`coalesce(sum(octet_length(${notifications.message})), 0)`,
      })
      .from(notifications)
      .where(untaken)
      .get();
    const taken = this.#orm.select({ rows: count() }).from(notifications).where(asked).get();
    return {
      waiting: waiting?.rows ?? 0,
      bytes: waiting?.bytes ?? 0,
      oldestWaitingAt: waiting?.oldest ?? null,
      taken: taken?.rows ?? 0,
    };
  }

  #rows(which: ReturnType<typeof and>, limit = AT_ONCE): NotificationRecord[] {
    return this.#orm
      .select()
      .from(notifications)
      .where(which)
      .orderBy(asc(notifications.seq))
      .limit(limit)
      .all();
  }
}

function givenUp(row: NotificationRecord, error: string, unclear = false): GivenUp {
  const { id, tenantCode, taskId } = row;
  return { unclear, id, tenantCode, taskId, channel: wayOf(row), error };
}

/** How a message travels; those of the inbox stay at the site and are never handed up. */
const wayOf = ({ channel }: NotificationRecord): HandedNotification['channel'] =>
  channel === 'sms' ? 'sms' : 'chat';
