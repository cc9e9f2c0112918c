import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, answerOf, api } from '../../../api/client.ts';
import { LIVE } from '../../../api/queries.ts';
import { type Event, eventKey, type Verdict } from '../queries.ts';

/** A verdict that was given on an event, or a correction of one. */
export interface Given {
  verdict: Verdict;
  by: string;
  at: string;
  note: string | null;
  corrects: boolean;
}

type Judged = Answer<'/api/core/events/{id}/verdict', 'get'>;
/** What the camera was told, and what came of it. */
export type CameraMessage = Judged['feedback'][number];

const judgedOf = (id: number) =>
  queryOptions({
    queryKey: [...eventKey(id), 'judgements'],
    queryFn: () => answerOf(api.GET('/api/core/events/{id}/verdict', { params: { path: { id } } })),
  });

/** What was judged of an event, and whether its camera heard, as it is now. */
export const useJudged = (id: number) => useQuery({ ...LIVE, ...judgedOf(id) });

/** All that were given, the first verdict first. */
function givenIn({ first, corrections }: Judged): Given[] {
  const brief =
    (corrects: boolean) =>
    ({
      verdict,
      by,
      at,
      note,
    }: {
      verdict: Verdict;
      by: string;
      at: string;
      note?: string | null;
    }): Given => ({
      verdict,
      by,
      at,
      note: note ?? null,
      corrects,
    });
  return first === null ? [] : [brief(false)(first), ...corrections.map(brief(true))];
}

export const lastOf = (all: readonly Given[] | null): Given | null => all?.at(-1) ?? null;

/**
 * What a dialog is for, settled when it opens: a first verdict, or a correction of what its writer has seen.
 * What others give meanwhile is `newer`, and only the person's own decision makes it what is corrected.
 * @param event as it was when the dialog was opened
 */
export function useAim(event: Event) {
  const queries = useQueryClient();
  const [correcting, correct] = useState(event.verdict !== null);
  // Who judges an event without a verdict has seen that there was none.
  const [seen, see] = useState<readonly Given[] | null>(correcting ? null : []);
  const judged = useJudged(event.id).data;
  const data = judged && givenIn(judged);
  if (seen === null && data) see(data);
  const newerIn = (all: readonly Given[] | undefined): Given | null =>
    seen !== null && all !== undefined && all.length > seen.length ? lastOf(all) : null;
  return {
    correcting,
    seen,
    newer: newerIn(data),
    /** Whether it is known what would be corrected. */
    ready: seen !== null,
    correctKnowingly: (): void => {
      correct(true);
      see(data ?? seen);
    },
    /** Asks the hub once more: a correction that another has written is not overruled unseen. */
    isOvertaken: async (): Promise<boolean> =>
      newerIn(givenIn(await queries.fetchQuery({ ...judgedOf(event.id), staleTime: 0 }))) !== null,
  };
}
