import { AppError, badRequest, notFound } from '../../http/error.ts';
import { faultAt } from './incident-fault-messages.ts';
import type { CommonRefusal, MergeOutcome, UnmergeOutcome } from './record.ts';
import type { MergeInput } from './schema.ts';

export function refusal(outcome: CommonRefusal): AppError {
  if (outcome.kind === 'not_found') return notFound(outcome.ids.map((id) => `Incident ${id}`).join(', '));
  if (outcome.kind === 'changed')
    return new AppError(
      409,
      'group_changed',
      'Somebody decided on the group since you saw it; look at it as it is now.',
      { details: outcome.incidents.map(({ id, revision }) => ({ incidentId: id, revision })) },
    );
  const where = outcome.incidents.map(({ id, mergedInto }) => ({ incidentId: id, mergedInto }));
  return new AppError(
    409,
    'incident_closed',
    'The group was merged away and can no longer be changed; decide on the group it was merged into, ' +
      'or undo the merge.',
    {
      details: where,
    },
  );
}

export function notMergeable(
  input: MergeInput,
  { faults }: Extract<MergeOutcome, { kind: 'not_mergeable' }>,
): AppError {
  return badRequest(
    faults.map(({ id, reason }) =>
      faultAt(`incident_ids[${input.incident_ids.indexOf(id)}]`, `group_${reason}`, { id }),
    ),
  );
}

export function notRestorable(
  outcome: Extract<UnmergeOutcome, { kind: 'not_merged' | 'members_gone' | 'every_member' }>,
  id: number,
): AppError {
  switch (outcome.kind) {
    case 'not_merged':
      return new AppError(
        409,
        'not_merged',
        `The group is ${outcome.incident.state}; only one that was merged away can be restored.`,
      );
    case 'members_gone':
      return new AppError(
        409,
        'members_gone',
        `Former members of the group ${id} were cleared or split off since; it can no longer be ` +
          'restored as it was.',
        {
          details: outcome.elsewhere,
          extra: { clearedCount: outcome.cleared },
        },
      );
    case 'every_member':
      return new AppError(
        409,
        'every_member',
        `The group ${outcome.incidentId} would be left without members.`,
      );
  }
}

/** Each named event at its place in the request. */
export function namedEvents(
  path: string,
  given: readonly number[],
  wrong: readonly number[],
  code: 'group_no_member' | 'group_no_event',
): AppError {
  return badRequest(wrong.map((id) => faultAt(`${path}[${given.indexOf(id)}]`, code, { id })));
}
