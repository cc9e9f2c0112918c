// What every screen stands in: the login before it, and the shell around it.
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { isOwnPath } from '../login/back.ts';
import { Login } from '../login/login.tsx';
import { NotFound } from '../page/page.tsx';
import { type Permission, sessionQuery } from '../session/session.tsx';
import { Shell } from '../shell/shell.tsx';
import { later } from './later.tsx';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Any of them shows the screen; none: everyone sees it. */
    needs?: readonly Permission[];
    /** Asks for the rows that the screen shows first, while its file and the session are on their way. */
    ahead?: (queries: QueryClient, search: Record<string, unknown>) => Promise<void>;
  }
}

export const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
});

export const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: Login,
  validateSearch: ({ back }: Record<string, unknown>): { back?: string } =>
    typeof back === 'string' && isOwnPath(back) ? { back } : {},
});

/** For who comes back from the provider of identities. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  path: '/login/return',
  component: later(async () => (await import('../login/return.tsx')).ProviderReturn),
});

/** For who has a link of a call, and need not log in. */
export const take = createRoute({
  getParentRoute: () => root,
  path: '/take',
  component: later(async () => (await import('../screen/call/take.tsx')).TakePage),
});

export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const identity = await context.queries.ensureQueryData(sessionQuery);
    if (identity !== null) return { identity };
    throw redirect({ to: '/login', search: location.href === '/' ? {} : { back: location.href } });
  },
});
