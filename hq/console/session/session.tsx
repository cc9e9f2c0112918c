import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, Fragment, type ReactNode, useContext, useMemo, useState } from 'react';
import { letAct } from '../api/acting.ts';
import { answerOf, api } from '../api/client.ts';
import { NoAnswer, Refused } from '../api/fault.ts';
import { againAfter } from '../api/queries.ts';
import type { Identity } from './identity.ts';
import { forgetRows, liveAgain, recallRows, samePerson } from './kept-rows.ts';

export type { Identity };
export type Permission = Identity['permissions'][number];

/** Between two looks whether the hub answers again, ms. */
const AGAIN_MS = 10_000;

/** Who is logged in; null for nobody. Without a link who was, and what that person saw last. */
const SESSION = ['session'] as const;

export const sessionQuery = queryOptions({
  queryKey: SESSION,
  queryFn: async ({ client }): Promise<Identity | null> => {
    const before = client.getQueryData<Identity | null>(SESSION);
    try {
      const identity: Identity = await answerOf(api.GET('/api/core/session'));
      liveAgain(client, before);
      return identity;
    } catch (error) {
      if (error instanceof NoAnswer && (before === undefined || before?.keptAt !== undefined)) {
        const kept = recallRows(client);
        if (kept) return kept;
      }
      if (!(error instanceof Refused && error.status === 401)) throw error;
      forgetRows();
      return null;
    }
  },
  staleTime: 60_000,
  refetchInterval: ({ state }) => (state.data?.keptAt === undefined ? againAfter(state) : AGAIN_MS),
});

/** By which key the queries know how people log in. */
export const WAYS_IN = 'ways-in';

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

/**
 * Shows what is in it to who is logged in. When the session ends the login stands over it (`again`), and what
 * was typed below stays: to another user it is shown anew.
 */
export function SessionProvider({
  children,
  again,
}: {
  children: ReactNode;
  again: (former: Identity) => ReactNode;
}) {
  const { data: identity } = useQuery(sessionQuery);
  const [last, keep] = useState<Identity | null>(identity ?? null);
  if (identity && identity !== last) keep(identity);
  const session = useMemo<Session | null>(
    () => last && { identity: last, can: (permission) => last.permissions.includes(permission) },
    [last],
  );
  return (
    session && (
      <Context value={session}>
        {/* Of what was only kept nothing is left when the session turns out to have ended. */}
        {(identity !== null || last?.keptAt === undefined) && (
          <Fragment key={whoIs(session.identity)}>{children}</Fragment>
        )}
        {identity === null && again(session.identity)}
      </Context>
    )
  );
}

const whoIs = ({ name, tenantCode }: Identity): string => JSON.stringify([name, tenantCode]);

/** Somebody has logged in, and begins with nothing of what an earlier user of this browser saw. */
export function begin(queries: QueryClient, identity: Identity): void {
  letAct(true);
  forgetRows();
  queries.clear();
  queries.setQueryData(sessionQuery.queryKey, identity);
}

/** After the session has ended: for the same user with all that is shown, for another with nothing. */
export async function goOn(queries: QueryClient, identity: Identity, former: Identity): Promise<void> {
  letAct(true);
  if (!samePerson(identity, former)) {
    forgetRows();
    queries.removeQueries({ predicate: ({ queryKey: [first] }) => first !== sessionQuery.queryKey[0] });
  }
  queries.setQueryData(sessionQuery.queryKey, identity);
  await queries.invalidateQueries();
}

/**
 * Also at the provider of identities, where it has let the user in.
 * @param leave goes where nothing of the session is shown, before all of it is forgotten
 */
export async function logOut(queries: QueryClient, leave: () => Promise<void>): Promise<void> {
  forgetRows();
  const { goTo } = await answerOf(api.POST('/api/core/session/provider/logout'));
  await leave();
  // The login is shown by now, and shows the ways in, which are nobody's.
  queries.removeQueries({ predicate: ({ queryKey: [first] }) => first !== WAYS_IN });
  queries.getMutationCache().clear();
  queries.setQueryData(sessionQuery.queryKey, null);
  // What was still under way may have been kept meanwhile.
  forgetRows();
  if (goTo !== null) window.location.assign(goTo);
}
