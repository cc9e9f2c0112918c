import {
  infiniteQueryOptions,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { LIVE } from '../api/queries.ts';

/** A page of a list by cursor, as the API answers it. */
export interface ListPage<T> {
  items: T[];
  nextCursor: string | number | null;
  hasMore: boolean;
  /** Of a search that looks through rows: down to which it has; null: all. */
  searchedTo?: string | null;
}

type Cursor = string | number | null;

/** What a list by cursor is asked by. */
export interface Growing<T> {
  /** Of the query, with every filter in it. */
  key: QueryKey;
  /** Asks for a page; null asks for the first. */
  fetch: (cursor: Cursor) => Promise<ListPage<T>>;
}

const headKey = (key: QueryKey): QueryKey => [...key, 'head'];

/** The rows of a list from the first page on, also for who asks for them before the list is drawn. */
export const growingPages = <T>({ key, fetch }: Growing<T>) =>
  infiniteQueryOptions({
    queryKey: [...key, 'pages'],
    queryFn: async ({ pageParam, client }) => {
      const page = await fetch(pageParam);
      // They are the newest as well: nobody asks for them twice.
      if (pageParam === null) client.setQueryData(headKey(key), page);
      return page;
    },
    initialPageParam: null as Cursor,
    getNextPageParam: (page) => (page.hasMore ? page.nextCursor : undefined),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });

/**
 * A list by cursor, newest first, that never jumps: its rows stay where they are, and are brought up to date
 * in place as far as the first page has them; how many came above them is told. `defineList` shows it.
 * @param idOf what tells rows apart
 * @param still whether nothing is asked for by itself after the first page
 */
export function useGrowing<T>({
  idOf,
  still = false,
  ...asked
}: Growing<T> & { idOf: (row: T) => string | number; still?: boolean }) {
  const { key, fetch } = asked;
  const queries = useQueryClient();
  const pages = useInfiniteQuery(growingPages(asked));
  const head = useQuery({
    ...LIVE,
    queryKey: headKey(key),
    queryFn: () => fetch(null),
    enabled: pages.isSuccess && !still,
  });
  const shown = pages.data;
  const { fetchNextPage } = pages;
  const loadMore = useCallback((): void => void fetchNextPage(), [fetchNextPage]);
  const { rows, fresh } = useMemo(
    () => merged(shown?.pages.flatMap(({ items }) => items) ?? [], head.data?.items ?? [], idOf),
    [shown, head.data, idOf],
  );
  return {
    rows,
    /** For `<AsOf>`: what is asked every few seconds, and before that the first page. */
    query: pages.isSuccess && !still ? head : pages,
    /** What the rows are of. */
    pages,
    /** Rows that came above those shown; `more` when there may be others between. */
    fresh: { count: fresh, more: fresh > 0 && fresh === head.data?.items.length },
    /** Shows them. */
    showFresh: () => queries.resetQueries({ queryKey: [...key, 'pages'] }),
    /** As the last page has it. */
    searchedTo: shown?.pages.at(-1)?.searchedTo,
    hasMore: pages.hasNextPage,
    loadMore,
    loadingMore: pages.isFetchingNextPage,
    /** Whether the next page was asked for in vain. */
    moreFailed: pages.isFetchNextPageError,
  };
}

function merged<T>(
  shown: readonly T[],
  head: readonly T[],
  idOf: (row: T) => string | number,
): { rows: T[]; fresh: number } {
  const newest = new Map(head.map((row) => [idOf(row), row]));
  const known = new Set(shown.map(idOf));
  const last = head.findLastIndex((row) => known.has(idOf(row)));
  // Rows below the last known one are those of the next page, which rows that left the list made room for.
  const above = last < 0 ? head : head.slice(0, last);
  const fresh = above.filter((row) => !known.has(idOf(row))).length;
  return { rows: shown.map((row) => newest.get(idOf(row)) ?? row), fresh };
}
