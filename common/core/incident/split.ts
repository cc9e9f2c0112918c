// Splitting a group, by people (spec 2, "Incident group"). Pure.
import type { Stamp } from '../../clock.ts';
import { aggregateOf, withOnly } from './aggregate.ts';
import { changedSince, isHiddenFrom, notFound, rowsIn } from './decide.ts';
import { auditOf, type Decision, planOf } from './plan.ts';
import type { IncidentMember, IncidentRecord, SplitIncident, SplitOutcome, WholeIncident } from './record.ts';

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
  const changed = changedSince([source], command);
  if (changed) return refuse(changed);
  const present = new Set(rows.map(({ eventId }) => eventId));
  const strangers = command.eventIds.filter((id) => !present.has(id));
  if (strangers.length > 0) return refuse({ kind: 'not_members', eventIds: strangers });
  const wanted = new Set(command.eventIds);
  const leaving = rows.filter(({ eventId }) => wanted.has(eventId));
  const staying = rows.filter(({ eventId }) => !wanted.has(eventId));
  if (staying.length === 0) return refuse({ kind: 'every_member' });
  return split(source, { leaving, staying }, command, nextId, stamp);
}

function split(
  source: IncidentRecord,
  { leaving, staying }: Record<'leaving' | 'staying', readonly IncidentMember[]>,
  { actor, by, note }: SplitIncident,
  nextId: number,
  stamp: Stamp,
): Decision<SplitOutcome> {
  const { now } = stamp;
  const incident: IncidentRecord = {
    ...withOnly(source, staying, now),
    firstLocked: true,
    revision: source.revision + 1,
  };
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
    revision: 0,
    createdAt: now,
    updatedAt: now,
  };
  const eventIds = leaving.map(({ eventId }) => eventId);
  const said = { by, note, eventIds };
  const onSource = { before: source, after: incident, also: { ...said, splitOff: nextId } };
  return {
    outcome: { kind: 'split', incident, splitOff },
    plan: planOf({
      dropMembers: [{ incident: source, eventIds }],
      addMembers: rowsIn(splitOff, leaving, { live: true, now }),
      insert: [splitOff],
      update: [incident],
      audit: [
        auditOf({ actor, action: 'incident.split', ...onSource }, stamp),
        auditOf({ actor, action: 'incident.split_off', before: null, after: splitOff, also: said }, stamp),
      ],
    }),
  };
}
