// Which row belongs to which, and which columns name the ids of other tables.
import type Database from 'better-sqlite3';

/**
 * Rows that mean nothing without another one: child, its column, parent, its column. Parents stand before
 * their children's children.
 */
const PARENTS: readonly [string, string, string, string][] = [
  ['corrections', 'event_id', 'verdicts', 'event_id'],
  ['evidence_files', 'event_id', 'events', 'id'],
  ['evidence_jobs', 'event_id', 'events', 'id'],
  ['evidence_gone', 'event_id', 'events', 'id'],
  ['task_entries', 'task_id', 'tasks', 'id'],
  ['agent_deadlines', 'task_id', 'tasks', 'id'],
  ['agent_decisions', 'event_id', 'events', 'id'],
  ['agent_cooldowns', 'event_id', 'events', 'id'],
  ['incident_members', 'event_id', 'events', 'id'],
  ['incident_members', 'incident_id', 'incidents', 'id'],
  ['push_states', 'consumer', 'subscriptions', 'consumer'],
  ['devices', 'key_id', 'keys', 'key_id'],
  ['device_episodes', 'key_id', 'devices', 'key_id'],
  ['device_refusals', 'key_id', 'devices', 'key_id'],
];
/** Rows that mean something by themselves and only name another row, which may be lost. */
const NAMES: readonly [string, string, string][] = [
  ['notifications', 'task_id', 'tasks'],
  ['notifications', 'event_id', 'events'],
  ['agent_decisions', 'task_id', 'tasks'],
  ['device_episodes', 'event_id', 'events'],
  ['verdicts', 'merged_into', 'events'],
  ['corrections', 'merged_into', 'events'],
];
/**
 * Where ids are named, by what they are of. Tasks, changes, feedback and audit entries outlive their events,
 * as retention has it: a change and a message to a camera carry all that their receiver needs.
 */
const IDS: Readonly<Record<string, readonly [string, string][]>> = {
  events: [
    ['events', 'id'],
    ['forgotten_keys', 'event_id'],
    ['verdicts', 'event_id'],
    ['verdict_changes', 'event_id'],
    ['corrections', 'event_id'],
    ['tasks', 'event_id'],
    ['evidence_files', 'event_id'],
    ['evidence_jobs', 'event_id'],
    ['evidence_gone', 'event_id'],
    ['agent_decisions', 'event_id'],
    ['incident_members', 'event_id'],
    ['notifications', 'event_id'],
    ['feedback', 'event_id'],
    ['device_episodes', 'event_id'],
    ['subscriptions', 'cursor'],
    ['subscriptions', 'push_cursor'],
  ],
  tasks: [
    ['tasks', 'id'],
    ['task_entries', 'task_id'],
    ['agent_deadlines', 'task_id'],
    ['agent_decisions', 'task_id'],
    ['notifications', 'task_id'],
  ],
  incidents: [
    ['incidents', 'id'],
    ['incidents', 'merged_into'],
    ['incidents', 'split_from'],
    ['incident_members', 'incident_id'],
  ],
  changes: [
    ['verdict_changes', 'change_no'],
    ['corrections', 'seq'],
  ],
  notifications: [['notifications', 'seq']],
};
/** Counters beside the tables, and the positions that headquarters has confirmed. */
const COUNTED: Readonly<Record<string, readonly string[]>> = {
  events: [
    "SELECT CAST(value AS INTEGER) FROM meta WHERE key IN ('last_event_id', 'keys_upto', " +
      "'index_events_upto', 'ids_began_after')",
    "SELECT cursor FROM uplink_channels WHERE name = 'events'",
  ],
  changes: ["SELECT CAST(value AS INTEGER) FROM meta WHERE key IN ('last_change_no', 'index_changes_upto')"],
  notifications: ["SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'last_notification_seq'"],
  tasks: ["SELECT CAST(substr(subject, 6) AS INTEGER) FROM audit WHERE subject LIKE 'task:%'"],
  incidents: ["SELECT CAST(substr(subject, 10) AS INTEGER) FROM audit WHERE subject LIKE 'incident:%'"],
};
/**
 * A number beyond this is no id but a flipped bit. Ids that continued after it would soon exceed JavaScript's
 * exact integers.
 */
const MAX_ID = 2 ** 50;

/** A number this far above all others was made by a flipped bit, and is ignored when losses are counted. */
const FAR = 100_000;
const LOOKED_AT = 20;

export interface Named {
  /** Highest id that any saved row names. */
  highest: number;
  /** Highest id that any saved row names, without numbers far above all others. */
  believed: number;
}

/** Highest id that anything names, by what it is of. */
export function highestNamed(target: Database.Database): Map<string, Named> {
  return new Map(
    Object.entries(IDS).map(([kind, places]) => {
      const sources = [
        ...places.map(([table, column]) => `SELECT "${column}" AS id FROM "${table}"`),
        ...(COUNTED[kind] ?? []).map((sql) => `SELECT * FROM (${sql})`),
      ];
      const ids = target
        .prepare<[], number>(
          `SELECT DISTINCT id FROM (${sources.join(' UNION ALL ')}) WHERE id < ${MAX_ID} ORDER BY id ` +
            `DESC LIMIT ${LOOKED_AT}`,
        )
        .pluck()
        .all();
      const near = ids.find((id, index) => id - (ids[index + 1] ?? 0) < FAR);
      return [kind, { highest: ids[0] ?? 0, believed: near ?? 0 }];
    }),
  );
}

/** @returns rows that were deleted, by table */
export function dropParentless(target: Database.Database): Record<string, number> {
  const dropped: Record<string, number> = {};
  const drop = (table: string, condition: string): void => {
    const { changes } = target.prepare(`DELETE FROM "${table}" WHERE ${condition}`).run();
    if (changes > 0) dropped[table] = (dropped[table] ?? 0) + changes;
  };
  // A verdict on an event that headquarters had confirmed is one on an event that there still is.
  drop(
    'verdicts',
    `event_id NOT IN (SELECT id FROM events) AND event_id >
      coalesce((SELECT cursor FROM uplink_channels WHERE name = 'events'), 0)`,
  );
  for (const [child, column, parent, key] of PARENTS)
    drop(child, `"${column}" NOT IN (SELECT "${key}" FROM "${parent}")`);
  drop('uplink_parked', "channel = 'events' AND origin_id NOT IN (SELECT id FROM events)");
  // The log is written anew, so that what is refused again is parked under its new number.
  drop('uplink_parked', "channel = 'verdicts'");
  drop('feedback', "state <> 'pending' AND event_id NOT IN (SELECT id FROM events)");
  return dropped;
}

/** Columns that count or name what is no longer there. */
export function mendRest(target: Database.Database): void {
  for (const [table, column, parent] of NAMES) {
    target.exec(
      `UPDATE "${table}" SET "${column}" = NULL WHERE "${column}" IS NOT NULL AND "${column}" NOT IN ` +
        `(SELECT id FROM "${parent}")`,
    );
  }
  // An older copy of a task must not give the number of an entry a second time.
  target.exec(
    'UPDATE tasks SET entry_count = max(entry_count, coalesce((SELECT max(seq) FROM task_entries e ' +
      'WHERE e.task_id = tasks.id), 0))',
  );
  // The agent's steady clock must not fall behind what was set by it: cooldowns would last, and deadlines
  // would not come.
  target.exec(`INSERT INTO agent_states (name, lease, leased_until, steady_at)
    SELECT 'agent', NULL, 0, max(at) FROM (SELECT max(until) AS at FROM agent_cooldowns UNION ALL
      SELECT max(escalate_at) FROM agent_deadlines WHERE state = 'pending')
    WHERE true HAVING max(at) IS NOT NULL ON CONFLICT (name) DO NOTHING`);
  // Without its subscription the agent would begin with the newest event and leave those out that it had not
  // come to.
  target.exec(`INSERT INTO subscriptions (consumer, enabled, cursor, push_cursor, created_at, updated_at)
    SELECT 'agent', 1, max(event_id), max(event_id), max(decided_at), max(decided_at) FROM agent_decisions
      WHERE true HAVING count(*) > 0 ON CONFLICT (consumer) DO NOTHING`);
}

/** A group that was merged away, or split off, stands by itself again when the other one is lost. */
export function detachFromLost(target: Database.Database): void {
  target.exec(`UPDATE OR IGNORE incident_members SET live = 1 WHERE incident_id IN (SELECT id FROM incidents
    WHERE merged_into NOT IN (SELECT id FROM incidents));
    UPDATE incidents SET state = coalesce(state_before, 'auto'), state_before = NULL, closed_at = NULL,
      merged_into = NULL WHERE merged_into NOT IN (SELECT id FROM incidents);
    UPDATE incidents SET split_from = NULL WHERE split_from NOT IN (SELECT id FROM incidents);`);
}

/** Groups without members go, unless a person confirmed one or others went into it. */
export function dropEmptyGroups(target: Database.Database): void {
  const drop = target.prepare(`DELETE FROM incidents WHERE member_count = 0
    AND NOT (confirmed_at IS NOT NULL AND is_test = 0)
    AND id NOT IN (SELECT merged_into FROM incidents WHERE merged_into IS NOT NULL)`);
  while (drop.run().changes > 0);
}
