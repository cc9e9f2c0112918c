import { formatTime, parseTime } from '../../time.ts';
import { realCount } from './aggregate.ts';
import type { IncidentRecord } from './record.ts';
import type { UpsertInput } from './schema.ts';

/** One thing in which the agent's report is not what stands in the service. */
export interface IncidentDifference {
  /** Name in the request, such as `last_at`. */
  field: string;
  reported: unknown;
  computed: unknown;
}

/**
 * What was reported beside what the service has. Only what was reported is compared; nothing of it is taken
 * over. Pure.
 */
export function differencesOf(input: UpsertInput, group: IncidentRecord): IncidentDifference[] {
  const found: IncidentDifference[] = [];
  const compare = (field: string, reported: unknown, computed: unknown, same: boolean): void => {
    if (reported !== undefined && !same) found.push({ field, reported, computed });
  };
  const facts = input.facts ?? {};
  compare('site_ref', input.site_ref, group.siteRef, input.site_ref === group.siteRef);
  compare('point_ref', input.point_ref, group.pointRef, input.point_ref === group.pointRef);
  compare('title', input.title, group.title, input.title === group.title);
  compare('first_at', facts.first_at, formatTime(group.firstAt), sameTime(facts.first_at, group.firstAt));
  compare('last_at', facts.last_at, formatTime(group.lastAt), sameTime(facts.last_at, group.lastAt));
  compare('event_types', facts.event_types, group.eventTypes, sameSet(facts.event_types, group.eventTypes));
  compare('sources', facts.sources, group.sources, sameSet(facts.sources, group.sources));
  compare('severity', facts.severity, group.severity, facts.severity === group.severity);
  compare('member_count', facts.member_count, realCount(group), facts.member_count === realCount(group));
  compare(
    'test_member_count',
    facts.test_member_count,
    group.testMemberCount,
    facts.test_member_count === group.testMemberCount,
  );
  compare('is_test', facts.is_test, group.isTest, facts.is_test === group.isTest);
  const first = facts.first_appearance;
  const sameFirst =
    first?.event_id === (group.firstEventId ?? undefined) &&
    (!first || sameTime(first.at, group.firstEventAt));
  const computed =
    group.firstEventId === null || group.firstEventAt === null
      ? null
      : { event_id: group.firstEventId, at: formatTime(group.firstEventAt) };
  compare('first_appearance', first, computed, sameFirst);
  return found;
}

const sameTime = (text: string | undefined, at: number | null): boolean =>
  text !== undefined && parseTime(text) === at;

const sameSet = (reported: readonly string[] | undefined, computed: readonly string[]): boolean =>
  reported !== undefined &&
  new Set(reported).size === computed.length &&
  computed.every((one) => reported.includes(one));
