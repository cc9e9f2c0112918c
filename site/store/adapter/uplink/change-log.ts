import type Database from 'better-sqlite3';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { type ChangeKind, isJudgement, type JudgementKind } from '../../../../common/uplink/change/item.ts';
import type { EventName } from '../../../../common/uplink/change/names.ts';
import type { ChangePort, ChangeState } from '../../../uplink/changes/port.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import { HighWaterMark } from '../../engine/high-water-mark.ts';
import type { Meta } from '../../engine/meta.ts';
import type { TransactionParticipant } from '../../engine/transaction.ts';
import type { SiteEvents } from '../event.ts';
import { type ChangeRow, changeStates } from './change-state.ts';
import { type Numbered, prepareChangeLog, prepareRelease, prepareSentEvents } from './change-statements.ts';

/** What a change is of, and the newest event that it names. */
export interface ChangeSubject {
  kind: Exclude<ChangeKind, JudgementKind>;
  /** Of messages to a camera the id of their event. */
  id: number;
  eventId: number;
  /** Idempotency key of the event of a task or of messages. */
  eventKey: string | null;
  /** Of a group that has changed in nothing but its facts and these new members; null: in more. */
  added?: readonly number[] | null;
}

/**
 * The log of what goes up beside events, on SQLite. Judgements stand in it each by itself; any other thing
 * has one row, which moves to the end with each change. Invariants: the row is written in the transaction of
 * the change; a number is given once the events that the change names have gone up, in the order of writing;
 * numbers ascend and are never given again; only what is durable is read for sending.
 */
export class ChangeLog implements ChangePort, TransactionParticipant {
  #meta: Meta;
  #events: SiteEvents;
  #sql: ReturnType<typeof prepareChangeLog>;
  #state: (row: Numbered) => ChangeState | null;
  /** Last event and base of the items that went up in part, by number, until headquarters has answered. */
  #parts = new Map<number, { last: number; baseNo: number | null }>();
  #dirty = false;
  #numbers: HighWaterMark;

  /** Reads the last number. Everything in the database must be durable. */
  constructor(group: GroupCommit, orm: BetterSQLite3Database, meta: Meta, events: SiteEvents) {
    this.#meta = meta;
    this.#events = events;
    this.#sql = prepareChangeLog(group.sqlite);
    this.#state = changeStates(orm, (id): EventName => ({
      key: events.read(id)?.idempotencyKey ?? null,
      id,
    }));
    this.#numbers = new HighWaterMark(this.#lastNo());
    group.joinSyncs(this.#numbers);
  }

  committed(): void {
    if (this.#dirty) this.#numbers.commit(this.#lastNo());
    this.#dirty = false;
  }

  rolledBack(): void {
    this.#dirty = false;
  }

  /** Within the open transaction that writes the judgement. @param at epoch ms */
  judged(
    { kind, changeNo: id, eventId }: { kind: JudgementKind; changeNo: number; eventId: number },
    at: number,
  ): void {
    this.#add({ kind, id, eventId, eventKey: null }, at, null);
  }

  /**
   * Within the open transaction that changes it. An item of it that headquarters refused is as good as sent
   * again: the new number brings the whole.
   * @param at epoch ms
   */
  changed(subject: ChangeSubject, at: number): void {
    const { kind, id, eventId, eventKey, added = null } = subject;
    const before = this.#sql.of.get(kind, id);
    const sent = before?.no ?? null;
    const stored = sent !== null && this.#sql.isStored.get({ no: sent }) !== undefined;
    if (sent !== null) this.#sql.settleParked.run(at, sent);
    if (before) this.#sql.drop.run(kind, id);
    const baseNo = added === null || !before ? null : stored ? sent : before.baseNo;
    if (kind === 'group') {
      if (stored || baseNo === null) this.#sql.forgetAdded.run(id);
      if (baseNo !== null) for (const member of added ?? []) this.#sql.addMember.run(id, member);
    }
    this.#add({ kind, id, eventId, eventKey: eventKey ?? before?.eventKey ?? null }, at, baseNo);
  }

  /** Within the open transaction that changes what is known of a message to the camera of an event. */
  told(eventId: number, at: number): void {
    const eventKey = this.#events.read(eventId)?.idempotencyKey ?? null;
    this.changed({ kind: 'feedback', id: eventId, eventId, eventKey }, at);
  }

  #add({ kind, id, eventId, eventKey }: NewChange, at: number, baseNo: number | null): void {
    const no = eventId <= this.#sql.sentEvents() ? this.#lastNo() + 1 : null;
    this.#sql.add.run(no, kind, id, at, eventId, eventKey, baseNo);
    if (no !== null) this.#gave(no);
  }

  /** Within the open transaction that notes that headquarters has the events up to `through`. */
  released(through: number): void {
    const last = this.#lastNo();
    const count = this.#sql.release({ through, last });
    if (count > 0) this.#gave(last + count);
  }

  /**
   * Within the open transaction that notes an answer: headquarters, which stood at `cursor`, has heard from
   * which number on all judgements are kept, and what it lacks of them for ever.
   */
  gapTold(cursor: number): void {
    if (cursor < this.#meta.number('last_dropped_no')) this.#meta.set('last_dropped_no', 0);
  }

  #gave(last: number): void {
    this.#meta.set('last_sent_no', last);
    this.#dirty = true;
  }

  /**
   * Within the open transaction that notes that headquarters lacks the change on which this one stands, or
   * cannot take it as it was: what it is of goes up whole, under a new number.
   */
  sendWhole(changeNo: number, at: number): void {
    const row = this.#sql.at.get(changeNo);
    if (row && !isJudgement(row.kind)) this.changed({ ...row, kind: row.kind, id: row.subjectId }, at);
  }

  /**
   * Within the open transaction that notes that headquarters has stored these items: what is left of a group
   * that went up in part follows under a new number. One that has changed meanwhile has one already.
   */
  stored(isStored: (changeNo: number) => boolean): void {
    for (const [changeNo, { last, baseNo }] of this.#parts) {
      if (!isStored(changeNo)) continue;
      const row = this.#sql.at.get(changeNo);
      if (!row) {
        this.#parts.delete(changeNo);
        continue;
      }
      const { subjectId: id, at, eventId, eventKey } = row;
      if (baseNo === null) this.#sql.addRest.run(id, last);
      else this.#sql.dropSent.run(id, last);
      this.#sql.drop.run('group', id);
      this.#add({ kind: 'group', id, eventId, eventKey }, at, changeNo);
      this.#follow(id, changeNo);
    }
  }

  /** What was merged into a group goes up behind the rest of it. */
  #follow(target: number, after: number): void {
    for (const row of this.#sql.mergedInto.all({ target, after })) {
      this.#parts.delete(row.no);
      this.#sql.drop.run('group', row.subjectId);
      this.#add({ ...row, id: row.subjectId }, row.at, row.baseNo);
    }
  }

  /**
   * Within the open transaction that takes the channel back to a position: what headquarters had of groups
   * beyond it may be lost there.
   */
  rewound(position: number): void {
    this.#sql.forgetAddedSince.run(position);
    this.#sql.forgetBases.run(position);
  }

  /** Within the open transaction that deletes it; headquarters keeps what it has by its own rules. */
  deleted(kind: ChangeKind, id: number, at: number): void {
    const before = this.#sql.of.get(kind, id);
    if (typeof before?.no === 'number') this.#sql.settleParked.run(at, before.no);
    this.#sql.drop.run(kind, id);
    if (kind === 'group') this.#sql.forgetAdded.run(id);
  }

  head(): number {
    return this.#numbers.durable;
  }

  oldest(): number {
    return this.#meta.number('last_dropped_no') + 1;
  }

  read(
    after: number,
    limit: number,
    { eventsThrough, maxBytes }: Parameters<ChangePort['read']>[2],
  ): ChangeState[] {
    const found: ChangeState[] = [];
    /** Groups whose other members are to follow; what went to one of them goes up after it. */
    const unfinished = new Set<number>();
    let bytes = 0;
    for (const row of this.#sql.after.iterate(after, this.#numbers.durable)) {
      // Where headquarters lost events, they come before what was numbered after them.
      if (row.eventId > eventsThrough || found.length >= limit || bytes >= maxBytes) break;
      const state = this.#read(row);
      if (state === null) continue;
      if (state.mergedInto !== null && unfinished.has(state.mergedInto)) break;
      if (state.last !== null) unfinished.add(row.subjectId);
      bytes += state.text.length;
      found.push(state);
    }
    return found;
  }

  one(changeNo: number): ChangeState | null {
    const row = this.#sql.at.get(changeNo);
    return row ? this.#read({ ...row, baseNo: null }) : null;
  }

  #read(row: Numbered): ChangeState | null {
    const state = this.#state(row);
    const last = state?.last ?? null;
    if (last === null) this.#parts.delete(row.no);
    else this.#parts.set(row.no, { last, baseNo: row.baseNo });
    return state;
  }

  waiting(after: number, atMost: number): number {
    return this.#sql.countAfter.get(after, atMost) ?? 0;
  }

  oldestAfter(after: number): number | null {
    return this.#sql.oldestAfter.get(after) ?? null;
  }

  bytesAfter(after: number, waiting: number): number {
    return this.#sql.bytesAfter.get({ after, waiting }) ?? 0;
  }

  #lastNo(): number {
    return this.#meta.number('last_sent_no');
  }
}

type NewChange = Pick<ChangeRow, 'kind' | 'eventId' | 'eventKey'> & { id: number };

/**
 * Writes the log of a store that was salvaged, which has none yet. To be called before anything else writes.
 */
export function fillChangeLog(sqlite: Database.Database, meta: Meta): void {
  const filled = sqlite.prepare('SELECT 1 FROM changes LIMIT 1').get() !== undefined;
  if (filled) return;
  const fill = sqlite.transaction(() => {
    sqlite
      .prepare(
        `INSERT INTO changes (kind, subject_id, at, event_id, event_key)
         SELECT kind, id, at, event_id, event_key FROM (
           SELECT kind, change_no AS id, at, event_id, NULL AS event_key FROM verdict_changes
           UNION ALL SELECT 'task', t.id, t.updated_at, coalesce(t.event_id, 0),
             (SELECT e.idempotency_key FROM events e WHERE e.id = t.event_id) FROM tasks t
           UNION ALL SELECT 'group', i.id, i.updated_at,
             coalesce((SELECT max(m.event_id) FROM incident_members m WHERE m.incident_id = i.id), 0), NULL
           FROM incidents i
           UNION ALL SELECT 'order', o.seq, o.at, 0, NULL FROM uplink_orders o
           UNION ALL SELECT 'feedback', f.event_id, max(f.created_at), f.event_id,
             (SELECT e.idempotency_key FROM events e WHERE e.id = f.event_id) FROM feedback f
             GROUP BY f.event_id)
         ORDER BY at, kind DESC, id`,
      )
      .run();
    const last = meta.number('last_sent_no');
    const count = prepareRelease(sqlite)({ through: prepareSentEvents(sqlite)(), last });
    if (count > 0) meta.set('last_sent_no', last + count);
  });
  fill.immediate();
}
