import * as z from 'zod/mini';
import type { Actor } from '../../common/http/actor.ts';
import { described } from '../../common/http/described.ts';
import { forbidden } from '../../common/http/error.ts';
import { type Route, route } from '../../common/http/route.ts';
import { say } from '../../common/message.ts';
import { searchInput, searchView } from '../../common/policy/search/schema.ts';
import { fault } from '../../common/policy/search/search-fault-messages.ts';
import { formatTime } from '../../common/time.ts';
import { type LibraryRefusal, libraryRefusalMessages } from '../../common/uplink/library-refusal-messages.ts';
import { type Library, type LibraryCounts, type LibraryPort, libraryStates } from './port.ts';
import type { LibrarySearch } from './search.ts';

const tag = 'Policy search';

export const libraryRoutes = (
  search: LibrarySearch,
  libraries: Pick<LibraryPort, 'all' | 'counts'>,
): Route[] => [searchRoute(search), stateRoute(libraries)];

function searchRoute(search: LibrarySearch): Route {
  return route({
    method: 'POST',
    path: '/api/core/kb/search',
    tag,
    access: ['admin', 'session', 'consumer'],
    permission: 'policy.view',
    scopes: ['policy.search'],
    body: searchInput,
    summary: 'Search the policies in force that came down from headquarters, also without a link',
    description:
      'The answer has the form, the order and the scores of the same search at headquarters by keywords, ' +
      'over the files of the tenant in force up to the level that headquarters lets go to sites ' +
      '(CORE_SITE_LIBRARY there). Vectors are not used. A file begins and ends by the clock of this site; ' +
      'one that was withdrawn or superseded is gone once headquarters has told of it. The clearance of ' +
      'nobody is known here, so that `subject` may be named and changes nothing. A consumer asks for its ' +
      'own tenant alone; everybody else names it. A question without a certain answer is not noted. 404: ' +
      'nothing of this tenant comes to this site. 503 `library_loading`: it has not come whole yet. ' +
      '`files_coming`: so many files in force are new or changed, and not all of their clauses are here ' +
      'yet, so that a rule may be missing.',
    replies: { 200: { description: 'The best clauses, best first', schema: searchView } },
    errors: { 404: 'not_found', 503: 'library_loading' },
    handle: async ({ actor, body }) => ({
      body: await search.search(tenantOf(actor, body.tenant_code), body),
    }),
  });
}

/** @throws AppError 400 where none is named, 403 for another than the caller's own */
function tenantOf({ tenantCode: own }: Actor, named: string | undefined): string {
  if (own !== null && named !== undefined && named !== own)
    throw forbidden('You may only ask for your own tenant.');
  const tenantCode = own ?? named;
  if (tenantCode === undefined) throw fault('tenant_code', 'must_be_given');
  return tenantCode;
}

const libraryView = z
  .object({
    tenantCode: z.string(),
    state: z.enum(libraryStates),
    version: z.nullable(z.string()),
    files: z.int(),
    clauses: z.int(),
    coming: z.int(),
    at: z.string(),
    reason: z.nullable(z.string()),
    reasonZh: z.nullable(z.string()),
  })
  .register(described, { id: 'LibraryHere' });

function stateRoute(libraries: Pick<LibraryPort, 'all' | 'counts'>): Route {
  return route({
    method: 'GET',
    path: '/api/core/kb/library',
    tag,
    access: ['admin', 'session'],
    permission: 'policy.view',
    summary: 'Which policies in force are at this site',
    description:
      '`loading`: they have not come whole yet. `refused`: this site does not take what headquarters has, ' +
      'for `reason`; it answers from `version`, where there is one. `coming`: files in force of which not ' +
      'all clauses have come. `at`: when that was settled.',
    replies: { 200: { description: 'By tenant', schema: z.object({ items: z.array(libraryView) }) } },
    handle: ({ actor: { tenantCode: own } }) => ({
      body: {
        items: libraries
          .all()
          .filter(({ tenantCode, version }) => version !== '-' && (own === null || own === tenantCode))
          .map((one) => viewOf(one, libraries.counts(one.tenantCode))),
      },
    }),
  });
}

function viewOf(library: Library, counts: LibraryCounts): z.infer<typeof libraryView> {
  const { tenantCode, state, version, at } = library;
  const reason = library.reason as LibraryRefusal | null;
  return {
    ...{ tenantCode, state, version, ...counts },
    at: formatTime(at),
    reason: reason && say(libraryRefusalMessages, reason, 'en'),
    reasonZh: reason && say(libraryRefusalMessages, reason, 'zh'),
  };
}
