import { useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { detailWords } from './detail-words.ts';
import { eventKey } from './queries.ts';

/** Of the files of an event. */
export const fileKey = (id: number) => [...eventKey(id), 'evidence'] as const;

/** Has a file of the event brought from its site. @param then once that is asked for */
export function useAskFor(id: number, then?: () => void) {
  const say = useWords(detailWords);
  const queries = useQueryClient();
  return useAct({
    act: (name: string) =>
      answerOf<Blob>(
        api.GET('/api/core/events/{id}/evidence/{name}', {
          params: { path: { id, name } },
          parseAs: 'blob',
        }),
      ),
    changes: [fileKey(id)],
    done: () => say('asked'),
    then: then ?? (() => void queries.removeQueries({ queryKey: ['picture', id] })),
  });
}
