import { type Answer, answerOf, api } from '../../api/client.ts';
import type { Refused } from '../../api/fault.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useSiteName } from '../site/name.tsx';
import { decisionWords } from './decision-words.ts';
import { orderWords } from './order-words.ts';
import type { Order } from './orders.tsx';
import { type Incident, incidentsKey } from './queries.ts';

export interface Said {
  note?: string | undefined;
}

/** The groups as they were shown: who decided on one of them since is not overruled unseen. */
export const seenOf = (groups: readonly Incident[]): Record<string, number> =>
  Object.fromEntries(groups.map(({ id, revision }) => [id, revision]));

const said = ({ note = '' }: Said) => (note.trim() === '' ? {} : { note: note.trim() });
const pathOf = (id: number) => ({ path: { id } });

/**
 * What a person decides on groups, each with its answer.
 * @param then after it was done, or somebody else was first
 */
export function useConfirm(group: Incident, then: () => void) {
  const say = useWords(decisionWords);
  const { by, conflict, changes, ordered } = useCommon(then);
  return useAct({
    act: (input: Said) =>
      answerOf(
        api.POST('/api/core/incidents/{id}/confirm', {
          params: pathOf(group.id),
          body: { by, seen: seenOf([group]), ...said(input) },
        }),
      ),
    changes,
    conflict,
    done: (answer) => {
      if ('order' in answer) return ordered(answer);
      const { changed, incident } = answer;
      return changed ? say('confirmed') : say('confirmedFirst', { who: incident.confirmedBy ?? '' });
    },
    then,
  });
}

export function useSplit(group: Incident, eventIds: readonly number[], then: () => void) {
  const say = useWords(decisionWords);
  const { by, conflict, changes, ordered } = useCommon(then);
  return useAct({
    act: (input: Said) =>
      answerOf(
        api.POST('/api/core/incidents/{id}/split', {
          params: pathOf(group.id),
          body: { by, seen: seenOf([group]), event_ids: [...eventIds], ...said(input) },
        }),
      ),
    changes,
    conflict,
    done: (answer) => ('order' in answer ? ordered(answer) : say('splitDone', { id: answer.splitOff.id })),
    then,
  });
}

export interface Merge extends Said {
  into: number;
  others: number[];
  seen: Record<string, number>;
}

/** @param failed somebody else was first */
export function useMerge(failed: () => void) {
  const say = useWords(decisionWords);
  const { by, conflict, changes, ordered } = useCommon(failed);
  return useAct({
    act: ({ into, others, seen, ...input }: Merge) =>
      answerOf(
        api.POST('/api/core/incidents/{id}/merge', {
          params: pathOf(into),
          body: { by, seen, incident_ids: others, ...said(input) },
        }),
      ),
    changes,
    conflict,
    done: (answer) => ('order' in answer ? ordered(answer) : say('mergeDone', { id: answer.incident.id })),
  });
}

export function useUnmerge(then: () => void) {
  const say = useWords(decisionWords);
  const { by, conflict, changes, ordered } = useCommon(then);
  return useAct({
    act: ({ id, ...input }: Said & { id: number }) =>
      answerOf(
        api.POST('/api/core/incidents/{id}/unmerge', { params: pathOf(id), body: { by, ...said(input) } }),
      ),
    changes,
    conflict,
    done: (answer) => ('order' in answer ? ordered(answer) : say('restored', { id: answer.incident.id })),
    then,
  });
}

function useCommon(failed: () => void) {
  const say = useWords(decisionWords);
  const sayOrder = useWords(orderWords);
  const siteName = useSiteName();
  const { identity } = useSession();
  return {
    ordered: ({ order: { instance } }: Ordered): string => sayOrder('ordered', { site: siteName(instance) }),
    by: identity.name,
    changes: [incidentsKey],
    conflict: ({ code, body }: Refused): string | undefined => {
      failed();
      if (code === 'not_merged') return say('notMerged');
      if (code === 'members_gone') return say('membersGone');
      if (code === 'group_changed') return sayOrder('changedMeanwhile');
      const { order } = body;
      if (code === 'group_ordered' && isOrder(order))
        return sayOrder('orderedFirst', { who: order.by, what: sayOrder(order.kind) });
      const [first] = code === 'incident_closed' && Array.isArray(body.details) ? body.details : [];
      const where: unknown = first;
      return isAway(where)
        ? say('mergedMeanwhile', { id: where.incidentId, into: where.mergedInto })
        : undefined;
    },
  };
}

type Ordered = Answer<'/api/core/incidents/{id}/confirm', 'post'> & { order: { instance: string } };

const isOrder = (value: unknown): value is { by: string; kind: Order['kind'] } =>
  typeof value === 'object' && value !== null && 'by' in value && 'kind' in value;

const isAway = (value: unknown): value is { incidentId: number; mergedInto: number } =>
  typeof value === 'object' &&
  value !== null &&
  'incidentId' in value &&
  typeof value.incidentId === 'number' &&
  'mergedInto' in value &&
  typeof value.mergedInto === 'number';
