// Merging groups and undoing it, by people (spec 2, "Incident group"). Pure.
import type { Stamp } from '../../clock.ts';
import { withAdded, withOnly } from './aggregate.ts';
import { changedSince, isHiddenFrom, notFound, rowsIn } from './decide.ts';
import { auditOf, type Decision, planOf } from './plan.ts';
import type {
  IncidentCommand,
  IncidentMember,
  IncidentRecord,
  MergeIncidents,
  MergeOutcome,
  UnmergeOutcome,
  WholeIncident,
} from './record.ts';

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
  const changed = changedSince([target, ...sources.map(({ incident }) => incident)], command);
  if (changed) return refuse(changed);
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
  const incident: IncidentRecord = {
    ...withAdded(target, moved, now),
    revision: target.revision + 1,
    updatedAt: now,
  };
  const closing = sources.map(({ incident: source }) => ({
    before: source,
    after: {
      ...source,
      state: 'closed',
      stateBefore: source.state,
      mergedInto: target.id,
      closedAt: now,
      revision: source.revision + 1,
      updatedAt: now,
    } satisfies IncidentRecord,
  }));
  const away = closing.map(({ after }) => after);
  const { actor, by, note, incidentIds } = command;
  const onTarget = { before: target, after: incident, also: { by, note, incidentIds } };
  return {
    outcome: { kind: 'merged', incident, merged: away },
    plan: planOf({
      hideMembers: away,
      addMembers: rowsIn(incident, moved, { live: true, now }),
      update: [incident, ...away],
      audit: [
        auditOf({ actor, action: 'incident.merged', ...onTarget }, stamp),
        ...closing.map((change) =>
          auditOf({ actor, action: 'incident.closed', ...change, also: { by, note } }, stamp),
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
  const changed = changedSince([own.incident], command);
  if (changed) return refuse(changed);
  const returning = new Set(own.rows.map(({ eventId }) => eventId));
  const left = later.map(({ incident, rows }) => ({
    incident,
    rows,
    staying: rows.filter(({ eventId }) => !returning.has(eventId)),
  }));
  const emptied = left.find(({ rows, staying }) => rows.length > 0 && staying.length === 0);
  if (emptied) return refuse({ kind: 'every_member', incidentId: emptied.incident.id });
  return unmerged(own.incident, { root: root.incident, left, eventIds: [...returning] }, command, stamp);
}

/** `left` is what each group on the way to `root` keeps; `eventIds` return. */
function unmerged(
  before: IncidentRecord,
  {
    root,
    left,
    eventIds,
  }: {
    root: IncidentRecord;
    left: readonly { incident: IncidentRecord; staying: readonly IncidentMember[] }[];
    eventIds: number[];
  },
  { actor, by, note }: IncidentCommand,
  stamp: Stamp,
): Decision<UnmergeOutcome> {
  const { now } = stamp;
  const incident: IncidentRecord = {
    ...before,
    state: before.stateBefore ?? 'auto',
    stateBefore: null,
    mergedInto: null,
    closedAt: null,
    revision: before.revision + 1,
    updatedAt: now,
  };
  const lessened = left.map(({ incident: group, staying }) => ({
    ...withOnly(group, staying, now),
    revision: group.revision + 1,
  }));
  const from = lessened.at(-1) ?? root;
  const also = { by, note, eventIds };
  const onRoot = { before: root, after: from, also: { ...also, incidentId: incident.id } };
  return {
    outcome: { kind: 'unmerged', incident, from },
    plan: planOf({
      dropMembers: left.map(({ incident: group }) => ({ incident: group, eventIds })),
      showMembers: [incident],
      update: [incident, ...lessened],
      audit: [
        auditOf({ actor, action: 'incident.unmerged', before, after: incident, also }, stamp),
        auditOf({ actor, action: 'incident.members_taken_back', ...onRoot }, stamp),
      ],
    }),
  };
}
