import { type QueryKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import type { ListPage } from '../../list/growing.ts';
import type { Eyes } from './eyes.ts';
import type { FileStateName } from './filters.ts';

export type PolicyFile = Answer<'/api/core/kb/docs', 'get'>['items'][number];
export type PolicyFileDetail = Answer<'/api/core/kb/docs/{doc_id}', 'get'>;
export type Hit = Answer<'/api/core/kb/search', 'post'>['items'][number];
export type Check = Answer<'/api/core/kb/chunks/verify', 'post'>['items'][number]['reason'];
export type Reading = Answer<'/api/core/kb/readings', 'get'>['items'][number];
export type WrongAnswer = Answer<'/api/core/kb/questions/wrong', 'get'>['items'][number];
export type OpenQuestion = Answer<'/api/core/kb/questions', 'get'>['items'][number];
export type QaAnswer = Answer<'/api/core/kb/qa_log', 'get'>['items'][number];

const SLOW = { staleTime: 30_000, refetchOnWindowFocus: false } as const;

/**
 * A list by cursor that is asked for when it is opened or changed, and not every few seconds: each reading of
 * every level is an entry of the audit.
 */
function usePages<T>(
  key: QueryKey,
  enabled: boolean,
  fetch: (cursor: { cursor?: string }) => Promise<ListPage<T>>,
) {
  const pages = useInfiniteQuery({
    ...SLOW,
    queryKey: key,
    queryFn: ({ pageParam }) => fetch(pageParam === null ? {} : { cursor: String(pageParam) }),
    initialPageParam: null as string | number | null,
    getNextPageParam: (page) => (page.hasMore ? page.nextCursor : undefined),
    enabled,
  });
  return {
    query: pages,
    rows: pages.data?.pages.flatMap(({ items }) => items) ?? [],
    hasMore: pages.hasNextPage,
    loadMore: () => void pages.fetchNextPage(),
    loadingMore: pages.isFetchingNextPage,
  };
}

export const useFiles = (
  eyes: Eyes | null,
  { q, status }: { q?: string; status?: FileStateName },
  enabled = true,
) =>
  usePages(['policy', 'files', eyes?.key, q, status], enabled && eyes !== null, (cursor) =>
    answerOf(
      api.GET('/api/core/kb/docs', {
        params: {
          query: {
            ...eyes?.query,
            ...(q === undefined ? {} : { q }),
            ...stateQuery(status),
            ...cursor,
            limit: 50,
          },
        },
        headers: eyes?.headers ?? {},
      }),
    ),
  );

/** The file with its clauses; `meta` without them. */
export const useFile = (eyes: Eyes | null, id: number | null, meta = false) =>
  useQuery({
    ...SLOW,
    queryKey: ['policy', 'file', eyes?.key, id, meta],
    enabled: eyes !== null && id !== null,
    queryFn: () =>
      answerOf(
        api.GET('/api/core/kb/docs/{doc_id}', {
          params: {
            path: { doc_id: id ?? 0 },
            query: { ...eyes?.query, ...(meta ? { fields: 'meta' } : {}) },
          },
          headers: eyes?.headers ?? {},
        }),
      ),
  });

/** While something is read it is asked for often, so that who waits sees how far it is. */
const READING_MS = 2_000;

/** What waits to be read, is read, or could not be; of one file, how it was read. */
export function useReadings(eyes: Eyes | null, enabled: boolean, docId?: number) {
  const client = useQueryClient();
  return useQuery({
    queryKey: ['policy', 'readings', eyes?.tenant, docId],
    enabled: enabled && eyes !== null,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? READING_MS : 30_000),
    queryFn: async () => {
      const { items } = await answerOf(
        api.GET('/api/core/kb/readings', {
          params: {
            query: {
              ...{ tenant_code: eyes?.tenant ?? '', limit: 100 },
              ...(docId === undefined ? {} : { doc_id: docId }),
            },
          },
        }),
      );
      const key = ['policy', 'readings', eyes?.tenant, docId];
      const before = client.getQueryData<Reading[]>(key)?.filter(isUnderWay) ?? [];
      // One that is not under way any more has clauses, or a note why it has none.
      if (before.some((one) => !items.some((now) => now.docId === one.docId && isUnderWay(now))))
        for (const list of ['file', 'files']) void client.invalidateQueries({ queryKey: ['policy', list] });
      return items;
    },
  });
}

export const isUnderWay = ({ readingState }: Reading): boolean =>
  readingState === 'waiting' || readingState === 'reading';

export const useWrongAnswers = (eyes: Eyes | null, enabled: boolean) =>
  usePages(['policy', 'wrong', eyes?.key], enabled && eyes !== null, (cursor) =>
    answerOf(
      api.GET('/api/core/kb/questions/wrong', {
        params: { query: { ...eyes?.query, ...cursor, limit: 50 } },
        headers: eyes?.headers ?? {},
      }),
    ),
  );

/** Hits with what the citation check says of each, in the order of their scores. */
export const useSearch = (eyes: Eyes | null, q: string | undefined) =>
  useQuery({
    ...SLOW,
    queryKey: ['policy', 'search', eyes?.key, q],
    enabled: eyes !== null && q !== undefined,
    queryFn: async () => {
      const who = { tenant_code: eyes?.tenant ?? '', ...(eyes?.subject ? { subject: eyes.subject } : {}) };
      const found = await answerOf(
        api.POST('/api/core/kb/search', { body: { ...who, query: q ?? '', top_k: 20, explain: true } }),
      );
      const checks = await checked(who, found.items);
      return { ...found, checks };
    },
  });

async function checked(
  who: { tenant_code: string; subject?: string },
  hits: readonly Hit[],
): Promise<ReadonlyMap<number, Check>> {
  if (hits.length === 0) return new Map();
  const { items } = await answerOf(
    api.POST('/api/core/kb/chunks/verify', {
      body: { ...who, chunks: hits.map(({ chunkId, sha256 }) => ({ chunk_id: chunkId, sha256 })) },
    }),
  );
  return new Map(items.map(({ chunkId, reason }) => [chunkId, reason]));
}

export const useAnswers = (
  eyes: Eyes | null,
  filter: { asker?: string; feedback?: 'useful' | 'wrong'; since?: string; until?: string },
) =>
  usePages(['policy', 'answers', eyes?.key, filter], eyes !== null, (cursor) =>
    answerOf(
      api.GET('/api/core/kb/qa_log', {
        params: { query: { ...eyes?.query, ...filter, ...cursor, limit: 50 } },
        headers: eyes?.headers ?? {},
      }),
    ),
  );

export const useOpenQuestions = (eyes: Eyes | null, enabled: boolean) =>
  usePages(['policy', 'questions', eyes?.tenant], enabled && eyes !== null, (cursor) =>
    answerOf(
      api.GET('/api/core/kb/questions', {
        params: { query: { tenant_code: eyes?.tenant ?? '', ...cursor, limit: 50 } },
      }),
    ),
  );

export const useAnswer = (eyes: Eyes | null, id: number | undefined) =>
  useQuery({
    ...SLOW,
    queryKey: ['policy', 'answer', eyes?.key, id],
    enabled: eyes !== null && id !== undefined,
    queryFn: () =>
      answerOf(
        api.GET('/api/core/kb/qa_log/{qa_id}', {
          params: { path: { qa_id: id ?? 0 }, query: { ...eyes?.query } },
          headers: eyes?.headers ?? {},
        }),
      ),
  });

/** An effective file is in force: one that waits for its day is asked for by itself. */
function stateQuery(state: FileStateName | undefined) {
  if (state === undefined) return {};
  if (state === 'scheduled') return { scheduled: 'true' } as const;
  return { status: state, scheduled: 'false' } as const;
}
