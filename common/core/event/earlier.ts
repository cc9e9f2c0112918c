import type { EventFilter } from './port.ts';
import { type EventRecord, readDoc } from './record.ts';

/** Days that are looked back. */
export const EARLIER_DAYS = 30;
/** Events of a camera or a place that are looked at, the newest first, and those that are shown. */
export const LOOKED_AT = 1_000;
export const SHOWN = 6;

/** How the earlier alarms of a camera or a place were judged, as the verdicts stand. */
export interface Past {
  /** Of all that were looked at. */
  events: number;
  judged: number;
  falseAlarms: number;
  /** The same of those of the event's own type. */
  ofType: { events: number; judged: number; falseAlarms: number };
}

/** What to look for beside an event; null: it names no camera, or no place. Pure. */
export function earlierOf(event: EventRecord): { camera: EventFilter | null; place: EventFilter | null } {
  const { cameraRef, siteRef } = readDoc(event);
  const { tenantCode, instance, kind, isTest: includeTest } = event;
  const at = event.occurredAt ?? event.receivedAt;
  const around = { tenantCode, instance, kind, includeTest, since: at - EARLIER_DAYS * 86_400_000 };
  return {
    camera: cameraRef === undefined ? null : { ...around, cameraRef },
    place: siteRef === undefined ? null : { ...around, siteRef },
  };
}

/** Pure. @param type of the event that they are weighed for */
export function pastOf(events: readonly EventRecord[], type: string): Past {
  return { ...countsOf(events), ofType: countsOf(events.filter((one) => one.type === type)) };
}

function countsOf(events: readonly EventRecord[]): Past['ofType'] {
  const standing = events.map(({ correctedTo, verdict }) => correctedTo ?? verdict);
  return {
    events: events.length,
    judged: standing.filter((verdict) => verdict !== null).length,
    falseAlarms: standing.filter((verdict) => verdict === 'false_alarm').length,
  };
}
