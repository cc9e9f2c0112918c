// Which rule an event falls under. Pure.
import { severityRank } from '../../core/event/schema.ts';
import { BEIJING_OFFSET_MINUTES } from '../../time.ts';
import type { AgentEvent, ResponseRule } from './record.ts';

export type Condition = 'enabled' | 'event_types' | 'min_severity' | 'hours' | 'site_refs' | 'camera_refs';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/**
 * Ascending by priority, then name, then version: a total order, so that the same rules always decide alike.
 */
export const inOrder = (a: ResponseRule, b: ResponseRule): number =>
  a.priority - b.priority || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || a.version - b.version;

/** Exact, or a beginning with a trailing `*` (spec 3, "Match"). */
export function typeMatches(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}

/**
 * Whether a time lies in a window of local hours, from the first one up to but not including the second. A
 * window such as [20, 6] runs over midnight and belongs to the day on which it begins. [0, 24] is the whole
 * day.
 * @param at epoch ms @param offsetMin minutes of local time from UTC
 */
export function withinHours([from, to]: readonly [number, number], offsetMin: number, at: number): boolean {
  const minute = (((Math.floor(at / MINUTE_MS) + offsetMin) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  const [first, end] = [from * 60, to * 60];
  return first < end ? minute >= first && minute < end : minute >= first || minute < end;
}

/** The time that hours are judged by: when it happened, or when it came if the camera did not know. */
export const timeOf = (event: AgentEvent): number => event.occurredAt ?? event.receivedAt;

/**
 * The first condition that the event does not meet; null when the rule matches. The tenant was checked
 * before.
 */
export function firstFailing(rule: ResponseRule, event: AgentEvent): Condition | null {
  const { match } = rule;
  if (!rule.enabled) return 'enabled';
  if (match.event_types && !match.event_types.some((pattern) => typeMatches(pattern, event.type)))
    return 'event_types';
  return failingBesideType(rule, event);
}

function failingBesideType({ match }: ResponseRule, event: AgentEvent): Condition | null {
  if (match.min_severity && severityRank(event.severity) < severityRank(match.min_severity))
    return 'min_severity';
  if (match.hours && !withinHours(match.hours, match.tz_offset_min ?? BEIJING_OFFSET_MINUTES, timeOf(event)))
    return 'hours';
  if (match.site_refs && !(event.siteRef !== null && match.site_refs.includes(event.siteRef)))
    return 'site_refs';
  if (match.camera_refs && !(event.cameraRef !== null && match.camera_refs.includes(event.cameraRef)))
    return 'camera_refs';
  return null;
}

/** Types whose candidates are kept. */
const MAX_TYPES = 500;

/** The rules of one tenant, ready for many events: those that a type may fall under are looked up once. */
export class Matcher {
  readonly rules: readonly ResponseRule[];
  #byType = new Map<string, readonly ResponseRule[]>();

  constructor(rules: readonly ResponseRule[]) {
    this.rules = [...rules].sort(inOrder);
  }

  /** The first rule that matches. */
  find(event: AgentEvent): ResponseRule | null {
    for (const rule of this.#candidates(event.type)) if (failingBesideType(rule, event) === null) return rule;
    return null;
  }

  #candidates(type: string): readonly ResponseRule[] {
    const cached = this.#byType.get(type);
    if (cached) return cached;
    const fit = this.rules.filter(
      ({ enabled, match }) =>
        enabled && (!match.event_types || match.event_types.some((pattern) => typeMatches(pattern, type))),
    );
    if (this.#byType.size >= MAX_TYPES) this.#byType.clear();
    this.#byType.set(type, fit);
    return fit;
  }
}
