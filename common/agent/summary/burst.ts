// Which events have one summary together. Pure.
import { type EventRecord, readDoc } from '../../core/event/record.ts';
import type { DecisionRecord } from '../act/record.ts';

/** Events that one summary is of at most. */
const MOST_TOGETHER = 200;

/** A decision that waits for its summary, and what is one burst with it. */
export interface Pending {
  decision: DecisionRecord;
  /** The same for all of one burst. */
  burst: string;
}

/** The camera, or else the place; null: it cannot be told from others. */
export function placeOf(event: EventRecord): string | null {
  const { siteRef, cameraRef } = readDoc(event);
  if (siteRef === undefined && cameraRef === undefined) return null;
  return JSON.stringify([event.instance, cameraRef === undefined ? siteRef : null, cameraRef]);
}

/** What a decision is one burst with: of one rule at one place; by itself where there is no place. */
export function burstOf(decision: DecisionRecord, place: string | null): string {
  const { tenantCode, ruleName, eventId } = decision;
  return JSON.stringify(place === null ? [eventId] : [tenantCode, ruleName, place]);
}

/** The oldest bursts, each with its events in their order. @param most bursts */
export function burstsOf(pending: readonly Pending[], most: number): DecisionRecord[][] {
  const bursts = new Map<string, DecisionRecord[]>();
  for (const { decision, burst } of pending) {
    const members = bursts.get(burst) ?? [];
    if (members.length < MOST_TOGETHER) members.push(decision);
    bursts.set(burst, members);
  }
  return [...bursts.values()].slice(0, most);
}
