import type Database from 'better-sqlite3';
import type { ChangeKind } from '../../../../common/uplink/change/item.ts';
import type { ChangeRow } from './change-state.ts';

/** Rows that an estimate of bytes looks at. */
const MEASURED = 2_000;
/** Bytes of an item without its entries and members, of an entry, and of a member, as measured. */
const PLAIN_BYTES = 900;
const ENTRY_BYTES = 220;
const MEMBER_BYTES = 210;
/** Bytes of a judgement beside its body. */
const JUDGEMENT_BYTES = 120;

type NewRow = [number | null, ChangeKind, number, number, number, string | null, number | null];

/** Statements of `ChangeLog`. */
export function prepareChangeLog(sqlite: Database.Database) {
  const columns = `seq, no, kind, subject_id AS subjectId, at, event_id AS eventId, event_key AS eventKey,
    base_no AS baseNo`;
  return {
    of: sqlite.prepare<[ChangeKind, number], ChangeRow>(
      `SELECT ${columns} FROM changes WHERE kind = ? AND subject_id = ?`,
    ),
    at: sqlite.prepare<[number], Numbered>(`SELECT ${columns} FROM changes WHERE no = ?`),
    drop: sqlite.prepare<[ChangeKind, number]>('DELETE FROM changes WHERE kind = ? AND subject_id = ?'),
    add: sqlite.prepare<NewRow>(
      `INSERT INTO changes (no, kind, subject_id, at, event_id, event_key, base_no)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    sentEvents: prepareSentEvents(sqlite),
    release: prepareRelease(sqlite),
    isStored: sqlite.prepare<[{ no: number }]>(
      `SELECT 1 FROM uplink_channels c WHERE c.name = 'verdicts' AND c.cursor >= @no AND NOT EXISTS (
         SELECT 1 FROM uplink_parked p
         WHERE p.channel = 'verdicts' AND p.origin_id = @no AND p.state <> 'replayed')`,
    ),
    addMember: sqlite.prepare<[number, number]>('INSERT OR IGNORE INTO group_additions VALUES (?, ?)'),
    addRest: sqlite.prepare<[number, number]>(
      `INSERT OR IGNORE INTO group_additions SELECT incident_id, event_id FROM incident_members
       WHERE incident_id = ? AND event_id > ?`,
    ),
    dropSent: sqlite.prepare<[number, number]>(
      'DELETE FROM group_additions WHERE group_id = ? AND event_id <= ?',
    ),
    forgetAddedSince: sqlite.prepare<[number]>(
      'DELETE FROM group_additions WHERE group_id IN (SELECT subject_id FROM changes WHERE base_no > ?)',
    ),
    forgetAdded: sqlite.prepare<[number]>('DELETE FROM group_additions WHERE group_id = ?'),
    forgetBases: sqlite.prepare<[number]>('UPDATE changes SET base_no = NULL WHERE base_no > ?'),
    settleParked: sqlite.prepare<[number, number]>(
      `UPDATE uplink_parked SET state = 'replayed', last_at = ?
       WHERE channel = 'verdicts' AND origin_id = ? AND state = 'parked'`,
    ),
    after: sqlite.prepare<[number, number], Numbered>(
      `SELECT ${columns} FROM changes WHERE no > ? AND no <= ? ORDER BY no`,
    ),
    mergedInto: sqlite.prepare<[{ target: number; after: number }], Numbered>(
      `SELECT ${columns} FROM changes WHERE kind = 'group' AND no > @after AND subject_id IN (
         SELECT id FROM incidents WHERE merged_into = @target) ORDER BY no`,
    ),
    ...prepareWaiting(sqlite),
  };
}

/** A change that may go up. */
export type Numbered = ChangeRow & { no: number };

/** Position that headquarters has answered on the events channel. */
export const prepareSentEvents = (sqlite: Database.Database): (() => number) => {
  const cursor = sqlite
    .prepare<[], number>("SELECT cursor FROM uplink_channels WHERE name = 'events'")
    .pluck();
  return () => cursor.get() ?? 0;
};

/**
 * Numbers the changes that name events up to `through`, in the order in which they were written. The index
 * is named, since that of the numbers, which SQLite prefers, reads all that wait: beside 100,000 of them 5 ms
 * for each batch of events.
 * @returns how many they are
 */
export function prepareRelease(
  sqlite: Database.Database,
): (bounds: { through: number; last: number }) => number {
  const release = sqlite.prepare<[{ through: number; last: number }]>(
    `UPDATE changes SET no = @last + r.place
     FROM (SELECT seq, row_number() OVER (ORDER BY seq) AS place FROM changes INDEXED BY changes_early
       WHERE no IS NULL AND event_id <= @through) r
     WHERE changes.seq = r.seq`,
  );
  return (bounds) => release.run(bounds).changes;
}

/**
 * What waits: numbers after a position, and what has none yet. What was numbered and is not durable yet waits
 * too, although it may not be sent.
 */
function prepareWaiting(sqlite: Database.Database) {
  return {
    countAfter: sqlite
      .prepare<[number, number], number>(
        `SELECT count(*) FROM (SELECT 1 FROM changes WHERE no > ?
           UNION ALL SELECT 1 FROM changes WHERE no IS NULL LIMIT ?)`,
      )
      .pluck(),
    oldestAfter: sqlite
      .prepare<[number], number | null>(
        `SELECT min(at) FROM (
           SELECT at FROM (SELECT at FROM changes WHERE no > ? ORDER BY no LIMIT 1)
           UNION ALL
           SELECT at FROM (SELECT at FROM changes INDEXED BY changes_early WHERE no IS NULL
             ORDER BY event_id LIMIT 1))`,
      )
      .pluck(),
    bytesAfter: sqlite
      .prepare<[{ after: number; waiting: number }], number>(
        `SELECT CAST(total(bytes) / max(1, count(*)) * @waiting AS INTEGER)
         FROM (SELECT coalesce(${JUDGEMENT_BYTES} + length(v.body), ${PLAIN_BYTES} + coalesce(
             length(t.body) + t.entry_count * ${ENTRY_BYTES},
             CASE WHEN w.base_no IS NULL THEN i.member_count ELSE (SELECT count(*) FROM group_additions m
               WHERE m.group_id = i.id) END * ${MEMBER_BYTES}, 0)) AS bytes
           FROM (SELECT * FROM changes WHERE no > @after
             UNION ALL SELECT * FROM changes WHERE no IS NULL LIMIT ${MEASURED}) w
           LEFT JOIN tasks t ON w.kind = 'task' AND t.id = w.subject_id
           LEFT JOIN incidents i ON w.kind = 'group' AND i.id = w.subject_id
           LEFT JOIN verdict_changes v ON v.kind = w.kind AND v.change_no = w.subject_id)`,
      )
      .pluck(),
  };
}
