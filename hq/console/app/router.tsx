import { createRouter } from '@tanstack/react-router';
import { createQueries } from '../api/queries.ts';
import { Broken } from '../page/page.tsx';
import { forgetRows, keepRows } from '../session/kept-rows.ts';
import { sessionQuery } from '../session/session.tsx';
import { routes } from './routes.tsx';

export const queries = createQueries(() => {
  forgetRows();
  queries.setQueryData(sessionQuery.queryKey, null);
});

keepRows(queries);

export const router = createRouter({
  routeTree: routes,
  context: { queries },
  parseSearch,
  stringifySearch,
  defaultErrorComponent: Broken,
  // Screens ask for what they need by their queries, which keep it.
  defaultPreload: 'intent',
  scrollRestoration: true,
});

/**
 * Asks who is logged in and for the first rows, and loads the screen of the address, at once and beside each
 * other: the router does one after the other, and only when the frame is drawn.
 */
export function hasten(): void {
  const [matched] = router.getMatchedRoutes(location.pathname);
  // The rows first: where they are here when the session is, they stand in the first picture.
  for (const { options } of matched) void options.staticData?.ahead?.(queries, parseSearch(location.search));
  void queries.prefetchQuery(sessionQuery);
  for (const { options } of matched) void options.component?.preload?.();
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Reads a query without taking texts for numbers: `?q=123` is the text "123". */
function parseSearch(search: string): Record<string, string | string[]> {
  const read: Record<string, string | string[]> = {};
  for (const name of new Set(new URLSearchParams(search).keys())) {
    const values = new URLSearchParams(search).getAll(name);
    read[name] = values.length > 1 ? values : (values[0] ?? '');
  }
  return read;
}

function stringifySearch(search: Record<string, unknown>): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      if (one !== undefined && one !== null && one !== '') written.append(name, String(one));
  const text = written.toString();
  return text === '' ? '' : `?${text}`;
}
