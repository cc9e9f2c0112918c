import type { AlarmPort, RaiseAlarm } from './port.ts';

export interface StandingKind {
  /** Begins the keys of these alarms. */
  prefix: string;
  /** Whose alarms they are; null: those that any process of one store may raise. */
  instance: string | null;
  /** Most that are found at once. */
  most: number;
}

/** Keeps the alarms of a kind in step with what was found: raises these, and clears the others that stand. */
export async function keepStanding(
  alarms: AlarmPort,
  { prefix, instance, most }: StandingKind,
  found: readonly RaiseAlarm[],
  now: number,
): Promise<void> {
  for (const alarm of found) await alarms.raise(alarm, now);
  const keys = new Set(found.map(({ key }) => key));
  const own = instance === null ? {} : { instance };
  const filter = { tenantCode: null, includeCleared: false, keys: [prefix], ...own };
  for (const { key } of await alarms.list(filter, most * 2))
    if (!keys.has(key)) await alarms.clear(key, instance, now);
}
