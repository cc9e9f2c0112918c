// What retention leaves of groups (spec 2, "Retention of incident groups"). Pure.
import type { Stamp } from '../../clock.ts';
import { withOnly } from './aggregate.ts';
import { auditOf, type Decision, type IncidentPlan, planOf } from './plan.ts';
import type { ForgetOutcome, IncidentMember, IncidentRecord } from './record.ts';

export interface SeenForForget {
  /** The groups that have one of the events, and all that they were merged into, by id. */
  incidents: ReadonlyMap<number, IncidentRecord>;
  /** All rows of the groups that have one of the events, by group. */
  rows: ReadonlyMap<number, readonly IncidentMember[]>;
  /** Every group that points to one of `incidents`. */
  pointers: readonly { id: number; mergedInto: number }[];
}

/**
 * Members leave with their events; the groups are recomputed or end (spec 2, "Retention of incident groups").
 * Pure.
 */
export function decideForget(
  seen: SeenForForget,
  eventIds: readonly number[],
  stamp: Stamp,
): Decision<ForgetOutcome> {
  const { after, dropMembers } = withoutEvents(seen, new Set(eventIds), stamp.now);
  const forgotten = new Set(dropMembers.flatMap(({ eventIds: gone }) => gone));
  if (forgotten.size === 0) return { outcome: { events: 0, recomputed: [], deleted: [] }, plan: null };
  const deleted = emptyGroups(after, seen.pointers);
  const update = [...seen.rows.keys()].filter((id) => !deleted.has(id)).flatMap((id) => after.get(id) ?? []);
  const byRetention = { actor: 'system', action: 'incident.deleted', after: null };
  return {
    outcome: {
      events: forgotten.size,
      recomputed: ascending(update.map(({ id }) => id)),
      deleted: ascending([...deleted]),
    },
    plan: planOf({
      dropMembers,
      update,
      remove: [...deleted],
      audit: [...deleted].map((id) =>
        auditOf({ ...byRetention, before: seen.incidents.get(id) ?? null }, stamp),
      ),
    }),
  };
}

/** The groups as they are without these events, and the rows that go. */
function withoutEvents(
  seen: SeenForForget,
  going: ReadonlySet<number>,
  now: number,
): { after: ReadonlyMap<number, IncidentRecord>; dropMembers: IncidentPlan['dropMembers'] } {
  const after = new Map(seen.incidents);
  const dropMembers: IncidentPlan['dropMembers'] = [];
  for (const [id, rows] of seen.rows) {
    const incident = seen.incidents.get(id);
    if (!incident) continue;
    const staying = rows.filter(({ eventId }) => !going.has(eventId));
    const gone = rows.filter(({ eventId }) => going.has(eventId)).map(({ eventId }) => eventId);
    dropMembers.push({ incident, eventIds: gone });
    after.set(id, lessened(incident, staying, gone.length, now));
  }
  return { after, dropMembers };
}

function lessened(
  group: IncidentRecord,
  rows: readonly IncidentMember[],
  gone: number,
  now: number,
): IncidentRecord {
  const left = withOnly(group, rows, now);
  return {
    ...left,
    // What a person confirmed as real stays real, in whatever order its members are cleared.
    isTest: group.confirmedAt !== null && !group.isTest ? false : left.isTest,
    clearedCount: group.state === 'closed' ? group.clearedCount + gone : 0,
  };
}

/**
 * Groups without members that are no record of a person and that no other group was merged into. When one
 * goes, the group that it pointed to may go too, so this repeats until none does.
 */
function emptyGroups(
  groups: ReadonlyMap<number, IncidentRecord>,
  pointers: SeenForForget['pointers'],
): Set<number> {
  const deleted = new Set<number>();
  for (let before = -1; before < deleted.size;) {
    before = deleted.size;
    for (const [id, group] of groups) {
      const isRecord = group.confirmedAt !== null && !group.isTest;
      const isTarget = pointers.some((pointer) => pointer.mergedInto === id && !deleted.has(pointer.id));
      if (group.memberCount === 0 && !isRecord && !isTarget) deleted.add(id);
    }
  }
  return deleted;
}

const ascending = (ids: number[]): number[] => ids.sort((a, b) => a - b);
