// What the agent writes back, and what a person confirms (spec 2, "Incident group"). Pure.
import type { Stamp } from '../../clock.ts';
import { aggregateOf, withAdded } from './aggregate.ts';
import { auditOf, type Decision, planOf } from './plan.ts';
import type {
  ChangedIncidents,
  ConfirmOutcome,
  IncidentCommand,
  IncidentMember,
  IncidentRecord,
  MemberEvent,
  NotFound,
  Skipped,
  UpsertIncident,
  UpsertOutcome,
} from './record.ts';

/** What the store has read, inside the transaction and under the lock, before it asks. */
export interface SeenForUpsert {
  /**
   * The group of the source key and those it was merged into, one after another; empty for a new source key.
   */
  path: readonly IncidentRecord[];
  /** Those of the named events that are kept here and are the tenant's. */
  events: ReadonlyMap<number, MemberEvent>;
  /** Group that has a named event in this layer now, by event id. */
  holders: ReadonlyMap<number, number>;
  /** Id for a new group. */
  nextId: number;
}

/**
 * Makes a group or adds members, to where the group was merged if it was; members are only ever added (spec
 * 2, "Incident group"). Pure.
 */
export function decideUpsert(
  seen: SeenForUpsert,
  command: UpsertIncident,
  stamp: Stamp,
): Decision<UpsertOutcome> {
  const { path, events, holders } = seen;
  const refuse = (outcome: UpsertOutcome): Decision<UpsertOutcome> => ({ outcome, plan: null });
  const own = path[0];
  if (own && own.layer !== command.layer) return refuse({ kind: 'layer_mismatch', layer: own.layer });
  const unknown = command.eventIds.filter((id) => !events.has(id));
  if (unknown.length > 0) return refuse({ kind: 'unknown_events', eventIds: unknown });
  const root = path.at(-1);
  const skipped: Skipped[] = [];
  const fresh: MemberEvent[] = [];
  for (const eventId of command.eventIds) {
    const incidentId = holders.get(eventId);
    const event = events.get(eventId);
    if (incidentId === undefined && event) fresh.push(event);
    else if (incidentId !== undefined && incidentId !== root?.id) skipped.push({ eventId, incidentId });
  }
  if (!root)
    return fresh.length === 0
      ? refuse({ kind: 'nothing', skipped })
      : created(seen.nextId, command, { fresh, skipped }, stamp);
  const redirectedFrom = own === root ? null : (own?.id ?? null);
  const outcome = {
    kind: 'upserted',
    created: false,
    redirectedFrom,
    added: fresh.map(({ eventId }) => eventId),
    skipped,
  } as const;
  if (fresh.length === 0) return refuse({ ...outcome, incident: root });
  const grown = path.map((group) => withAdded(group, fresh, stamp.now));
  const incident = grown.at(-1) ?? root;
  const also = { eventIds: outcome.added, sourceKey: command.sourceKey, redirectedFrom };
  return {
    outcome: { ...outcome, incident },
    plan: planOf({
      update: grown,
      addMembers: path.flatMap((group) => rowsIn(group, fresh, { live: group === root, now: stamp.now })),
      audit: [
        auditOf(
          { actor: command.actor, action: 'incident.members_added', before: root, after: incident, also },
          stamp,
        ),
      ],
    }),
  };
}

function created(
  id: number,
  command: UpsertIncident,
  { fresh, skipped }: { fresh: MemberEvent[]; skipped: Skipped[] },
  stamp: Stamp,
): Decision<UpsertOutcome> {
  const incident = newGroup(id, command, fresh, stamp.now);
  const added = fresh.map(({ eventId }) => eventId);
  return {
    outcome: { kind: 'upserted', incident, created: true, redirectedFrom: null, added, skipped },
    plan: planOf({
      insert: [incident],
      addMembers: rowsIn(incident, fresh, { live: true, now: stamp.now }),
      audit: [
        auditOf(
          {
            actor: command.actor,
            action: 'incident.created',
            before: null,
            after: incident,
            also: { eventIds: added },
          },
          stamp,
        ),
      ],
    }),
  };
}

/** As its agent writes it. @param now epoch ms */
function newGroup(
  id: number,
  command: UpsertIncident,
  fresh: readonly MemberEvent[],
  now: number,
): IncidentRecord {
  return {
    id,
    tenantCode: command.tenantCode,
    instance: null,
    originId: null,
    sourceKey: command.sourceKey,
    layer: command.layer,
    siteRef: command.siteRef,
    pointRef: command.pointRef,
    title: command.title,
    state: 'auto',
    stateBefore: null,
    mergedInto: null,
    splitFrom: null,
    firstLocked: false,
    confirmedBy: null,
    confirmedAt: null,
    closedAt: null,
    clearedCount: 0,
    revision: 0,
    createdAt: now,
    updatedAt: now,
    ...aggregateOf(command.layer, fresh),
  };
}

/** A person confirms; confirming again changes nothing. */
export function decideConfirm(
  seen: IncidentRecord | null,
  command: IncidentCommand,
  stamp: Stamp,
): Decision<ConfirmOutcome> {
  if (!seen || isHiddenFrom(seen, command.tenantCode)) return { outcome: notFound(command.id), plan: null };
  if (seen.state === 'closed') return { outcome: { kind: 'closed', incidents: [seen] }, plan: null };
  if (seen.state === 'confirmed')
    return { outcome: { kind: 'confirmed', incident: seen, changed: false }, plan: null };
  const changed = changedSince([seen], command);
  if (changed) return { outcome: changed, plan: null };
  const incident: IncidentRecord = {
    ...seen,
    state: 'confirmed',
    firstLocked: true,
    confirmedBy: command.by,
    confirmedAt: stamp.now,
    revision: seen.revision + 1,
    updatedAt: stamp.now,
  };
  const also = { by: command.by, note: command.note };
  return {
    outcome: { kind: 'confirmed', incident, changed: true },
    plan: planOf({
      update: [incident],
      audit: [
        auditOf(
          { actor: command.actor, action: 'incident.confirmed', before: seen, after: incident, also },
          stamp,
        ),
      ],
    }),
  };
}

/**
 * Rows of a group for these events. @param how.live false: a member of a merged-away group, kept to undo the
 * merge @param how.now epoch ms
 */
export function rowsIn(
  group: IncidentRecord,
  events: readonly MemberEvent[],
  how: { live: boolean; now: number },
): IncidentMember[] {
  return events.map(({ eventId, at, type, source, severity, isTest }) => ({
    incidentId: group.id,
    tenantCode: group.tenantCode,
    layer: group.layer,
    eventId,
    at,
    type,
    source,
    severity,
    isTest,
    live: how.live,
    addedAt: how.now,
  }));
}

export const notFound = (...ids: number[]): NotFound => ({ kind: 'not_found', ids });

/** Those of the groups that somebody decided on since the caller saw them; null: none. */
export function changedSince(
  groups: readonly IncidentRecord[],
  { seen = {} }: Pick<IncidentCommand, 'seen'>,
): ChangedIncidents | null {
  const incidents = groups.filter(({ id, revision }) => (seen[id] ?? revision) !== revision);
  return incidents.length === 0 ? null : { kind: 'changed', incidents };
}

export const isHiddenFrom = (group: IncidentRecord, tenantCode: string | null): boolean =>
  tenantCode !== null && group.tenantCode !== tenantCode;
