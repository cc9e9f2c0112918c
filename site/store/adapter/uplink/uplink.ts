import { and, asc, count, eq, type SQL } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { BASE_UNKNOWN, type ChannelName } from '../../../../common/uplink/wire.ts';
import type {
  Advance,
  ChannelState,
  ParkedItem,
  ParkedRecord,
  ParkedState,
  UplinkStatePort,
} from '../../../uplink/port.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import { uplinkChannels, uplinkParked } from '../../schema/tables.ts';
import type { SiteAudit } from '../audit.ts';
import type { SiteEvents } from '../event.ts';
import type { ChangeLog } from './change-log.ts';
import { GivenUpEvents } from './given-up.ts';

/**
 * Positions of the uplink, and what headquarters refused. `sentTotal` counts what headquarters had after each
 * sending, duplicates included.
 */
export class SiteUplink implements UplinkStatePort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #events: SiteEvents;
  #changes: ChangeLog;
  #audit: SiteAudit;
  #newId: () => string;
  #givenUp: GivenUpEvents;

  constructor(
    group: GroupCommit,
    orm: BetterSQLite3Database,
    events: SiteEvents,
    changes: ChangeLog,
    audit: SiteAudit,
    newId: () => string,
  ) {
    this.#group = group;
    this.#orm = orm;
    this.#events = events;
    this.#changes = changes;
    this.#audit = audit;
    this.#newId = newId;
    this.#givenUp = new GivenUpEvents(orm);
  }

  channel(name: ChannelName): ChannelState {
    const row = this.#orm.select().from(uplinkChannels).where(eq(uplinkChannels.name, name)).get();
    return (
      row ?? {
        name,
        hubEpoch: null,
        cursor: 0,
        cursorAt: null,
        lastAckAt: null,
        sentTotal: 0,
        duplicateTotal: 0,
      }
    );
  }

  advance(advance: Advance, now: number): Promise<void> {
    return this.#group.write(() => {
      const prior = this.channel(advance.channel);
      const ahead = advance.cursor >= prior.cursor;
      this.#save({
        name: advance.channel,
        hubEpoch: advance.hubEpoch,
        cursor: ahead ? advance.cursor : prior.cursor,
        cursorAt: ahead ? (advance.cursorAt ?? prior.cursorAt) : prior.cursorAt,
        lastAckAt: now,
        sentTotal: prior.sentTotal + advance.accepted + advance.duplicates,
        duplicateTotal: prior.duplicateTotal + advance.duplicates,
      });
      for (const item of advance.parked) {
        if (item.error === BASE_UNKNOWN) this.#changes.sendWhole(item.originId, now);
        else this.#park(item, now);
      }
      if (advance.channel === 'events') return this.#changes.released(Math.max(prior.cursor, advance.cursor));
      if (advance.cursor > prior.cursor) this.#changes.gapTold(prior.cursor);
      const refused = new Set(advance.parked.map(({ originId }) => originId));
      this.#changes.stored((changeNo) => changeNo <= advance.cursor && !refused.has(changeNo));
    });
  }

  rewind(name: ChannelName, cursor: number, hubEpoch: string): Promise<void> {
    return this.#group.write(() => {
      const prior = this.channel(name);
      const lower = cursor < prior.cursor;
      if (lower && name === 'verdicts') this.#changes.rewound(cursor);
      this.#save({
        ...prior,
        hubEpoch,
        cursor: lower ? cursor : prior.cursor,
        cursorAt: lower ? null : prior.cursorAt,
      });
    });
  }

  parked(filter: { channel?: ChannelName; state?: ParkedState }, limit: number): ParkedRecord[] {
    const where: SQL[] = [];
    if (filter.channel !== undefined) where.push(eq(uplinkParked.channel, filter.channel));
    if (filter.state !== undefined) where.push(eq(uplinkParked.state, filter.state));
    return this.#orm
      .select()
      .from(uplinkParked)
      .where(and(...where))
      .orderBy(asc(uplinkParked.channel), asc(uplinkParked.originId))
      .limit(limit)
      .all();
  }

  parkedCount(name: ChannelName, error?: string): number {
    const row = this.#orm
      .select({ rows: count() })
      .from(uplinkParked)
      .where(
        and(
          eq(uplinkParked.channel, name),
          eq(uplinkParked.state, 'parked'),
          error === undefined ? undefined : eq(uplinkParked.error, error),
        ),
      )
      .get();
    return row?.rows ?? 0;
  }

  replayed(
    channel: ChannelName,
    accepted: readonly number[],
    refused: readonly ParkedItem[],
    now: number,
  ): Promise<void> {
    return this.#group.write(() => {
      for (const originId of accepted) {
        this.#orm
          .update(uplinkParked)
          .set({ state: 'replayed', lastAt: now })
          .where(byItem(channel, originId))
          .run();
      }
      for (const item of refused) this.#park({ ...item, channel }, now);
      if (channel === 'verdicts') this.#changes.stored((changeNo) => accepted.includes(changeNo));
    });
  }

  discard(channel: ChannelName, originId: number, now: number, actor: string): Promise<boolean> {
    return this.#group.write(() => {
      const item = this.#item(channel, originId);
      if (item?.state !== 'parked') return false;
      this.#giveUp(item, now, actor);
      for (const other of channel === 'events' ? this.#givenUp.parkedOf(originId) : []) {
        if (this.#givenUp.covers(other)) this.#giveUp(other, now, actor);
        else this.#changes.sendWhole(other.originId, now);
      }
      return true;
    });
  }

  #giveUp(item: ParkedRecord, now: number, actor: string): void {
    const { channel, originId } = item;
    const after: ParkedRecord = { ...item, state: 'discarded', lastAt: now };
    this.#orm.update(uplinkParked).set(after).where(byItem(channel, originId)).run();
    this.#audit.insert({
      ...{ id: this.#newId(), at: now, actor, action: 'uplink.discarded' },
      ...{ subject: `parked:${channel}:${originId}`, tenantCode: null, before: item, after },
    });
  }

  backlogBytes(name: ChannelName, after: number, waiting: number): number {
    return name === 'events' ? this.#events.estimateBytes(after) : this.#changes.bytesAfter(after, waiting);
  }

  waiting(name: ChannelName, after: number, atMost: number): number {
    return name === 'events' ? this.#events.countAfter(after, atMost) : this.#changes.waiting(after, atMost);
  }

  oldestUnsentAt(name: ChannelName, after: number): number | null {
    return name === 'events' ? this.#events.receivedAfter(after) : this.#changes.oldestAfter(after);
  }

  #park(item: ParkedItem, now: number): void {
    const prior = this.#item(item.channel, item.originId);
    const row: ParkedRecord = {
      ...item,
      // What is of events alone that a person gave up waits for nobody.
      state: this.#givenUp.covers(item) ? 'discarded' : 'parked',
      count: (prior?.count ?? 0) + 1,
      firstAt: prior?.firstAt ?? now,
      lastAt: now,
    };
    this.#orm
      .insert(uplinkParked)
      .values(row)
      .onConflictDoUpdate({ target: [uplinkParked.channel, uplinkParked.originId], set: row })
      .run();
  }

  #item(channel: ChannelName, originId: number): ParkedRecord | null {
    return this.#orm.select().from(uplinkParked).where(byItem(channel, originId)).get() ?? null;
  }

  #save(state: ChannelState): void {
    this.#orm
      .insert(uplinkChannels)
      .values(state)
      .onConflictDoUpdate({ target: uplinkChannels.name, set: state })
      .run();
  }
}

function byItem(channel: ChannelName, originId: number): SQL | undefined {
  return and(eq(uplinkParked.channel, channel), eq(uplinkParked.originId, originId));
}
