import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import type { Draft } from './draft.ts';

/** While somebody types, only what stays is asked, ms. */
const PAUSE_MS = 300;

/** Whether the hub would take a rule; nothing is registered. @param draft as JSON; `null`: there is none */
export const useCheck = (draft: string) =>
  useQuery({
    queryKey: ['rule-check', draft],
    enabled: draft !== 'null',
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (signal.aborted) throw new DOMException('typed on', 'AbortError');
      return answerOf(
        api.POST('/api/core/objects/rules', {
          params: { query: { dry_run: '1' } },
          body: JSON.parse(draft) as Draft,
          signal,
        }),
      );
    },
  });
