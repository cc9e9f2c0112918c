import * as z from 'zod/mini';
import { tenantCode } from '../../../common/core/event/schema.ts';
import { described } from '../../../common/http/described.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { translate } from '../../../common/message.ts';
import { formatTime, formatTimeOrNull } from '../../../common/time.ts';
import {
  CLAUSE_BYTES,
  LIBRARY_PATH,
  libraryRequest,
  MAX_LIBRARY_FILES,
} from '../../../common/uplink/library.ts';
import { libraryRefusalMessages } from '../../../common/uplink/library-refusal-messages.ts';
import { checkSender, siteKeyOf } from '../../receiver/sender.ts';
import type { Origins } from '../origin.ts';
import type { SiteLibraryPort } from './port.ts';
import { type SiteLibrary, siteLibraryStates } from './record.ts';
import type { LibraryAnswers } from './service.ts';

const MAX_BODY = 64 * 1024;

export const siteLibraryRoutes = (
  answers: LibraryAnswers,
  libraries: Pick<SiteLibraryPort, 'list'>,
  origins: Origins,
): Route[] => [downRoute(answers), listRoute(libraries, origins)];

function downRoute(answers: LibraryAnswers): Route {
  return route({
    method: 'POST',
    path: LIBRARY_PATH,
    tag: 'Uplink',
    access: ['site'],
    summary: 'Give a site the policies in force of one of its tenants',
    description:
      'For sites only; the wire format may change with the protocol number. `files`: what changed after a ' +
      `number, ${MAX_LIBRARY_FILES} files at most, with what is not in force any more as \`gone\`; with ` +
      '`restart` the site is to go through all of them. At the end comes the digest of all files. ' +
      `\`clauses\`: the clauses of files, up to \`bytes\` (${CLAUSE_BYTES.most / 1024} KiB at most). Only ` +
      'levels up to CORE_SITE_LIBRARY go down, and of a tenant that is not of the site nothing. The answer ' +
      'is JSON, compressed with gzip, whatever the caller accepts.',
    body: libraryRequest,
    compressed: true,
    maxBody: MAX_BODY,
    replies: { 200: { description: 'JSON with gzip', contentType: 'application/gzip' } },
    errors: { 400: 'protocol_unsupported' },
    handle: async ({ actor, body }) => {
      checkSender(body, siteKeyOf(actor).subject);
      return { body: await answers.answer(body), contentType: 'application/gzip' };
    },
  });
}

const siteLibrary = z
  .object({
    tenantCode: z.string(),
    instance: z.string(),
    state: z.enum(siteLibraryStates),
    version: z.string(),
    since: z.string(),
    heldVersion: z.nullable(z.string()),
    heldAt: z.nullable(z.string()),
    files: z.int(),
    filesDue: z.int(),
    clauses: z.int(),
    reason: z.nullable(z.string()),
    reasonZh: z.nullable(z.string()),
  })
  .register(described, { id: 'SiteLibrary' });

function listRoute(libraries: Pick<SiteLibraryPort, 'list'>, origins: Origins): Route {
  return route({
    method: 'GET',
    path: '/api/core/kb/sites',
    tag: 'Policy search',
    access: ['admin', 'session'],
    permission: 'uplink.view',
    query: z.strictObject({
      tenant_code: z.optional(tenantCode),
      instance: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
    }),
    summary: 'Which version of the library each site has',
    description:
      '`waiting`: the site has not said yet that it has `version`; until it does, it answers from ' +
      '`heldVersion` with `files`; `filesDue` is how many files `version` has. `refused`: it does not take ' +
      'what headquarters has, for `reason`. A version of `-` is one of which nothing goes to the site.',
    replies: {
      200: { description: 'By tenant and site', schema: z.object({ items: z.array(siteLibrary) }) },
    },
    errors: { 403: 'tenant_not_allowed' },
    handle: async ({ actor, query }) => {
      const tenants = origins.tenants(actor, query.tenant_code);
      const found = await libraries.list({ tenants, instance: query.instance });
      return { body: { items: found.map(viewOf) } };
    },
  });
}

const viewOf = (one: SiteLibrary): z.infer<typeof siteLibrary> => ({
  tenantCode: one.tenantCode,
  instance: one.instance,
  state: one.state,
  version: one.version,
  since: formatTime(one.since),
  heldVersion: one.held,
  heldAt: formatTimeOrNull(one.heldAt),
  files: one.files,
  filesDue: one.filesDue,
  clauses: one.clauses,
  reason: one.reason,
  reasonZh: one.told && translate(libraryRefusalMessages, one.told, 'zh'),
});
