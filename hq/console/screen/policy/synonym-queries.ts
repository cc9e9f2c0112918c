import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { synonymWords } from './synonym-words.ts';

export type Synonyms = Answer<'/api/core/kb/synonyms', 'get'>;

const KEY = ['policy', 'synonyms'] as const;

export const useSynonyms = (tenant: string | undefined) =>
  useQuery({
    queryKey: [...KEY, tenant],
    enabled: tenant !== undefined,
    queryFn: () =>
      answerOf(api.GET('/api/core/kb/synonyms', { params: { query: { tenant_code: tenant ?? '' } } })),
  });

/** Replaces the table as it was read; who was first keeps theirs. */
export function useChange(
  { tenantCode, revision }: Synonyms,
  options: { quiet?: boolean; then?: () => void } = {},
) {
  const say = useWords(synonymWords);
  return useAct({
    act: (to: { groups: string[][]; shipped: boolean }) =>
      answerOf(
        api.PUT('/api/core/kb/synonyms', {
          body: { ...to, tenant_code: tenantCode, expected_revision: revision },
        }),
      ),
    changes: [KEY],
    done: () => say('changed'),
    conflict: ({ code }) => (code === 'synonyms_changed' ? say('meanwhile') : undefined),
    ...options,
  });
}
