import { stepBackBound } from '../../../../common/backoff.ts';
import type { InboxKind } from '../../../../common/uplink/inbox.ts';
import type {
  InboxCount,
  InboxPlace,
  InboxPort,
  TakenItem,
  WaitingItem,
} from '../../../uplink/inbox/port.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';

/** Longest text of an error that is kept. */
const MAX_ERROR = 1_000;

/** The inbox on SQLite. */
export class SiteInbox implements InboxPort {
  #group: GroupCommit;
  #sql: ReturnType<typeof prepare>;

  constructor(group: GroupCommit) {
    this.#group = group;
    this.#sql = prepare(group.sqlite);
  }

  place(): InboxPlace {
    return this.#sql.place.get() ?? { hubEpoch: '', through: 0 };
  }

  take(items: readonly TakenItem[], { hubEpoch, through }: InboxPlace, now: number): Promise<void> {
    return this.#group.write(() => {
      for (const { kind, id, subject, body } of items)
        this.#sql.add.run(kind, id, subject, JSON.stringify(body ?? null), now);
      this.#sql.leave.run(hubEpoch);
      this.#sql.stand.run(hubEpoch, through);
    });
  }

  due(now: number, limit: number): WaitingItem[] {
    return this.#sql.due.all({ ...restingAt(now), limit });
  }

  nextDueAt(now: number): number | null {
    return this.#sql.nextDueAt.get(restingAt(now))?.at ?? null;
  }

  async done(seqs: readonly number[]): Promise<void> {
    if (seqs.length === 0) return;
    await this.#group.write(() => {
      for (const seq of seqs) this.#sql.remove.run(seq);
    });
  }

  failed({ seq }: Pick<WaitingItem, 'seq'>, error: string, dueAt: number): Promise<void> {
    return this.#group.write(() => void this.#sql.fail.run(error.slice(0, MAX_ERROR), dueAt, seq));
  }

  failing(times: number): { count: number; reason: string } {
    const { count = 0, reason = null } = this.#sql.failing.get(times) ?? {};
    return { count, reason: reason ?? '' };
  }

  count(kind: InboxKind): InboxCount {
    const { waiting = 0, failing = 0, oldestAt = null } = this.#sql.count.get(kind) ?? {};
    const lastError = failing === 0 ? null : (this.#sql.lastError.get(kind)?.error ?? null);
    return { waiting, failing, oldestAt, lastError };
  }
}

/** Times at which an item that rests is due, epoch ms. */
interface Resting {
  from: number;
  to: number;
}

const restingAt = (now: number): Resting => ({ from: now + 1, to: stepBackBound(now) });

function prepare(sqlite: GroupCommit['sqlite']) {
  return {
    place: sqlite.prepare<[], InboxPlace>('SELECT hub_epoch AS hubEpoch, through FROM uplink_inbox_place'),
    leave: sqlite.prepare<[string]>('DELETE FROM uplink_inbox_place WHERE hub_epoch <> ?'),
    stand: sqlite.prepare<[string, number]>(
      `INSERT INTO uplink_inbox_place (hub_epoch, through) VALUES (?, ?)
       ON CONFLICT (hub_epoch) DO UPDATE SET through = excluded.through`,
    ),
    add: sqlite.prepare<[InboxKind, string, string, string, number]>(
      `INSERT INTO uplink_inbox (kind, id, subject, body, received_at, failures, due_at)
       VALUES (?, ?, ?, ?, ?, 0, 0) ON CONFLICT DO NOTHING`,
    ),
    due: sqlite.prepare<[Resting & { limit: number }], WaitingItem>(
      `SELECT seq, kind, id, subject, body, failures FROM uplink_inbox i
       WHERE due_at NOT BETWEEN @from AND @to AND NOT EXISTS (SELECT 1 FROM uplink_inbox b
         WHERE b.subject = i.subject AND b.seq < i.seq AND b.due_at BETWEEN @from AND @to)
       ORDER BY seq LIMIT @limit`,
    ),
    nextDueAt: sqlite.prepare<[Resting], { at: number | null }>(
      'SELECT min(due_at) AS at FROM uplink_inbox WHERE due_at BETWEEN @from AND @to',
    ),
    remove: sqlite.prepare<[number]>('DELETE FROM uplink_inbox WHERE seq = ?'),
    fail: sqlite.prepare<[string, number, number]>(
      'UPDATE uplink_inbox SET failures = failures + 1, error = ?, due_at = ? WHERE seq = ?',
    ),
    count: sqlite.prepare<[InboxKind], Pick<InboxCount, 'waiting' | 'failing' | 'oldestAt'>>(
      `SELECT count(*) AS waiting, count(CASE WHEN failures > 0 THEN 1 END) AS failing,
         min(received_at) AS oldestAt
       FROM uplink_inbox WHERE kind = ?`,
    ),
    failing: sqlite.prepare<[number], { count: number; reason: string | null }>(
      // The error of the row with the latest try, as SQLite takes bare columns from the row of max().
      `SELECT count(*) AS count, max(due_at), error AS reason FROM uplink_inbox WHERE failures >= ?`,
    ),
    lastError: sqlite.prepare<[InboxKind], { error: string | null }>(
      `SELECT error FROM uplink_inbox WHERE kind = ? AND failures > 0 ORDER BY due_at DESC LIMIT 1`,
    ),
  };
}
