import * as z from 'zod/mini';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { forbidden } from '../../http/error.ts';
import { idParam, keptBy, limitParam } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTimeOrNull } from '../../time.ts';
import { inSiteGroup } from '../instance/group.ts';
import type { GroupSites } from '../instance/record.ts';
import type { VerdictPort } from '../verdict/port.ts';
import { earlierRoute } from './earlier-route.ts';
import { filterOf, listFilters } from './list-query.ts';
import { judgedEventView, renderJudged } from './render.ts';
import { eventInput, MAX_BATCH, tenantCode } from './schema.ts';
import type { EventService } from './service.ts';
import { unjudgedRoute } from './unjudged-route.ts';

/** Room for a full batch of ordinary events with their payloads; larger batches are to be split. */
const MAX_INTAKE_BODY = 8 * 1024 * 1024;
/**
 * Of a body 160 members an event when the batch is full; of one event more than 64 KiB of payload can have.
 */
const INTAKE_LIMITS = { depth: 256, values: 250_000, run: 34_000 };

/** One that is not right is refused by itself, and the others of its batch are taken. */
const batchItem = z.union([eventInput, z.record(z.string(), z.unknown())]);
const intakeBody = z.union([
  eventInput,
  z.object({ events: z.array(batchItem).check(z.minLength(1), z.maxLength(MAX_BATCH)) }),
]);
const intakeAnswer = z
  .object({
    items: z.array(z.object({ id: z.int(), idempotencyKey: z.string(), duplicate: z.boolean() })),
    rejected: z.array(
      z.object({
        index: z.int(),
        idempotencyKey: z.nullable(z.string()),
        error: z.string(),
        message: z.string(),
      }),
    ),
    ignored: z.array(z.string()),
    ignoredMore: z.optional(z.int()),
  })
  .register(described, { id: 'IntakeAnswer' });
const eventPage = z
  .object({
    items: z.array(judgedEventView),
    nextCursor: z.nullable(z.string()),
    hasMore: z.boolean(),
    searchedTo: z.optional(z.nullable(z.string())),
  })
  .register(described, { id: 'JudgedEventPage' });
const listQuery = z.strictObject({
  q: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  ...listFilters,
  limit: limitParam(100, 1000),
  cursor: z.optional(z.string().check(z.maxLength(512))),
});

/**
 * Intake from nodes, and events by id and in lists (DESIGN.md, "Intake").
 * @param where `self`: name of this instance; `groups`: which sites are in a group
 */
export function eventRoutes(
  service: EventService,
  verdicts: Pick<VerdictPort, 'givenOn'>,
  where: { self: string; groups: GroupSites },
): Route[] {
  const { self, groups } = where;
  return [
    route({
      method: 'POST',
      path: '/api/core/events',
      tag: 'Events',
      access: ['node'],
      direct: true,
      maxBody: MAX_INTAKE_BODY,
      limits: INTAKE_LIMITS,
      exactNumbers: true,
      summary: 'Post one event, or a batch of up to 500; the answer leaves when they are on the disk',
      description:
        "The event's tenant is that of the node's key. Of a batch the valid events are stored although " +
        'others are refused: `rejected` names those by ' +
        'index, with the reason, and sending them again unchanged gives the same. A single event that ' +
        'is refused, and a batch of which every event is, is 400 (403 ' +
        '`tenant_mismatch` for a single event of another tenant). Members that an event does not have ' +
        'are kept out; `ignored` names the first 50, `ignoredMore` counts those beyond. A `payload` is ' +
        'at most 64 KiB ' +
        'as JSON and 32 levels deep; its whole numbers are kept exactly, also past 2^53. Events may ' +
        'come late and in any order; `occurred_at` may be left out when the node does not know it.',
      body: z.unknown() as never as z.ZodMiniType<unknown>,
      replies: {
        201: { description: 'Stored', schema: intakeAnswer },
        200: { description: 'Every event was known already', schema: intakeAnswer },
      },
      errors: { 403: 'tenant_mismatch', 507: 'storage_full' },
      handle: async (call) => {
        if (call.actor.kind !== 'key') throw forbidden('Events are posted with a node key.');
        const { answer, anyNew } = await service.take(call.body, call.actor);
        return { status: anyNew ? 201 : 200, body: answer };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/events/list',
      tag: 'Events',
      access: ['admin', 'session', 'consumer'],
      permission: 'events.view',
      scopes: ['events.read'],
      query: listQuery,
      summary:
        'List events, newest first; since and until are times of occurrence; test events only with ' +
        'include_test=true',
      description:
        '`severity` names one or several, separated by commas; an event without one counts as medium. ' +
        '`verdict` is the first verdict, `corrected_to` what it was corrected to last, `standing` the ' +
        'verdict as it stands (the last correction, or else the first verdict); `none`: there is none. ' +
        '`instance` is the site where the events arose, or headquarters itself; `site_group` takes those ' +
        'of every site of a group (GET /api/core/site-groups). ' +
        '`verdictBy`, `verdictByKind` and `verdictAt` say who gave the first verdict, and when. ' +
        '`q` takes events that say each of its words (up to 8, in whatever case, also parts of words and ' +
        'Chinese) in their title, description, type, camera, place or number. One call looks at 20,000 ' +
        'events and for a second at most: a page may have few items or none with `hasMore`, and the next ' +
        'goes on where it stopped. `searchedTo` is the receipt time of the event that was looked at last; ' +
        'null: all were, and without `q` it is left out.',
      replies: { 200: { description: 'A page of events', schema: eventPage } },
      errors: { 404: 'not_found' },
      handle: async ({ actor, query }) => {
        const filter = {
          ...filterOf(query, tenantFor(actor, query.tenant_code)),
          ...keptBy(query.instance, self),
          ...(await inSiteGroup(groups, actor, query)),
        };
        const { page, searchedTo } =
          query.q === undefined
            ? { page: await service.list(filter, query.cursor, query.limit) }
            : await service.search(filter, query.q, query.cursor, query.limit);
        const judged = page.items.filter(({ verdict }) => verdict !== null).map(({ id }) => id);
        const given = await verdicts.givenOn(judged);
        const items = page.items
          .map((event) => renderJudged(event, self, given.get(event.id) ?? null))
          .join(',');
        return {
          body:
            `{"items":[${items}],"nextCursor":${JSON.stringify(page.nextCursor)}` +
            `,"hasMore":${page.hasMore}` +
            (searchedTo === undefined
              ? '}'
              : `,"searchedTo":${JSON.stringify(formatTimeOrNull(searchedTo))}}`),
        };
      },
    }),
    unjudgedRoute(service, where),
    route({
      method: 'GET',
      path: '/api/core/events/{id}',
      tag: 'Events',
      access: ['admin', 'session', 'consumer'],
      permission: 'events.view',
      scopes: ['events.read'],
      params: idParam,
      query: z.strictObject({ tenant_code: z.optional(tenantCode) }),
      summary: 'One event',
      replies: { 200: { description: 'The event', schema: judgedEventView } },
      errors: { 404: 'not_found' },
      handle: async ({ actor, params, query }) => {
        const tenant = actor.tenantCode ?? query.tenant_code ?? null;
        const event = await service.get(params.id, tenant);
        const given = (await verdicts.givenOn([event.id])).get(event.id) ?? null;
        return { body: renderJudged(event, self, given) };
      },
    }),
    earlierRoute(service, verdicts, self),
  ];
}

/**
 * The documented shape of an intake body; requests are checked event by event, so that one bad event is
 * refused alone.
 */
export const intakeDoc = intakeBody;
