// Facts of a group from its member rows. Pure.
import type { EventRecord } from '../event/record.ts';
import { severityRank } from '../event/schema.ts';
import type { IncidentAggregate, IncidentRecord, MemberEvent } from './record.ts';
import type { IncidentLayer } from './schema.ts';

/** Members of an event that its member row is made from. */
export type MemberSource = Pick<
  EventRecord,
  'id' | 'type' | 'source' | 'severity' | 'isTest' | 'occurredAt' | 'receivedAt' | 'originReceivedAt'
>;

/** What a group keeps of an event. */
export function memberOf(event: MemberSource): MemberEvent {
  return {
    eventId: event.id,
    at: event.occurredAt ?? event.originReceivedAt ?? event.receivedAt,
    type: event.type,
    source: event.source,
    severity: event.severity,
    isTest: event.isTest,
  };
}

/** @throws when there are no members, of which there are no facts */
export function aggregateOf(layer: IncidentLayer, members: readonly MemberEvent[]): IncidentAggregate {
  const [one] = members;
  if (!one) throw new Error('there are no facts without members');
  let first = one;
  let lastAt = one.at;
  let severity = one.severity ?? 'medium';
  let testMemberCount = 0;
  for (const member of members) {
    if (isEarlier(member, first)) first = member;
    lastAt = Math.max(lastAt, member.at);
    if (severityRank(member.severity) > severityRank(severity)) severity = member.severity ?? 'medium';
    if (member.isTest) testMemberCount += 1;
  }
  return {
    firstAt: first.at,
    lastAt,
    eventTypes: distinct(members.map(({ type }) => type)),
    sources: distinct(members.map(({ source }) => source)),
    severity,
    memberCount: members.length,
    testMemberCount,
    isTest: testMemberCount === members.length,
    firstEventId: layer === 'L3' ? null : first.eventId,
    firstEventAt: layer === 'L3' ? null : first.at,
  };
}

/** Members that are no tests: these are counted separately (spec 2, "Incident facts"). */
export const realCount = ({ memberCount, testMemberCount }: IncidentAggregate): number =>
  memberCount - testMemberCount;

/** The group when these rows have been added to those that it has. */
export function withAdded(group: IncidentRecord, rows: readonly MemberEvent[], now: number): IncidentRecord {
  if (rows.length === 0) return group;
  const added = aggregateOf(group.layer, rows);
  const facts =
    group.memberCount === 0 ? { ...added, isTest: group.isTest && added.isTest } : joined(group, added);
  return { ...group, ...facts, ...lockedFirst(group), updatedAt: now };
}

/** The group when it is left with these rows alone. */
export function withOnly(group: IncidentRecord, rows: readonly MemberEvent[], now: number): IncidentRecord {
  if (rows.length === 0) return { ...group, memberCount: 0, testMemberCount: 0, updatedAt: now };
  return { ...group, ...aggregateOf(group.layer, rows), ...lockedFirst(group), updatedAt: now };
}

function joined(a: IncidentAggregate, b: IncidentAggregate): IncidentAggregate {
  const first = b.firstEventId !== null && isEarlier(firstOf(b), firstOf(a)) ? b : a;
  return {
    firstAt: Math.min(a.firstAt, b.firstAt),
    lastAt: Math.max(a.lastAt, b.lastAt),
    eventTypes: distinct([...a.eventTypes, ...b.eventTypes]),
    sources: distinct([...a.sources, ...b.sources]),
    severity: severityRank(b.severity) > severityRank(a.severity) ? b.severity : a.severity,
    memberCount: a.memberCount + b.memberCount,
    testMemberCount: a.testMemberCount + b.testMemberCount,
    isTest: a.isTest && b.isTest,
    firstEventId: first.firstEventId,
    firstEventAt: first.firstEventAt,
  };
}

/** The first appearance where it is locked, to be laid over what was computed. */
function lockedFirst(group: IncidentRecord): Partial<IncidentAggregate> {
  return group.firstLocked ? { firstEventId: group.firstEventId, firstEventAt: group.firstEventAt } : {};
}

const firstOf = (facts: IncidentAggregate): { at: number; eventId: number } => ({
  at: facts.firstEventAt ?? Infinity,
  eventId: facts.firstEventId ?? Infinity,
});

const isEarlier = (a: { at: number; eventId: number }, b: { at: number; eventId: number }): boolean =>
  a.at < b.at || (a.at === b.at && a.eventId < b.eventId);

const distinct = <T extends string>(values: readonly T[]): T[] => [...new Set(values)].sort();
