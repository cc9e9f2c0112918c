import * as z from 'zod/mini';
import { actorOf } from '../../common/http/caller.ts';
import { type Route, route } from '../../common/http/route.ts';
import { docParams, manageErrors } from './document/access.ts';
import type { DocumentService } from './document/service.ts';
import type { Origins } from './origin.ts';
import {
  chunksInput,
  embedInput,
  MAX_CHUNK_TEXT,
  MAX_CHUNKS,
  MAX_CHUNKS_BODY,
  MAX_EMBED,
  MAX_PARSE_NOTE,
} from './schema.ts';
import { supersedingView, viewDocument } from './view.ts';

const access = ['admin', 'session'] as const;
/** Every chunk may have a vector. */
const VECTORS = { values: 25_000_000 };
const tag = 'Policy library';
const permission = 'policy.manage';

/** Chunks and their vectors, from ingestion programs (spec 3; DESIGN.md, "Policy library"). */
export function chunkRoutes(service: DocumentService, origins: Origins): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/core/kb/docs/{doc_id}/chunks',
      tag,
      access,
      permission,
      params: docParams,
      body: chunksInput,
      maxBody: MAX_CHUNKS_BODY,
      limits: VECTORS,
      compressed: true,
      summary: 'Submit the chunks of a file; they replace the whole set',
      description:
        `Up to ${MAX_CHUNKS} chunks of at most ${MAX_CHUNK_TEXT} characters; \`parse_note\` is cut ` +
        `after ${MAX_PARSE_NOTE}, and must be given with an empty set: the file could not be read. The ` +
        `file goes to \`review\`, or stays there with the new ` +
        'fingerprint; files of sources that need no review become effective at once, under the rules ' +
        'of that state change. Taken until a file has been effective.',
      replies: {
        200: {
          description: 'The file as it is now',
          schema: supersedingView,
        },
      },
      errors: { ...manageErrors, 409: 'chunks_closed, original_pending, another_version_effective' },
      handle: async (call) => {
        origins.tenant(call.actor, call.body.tenant_code);
        const { document, superseded } = await service.submitChunks(
          call.params.doc_id,
          call.body,
          actorOf(call),
        );
        return { body: { ...viewDocument(document), superseded } };
      },
    }),
    route({
      method: 'POST',
      path: '/api/core/kb/chunks/embed',
      tag,
      access,
      permission,
      body: embedInput,
      maxBody: 32 * 1024 * 1024,
      limits: VECTORS,
      compressed: true,
      summary: `Submit vectors of up to ${MAX_EMBED} chunks, computed elsewhere`,
      description:
        'A vector is kept only for the text that it was made of: `sha256` must be the fingerprint of ' +
        'the chunk. A chunk that has a vector gets the new one.',
      replies: {
        200: {
          description: 'One result per item, in their order',
          schema: z.object({
            items: z.array(
              z.object({
                chunkId: z.int(),
                stored: z.boolean(),
                reason: z.nullable(z.enum(['not_found', 'hash_mismatch'])),
              }),
            ),
            stored: z.int(),
          }),
        },
      },
      errors: { 403: 'tenant_not_allowed' },
      handle: async (call) => {
        origins.tenant(call.actor, call.body.tenant_code);
        const items = await service.embed(call.body, actorOf(call));
        return { body: { items, stored: items.filter(({ stored }) => stored).length } };
      },
    }),
  ];
}
