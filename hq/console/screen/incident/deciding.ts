import { answerOf, api } from '../../api/client.ts';
import type { Refused } from '../../api/fault.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { decisionWords } from './decision-words.ts';
import { incidentsKey } from './queries.ts';

export interface Said {
  note?: string | undefined;
}

const said = ({ note = '' }: Said) => (note.trim() === '' ? {} : { note: note.trim() });
const pathOf = (id: number) => ({ path: { id } });

/**
 * What a person decides on groups, each with its answer.
 * @param then after it was done, or somebody else was first
 */
export function useConfirm(id: number, then: () => void) {
  const say = useWords(decisionWords);
  const { by, conflict, changes } = useCommon(then);
  return useAct({
    act: (input: Said) =>
      answerOf(
        api.POST('/api/core/incidents/{id}/confirm', { params: pathOf(id), body: { by, ...said(input) } }),
      ),
    changes,
    conflict,
    done: ({ changed, incident }) =>
      changed ? say('confirmed') : say('confirmedFirst', { who: incident.confirmedBy ?? '' }),
    then,
  });
}

export function useSplit(id: number, eventIds: readonly number[], then: () => void) {
  const say = useWords(decisionWords);
  const { by, conflict, changes } = useCommon(then);
  return useAct({
    act: (input: Said) =>
      answerOf(
        api.POST('/api/core/incidents/{id}/split', {
          params: pathOf(id),
          body: { by, event_ids: [...eventIds], ...said(input) },
        }),
      ),
    changes,
    conflict,
    done: ({ splitOff }) => say('splitDone', { id: splitOff.id }),
    then,
  });
}

export interface Merge extends Said {
  into: number;
  others: number[];
}

/** @param failed somebody else was first */
export function useMerge(failed: () => void) {
  const say = useWords(decisionWords);
  const { by, conflict, changes } = useCommon(failed);
  return useAct({
    act: ({ into, others, ...input }: Merge) =>
      answerOf(
        api.POST('/api/core/incidents/{id}/merge', {
          params: pathOf(into),
          body: { by, incident_ids: others, ...said(input) },
        }),
      ),
    changes,
    conflict,
    done: ({ incident }) => say('mergeDone', { id: incident.id }),
  });
}

export function useUnmerge(then: () => void) {
  const say = useWords(decisionWords);
  const { by, conflict, changes } = useCommon(then);
  return useAct({
    act: ({ id, ...input }: Said & { id: number }) =>
      answerOf(
        api.POST('/api/core/incidents/{id}/unmerge', { params: pathOf(id), body: { by, ...said(input) } }),
      ),
    changes,
    conflict,
    done: ({ incident }) => say('restored', { id: incident.id }),
    then,
  });
}

function useCommon(failed: () => void) {
  const say = useWords(decisionWords);
  const { identity } = useSession();
  return {
    by: identity.name,
    changes: [incidentsKey],
    conflict: ({ code, body }: Refused): string | undefined => {
      failed();
      if (code === 'not_merged') return say('notMerged');
      if (code === 'members_gone') return say('membersGone');
      const [first] = code === 'incident_closed' && Array.isArray(body.details) ? body.details : [];
      const where: unknown = first;
      return isAway(where)
        ? say('mergedMeanwhile', { id: where.incidentId, into: where.mergedInto })
        : undefined;
    },
  };
}

const isAway = (value: unknown): value is { incidentId: number; mergedInto: number } =>
  typeof value === 'object' &&
  value !== null &&
  'incidentId' in value &&
  typeof value.incidentId === 'number' &&
  'mergedInto' in value &&
  typeof value.mergedInto === 'number';
