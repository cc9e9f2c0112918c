import * as z from 'zod/mini';
import type { Clock } from '../../../common/clock.ts';
import { code, tenantCode } from '../../../common/core/event/schema.ts';
import { described } from '../../../common/http/described.ts';
import { type Route, route } from '../../../common/http/route.ts';
import type { Origins } from '../origin.ts';
import { saying } from '../policy-fault-messages.ts';
import { sha256 } from '../schema.ts';
import { citationReason, citationReasons } from './decide.ts';
import type { CitationPort } from './port.ts';

const MAX_IDS = 50;
const chunkId = z.int().check(z.minimum(1));

const verifyInput = z
  .strictObject({
    tenant_code: z.optional(tenantCode),
    subject: z.optional(code(128)),
    chunk_ids: z.optional(z.array(chunkId).check(z.minLength(1), z.maxLength(MAX_IDS))),
    chunks: z.optional(
      z
        .array(z.strictObject({ chunk_id: chunkId, sha256: z.optional(sha256) }))
        .check(z.minLength(1), z.maxLength(MAX_IDS)),
    ),
  })
  .check(
    z.refine((input) => (input.chunk_ids === undefined) !== (input.chunks === undefined), {
      path: ['chunks'],
      ...saying('chunks_or_ids'),
    }),
  )
  .register(described, { id: 'CitationCheck' });

const verifyView = z
  .object({
    items: z.array(z.object({ chunkId: z.int(), citable: z.boolean(), reason: z.enum(citationReasons) })),
  })
  .register(described, { id: 'CitationCheckResult' });

/** The citation check (spec 3, "Citation check reasons"). */
export function verifyRoutes(citations: CitationPort, origins: Origins, clock: Clock): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/core/kb/chunks/verify',
      tag: 'Policy search',
      access: ['admin', 'session', 'consumer'],
      permission: 'policy.view',
      scopes: ['policy.cite'],
      body: verifyInput,
      summary: 'Say of each chunk whether it may be cited now, and if not, why',
      description:
        `1 to ${MAX_IDS} chunks, as \`chunk_ids\`, or as \`chunks\` with the fingerprint of the text ` +
        `that is to be cited, without which \`hash_mismatch\` means that the stored text ` +
        'itself is not what it was. One result per id, in the same order; `reason` is empty for what ' +
        'may be cited. A chunk that is missing, of another tenant or above the clearance of ' +
        '`subject` is `not_found`, and the three cannot be told apart. Where several reasons hold it ' +
        'is the first of the list.',
      replies: { 200: { description: 'One result per id', schema: verifyView } },
      errors: { 403: 'tenant_not_allowed, subject_mismatch' },
      handle: async ({ actor, body }) => {
        const tenant = origins.tenant(actor, body.tenant_code);
        const visibility = await origins.sightOf(tenant, origins.subject(actor, body.subject));
        const asked =
          body.chunks ?? (body.chunk_ids ?? []).map((id) => ({ chunk_id: id, sha256: undefined }));
        const now = clock.now();
        const seen = new Map(
          (
            await citations.cited(
              visibility,
              asked.map((one) => one.chunk_id),
            )
          ).map((chunk) => [chunk.chunkId, chunk]),
        );
        const items = asked.map(({ chunk_id: id, sha256: claimed }) => {
          const reason = citationReason(seen.get(id) ?? null, claimed ?? null, now);
          return { chunkId: id, citable: reason === '', reason };
        });
        return { body: { items } };
      },
    }),
  ];
}
