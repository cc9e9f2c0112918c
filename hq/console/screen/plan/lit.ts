// Which cameras of a plan light up.
import type { UnjudgedRow } from '../review/queries.ts';
import type { Pin } from './queries.ts';

export interface Lit {
  /** Alerts that wait to be judged. */
  count: number;
  severity: UnjudgedRow['severity'];
  /** The event to open: the newest of the gravest row. */
  eventId: number;
}

/**
 * What waits, by camera; the rows stand with the gravest first.
 * @returns `onPlan` by the camera's name in its events; `elsewhere` of cameras that the plan does not have
 */
export function litBy(
  rows: readonly UnjudgedRow[],
  pins: readonly Pin[],
): { onPlan: Map<string, Lit>; elsewhere: UnjudgedRow[] } {
  const placed = new Set(pins.map(({ cameraRef }) => cameraRef));
  const onPlan = new Map<string, Lit>();
  const elsewhere: UnjudgedRow[] = [];
  for (const row of rows) {
    const { cameraRef, count, severity, ids } = row;
    const eventId = ids[0];
    if (cameraRef === null || !placed.has(cameraRef)) elsewhere.push(row);
    else if (eventId !== undefined) {
      const before = onPlan.get(cameraRef);
      if (before) before.count += count;
      else onPlan.set(cameraRef, { count, severity, eventId });
    }
  }
  return { onPlan, elsewhere };
}
