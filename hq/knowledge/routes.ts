import * as z from 'zod/mini';
import { tenantCode } from '../../common/core/event/schema.ts';
import { accountOf } from '../../common/http/actor.ts';
import { actorOf, tenantFor } from '../../common/http/caller.ts';
import { described } from '../../common/http/described.ts';
import { pageOf } from '../../common/http/list.ts';
import { type Call, type Route, route } from '../../common/http/route.ts';
import { counter, type Metric } from '../../common/metrics.ts';
import { formatTime } from '../../common/time.ts';
import type { KnowledgePort } from './port.ts';
import { knowledgeInput, knowledgeQuery, reviseInput } from './schema.ts';
import { type Author, HISTORY, type KnowledgeService } from './service.ts';
import { knowledgeView, metaView, revisionView, viewKnowledge, viewMeta, viewRevision } from './view.ts';

const access = ['admin', 'session'] as const;
const tag = 'Knowledge';
const params = z.strictObject({ core_id: z.coerce.number().check(z.int(), z.minimum(1)) });
const CLEARANCE =
  'A session sees what the clearance of its user in the tenant allows (`POST /api/core/kb/clearance`; ' +
  'without a grant up to `internal`). What lies above it is answered as what does not exist.';
const tenantQuery = z.strictObject({ tenant_code: tenantCode });

const authorOf = (call: Pick<Call, 'actor' | 'ip'>): Author => ({
  name: call.actor.name,
  text: actorOf(call),
  account: accountOf(call.actor),
});

/** Knowledge objects (spec 3). */
export function knowledgeRoutes(service: KnowledgeService): Route[] {
  return [...writeRoutes(service), ...readRoutes(service)];
}

function writeRoutes(service: KnowledgeService): Route[] {
  const permission = 'knowledge.manage';
  const stored = z
    .extend(knowledgeView, { created: z.boolean(), same: z.boolean() })
    .register(described, { id: 'StoredKnowledgeObject' });
  return [
    route({
      method: 'POST',
      path: '/api/core/objects/knowledge',
      tag,
      access,
      permission,
      body: knowledgeInput,
      summary: 'Store a knowledge object, once per tenant, source system and key',
      description:
        'Repeating it answers 200 with the object as it is now and changes nothing, so that a program ' +
        'never writes over what people have revised since; `same` says whether ' +
        'the repetition equals what was first stored. `body.sections` are the sections by name, ' +
        '`editable: "human"` marks those that people may revise; other members of `body` are kept. ' +
        'Scalars and arrays of scalars at the top level of `source_ref` are what lists search by (up ' +
        'to 512 characters with their name); `event_id` in it puts the object into the timeline of ' +
        'that event, if it is one of the tenant. A key that is known, above the clearance of the session, ' +
        'is 404.',
      replies: {
        201: { description: 'Stored', schema: stored },
        200: { description: 'It was known', schema: stored },
      },
      errors: { 404: 'not_found' },
      handle: async (call) => {
        tenantFor(call.actor, call.body.tenant_code);
        const { knowledge, created, same } = await service.store(call.body, authorOf(call));
        return { status: created ? 201 : 200, body: { ...viewKnowledge(knowledge), created, same } };
      },
    }),
    route({
      method: 'POST',
      path: '/api/core/objects/knowledge/{core_id}/revise',
      tag,
      access,
      permission,
      params,
      body: reviseInput,
      summary: 'Revise the sections that are for people, all of those named or none',
      description:
        'A section is at most 8000 characters. Texts that are equal to what is there are no changes; ' +
        'when none differs, `changed` is false and the version stays. With ' +
        '`expected_version` a revision of an older version is 409 `stale_version`, with the present ' +
        'object in `current`.',
      replies: {
        200: {
          description: 'The whole object and the names of the changed sections',
          schema: z.object({
            changed: z.boolean(),
            changedSections: z.array(z.string()),
            knowledge: knowledgeView,
          }),
        },
      },
      errors: { 400: 'validation_failed, section_not_editable', 404: 'not_found', 409: 'stale_version' },
      handle: async (call) => {
        tenantFor(call.actor, call.body.tenant_code);
        const { knowledge, changed } = await service.revise(call.params.core_id, call.body, authorOf(call));
        return {
          body: {
            changed: changed.length > 0,
            changedSections: changed,
            knowledge: viewKnowledge(knowledge),
          },
        };
      },
    }),
  ];
}

function readRoutes(service: KnowledgeService): Route[] {
  const permission = 'knowledge.view';
  const page = z.extend(pageOf(metaView), { nextOffset: z.nullable(z.int()), until: z.string() });
  return [
    route({
      method: 'GET',
      path: '/api/core/objects/knowledge',
      tag,
      access,
      permission,
      query: knowledgeQuery,
      summary:
        'List knowledge objects, newest first; since and until are stored times with a zone, ' +
        'left-closed, right-open',
      description:
        '`ref_key` and `ref_value` go together and search the top-level members of `sourceRef`. ' +
        '`fields=meta` leaves the bodies out. For stable paging carry the `until` of ' +
        'the first answer on every following page; `nextOffset` is null on the last one, and beyond ' +
        `offset 10000, where a smaller \`until\` goes on. ${CLEARANCE}`,
      replies: { 200: { description: 'A page; `nextCursor` is always null', schema: page } },
      handle: async ({ actor, query }) => {
        const { items, hasMore, until } = await service.list(query, {
          tenantCode: tenantFor(actor, query.tenant_code),
          account: accountOf(actor),
        });
        const next = query.offset + items.length;
        return {
          body: {
            items: items.map((item) => ('body' in item ? viewKnowledge(item) : viewMeta(item))),
            nextCursor: null,
            hasMore,
            nextOffset: hasMore && next <= 10_000 ? next : null,
            until: formatTime(until),
          },
        };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/objects/knowledge/{core_id}',
      tag,
      access,
      permission,
      params,
      query: tenantQuery,
      summary: 'One knowledge object; tenant_code is required',
      description: CLEARANCE,
      replies: { 200: { description: 'The object', schema: knowledgeView } },
      errors: { 404: 'not_found' },
      handle: async ({ actor, params: { core_id: id }, query }) => {
        tenantFor(actor, query.tenant_code);
        return { body: viewKnowledge(await service.get(id, query.tenant_code, accountOf(actor))) };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/objects/knowledge/{core_id}/history',
      tag,
      access,
      permission,
      params,
      query: tenantQuery,
      summary: `What each version said, newest first, the latest ${HISTORY}`,
      replies: { 200: { description: 'The versions', schema: pageOf(revisionView) } },
      errors: { 404: 'not_found' },
      handle: async ({ actor, params: { core_id: id }, query }) => {
        tenantFor(actor, query.tenant_code);
        return {
          body: {
            items: (await service.history(id, query.tenant_code, accountOf(actor))).map(viewRevision),
            nextCursor: null,
            hasMore: false,
          },
        };
      },
    }),
  ];
}

export function knowledgeMetrics(service: KnowledgeService, knowledge: KnowledgePort): Metric[] {
  return [
    counter('fieldline_knowledge_stored_total', 'Knowledge objects stored', () => service.counts.stored),
    counter(
      'fieldline_knowledge_repeated_total',
      'Knowledge objects that were known',
      () => service.counts.known,
    ),
    counter('fieldline_knowledge_revised_total', 'Revisions by people', () => service.counts.revised),
    counter(
      'fieldline_knowledge_refused_total',
      'Revisions refused: stale, or of sections not for people',
      () => service.counts.refused,
    ),
    {
      name: 'fieldline_knowledge_objects',
      help: 'Knowledge objects kept, by kind',
      type: 'gauge',
      read: async () =>
        (await knowledge.counts()).map(({ kind, count }) => ({ labels: { kind }, value: count })),
    },
  ];
}
