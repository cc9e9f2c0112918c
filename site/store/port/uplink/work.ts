import type Database from 'better-sqlite3';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { EventName, WorkKind } from '../../../../common/uplink/work-item.ts';
import type { WorkPort, WorkState } from '../../../uplink/work/port.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import { HighWaterMark } from '../../engine/high-water-mark.ts';
import type { Meta } from '../../engine/meta.ts';
import type { TransactionParticipant } from '../../engine/transaction.ts';
import type { SiteEvents } from '../event.ts';
import { workStates, type WorkRow } from './work-state.ts';

/** What a change is of, and the newest event that it names. */
export interface WorkSubject {
  kind: WorkKind;
  id: number;
  eventId: number;
  /** Idempotency key of the event of a task. */
  eventKey: string | null;
}

/**
 * The numbers of changes of tasks and groups on SQLite: one row a thing, which moves to the end with each
 * change. Invariants: the row is written in the transaction of the change; numbers ascend and are never given
 * again; only what is durable is read for sending.
 */
export class SiteWork implements WorkPort, TransactionParticipant {
  #meta: Meta;
  #sql: ReturnType<typeof prepare>;
  #state: (row: WorkRow) => WorkState | null;
  #dirty = false;
  #numbers: HighWaterMark;

  /** Reads the last number. Everything in the database must be durable. */
  constructor(group: GroupCommit, orm: BetterSQLite3Database, meta: Meta, events: SiteEvents) {
    this.#meta = meta;
    this.#sql = prepare(group.sqlite);
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
    const { kind, id, eventId, eventKey } = subject;
    const before = this.#sql.of.get(kind, id);
    if (before) {
      this.#sql.settleParked.run(at, before.changeNo);
      this.#sql.drop.run(kind, id);
    }
    const changeNo = this.#lastNo() + 1;
    this.#sql.add.run(changeNo, kind, id, at, eventId, eventKey ?? before?.eventKey ?? null);
    this.#meta.set('last_work_no', changeNo);
    this.#dirty = true;
  }

  /** Within the open transaction that deletes it; headquarters keeps what it has by its own rules. */
  deleted(kind: WorkKind, id: number, at: number): void {
    const before = this.#sql.of.get(kind, id);
    if (before) this.#sql.settleParked.run(at, before.changeNo);
    this.#sql.drop.run(kind, id);
  }

  head(): number {
    return this.#numbers.durable;
  }

  read(after: number, limit: number, eventsThrough: number, maxBytes: number): WorkState[] {
    const found: WorkState[] = [];
    let bytes = 0;
    for (const row of this.#sql.after.iterate(after, this.#numbers.durable)) {
      if (row.eventId > eventsThrough || found.length >= limit || bytes >= maxBytes) break;
      const state = this.#state(row);
      if (state === null) continue;
      bytes += state.text.length;
      found.push(state);
    }
    return found;
  }

  one(changeNo: number): WorkState | null {
    const [row] = this.#sql.after.all(changeNo - 1, changeNo);
    return row ? this.#state(row) : null;
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

/** Rows that an estimate of bytes looks at. */
const MEASURED = 2_000;
/** Bytes of an item without its entries and members, of an entry, and of a member, as measured. */
const PLAIN_BYTES = 900;
const ENTRY_BYTES = 220;
const MEMBER_BYTES = 210;

function prepare(sqlite: Database.Database) {
  const columns = `change_no AS changeNo, kind, subject_id AS subjectId, at, event_id AS eventId,
    event_key AS eventKey`;
  return {
    of: sqlite.prepare<[WorkKind, number], WorkRow>(
      `SELECT ${columns} FROM work_changes WHERE kind = ? AND subject_id = ?`,
    ),
    drop: sqlite.prepare<[WorkKind, number]>('DELETE FROM work_changes WHERE kind = ? AND subject_id = ?'),
    add: sqlite.prepare<[number, WorkKind, number, number, number, string | null]>(
      `INSERT INTO work_changes (change_no, kind, subject_id, at, event_id, event_key)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    settleParked: sqlite.prepare<[number, number]>(
      `UPDATE uplink_parked SET state = 'replayed', last_at = ?
       WHERE channel = 'work' AND origin_id = ? AND state = 'parked'`,
    ),
    after: sqlite.prepare<[number, number], WorkRow>(
      `SELECT ${columns} FROM work_changes WHERE change_no > ? AND change_no <= ? ORDER BY change_no`,
    ),
    countAfter: sqlite
      .prepare<[number, number, number], number>(
        `SELECT count(*) FROM (SELECT 1 FROM work_changes WHERE change_no > ? AND change_no <= ? LIMIT ?)`,
      )
      .pluck(),
    oldestAfter: sqlite
      .prepare<[number, number], number>(
        'SELECT at FROM work_changes WHERE change_no > ? AND change_no <= ? ORDER BY change_no LIMIT 1',
      )
      .pluck(),
    bytesAfter: sqlite
      .prepare<[{ after: number; through: number }], number>(
        `SELECT CAST(total(bytes) / max(1, count(*)) * (SELECT count(*) FROM work_changes
           WHERE change_no > @after AND change_no <= @through) AS INTEGER)
         FROM (SELECT ${PLAIN_BYTES} + coalesce(length(t.body) + t.entry_count * ${ENTRY_BYTES},
             i.member_count * ${MEMBER_BYTES}, 0) AS bytes
           FROM (SELECT * FROM work_changes WHERE change_no > @after AND change_no <= @through
             ORDER BY change_no LIMIT ${MEASURED}) w
           LEFT JOIN tasks t ON w.kind = 'task' AND t.id = w.subject_id
           LEFT JOIN incidents i ON w.kind = 'group' AND i.id = w.subject_id)`,
      )
      .pluck(),
  };
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
           UNION ALL SELECT 'order', o.seq, o.at, 0, NULL FROM uplink_orders o)`,
      )
      .run({ last });
    if (changes > 0) meta.set('last_work_no', last + changes);
  });
  number.immediate();
}
