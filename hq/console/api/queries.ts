import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { NoAnswer, Refused } from './fault.ts';

/** How often what changes by itself is asked for, ms; in the visible tab only. */
const POLL_MS = 5_000;
/** While the hub is away. */
const POLL_AWAY_MS = 15_000;
const RETRIES = 2;

/** Whether an error says that the session has ended. */
const hasEnded = (error: unknown): boolean =>
  error instanceof Refused && error.status === 401 && error.code === 'unauthorized';

/** For a query whose rows change by themselves: `useQuery({...LIVE, queryKey, queryFn})`. */
export const LIVE = {
  refetchInterval: ({
    state: { error, fetchFailureCount },
  }: {
    state: { error: Error | null; fetchFailureCount: number };
  }): number | false => {
    // Asked anew after the next login.
    if (hasEnded(error)) return false;
    return fetchFailureCount > 0 ? POLL_AWAY_MS : POLL_MS;
  },
  refetchIntervalInBackground: false,
} as const;

/**
 * Keeps what was fetched. Old rows stay when the hub is away (`page/fault.tsx` says since when). What the hub
 * refused is not asked again, since it would refuse it again.
 * @param ended called when the session has ended, whoever noticed it
 */
export function createQueries(ended: () => void): QueryClient {
  const notice = (error: unknown): void => {
    if (hasEnded(error)) ended();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: notice }),
    mutationCache: new MutationCache({ onError: notice }),
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        // Also what is not asked for again otherwise comes by itself once the hub is back.
        refetchInterval: ({ state: { error } }) => (error instanceof NoAnswer ? POLL_AWAY_MS : false),
        retry: (count, error) => count < RETRIES && !(error instanceof Refused && error.status < 500),
        // Also for a browser that believes itself without a network: the hub may be on this machine.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
