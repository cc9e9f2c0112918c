import type Database from 'better-sqlite3';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { EventName, WorkKind } from '../../../../common/uplink/work-item.ts';
import type { WorkPort, WorkState } from '../../../uplink/work/port.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import { HighWaterMark } from '../../engine/high-water-mark.ts';
import type { Meta } from '../../engine/meta.ts';
import type { TransactionParticipant } from '../../engine/transaction.ts';
import type { SiteEvents } from '../event.ts';
import { type WorkRow, workStates } from './work-state.ts';
import { prepareWork } from './work-statements.ts';

/** What a change is of, and the newest event that it names. */
export interface WorkSubject {
  kind: WorkKind;
  /** Of messages to a camera the id of their event. */
  id: number;
  eventId: number;
  /** Idempotency key of the event of a task or of messages. */
  eventKey: string | null;
  /** Of a group that has changed in nothing but its facts and these new members; null: in more. */
  added?: readonly number[] | null;
}

/**
 * The numbers of changes of tasks and groups on SQLite: one row a thing, which moves to the end with each
 * change. Invariants: the row is written in the transaction of the change; numbers ascend and are never given
 * again; only what is durable is read for sending.
 */
export class SiteWork implements WorkPort, TransactionParticipant {
  #meta: Meta;
  #events: SiteEvents;
  #sql: ReturnType<typeof prepareWork>;
  #state: (row: WorkRow) => WorkState | null;
  /** Last event and base of the items that went up in part, by number, until headquarters has answered. */
  #parts = new Map<number, { last: number; baseNo: number | null }>();
  #dirty = false;
  #numbers: HighWaterMark;

  /** Reads the last number. Everything in the database must be durable. */
  constructor(group: GroupCommit, orm: BetterSQLite3Database, meta: Meta, events: SiteEvents) {
    this.#meta = meta;
    this.#events = events;
    this.#sql = prepareWork(group.sqlite);
    this.#state = workStates(orm, (id): EventName => ({
      key: events.read(id)?.idempotencyKey ?? null,
      id,
    }));
    this.#numbers = new HighWaterMark(this.#lastNo());
    group.joinTransactions(this);
    group.joinSyncs(this.#numbers);
  }

  committed(): void {
    if (this.#dirty) this.#numbers.commit(this.#lastNo());
    this.#dirty = false;
  }

  rolledBack(): void {
    this.#dirty = false;
  }

  /**
   * Within the open transaction that changes it. An item of it that headquarters refused is as good as sent
   * again: the new number brings the whole.
   * @param at epoch ms
   */
  changed(subject: WorkSubject, at: number): void {
    const { kind, id, eventId, eventKey, added = null } = subject;
    const before = this.#sql.of.get(kind, id);
    const stored =
      before !== undefined && this.#sql.isStored.get({ changeNo: before.changeNo }) !== undefined;
    if (before) {
      this.#sql.settleParked.run(at, before.changeNo);
      this.#sql.drop.run(kind, id);
    }
    const baseNo = added === null || !before ? null : stored ? before.changeNo : before.baseNo;
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

  #add({ kind, id, eventId, eventKey }: WorkSubject, at: number, baseNo: number | null): void {
    const changeNo = this.#lastNo() + 1;
    this.#sql.add.run(changeNo, kind, id, at, eventId, eventKey, baseNo);
    this.#meta.set('last_work_no', changeNo);
    this.#dirty = true;
  }

  /**
   * Within the open transaction that notes that headquarters lacks the change on which this one stands, or
   * cannot take it as it was: what it is of goes up whole, under a new number.
   */
  sendWhole(changeNo: number, at: number): void {
    const [row] = this.#sql.after.all(changeNo - 1, changeNo);
    if (row) this.changed({ ...row, id: row.subjectId }, at);
  }

  /**
   * Within the open transaction that notes that headquarters has stored these items: what is left of a group
   * that went up in part follows under a new number. One that has changed meanwhile has one already.
   */
  stored(isStored: (changeNo: number) => boolean): void {
    for (const [changeNo, { last, baseNo }] of this.#parts) {
      if (!isStored(changeNo)) continue;
      const [row] = this.#sql.after.all(changeNo - 1, changeNo);
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
      this.#parts.delete(row.changeNo);
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
  deleted(kind: WorkKind, id: number, at: number): void {
    const before = this.#sql.of.get(kind, id);
    if (before) this.#sql.settleParked.run(at, before.changeNo);
    this.#sql.drop.run(kind, id);
    if (kind === 'group') this.#sql.forgetAdded.run(id);
  }

  head(): number {
    return this.#numbers.durable;
  }

  read(
    after: number,
    limit: number,
    { eventsThrough, maxBytes }: Parameters<WorkPort['read']>[2],
  ): WorkState[] {
    const found: WorkState[] = [];
    /** Groups whose other members are to follow; what went to one of them goes up after it. */
    const unfinished = new Set<number>();
    let bytes = 0;
    for (const row of this.#sql.after.iterate(after, this.#numbers.durable)) {
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

  one(changeNo: number): WorkState | null {
    const [row] = this.#sql.after.all(changeNo - 1, changeNo);
    return row ? this.#read({ ...row, baseNo: null }) : null;
  }

  #read(row: WorkRow): WorkState | null {
    const state = this.#state(row);
    const last = state?.last ?? null;
    if (last === null) this.#parts.delete(row.changeNo);
    else this.#parts.set(row.changeNo, { last, baseNo: row.baseNo });
    return state;
  }

  waiting(after: number, atMost: number): number {
    return this.#sql.countAfter.get(after, this.#numbers.durable, atMost) ?? 0;
  }

  oldestAfter(after: number): number | null {
    return this.#sql.oldestAfter.get(after, this.#numbers.durable) ?? null;
  }

  bytesAfter(after: number): number {
    return this.#sql.bytesAfter.get({ after, through: this.#numbers.durable }) ?? 0;
  }

  #lastNo(): number {
    return this.#meta.number('last_work_no');
  }
}

/**
 * Numbers the tasks and groups of a store that was salvaged, which has no numbers of them yet. To be called
 * before anything else writes.
 */
export function numberWork(sqlite: Database.Database, meta: Meta): void {
  const numbered = sqlite.prepare('SELECT 1 FROM work_changes LIMIT 1').get() !== undefined;
  if (numbered) return;
  const number = sqlite.transaction(() => {
    const last = meta.number('last_work_no');
    const { changes } = sqlite
      .prepare(
        `INSERT INTO work_changes (change_no, kind, subject_id, at, event_id, event_key)
         SELECT @last + row_number() OVER (ORDER BY at, kind DESC, id), kind, id, at, event_id, event_key
         FROM (
           SELECT 'task' AS kind, t.id, t.updated_at AS at, coalesce(t.event_id, 0) AS event_id,
             (SELECT e.idempotency_key FROM events e WHERE e.id = t.event_id) AS event_key FROM tasks t
           UNION ALL SELECT 'group', i.id, i.updated_at,
             coalesce((SELECT max(m.event_id) FROM incident_members m WHERE m.incident_id = i.id), 0), NULL
           FROM incidents i
           UNION ALL SELECT 'order', o.seq, o.at, 0, NULL FROM uplink_orders o
           UNION ALL SELECT 'feedback', f.event_id, max(f.created_at), f.event_id,
             (SELECT e.idempotency_key FROM events e WHERE e.id = f.event_id) FROM feedback f
             GROUP BY f.event_id)`,
      )
      .run({ last });
    if (changes > 0) meta.set('last_work_no', last + changes);
  });
  number.immediate();
}
