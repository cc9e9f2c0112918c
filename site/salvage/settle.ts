// What makes a whole store of the rows that could be saved: no row without the one that it belongs to, and
// counters beyond everything that was ever given out.
import type Database from 'better-sqlite3';
import { recountGroups } from './groups.ts';
import { dropParentless, highestNamed, mendRest } from './relations.ts';

/** New ids leave this much room for those whose last use could not be read. */
const ID_MARGIN = 10_000;
/** Room for new ids when nothing is left that tells which ids were given out. */
export const IDS_UNKNOWN = 1_000_000;

export interface Lost {
  /**
   * Number of ids that are known to have been given out and whose events could not be saved; more may be lost
   * beyond the last one.
   */
  events: number;
  /**
   * Of them, those that headquarters had not confirmed, and the first and last of their ids; null: not known
   * up to where it had.
   */
  unsent: { events: number; from: number; to: number } | null;
}

/** @param sequences last ids by table, as the damaged store counted them */
export function settle(
  target: Database.Database,
  sequences: ReadonlyMap<string, number>,
): { lost: Lost; parentless: Record<string, number> } {
  return target
    .transaction(() => {
      // Before rows without parents go: they tell of ids that were given out.
      const named = highestNamed(target);
      const lost = countLost(target, named.get('events')?.believed ?? 0);
      target.exec('DELETE FROM events WHERE id IN (SELECT event_id FROM forgotten_keys)');
      restoreVerdicts(target);
      const parentless = dropParentless(target);
      recountGroups(target);
      mendRest(target);
      goOnAfter(
        target,
        new Map(
          [...named].map(([table, { highest }]) => [
            table,
            Math.max(highest, sequences.get(table) ?? 0) + ID_MARGIN,
          ]),
        ),
      );
      startAnew(target);
      return { lost, parentless };
    })
    .immediate();
}

/**
 * Ids of a store of which nothing is left: far beyond those that may have been given out. @param lastEventId
 * as far as it is known
 */
export function leaveRoom(target: Database.Database, lastEventId: number): void {
  target
    .transaction(() => {
      const ids = new Map(
        ['tasks', 'incidents', 'changes', 'notifications'].map((table) => [table, IDS_UNKNOWN]),
      );
      goOnAfter(target, ids.set('events', lastEventId + IDS_UNKNOWN));
    })
    .immediate();
}

/** @param last highest id that counts as given out, by table; `changes` are those of verdicts */
function goOnAfter(target: Database.Database, last: ReadonlyMap<string, number>): void {
  const meta = target.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const keys = { events: 'last_event_id', changes: 'last_change_no', notifications: 'last_notification_seq' };
  for (const [table, key] of Object.entries(keys)) meta.run(key, String(last.get(table) ?? 0));
  meta.run('ids_began_after', String(last.get('events') ?? 0));
  for (const table of ['tasks', 'incidents']) {
    target.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(table);
    target.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, last.get(table) ?? 0);
  }
}

/**
 * Ids are given out one by one, but for the leap that `ids_began_after` tells of: what is missing in between
 * was lost.
 */
function countLost(target: Database.Database, lastId: number): Lost {
  const kept = target
    .prepare<[{ after: number; through: number }], number>(
      `SELECT (SELECT count(*) FROM events WHERE id > @after AND id <= @through)
       + (SELECT count(*) FROM forgotten_keys WHERE event_id > @after AND event_id <= @through
         AND event_id NOT IN (SELECT id FROM events))`,
    )
    .pluck();
  const missing = (after: number): number =>
    Math.max(0, lastId - after - (kept.get({ after, through: lastId }) ?? 0));
  const began = Number(
    target.prepare<[], string>("SELECT value FROM meta WHERE key = 'ids_began_after'").pluck().get() ?? 0,
  );
  const cursor =
    target.prepare<[], number>("SELECT cursor FROM uplink_channels WHERE name = 'events'").pluck().get() ??
    null;
  const since = Math.max(cursor ?? 0, began);
  return {
    events: missing(Math.min(began, lastId)),
    unsent:
      cursor === null
        ? null
        : { events: missing(Math.min(since, lastId)), from: Math.min(since + 1, lastId), to: lastId },
  };
}

/**
 * A verdict whose row is lost is made from the change that tells headquarters of it: both ends are to show
 * the same.
 */
function restoreVerdicts(target: Database.Database): void {
  target.exec(`
    INSERT OR IGNORE INTO verdicts (event_id, tenant_code, verdict, by, by_kind, note, merged_into, judged,
      disposition, at, decision_id)
    SELECT c.event_id, c.tenant_code, c.body ->> 'verdict', c.body ->> 'by', coalesce(c.body ->> 'by_kind',
      'human'), c.body ->> 'note',
      CASE WHEN c.body ->> 'merged_into_key' IS NOT NULL THEN (SELECT e.id FROM events e
        WHERE e.idempotency_key = c.body ->> 'merged_into_key') END,
      nullif(c.body -> 'judged', 'null'), nullif(c.body -> 'disposition', 'null'), c.body ->> 'at',
        c.decision_id
    FROM verdict_changes c JOIN events e ON e.id = c.event_id LEFT JOIN verdicts v ON v.event_id = c.event_id
    WHERE c.kind = 'verdict' AND v.event_id IS NULL AND c.body ->> 'verdict' IS NOT NULL
      AND c.body ->> 'by' IS NOT NULL AND c.body ->> 'at' IS NOT NULL
    ORDER BY c.change_no`);
}

/**
 * Positions and indexes are those of the new store; headquarters is told everything once more, and knows
 * what it has.
 */
function startAnew(target: Database.Database): void {
  target.exec(
    "DELETE FROM meta WHERE key IN ('epoch', 'keys_upto', 'index_events_upto', 'index_changes_upto', " +
      "'indexed_events', 'history_upto', 'probed_at', 'library_no', 'library_round')",
  );
  target.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('offers_lost', '1')");
  target.exec('UPDATE uplink_channels SET cursor = 0, cursor_at = NULL, hub_epoch = NULL');
}
