import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react';
import { answerOf, api, type Answer } from '../api/client.ts';
import { Refused } from '../api/fault.ts';

export type Identity = Answer<'/api/core/session', 'get'>;
export type Permission = Identity['permissions'][number];

/** Who is logged in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Identity | null> => {
    try {
      return await answerOf(api.GET('/api/core/session'));
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export interface Session {
  identity: Identity;
  /** Whether the hub lets this user do it; what it does not let is not shown. */
  can: (permission: Permission) => boolean;
}

const Context = createContext<Session | null>(null);

/** Of the user who is logged in; for use below the shell, which is shown to nobody else. */
export function useSession(): Session {
  const session = useContext(Context);
  if (session === null) throw new Error('useSession stands outside of SessionProvider');
  return session;
}

/** Shows what is in it as long as somebody is logged in, and otherwise leads to the login, and back. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { data: identity } = useQuery(sessionQuery);
  const router = useRouter();
  const session = useMemo<Session | null>(
    () => (identity ? { identity, can: (permission) => identity.permissions.includes(permission) } : null),
    [identity],
  );
  useEffect(() => {
    const { href, pathname } = router.latestLocation;
    if (identity === null && pathname !== '/login')
      void router.navigate({ to: '/login', search: { back: href } });
  }, [identity, router]);
  return session && <Context value={session}>{children}</Context>;
}

/**
 * Begins with nothing of what an earlier user of this browser saw.
 * @throws Refused 401 invalid_credentials, 429 too_many_attempts with `retryAfter`
 */
export async function logIn(
  queries: QueryClient,
  body: { name: string; password: string },
): Promise<Identity> {
  const identity = await answerOf(api.POST('/api/core/session/login', { body }));
  queries.clear();
  queries.setQueryData(sessionQuery.queryKey, identity);
  return identity;
}

/** @param leave goes where nothing of the session is shown, before all of it is forgotten */
export async function logOut(queries: QueryClient, leave: () => Promise<void>): Promise<void> {
  await answerOf(api.POST('/api/core/session/logout'));
  await leave();
  queries.clear();
  queries.setQueryData(sessionQuery.queryKey, null);
}
