// What the history of a site says of its last day. Pure.
import type { SiteFacts } from './schema.ts';

type Step = SiteFacts['history']['steps'][number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Over less than this what comes and goes within hours would pass for a trend, ms. */
const RATE_OVER_MS = 6 * HOUR_MS;

/** One hour of the history, as a report tells it. */
export interface Hour {
  /** Begin, ISO 8601. */
  at: string;
  received: number;
  /** The most that waited at the end of a step in it. */
  backlog: number;
  /** The least room, bytes; null: not measured. */
  room_bytes: number | null;
}

/** @param steps oldest first */
export function hoursOf(steps: readonly Step[]): Hour[] {
  const hours = Map.groupBy(steps, ({ at }) => Math.floor(Date.parse(at) / HOUR_MS) * HOUR_MS);
  return [...hours].map(([at, own]) => {
    const rooms = own.flatMap(({ room }) => room ?? []);
    return {
      at: new Date(at).toISOString(),
      received: own.reduce((sum, { received }) => sum + received, 0),
      backlog: Math.max(...own.map(({ backlog }) => backlog)),
      room_bytes: rooms.length === 0 ? null : Math.min(...rooms),
    };
  });
}

/**
 * Days until the disk is full at the rate of these steps, rounded down.
 * @param steps oldest first
 * @returns null when it does not fill, or they cover too little time to say
 */
export function daysLeft(steps: readonly Step[]): number | null {
  const measured = steps.flatMap(({ at, room }) => (room === null ? [] : { at: Date.parse(at), room }));
  const [first, last] = [measured[0], measured.at(-1)];
  if (!first || !last || last.at - first.at < RATE_OVER_MS || last.room >= first.room) return null;
  const lostPerDay = ((first.room - last.room) / (last.at - first.at)) * DAY_MS;
  return Math.floor(last.room / lostPerDay);
}
