import * as z from 'zod/mini';
import { actorOf } from '../../../common/http/caller.ts';
import { described } from '../../../common/http/described.ts';
import { forbidden } from '../../../common/http/error.ts';
import { type Call, type Route, route } from '../../../common/http/route.ts';
import { formatTime } from '../../../common/time.ts';
import type { Origins } from '../origin.ts';
import { MAX_ORIGINAL, PRESIGN_SECONDS } from '../original/original.ts';
import type { PolicyDocument } from '../record.ts';
import { originalQuery } from '../schema.ts';
import { documentView, viewDocument } from '../view.ts';
import { ACCESS, docParams, manageErrors, management, TAG, WHOSE } from './access.ts';
import type { DocumentService } from './service.ts';

/** The bytes of policy files. @param now epoch ms */
export function originalRoutes(service: DocumentService, origins: Origins, now: () => number): Route[] {
  return [uploadRoute(service, origins), downloadRoute(service, origins, now)];
}

function uploadRoute(service: DocumentService, origins: Origins): Route {
  const answer = z
    .extend(documentView, { stored: z.boolean() })
    .register(described, { id: 'StoredPolicyDocument' });
  return route({
    method: 'POST',
    path: '/api/core/kb/docs/{doc_id}/file',
    tag: TAG,
    access: ACCESS,
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
    tag: TAG,
    access: ACCESS,
    permission: 'policy.view',
    params: docParams,
    query: originalQuery,
    summary:
      'The original, after its bytes were compared with the registered fingerprint; presign=1: an ' +
      'address valid 5 minutes',
    description:
      `${WHOSE} A link, which cannot send a header, names the account in \`asker\`. With \`inline=1\` a ` +
      'PDF is shown by the browser instead of saved, at the page that the link names (`#page=3`); anything ' +
      'else is saved all the same. Bytes that are not those registered are not handed out: 500 ' +
      '`original_damaged`. `presign=1` answers `{url, expiresAt}`, where a public endpoint is ' +
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
        query.asker,
      );
      if (query.presign === '1') {
        const url = await service.presigned(params.doc_id, visibility);
        return { body: { url, expiresAt: formatTime(now() + PRESIGN_SECONDS * 1000) } };
      }
      const { document, content } = await service.original(params.doc_id, visibility);
      return {
        body: content,
        contentType: document.contentType ?? 'application/octet-stream',
        headers: headersOf(document, query.inline === '1' && document.contentType === PDF),
      };
    },
  });
}

/** The only type that browsers show without running anything of it in the name of this host. */
const PDF = 'application/pdf';

function headersOf({ id, fileName, size, sha256 }: PolicyDocument, inline: boolean): Record<string, string> {
  const name = fileName ?? `${id}`;
  return {
    'Content-Length': String(size),
    'Cache-Control': 'private, no-store',
    ETag: `"${sha256}"`,
    // In a sandbox browsers do not show a PDF.
    'Content-Security-Policy': inline
      ? "frame-ancestors 'none'; script-src 'none'"
      : "default-src 'none'; sandbox",
    'Content-Disposition':
      `${inline ? 'inline' : 'attachment'}; filename="${name.replace(/[^A-Za-z0-9._-]/g, '_')}"; ` +
      `filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`,
  };
}
