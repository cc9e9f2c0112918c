import * as z from 'zod/mini';
import { pageOf } from '../../../common/core/event/routes.ts';
import { actorOf } from '../../../common/core/key/routes.ts';
import { forbidden } from '../../../common/http/error.ts';
import type { Call } from '../../../common/http/route.ts';
import { route, type Route } from '../../../common/http/route.ts';
import { formatTime } from '../../../common/time.ts';
import type { DocumentService } from './service.ts';
import { MAX_ORIGINAL, PRESIGN_SECONDS } from '../original/original.ts';
import { originOf, type Viewer, type Origins } from '../origin.ts';
import { HIGHEST_RANK, type PolicyDocument } from '../record.ts';
import {
  documentQuery,
  documentsQuery,
  originalQuery,
  pendingQuery,
  registerInput,
  stateInput,
} from '../schema.ts';
import { chunkView, documentView, viewChunk, viewDocument } from '../view.ts';

const access = ['admin', 'session'] as const;
const tag = 'Policy library';
export const docParams = z.strictObject({ doc_id: z.coerce.number().check(z.int(), z.minimum(1)) });
export const WHOSE =
  'Say whose clearance applies: the header `x-core-subject` with the account that asks (UTF-8, ' +
  'percent-encoded where needed), or `all_levels=1` from the service channel or ' +
  'the console, which is audited each time. In a portal session it is always the own account. What ' +
  'lies above the clearance is answered as what does not exist.';
export const readErrors = {
  400: 'validation_failed, subject_required',
  403: 'tenant_not_allowed, subject_mismatch',
};
export const manageErrors = { 403: 'tenant_not_allowed', 404: 'not_found' };

/** Policy files and their originals (spec 3, "Policy library"). @param now epoch ms */
export function documentRoutes(service: DocumentService, origins: Origins, now: () => number): Route[] {
  return [
    ...ledgerRoutes(service, origins),
    ...readRoutes(service, origins),
    uploadRoute(service, origins),
    downloadRoute(service, origins, now),
  ];
}

/** Management sees every file of the tenant. */
export const management = (tenantCode: string): Viewer => ({
  tenantCode,
  subject: null,
  maxRank: HIGHEST_RANK,
});

function ledgerRoutes(service: DocumentService, origins: Origins): Route[] {
  const permission = 'policy.manage';
  const registered = z.extend(documentView, { created: z.boolean() });
  return [
    route({
      method: 'POST',
      path: '/api/core/kb/docs',
      tag,
      access,
      permission,
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
    }),
    route({
      method: 'GET',
      path: '/api/core/kb/docs/pending',
      tag,
      access,
      permission,
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
    }),
    route({
      method: 'POST',
      path: '/api/core/kb/docs/{doc_id}/state',
      tag,
      access,
      permission,
      params: docParams,
      body: stateInput,
      summary: 'Mark a file effective, withdrawn (with a reason) or superseded',
      description:
        '`effective` needs `expect_chunks_sha256`, the fingerprint of the chunk set that was reviewed: ' +
        '409 `stale_chunks` when the chunks were submitted again since. The version ' +
        'before becomes superseded in the same transaction, and `superseded` names it. Only one ' +
        'version of a policy is effective at a time: of two that supersede one version the later is ' +
        '409 `another_version_effective`, and so is an older one while a newer is or was effective.',
      replies: {
        200: {
          description: 'The file as it is now',
          schema: z.extend(documentView, { superseded: z.nullable(z.int()) }),
        },
      },
      errors: { ...manageErrors, 409: 'state_refused, stale_chunks, no_chunks, another_version_effective' },
      handle: async (call) => {
        origins.tenant(call.actor, call.body.tenant_code);
        const { document, superseded } = await service.setState(call.params.doc_id, call.body, actorOf(call));
        return { body: { ...viewDocument(document), superseded } };
      },
    }),
  ];
}

function readRoutes(service: DocumentService, origins: Origins): Route[] {
  const permission = 'policy.view';
  return [
    route({
      method: 'GET',
      path: '/api/core/kb/docs',
      tag,
      access,
      permission,
      query: documentsQuery,
      summary: 'List policy files, newest first',
      description: WHOSE,
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
            ...(query.status === undefined ? {} : { status: query.status }),
            ...(query.src_system === undefined ? {} : { srcSystem: query.src_system }),
            ...(query.src_key_prefix === undefined ? {} : { srcKeyPrefix: query.src_key_prefix }),
          },
          visibility,
          query.cursor,
          query.limit,
        );
        return { body: { ...page, items: page.items.map(viewDocument) } };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/kb/docs/{doc_id}',
      tag,
      access,
      permission,
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
    }),
  ];
}

function uploadRoute(service: DocumentService, origins: Origins): Route {
  const answer = z.extend(documentView, { stored: z.boolean() });
  return route({
    method: 'POST',
    path: '/api/core/kb/docs/{doc_id}/file',
    tag,
    access,
    permission: 'policy.manage',
    params: docParams,
    query: z.strictObject({ tenant_code: originalQuery.def.shape.tenant_code }),
    stream: true,
    maxBody: MAX_ORIGINAL,
    summary: 'Upload the original, as the plain body; at most 25 MB (26214400 bytes)',
    description:
      'Size and SHA-256 must be those that were registered, else 422 and nothing is kept. Sending it ' +
      'again is 200.',
    replies: {
      201: { description: 'Stored', schema: answer },
      200: { description: 'It was stored already', schema: answer },
    },
    errors: {
      ...manageErrors,
      400: 'validation_failed, no_original, body_incomplete',
      413: 'body_too_large',
      422: 'original_mismatch',
      503: 'originals_unavailable',
      507: 'storage_full',
    },
    handle: async (call) => {
      const { stream, params, query } = call;
      if (!stream) throw forbidden('The original is the body of this call.');
      // Neither an admin key nor a session signs a body, so that nothing is to be compared with a digest.
      const actor = stream.prove({ sha256: '' });
      const tenant = origins.tenant(actor, query.tenant_code);
      const { document, stored } = await service.upload(
        params.doc_id,
        management(tenant),
        () => stream.read(),
        actorOf({ actor, ip: call.ip }),
      );
      return { status: stored ? 201 : 200, body: { ...viewDocument(document), stored } };
    },
  });
}

function downloadRoute(service: DocumentService, origins: Origins, now: () => number): Route {
  return route({
    method: 'GET',
    path: '/api/core/kb/docs/{doc_id}/file',
    tag,
    access,
    permission: 'policy.view',
    params: docParams,
    query: originalQuery,
    summary:
      'The original, after its bytes were compared with the registered fingerprint; presign=1: an ' +
      'address valid 5 minutes',
    description:
      `${WHOSE} Bytes that are not those registered are not handed out: 500 \`original_damaged\`. ` +
      `\`presign=1\` answers \`{url, expiresAt}\`, where a public endpoint is ` +
      'configured; else it is 400 `presign_unavailable`.',
    replies: {
      200: { description: 'The bytes with the media type registered, or the address', contentType: '*/*' },
    },
    errors: {
      400: 'validation_failed, subject_required, presign_unavailable, no_original',
      403: 'tenant_not_allowed, subject_mismatch',
      404: 'not_found, original_missing',
      500: 'internal, original_damaged',
      503: 'originals_unavailable',
    },
    handle: async (call: Call<{ doc_id: number }, z.infer<typeof originalQuery>>) => {
      const { params, query } = call;
      const visibility = await origins.reader(
        call,
        origins.tenant(call.actor, query.tenant_code),
        query.all_levels === '1',
        `kb_doc:${params.doc_id}`,
      );
      if (query.presign === '1') {
        const url = await service.presigned(params.doc_id, visibility);
        return { body: { url, expiresAt: formatTime(now() + PRESIGN_SECONDS * 1000) } };
      }
      const { document, content } = await service.original(params.doc_id, visibility);
      return {
        body: content,
        contentType: document.contentType ?? 'application/octet-stream',
        headers: headersOf(document),
      };
    },
  });
}

function headersOf({ id, fileName, size, sha256 }: PolicyDocument): Record<string, string> {
  const name = fileName ?? `${id}`;
  return {
    'Content-Length': String(size),
    'Cache-Control': 'private, no-store',
    ETag: `"${sha256}"`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Content-Disposition':
      `attachment; filename="${name.replace(/[^A-Za-z0-9._-]/g, '_')}"; ` +
      `filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`,
  };
}
