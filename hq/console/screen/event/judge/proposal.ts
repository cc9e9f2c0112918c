import { useSession } from '../../../session/session.tsx';
import type { DueChoice } from '../../../time/deadline.ts';
import { useCameraName } from '../../camera/name.tsx';
import { type Event, type Timeline, useExplanation, useTimeline } from '../queries.ts';
import { useTypeName } from '../type-name.tsx';

/** What stands in the form before anybody has chosen. */
export interface Proposal {
  organisation: string | undefined;
  due: DueChoice;
  errand: string;
}

/** Where no rule says it: the gravest within a quarter of an hour. */
const DUE: Record<NonNullable<Event['severity']>, DueChoice> = {
  critical: '15',
  high: '15',
  medium: '60',
  low: 'today',
};

type Task = Timeline['tasks'][number];

/** Somebody is on the way, or is to be: what a false alarm settles. */
export const isErrand = ({ type, state }: Pick<Task, 'type' | 'state'>): boolean =>
  (type === 'disposal' || type === 'rectification') && (state === 'open' || state === 'taken_over');

/**
 * What the rule for the event and its type propose, and the errands that stand on it.
 * @returns `proposal` null while that is being asked
 */
export function useProposal(event: Event): { proposal: Proposal | null; errands: readonly Task[] } {
  const { can } = useSession();
  const rules = useExplanation(event.id, can('rules.view'));
  const timeline = useTimeline(event);
  const named = useTypeName(event.tenantCode)(event.type);
  const camera = useCameraName()(event);
  const errands = (timeline.data?.tasks ?? []).filter(isErrand);
  const asking = (can('rules.view') && rules.isPending) || timeline.isPending;
  if (asking) return { proposal: null, errands };
  const choice = rules.data && rules.data.choice.ruleName !== null ? rules.data.choice : null;
  const place = event.pointRef ?? camera ?? event.siteRef;
  return {
    errands,
    proposal: {
      // Whom a rule has sent already is not sent twice by leaving everything as it is.
      organisation: errands.length > 0 ? undefined : (choice?.assigneeOrg ?? undefined),
      due: choice && choice.dueMinutes !== null ? `${choice.dueMinutes}` : DUE[event.severity ?? 'medium'],
      errand: [choice?.message.split('\n')[0] ?? named, place].filter(Boolean).join(' · ').slice(0, 500),
    },
  };
}
