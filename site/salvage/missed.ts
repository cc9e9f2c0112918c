// What a person would miss of the tables of a store, when something of them is lost.

/** Tables whose loss is told, by what a person calls that which is in them. */
export const MISSED = {
  keys: ['keys', 'admin_keys'],
  devices: ['devices'],
  secrets: ['secrets'],
  verdicts: ['verdicts', 'corrections', 'verdict_changes'],
  groups: ['incidents', 'incident_members'],
  tasks: ['tasks', 'task_entries', 'agent_deadlines'],
  rules: ['rules', 'channels'],
  consumers: ['subscriptions', 'push_states'],
  orders: ['uplink_orders', 'uplink_parked', 'care_requests'],
  files: ['evidence_files', 'evidence_gone', 'evidence_jobs'],
  notifications: ['notifications'],
  feedback: ['feedback'],
  actions: ['agent_decisions', 'agent_cooldowns', 'agent_chains', 'agent_states'],
  records: ['audit', 'alarms'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type MissedKind = keyof typeof MISSED;

/** Of these nobody misses a row: they are counted otherwise (events), or go on from what is left. */
export const UNMISSED: readonly string[] = [
  'events',
  'meta',
  'uplink_channels',
  'login_attempts',
  'model_calls',
  'retention',
  'forgotten_keys',
  'disk',
  'device_episodes',
  // It is tried once more, and refused once more.
  'device_refusals',
  // An alarm that stands is told once more.
  'alarm_notices',
];

/**
 * What may be lost of a store, by kind: tables of which something could not be read, and rows that were left
 * out since what they belong to is lost.
 */
export function missedOf(
  incomplete: readonly string[],
  parentless: Readonly<Record<string, number>>,
): MissedKind[] {
  const lost = (table: string): boolean => incomplete.includes(table) || (parentless[table] ?? 0) > 0;
  return (Object.keys(MISSED) as MissedKind[]).filter((kind) => MISSED[kind].some(lost));
}
