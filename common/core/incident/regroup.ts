// Split, merge and its undoing, by people (spec 2, "Incident group"). Pure.
import type { Stamp } from '../../clock.ts';
import { notFound, isHiddenFrom, rowsIn } from './decide.ts';
import { aggregateOf, withAdded, withOnly } from './aggregate.ts';
import { auditOf, planOf, type Decision } from './plan.ts';
import type {
  IncidentCommand,
  IncidentMember,
  IncidentRecord,
  MergeIncidents,
  MergeOutcome,
  SplitIncident,
  SplitOutcome,
  UnmergeOutcome,
} from './record.ts';

/** A group with all its rows. */
export interface WholeIncident {
  incident: IncidentRecord;
  rows: readonly IncidentMember[];
}

/**
 * The source keeps its state. A first appearance that was not locked yet is taken from what each part is left
 * with.
 */
export function decideSplit(
  seen: WholeIncident | null,
  command: SplitIncident,
  nextId: number,
  stamp: Stamp,
): Decision<SplitOutcome> {
  const refuse = (outcome: SplitOutcome): Decision<SplitOutcome> => ({ outcome, plan: null });
  if (!seen || isHiddenFrom(seen.incident, command.tenantCode)) return refuse(notFound(command.id));
  const { incident: source, rows } = seen;
  if (source.state === 'closed') return refuse({ kind: 'closed', incidents: [source] });
  const present = new Set(rows.map(({ eventId }) => eventId));
  const strangers = command.eventIds.filter((id) => !present.has(id));
  if (strangers.length > 0) return refuse({ kind: 'not_members', eventIds: strangers });
  const wanted = new Set(command.eventIds);
  const leaving = rows.filter(({ eventId }) => wanted.has(eventId));
  const staying = rows.filter(({ eventId }) => !wanted.has(eventId));
  if (staying.length === 0) return refuse({ kind: 'every_member' });
  const { now } = stamp;
  const incident: IncidentRecord = { ...withOnly(source, staying, now), firstLocked: true };
  const splitOff: IncidentRecord = {
    ...source,
    ...aggregateOf(source.layer, leaving),
    id: nextId,
    sourceKey: null,
    state: 'split',
    splitFrom: source.id,
    firstLocked: true,
    confirmedBy: null,
    confirmedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const eventIds = leaving.map(({ eventId }) => eventId);
  const said = { by: command.by, note: command.note, eventIds };
  return {
    outcome: { kind: 'split', incident, splitOff },
    plan: planOf({
      dropMembers: [{ incident: source, eventIds }],
      addMembers: rowsIn(splitOff, leaving, { live: true, now }),
      insert: [splitOff],
      update: [incident],
      audit: [
        auditOf(
          {
            actor: command.actor,
            action: 'incident.split',
            before: source,
            after: incident,
            also: { ...said, splitOff: nextId },
          },
          stamp,
        ),
        auditOf(
          { actor: command.actor, action: 'incident.split_off', before: null, after: splitOff, also: said },
          stamp,
        ),
      ],
    }),
  };
}

/** The target keeps its state; the others are closed and point to it. */
export function decideMerge(
  seen: ReadonlyMap<number, WholeIncident>,
  command: MergeIncidents,
  stamp: Stamp,
): Decision<MergeOutcome> {
  const refuse = (outcome: MergeOutcome): Decision<MergeOutcome> => ({ outcome, plan: null });
  const named = [command.id, ...command.incidentIds];
  const missing = named.filter((id) => {
    const found = seen.get(id);
    return !found || isHiddenFrom(found.incident, command.tenantCode);
  });
  const target = seen.get(command.id)?.incident;
  if (!target || missing.length > 0) return refuse(notFound(...new Set(missing)));
  const sources = command.incidentIds.flatMap((id) => seen.get(id) ?? []);
  const faults = sources.flatMap(({ incident }) => {
    const reason = unmergeable(target, incident);
    return reason ? [{ id: incident.id, reason }] : [];
  });
  if (faults.length > 0) return refuse({ kind: 'not_mergeable', faults });
  const closed = [target, ...sources.map(({ incident }) => incident)].filter(
    ({ state }) => state === 'closed',
  );
  if (closed.length > 0) return refuse({ kind: 'closed', incidents: closed });
  return merged(target, sources, command, stamp);
}

function unmergeable(target: IncidentRecord, source: IncidentRecord): 'itself' | 'tenant' | 'layer' | null {
  if (source.id === target.id) return 'itself';
  if (source.tenantCode !== target.tenantCode) return 'tenant';
  return source.layer === target.layer ? null : 'layer';
}

function merged(
  target: IncidentRecord,
  sources: readonly WholeIncident[],
  command: MergeIncidents,
  stamp: Stamp,
): Decision<MergeOutcome> {
  const { now } = stamp;
  const moved = sources.flatMap(({ rows }) => rows);
  const incident: IncidentRecord = { ...withAdded(target, moved, now), updatedAt: now };
  const away = sources.map(({ incident: source }): IncidentRecord => ({
    ...source,
    state: 'closed',
    stateBefore: source.state,
    mergedInto: target.id,
    closedAt: now,
    updatedAt: now,
  }));
  const said = { by: command.by, note: command.note };
  return {
    outcome: { kind: 'merged', incident, merged: away },
    plan: planOf({
      hideMembers: away,
      addMembers: rowsIn(incident, moved, { live: true, now }),
      update: [incident, ...away],
      audit: [
        auditOf(
          {
            actor: command.actor,
            action: 'incident.merged',
            before: target,
            after: incident,
            also: { ...said, incidentIds: command.incidentIds },
          },
          stamp,
        ),
        ...away.map((after, index) =>
          auditOf(
            {
              actor: command.actor,
              action: 'incident.closed',
              before: sources[index]?.incident ?? null,
              after,
              also: said,
            },
            stamp,
          ),
        ),
      ],
    }),
  };
}

export interface SeenForUnmerge {
  /** The group to restore and those it was merged into, one after another, with their rows. */
  path: readonly WholeIncident[];
  /** Group that has an event of the first one now, by event id. */
  holders: ReadonlyMap<number, number>;
}

/** All former members return, or none do. */
export function decideUnmerge(
  seen: SeenForUnmerge,
  command: IncidentCommand,
  stamp: Stamp,
): Decision<UnmergeOutcome> {
  const refuse = (outcome: UnmergeOutcome): Decision<UnmergeOutcome> => ({ outcome, plan: null });
  const [own, ...later] = seen.path;
  if (!own || isHiddenFrom(own.incident, command.tenantCode)) return refuse(notFound(command.id));
  const root = later.at(-1);
  if (own.incident.state !== 'closed' || !root) return refuse({ kind: 'not_merged', incident: own.incident });
  const elsewhere = own.rows
    .filter(({ eventId }) => seen.holders.get(eventId) !== root.incident.id)
    .map(({ eventId }) => ({ eventId, incidentId: seen.holders.get(eventId) ?? null }));
  const cleared = own.incident.clearedCount;
  if (cleared > 0 || elsewhere.length > 0) return refuse({ kind: 'members_gone', cleared, elsewhere });
  const returning = new Set(own.rows.map(({ eventId }) => eventId));
  const left = later.map(({ incident, rows }) => ({
    incident,
    rows,
    staying: rows.filter(({ eventId }) => !returning.has(eventId)),
  }));
  const emptied = left.find(({ rows, staying }) => rows.length > 0 && staying.length === 0);
  if (emptied) return refuse({ kind: 'every_member', incidentId: emptied.incident.id });
  const { now } = stamp;
  const incident: IncidentRecord = {
    ...own.incident,
    state: own.incident.stateBefore ?? 'auto',
    stateBefore: null,
    mergedInto: null,
    closedAt: null,
    updatedAt: now,
  };
  const lessened = left.map(({ incident: group, staying }) => withOnly(group, staying, now));
  const from = lessened.at(-1) ?? root.incident;
  const eventIds = [...returning];
  const also = { by: command.by, note: command.note, eventIds };
  return {
    outcome: { kind: 'unmerged', incident, from },
    plan: planOf({
      dropMembers: left.map(({ incident: group }) => ({ incident: group, eventIds })),
      showMembers: [incident],
      update: [incident, ...lessened],
      audit: [
        auditOf(
          { actor: command.actor, action: 'incident.unmerged', before: own.incident, after: incident, also },
          stamp,
        ),
        auditOf(
          {
            actor: command.actor,
            action: 'incident.members_taken_back',
            before: root.incident,
            after: from,
            also: { ...also, incidentId: incident.id },
          },
          stamp,
        ),
      ],
    }),
  };
}
