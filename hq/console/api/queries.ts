import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { NoAnswer, Refused } from './fault.ts';

/** How often what changes by itself is asked for, ms; in the visible tab only. */
const POLL_MS = 5_000;
/** The same for what nobody waits for. */
const POLL_SLOWLY_MS = 30_000;
/** While the hub is away. */
const POLL_AWAY_MS = 15_000;
/** Of what was refused as busy: each time later, up to this. */
const POLL_BUSY_MAX_MS = 5 * 60_000;
const RETRIES = 2;
/** Of what was refused as busy, since it says itself when to come again. */
const BUSY_RETRIES = 5;
/** Waits longer than this are not sat out before the refusal is shown, s. */
const PATIENCE_S = 10;
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 30_000;

/** Whether an error says that the session has ended. */
const hasEnded = (error: unknown): boolean =>
  error instanceof Refused && error.status === 401 && error.code === 'unauthorized';

/** Seconds after which what was refused as busy may be asked again; null for any other error. */
const busyFor = (error: unknown): number | null =>
  error instanceof Refused && (error.status === 503 || error.status === 429) ? error.retryAfter : null;

/**
 * How a question is asked again while nothing is shown yet: what the hub refused would be refused again, but
 * for "busy", which is asked again when it says, and not by all that were refused at the same moment.
 */
export const RETRY = {
  retry: (count: number, error: Error): boolean => {
    const seconds = busyFor(error);
    if (seconds !== null) return count < BUSY_RETRIES && seconds <= PATIENCE_S;
    return count < RETRIES && !(error instanceof Refused && error.status < 500);
  },
  retryDelay: (count: number, error: Error): number => {
    const doubled = RETRY_MS * 2 ** count;
    const seconds = busyFor(error);
    if (seconds === null) return Math.min(doubled, RETRY_MAX_MS);
    return (seconds * 1_000 + Math.min(doubled, PATIENCE_S * 1_000) * Math.random()) | 0;
  },
} as const;

/** Asks as a query does, for what is no query. @throws what the last of its answers was */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let count = 0; ; count += 1)
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error) || !RETRY.retry(count, error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY.retryDelay(count, error)));
    }
}

interface Failing {
  error: Error | null;
  errorUpdateCount: number;
}

/**
 * What could not be had for want of a hub, or of room at it, comes by itself later.
 * @returns ms until it is asked again; false when the answer would be the same
 */
export function againAfter({ error, errorUpdateCount }: Failing): number | false {
  if (error instanceof NoAnswer) return POLL_AWAY_MS;
  const seconds = busyFor(error);
  if (seconds === null) return false;
  const later = Math.min(POLL_AWAY_MS * 2 ** Math.max(0, errorUpdateCount - 1), POLL_BUSY_MAX_MS);
  return Math.max(seconds * 1_000, later);
}

interface Polled {
  state: { error: Error | null; fetchFailureCount: number };
}

const askedEvery = (poll: number) =>
  ({
    refetchInterval: ({ state: { error, fetchFailureCount } }: Polled): number | false => {
      // Asked anew after the next login.
      if (hasEnded(error)) return false;
      if (fetchFailureCount === 0) return poll;
      return Math.max(poll, POLL_AWAY_MS, (busyFor(error) ?? 0) * 1_000);
    },
    refetchIntervalInBackground: false,
  }) as const;

/** For a query whose rows change by themselves: `useQuery({...LIVE, queryKey, queryFn})`. */
export const LIVE = askedEvery(POLL_MS);
/** The same for what may be half a minute old. */
export const SLOW = askedEvery(POLL_SLOWLY_MS);

/**
 * Keeps what was fetched. Old rows stay when the hub is away (`page/fault.tsx` says since when).
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
        ...RETRY,
        refetchInterval: ({ state }) => againAfter(state),
        // Also for a browser that believes itself without a network: the hub may be on this machine.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
