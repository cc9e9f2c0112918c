import * as z from 'zod/mini';
import { type Clock, stampOf } from '../../../common/clock.ts';
import type { AuditPort } from '../../../common/core/audit/port.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { described } from '../../../common/http/described.ts';
import { type Route, route } from '../../../common/http/route.ts';
import {
  DEFAULT_TOP,
  LEAST_HYBRID,
  LEAST_KEYWORD,
  MAX_TOP,
  searchInput,
  searchView,
} from '../../../common/policy/search/schema.ts';
import { formatTime } from '../../../common/time.ts';
import type { IndexKeeper, IndexStatus } from '../index/keeper.ts';
import type { Origins } from '../origin.ts';
import type { SearchService } from './service.ts';

const tag = 'Policy search';

export function searchRoutes(service: SearchService, origins: Origins): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/core/kb/search',
      tag,
      access: ['admin', 'session', 'consumer'],
      permission: 'policy.view',
      scopes: ['policy.search'],
      body: searchInput,
      summary: 'Search the clauses that an asker may be shown',
      description:
        'Only chunks of files of the tenant that are effective, within their dates and not above the ' +
        `clearance of \`subject\` are looked at, of \`src_systems\` where given (an empty list ` +
        `is none). \`top_k\` is ${DEFAULT_TOP} unless given, ${MAX_TOP} at most. \`score\` is the ` +
        `weighted share of the question's terms that the chunk has, 0 to 1, or with a vector 0.35 of ` +
        'that and 0.65 of the cosine; `index_version` says which, and scores of the two cannot be ' +
        'compared. A term counts for more where it stands several times, where the chunk is short, and in ' +
        'the number of the clause and the title of the file; each Chinese character counts beside the ' +
        'pairs that it is in, for less; and a chunk has a little of the best of its file. ' +
        '`vec_note` says why no vector was used, empty when one was. The weight of a term ' +
        'is its inverse frequency among the chunks that the asker may see. A vector without ' +
        "`embed_model` is taken to be of the embedding service's model, or, where none is configured, " +
        'of the model by which vectors of its dimension are stored. Words that say only how is asked ' +
        'have no weight, and words that mean the same (`/api/core/kb/synonyms`) count once. What scores ' +
        'less than `min_score` is not shown, and counted in `left_out`. Unless given, it is ' +
        `${LEAST_KEYWORD.ofBest} of the best score, but at least ${LEAST_KEYWORD.score}, and with a vector ` +
        `${LEAST_HYBRID.ofBest} and ${LEAST_HYBRID.score}; a term that no visible chunk has weighs ` +
        'nothing. ' +
        'So there may be fewer than `top_k`; the answer never says that a library has nothing more while ' +
        '`left_out` is not 0. Where none of the three best has enough of the question, `certain` is false, ' +
        'and `certain_note` says why: `nothing_found`, or `little_in_common`, whose items are only the ' +
        'nearest. Clauses that repeat a hit stand in its `twins` and do not count in `top_k`. `explain` ' +
        'adds both scores, their shares, and the terms that were found with their weights.',
      replies: { 200: { description: 'The best chunks, best first', schema: searchView } },
      errors: { 403: 'tenant_not_allowed, subject_mismatch', 503: 'index_building' },
      handle: async ({ actor, body }) => {
        const tenant = origins.tenant(actor, body.tenant_code);
        return {
          body: await service.search(
            body,
            await origins.sightOf(tenant, origins.subject(actor, body.subject)),
          ),
        };
      },
    }),
  ];
}

const indexView = z
  .object({
    state: z.enum(['absent', 'building', 'ready', 'failed']),
    building: z.boolean(),
    changeNo: z.nullable(z.int()),
    documents: z.nullable(z.int()),
    chunks: z.nullable(z.int()),
    vectors: z.nullable(z.int()),
    bytes: z.nullable(z.int()),
    wastedChunks: z.nullable(z.int()),
    lastBuild: z.nullable(z.object({ at: z.string(), ms: z.int(), reason: z.string() })),
    lastError: z.nullable(z.string()),
  })
  .register(described, { id: 'PolicyIndex' });

function viewOf({ state, building, facts, lastBuild, lastError }: IndexStatus): z.infer<typeof indexView> {
  return {
    state,
    building,
    changeNo: facts?.changeNo ?? null,
    documents: facts?.documents ?? null,
    chunks: facts?.chunks ?? null,
    vectors: facts?.vectors ?? null,
    bytes: facts?.bytes ?? null,
    wastedChunks: facts?.wasted ?? null,
    lastBuild: lastBuild && { ...lastBuild, at: formatTime(lastBuild.at) },
    lastError,
  };
}

/** The index of the hub process that answers; others have their own. */
export function indexRoutes(index: IndexKeeper, audit: Pick<AuditPort, 'add'>, clock: Clock): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/core/kb/index',
      tag,
      access: ['admin', 'session'],
      permission: 'operation.view',
      summary: 'The search index of this hub process',
      description:
        'It is derived from the database and made anew by itself when it cannot be used. `absent` ' +
        'before there is anything to search.',
      replies: { 200: { description: 'How it stands', schema: indexView } },
      handle: async () => ({ body: viewOf(await index.status()) }),
    }),
    route({
      method: 'POST',
      path: '/api/core/kb/index/rebuild',
      tag,
      access: ['admin'],
      summary: 'Make the search index of this hub process anew; the present one serves meanwhile',
      description:
        'Answers at once; GET /api/core/kb/index says when it is done. A build that is under way is ' +
        'not begun again.',
      replies: { 202: { description: 'Begun', schema: indexView } },
      handle: async (call) => {
        const stamp = stampOf(clock);
        await audit.add({
          id: stamp.newId(),
          at: stamp.now,
          actor: actorOf(call),
          action: 'kb.index_rebuild',
          subject: 'kb_index',
          tenantCode: null,
          before: null,
          after: null,
        });
        index.rebuildAside('asked for');
        return { status: 202, body: viewOf(await index.status()) };
      },
    }),
  ];
}
