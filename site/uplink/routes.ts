import * as z from 'zod/mini';
import { code } from '../../common/core/event/schema.ts';
import { actorOf } from '../../common/http/caller.ts';
import { described } from '../../common/http/described.ts';
import { limitParam, listOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import { formatTime } from '../../common/time.ts';
import { parkedReasonZh } from '../../common/uplink/parked-reasons.ts';
import { channelNames } from '../../common/uplink/wire.ts';
import type { ParkedService } from './parked.ts';
import type { ParkedRecord } from './port.ts';
import { siteStatusView, type StatusOptions, uplinkStatus } from './status.ts';

const channel = z.enum(channelNames);
const originId = z.int().check(z.minimum(1));
const parkedView = z
  .object({
    channel,
    originId: z.int(),
    state: z.enum(['parked', 'replayed', 'discarded']),
    error: z.string(),
    message: z.string(),
    /** What `error` stands for, in Chinese. */
    messageZh: z.string(),
    count: z.int(),
    firstAt: z.string(),
    lastAt: z.string(),
  })
  .register(described, { id: 'ParkedItem' });
const replayReply = z
  .object({
    replayed: z.array(z.object({ channel, originId: z.int() })),
    refused: z.array(z.object({ channel, originId: z.int(), error: z.string(), message: z.string() })),
  })
  .register(described, { id: 'ReplayResult' });

const viewOf = (item: ParkedRecord): z.infer<typeof parkedView> => ({
  channel: item.channel,
  originId: item.originId,
  state: item.state,
  error: item.error,
  message: item.message,
  messageZh: parkedReasonZh(item.error),
  count: item.count,
  firstAt: formatTime(item.firstAt),
  lastAt: formatTime(item.lastAt),
});

/** The uplink of a site, for people and for programs on the same machine. */
export function siteUplinkRoutes(status: StatusOptions, parked: ParkedService): Route[] {
  const seen = ['admin', 'session'] as const;
  const permission = 'uplink.view';
  return [
    route({
      method: 'GET',
      path: '/api/core/uplink/status',
      tag: 'Uplink',
      access: seen,
      permission,
      summary: 'How the uplink to headquarters goes',
      description:
        'The link is `up` only after an answer from headquarters. `backlog` is what was not answered ' +
        'yet, `backlogBytes` an estimate. Without an uplink `enabled` is false. ' +
        '`conflicts` are parked items whose key another site of the tenant has used: they are not at ' +
        'headquarters. `decisions.waiting` are verdicts of headquarters that have not come down yet. ' +
        '`flows` has all that travels between the site and headquarters in one form: events, verdicts, ' +
        'work (tasks, groups and what came of orders), evidence, notifications for the channels of ' +
        'headquarters, and orders under way; `late` is what has waited for more than ten minutes, of ' +
        'evidence only while its tries fail, and at once after three in a row that did.',
      replies: {
        200: { description: 'The state of all that goes up and comes down', schema: siteStatusView },
      },
      handle: async () => ({ body: await uplinkStatus(status) }),
    }),
    route({
      method: 'GET',
      path: '/api/core/uplink/parked',
      tag: 'Uplink',
      access: seen,
      permission,
      query: z.strictObject({
        channel: z.optional(channel),
        state: z._default(z.enum(['parked', 'replayed', 'discarded', 'all']), 'parked'),
        limit: limitParam(100, 1000),
      }),
      summary: 'Items that headquarters refused, with the reason',
      replies: {
        200: {
          description: 'The items',
          schema: listOf(parkedView),
        },
      },
      handle: ({ query }) => {
        const filter = {
          ...(query.channel ? { channel: query.channel } : {}),
          ...(query.state === 'all' ? {} : { state: query.state }),
        };
        const rows = parked.list(filter, query.limit + 1);
        return {
          body: {
            items: rows.slice(0, query.limit).map(viewOf),
            nextCursor: null,
            hasMore: rows.length > query.limit,
          },
        };
      },
    }),
    route({
      method: 'POST',
      path: '/api/core/uplink/parked/replay',
      tag: 'Uplink',
      access: seen,
      permission: 'sites.manage',
      body: z
        .strictObject({
          channel: z.optional(channel),
          origin_ids: z.optional(z.array(originId).check(z.minLength(1), z.maxLength(1000))),
        })
        .check(
          z.refine((body) => body.origin_ids === undefined || body.channel !== undefined, {
            message: 'is required with origin_ids',
            path: ['channel'],
          }),
        ),
      summary: 'Send parked items to headquarters again; without origin_ids all of them',
      replies: {
        200: { description: 'What headquarters took and what it refused again', schema: replayReply },
      },
      errors: {
        404: 'not_found',
        409: 'uplink_disabled, uplink_out_of_step (retryable)',
        503: 'hub_unavailable',
      },
      handle: async ({ body }) => ({
        body: await parked.replay({
          ...(body.channel ? { channel: body.channel } : {}),
          ...(body.origin_ids ? { originIds: body.origin_ids } : {}),
        }),
      }),
    }),
    route({
      method: 'POST',
      path: '/api/core/uplink/parked/discard',
      tag: 'Uplink',
      access: seen,
      permission: 'sites.manage',
      body: z.strictObject({ channel, origin_id: originId, by: code(128) }),
      summary: 'Give a parked item up; it is never sent again, and the audit says who decided so',
      description:
        'With an event go its tasks and verdicts that are parked, each with its own entry in the audit; ' +
        'what is said of it later is `discarded` when headquarters refuses it. Incident groups go up ' +
        'without it.',
      replies: { 200: { description: 'Given up', schema: z.object({ discarded: z.boolean() }) } },
      errors: { 404: 'not_found' },
      handle: async (call) => {
        await parked.discard(call.body.channel, call.body.origin_id, `${call.body.by} as ${actorOf(call)}`);
        return { body: { discarded: true } };
      },
    }),
  ];
}
