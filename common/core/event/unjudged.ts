import { type EventRecord, readDoc } from './record.ts';
import { severities, type Severity } from './schema.ts';

/** Events that are looked at for rows, the newest first; rows of one answer, and events that a row names. */
export const ROWED = 2_000;
export const MAX_ROWS = 200;
export const MAX_NAMED = 50;

/** Events of one camera and type that nobody has judged: looked at, and judged, together. */
export interface UnjudgedRow {
  tenantCode: string;
  /** Where they arose; null: at this store. */
  instance: string | null;
  /** null: the events name none. */
  cameraRef: string | null;
  cameraName: string | null;
  type: string;
  /** The gravest of them. */
  severity: Severity;
  count: number;
  /** The newest, the last of them first. */
  ids: number[];
  /** Receipt of the oldest and the newest, epoch ms. */
  firstAt: number;
  lastAt: number;
}

const rank = (severity: Severity): number => severities.indexOf(severity);
const graver = (a: Severity, b: Severity): Severity => (rank(a) >= rank(b) ? a : b);

/**
 * Rows of events, the gravest first and of these the newest; an event without a severity counts as medium.
 * Pure.
 * @param events the newest first
 */
export function rowsOf(events: readonly EventRecord[]): UnjudgedRow[] {
  const rows = new Map<string, UnjudgedRow>();
  for (const event of events) {
    const { cameraRef = null, cameraName = null } = readDoc(event);
    const { id, tenantCode, instance, type, receivedAt } = event;
    const severity = event.severity ?? 'medium';
    const key = JSON.stringify([tenantCode, instance, cameraRef ?? event.nodeKey, type]);
    const row = rows.get(key);
    if (!row) {
      const times = { firstAt: receivedAt, lastAt: receivedAt };
      const head = { tenantCode, instance, cameraRef, cameraName, type, severity };
      rows.set(key, { ...head, count: 1, ids: [id], ...times });
      continue;
    }
    row.count += 1;
    row.severity = graver(row.severity, severity);
    row.firstAt = Math.min(row.firstAt, receivedAt);
    if (row.ids.length < MAX_NAMED) row.ids.push(id);
  }
  return [...rows.values()].toSorted(
    (a, b) => rank(b.severity) - rank(a.severity) || b.lastAt - a.lastAt || (b.ids[0] ?? 0) - (a.ids[0] ?? 0),
  );
}
