import * as z from 'zod/mini';
import { PULL_SCOPES } from '../../http/access.ts';
import { holding, spacedAnswer, UNBUFFERED } from '../../http/body/held.ts';
import type { WaitingCalls } from '../../http/body/waiting-calls.ts';
import { described } from '../../http/described.ts';
import { type Route, route } from '../../http/route.ts';
import { eventView, renderEvent } from '../event/render.ts';
import type { Awaited } from './arrivals.ts';
import { sinceQuery, streamQuery } from './schema.ts';
import { DEFAULT_BATCH, type Pull, type Pulled, type SubscriptionService } from './service.ts';
import { fault } from './subscription-fault-messages.ts';
import { STREAM_TEXT, WaitingPulls } from './waiting.ts';

export interface PullRouteOptions {
  service: SubscriptionService;
  arrivals: WaitingCalls<Awaited>;
  epoch: () => string;
  /** Name of this instance. */
  self: string;
}

export const PULLERS = ['admin', 'session', 'consumer'] as const;

const batchView = z
  .object({
    items: z.array(eventView),
    nextCursor: z.int(),
    hasMore: z.boolean(),
    epoch: z.string(),
  })
  .register(described, { id: 'EventBatch' });

type PullQuery = Pick<z.infer<typeof sinceQuery>, 'limit' | 'include_test' | 'epoch'>;

const ERRORS = {
  404: 'not_found',
  409: 'cursor_epoch_changed, cursor_ahead, cursor_expired, subscription_disabled',
  429: 'too_many_waits',
  503: 'overloaded',
} as const;

/** Pull by consumers (spec 2, "Pull rules"): at once, as soon as there is something, or as a stream. */
export function pullRoutes(options: PullRouteOptions): Route[] {
  const pulls = new WaitingPulls(options.service, options.arrivals);
  return [sinceRoute(options, pulls), streamRoute(options, pulls)];
}

const sinceRoute = (options: PullRouteOptions, pulls: WaitingPulls): Route =>
  route({
    method: 'GET',
    path: '/api/core/events/since',
    tag: 'Subscriptions',
    access: PULLERS,
    permission: 'events.view',
    scopes: PULL_SCOPES,
    query: sinceQuery,
    holds: true,
    summary: 'The batch of events after the confirmed cursor; confirm it with ack when it is processed',
    description:
      'Pulling moves nothing: the same batch comes again until it is acknowledged, so processing must be ' +
      'idempotent. `nextCursor` counts the events that filters removed; acknowledge it also when `items` ' +
      'is empty. At most 1000 events, 200 by default; a batch of very large events may end early with ' +
      '`hasMore`. Test events come with `include_test=true` only. With `wait` the answer comes as soon ' +
      'as there is an event for the consumer, after so many seconds an empty one. While it waits, ' +
      'spaces come before the answer, which JSON reads past; where the credentials are withdrawn ' +
      'meanwhile, it is cut off.',
    replies: {
      200: {
        description: 'The batch; nextCursor counts events that the filters removed',
        schema: batchView,
      },
    },
    errors: ERRORS,
    handle: async ({ actor, query, held }) => {
      const { consumer, wait = 0 } = query;
      const pull = pullOf(query);
      const first = await options.service.since(consumer, pull, actor);
      if (wait === 0 || first.items.length > 0 || first.hasMore) return { body: textOf(first, options) };
      const { call, end } = holding(options.arrivals, consumer, held);
      const later = pulls
        .batch({ consumer, pull, actor, first, call, ms: wait * 1000 })
        .then((batch) => textOf(batch, options))
        .finally(end);
      return { body: spacedAnswer(later), headers: UNBUFFERED };
    },
  });

const streamRoute = (options: PullRouteOptions, pulls: WaitingPulls): Route =>
  route({
    method: 'GET',
    path: '/api/core/events/stream',
    tag: 'Subscriptions',
    access: PULLERS,
    permission: 'events.view',
    scopes: PULL_SCOPES,
    query: streamQuery,
    holds: true,
    headers: {
      'Last-Event-ID': {
        required: false,
        description: 'The id of the last message that came, after which the stream goes on',
        example: '8f14e45f-ceea-467f-a0e6-1f2d3c4b5a69.1042',
      },
    },
    summary: 'The batches after the confirmed cursor as server-sent events, each as soon as it is there',
    description:
      'The data of each message `batch` is what `since` answers, and is confirmed with ack in the same ' +
      'way: the stream moves no cursor. It begins after the confirmed cursor, or after `Last-Event-ID` ' +
      'where that is further. A batch without items tells how far the filters have looked. A comment ' +
      `comes where nothing else does for 15 s. Before it ends for a reason a message \`error\` tells it, ` +
      'with the body that another call would be answered with. One message carries 256 KiB of event text ' +
      'at most, unless one event is larger; a reader who takes none for a minute is let go.',
    replies: {
      200: { description: 'The stream', schema: batchView, contentType: 'text/event-stream' },
    },
    errors: ERRORS,
    handle: async ({ actor, query, held, request }) => {
      const { consumer } = query;
      const epoch = options.epoch();
      const last = positionOf(request.headers['last-event-id']);
      const pull = { ...pullOf(query), ...last, epoch: query.epoch ?? last.epoch, maxText: STREAM_TEXT };
      const first = await options.service.since(consumer, pull, actor);
      const { call, end } = holding(options.arrivals, consumer, held);
      const body = pulls.stream(
        { consumer, pull: { ...pull, epoch }, actor, first, call, ms: msOf(query.lasts) },
        (batch) => textOf(batch, options),
        (cursor) => `${epoch}.${cursor}`,
      );
      body.once('close', end);
      return { body, contentType: 'text/event-stream; charset=utf-8', headers: UNBUFFERED };
    },
  });

/** Whoever names no end is told when there is one. */
const msOf = (lasts: number | undefined): number => (lasts === undefined ? Infinity : lasts * 1000);

const pullOf = ({ limit, include_test: test, epoch }: PullQuery): Pull => ({
  limit: limit ?? DEFAULT_BATCH,
  includeTest: test === 'true',
  epoch,
});

function textOf({ items, nextCursor, hasMore }: Pulled, { self, epoch }: PullRouteOptions): string {
  const events = items.map((event) => renderEvent(event, self)).join(',');
  return `{"items":[${events}],"nextCursor":${nextCursor},"hasMore":${hasMore},"epoch":"${epoch()}"}`;
}

/** The id of a message of a stream: an epoch and a cursor. @throws AppError 400 */
function positionOf(id: string | string[] | undefined): { epoch?: string; after: number } {
  if (id === undefined || id === '') return { after: 0 };
  const parts = /^([\w-]{1,64})\.(\d{1,15})$/.exec(String(id));
  if (!parts) throw fault('Last-Event-ID', 'stream_position');
  return { epoch: parts[1] as string, after: Number(parts[2]) };
}
