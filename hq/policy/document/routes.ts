import * as z from 'zod/mini';
import { actorOf } from '../../../common/http/caller.ts';
import { described } from '../../../common/http/described.ts';
import { pageOf } from '../../../common/http/list.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { originOf, type Origins } from '../origin.ts';
import { type DocumentState, documentStates, shownState } from '../record.ts';
import { documentQuery, documentsQuery, pendingQuery, registerInput, stateInput } from '../schema.ts';
import { chunkView, documentView, supersedingView, viewChunk, viewDocument } from '../view.ts';
import { ACCESS, docParams, manageErrors, readErrors, TAG, WHOSE } from './access.ts';
import { originalRoutes } from './original-routes.ts';
import type { DocumentService } from './service.ts';

const registered = z
  .extend(documentView, { created: z.boolean() })
  .register(described, { id: 'RegisteredPolicyDocument' });

/** Policy files and their originals (spec 3, "Policy library"). @param now epoch ms */
export function documentRoutes(service: DocumentService, origins: Origins, now: () => number): Route[] {
  return [
    registerRoute(service, origins),
    pendingRoute(service, origins),
    stateRoute(service, origins),
    listRoute(service, origins),
    detailRoute(service, origins),
    ...originalRoutes(service, origins, now),
  ];
}

function registerRoute(service: DocumentService, origins: Origins): Route {
  return route({
    method: 'POST',
    path: '/api/core/kb/docs',
    tag: TAG,
    access: ACCESS,
    permission: 'policy.manage',
    body: registerInput,
    summary: 'Register a policy file, once per tenant and source key',
    description:
      'The same registration again is 200 with the file as it is now; another one under the same key ' +
      'is 409. Dates are days of Beijing time: a file is valid from 00:00 of ' +
      '`effective_date` to the end of `expiry_date`; left out, it is valid as soon as it is ' +
      'effective, and for ever. `supersedes` is the version before this one; without ' +
      '`security_level` a file is `internal`, or as high as that version. Without `size` and ' +
      '`sha256` the file has no original, only chunks. Files of the sources `hse_policy_sync` and ' +
      '`case_sync` become effective without review.',
    replies: {
      201: { description: 'Registered', schema: registered },
      200: { description: 'It was registered', schema: registered },
    },
    errors: { 403: 'tenant_not_allowed', 409: 'source_key_taken' },
    handle: async (call) => {
      origins.tenant(call.actor, call.body.tenant_code);
      const { document, created } = await service.register(call.body, {
        name: call.actor.name,
        text: actorOf(call),
      });
      return { status: created ? 201 : 200, body: { ...viewDocument(document), created } };
    },
  });
}

function pendingRoute(service: DocumentService, origins: Origins): Route {
  return route({
    method: 'GET',
    path: '/api/core/kb/docs/pending',
    tag: TAG,
    access: ACCESS,
    permission: 'policy.manage',
    query: pendingQuery,
    summary:
      'The work list of ingestion programs: files that were uploaded, and those taken 30 minutes ago ' +
      'or longer without chunks',
    description:
      'The service channel takes what it is shown: each file goes to one caller, oldest first, and ' +
      'is `parsing` from then on. With `peek=1`, and always in a login session, ' +
      'the list is only shown. A file whose original has not come is not on it.',
    replies: { 200: { description: 'The files', schema: pageOf(documentView) } },
    errors: { 403: 'tenant_not_allowed' },
    handle: async (call) => {
      const { tenant_code: named, peek, limit } = call.query;
      const take = peek === '1' || originOf(call.actor) !== 'service' ? null : { actor: actorOf(call) };
      const files = await service.pending(origins.tenants(call.actor, named), limit, take);
      return { body: { items: files.map(viewDocument), nextCursor: null, hasMore: false } };
    },
  });
}

function stateRoute(service: DocumentService, origins: Origins): Route {
  return route({
    method: 'POST',
    path: '/api/core/kb/docs/{doc_id}/state',
    tag: TAG,
    access: ACCESS,
    permission: 'policy.manage',
    params: docParams,
    body: stateInput,
    summary: 'Mark a file effective, withdrawn (with a reason) or superseded',
    description:
      '`effective` needs `expect_chunks_sha256`, the fingerprint of the chunk set that was reviewed: ' +
      '409 `stale_chunks` when the chunks were submitted again since. Where numbers are missing between ' +
      'those of its clauses (`missingNumbers`), as where a page was not read, it is 409 `numbers_missing` ' +
      'unless `accept_missing_numbers` says that the original has none either. The version ' +
      'before becomes superseded in the same transaction, and `superseded` names it. Only one ' +
      'version of a policy is effective at a time: of two that supersede one version the later is ' +
      '409 `another_version_effective`, and so is an older one while a newer is or was effective. A ' +
      'version whose effective date is to come while the one before it is in force is ' +
      '`effective` with `scheduled` true: on its day it takes its place, and `superseded` is null until ' +
      'then. A scheduled one may be withdrawn.',
    replies: {
      200: {
        description: 'The file as it is now',
        schema: supersedingView,
      },
    },
    errors: {
      ...manageErrors,
      409: 'state_refused, stale_chunks, no_chunks, numbers_missing, another_version_effective',
    },
    handle: async (call) => {
      origins.tenant(call.actor, call.body.tenant_code);
      const { document, superseded } = await service.setState(call.params.doc_id, call.body, actorOf(call));
      return { body: { ...viewDocument(document), superseded } };
    },
  });
}

function listRoute(service: DocumentService, origins: Origins): Route {
  return route({
    method: 'GET',
    path: '/api/core/kb/docs',
    tag: TAG,
    access: ACCESS,
    permission: 'policy.view',
    query: documentsQuery,
    summary: 'List policy files, newest first',
    description:
      `${WHOSE} \`q\` is text that stands in the title or the number, in whatever case. \`scheduled\` says ` +
      'whether it is those that wait for their day, which are effective, or the others.',
    replies: { 200: { description: 'A page of files', schema: pageOf(documentView) } },
    errors: readErrors,
    handle: async (call) => {
      const { query } = call;
      const visibility = await origins.reader(
        call,
        origins.tenant(call.actor, query.tenant_code),
        query.all_levels === '1',
        'kb_docs',
      );
      const page = await service.list(
        {
          states: statesOf(query),
          ...(query.src_system === undefined ? {} : { srcSystem: query.src_system }),
          ...(query.src_key_prefix === undefined ? {} : { srcKeyPrefix: query.src_key_prefix }),
          ...(query.q === undefined ? {} : { text: query.q }),
        },
        visibility,
        query.cursor,
        query.limit,
      );
      return { body: { ...page, items: page.items.map(viewDocument) } };
    },
  });
}

function detailRoute(service: DocumentService, origins: Origins): Route {
  return route({
    method: 'GET',
    path: '/api/core/kb/docs/{doc_id}',
    tag: TAG,
    access: ACCESS,
    permission: 'policy.view',
    params: docParams,
    query: documentQuery,
    summary: 'One policy file with its chunks; fields=meta leaves them out',
    description:
      `${WHOSE} \`chunksSha256\` is the SHA-256 over the hexadecimal fingerprints of the chunks in ` +
      'their order.',
    replies: {
      200: {
        description: 'The file',
        schema: z.extend(documentView, { chunks: z.optional(z.array(chunkView)) }),
      },
    },
    errors: { ...readErrors, 404: 'not_found' },
    handle: async (call) => {
      const { params, query } = call;
      const visibility = await origins.reader(
        call,
        origins.tenant(call.actor, query.tenant_code),
        query.all_levels === '1',
        `kb_doc:${params.doc_id}`,
      );
      if (query.fields === 'meta')
        return { body: viewDocument(await service.get(params.doc_id, visibility)) };
      const { document, chunks } = await service.detail(params.doc_id, visibility);
      return { body: { ...viewDocument(document), chunks: chunks.map(viewChunk) } };
    },
  });
}

/** Of what a query asks for, the states that files are kept in. */
const statesOf = ({ status, scheduled }: z.infer<typeof documentsQuery>): DocumentState[] =>
  documentStates.filter(
    (state) =>
      (status === undefined || shownState(state) === status) &&
      (scheduled === undefined || (state === 'scheduled') === (scheduled === 'true')),
  );
