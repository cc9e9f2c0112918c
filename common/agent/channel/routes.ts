import * as z from 'zod/mini';
import { code, tenantCode } from '../../core/event/schema.ts';
import { publicReference } from '../../core/secret/resolver.ts';
import { actorOf, tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { pageOf } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime } from '../../time.ts';
import { OPERATORS } from '../alarm/record.ts';
import { channelFormats, type ChannelRecord } from './record.ts';
import { channelChange, channelInput } from './schema.ts';
import type { ChannelService } from './service.ts';

const channelView = z
  .object({
    id: z.string(),
    tenantCode: z.nullable(z.string()),
    name: z.string(),
    channel: z.enum(['chat', 'sms']),
    format: z.enum(channelFormats),
    urlHost: z.string(),
    urlRef: z.nullable(z.string()),
    signed: z.boolean(),
    secretRef: z.nullable(z.string()),
    recipientCount: z.int(),
    bodyTemplate: z.nullable(z.string()),
    contentType: z.nullable(z.string()),
    mail: z.nullable(z.object({ from: z.string(), user: z.nullable(z.string()) })),
    enabled: z.boolean(),
    alarms: z.nullable(
      z.object({
        from: z.enum(['warning', 'critical']),
        repeatMinutes: z.int(),
        quiet: z.nullable(
          z.object({ begin: z.string(), end: z.string(), zone: z.string(), criticalThrough: z.boolean() }),
        ),
      }),
    ),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .register(described, { id: 'Channel' });

const viewOf = (channel: ChannelRecord): z.infer<typeof channelView> => ({
  id: channel.id,
  tenantCode: channel.tenantCode === OPERATORS ? null : channel.tenantCode,
  name: channel.name,
  channel: channel.channel,
  format: channel.format,
  urlHost: channel.urlHost,
  urlRef: publicReference(channel.urlRef),
  signed: channel.secretRef !== null,
  secretRef: publicReference(channel.secretRef),
  recipientCount: channel.recipients.length,
  bodyTemplate: channel.bodyTemplate,
  contentType: channel.contentType,
  mail: channel.mail,
  enabled: channel.enabled,
  alarms: channel.alarms,
  createdAt: formatTime(channel.createdAt),
  updatedAt: formatTime(channel.updatedAt),
});

const params = z.strictObject({ id: code(64) });
const access = ['admin', 'session'] as const;
const permission = 'channels.manage';

/** Ways out of a tenant's notifications. */
export function channelRoutes(service: ChannelService): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/agent/channels',
      tag: 'Agent',
      access,
      permission,
      query: z.strictObject({ tenant_code: z.optional(tenantCode) }),
      summary: 'The configured channels, oldest first; addresses, secrets and recipients are not shown',
      replies: { 200: { description: 'The channels', schema: pageOf(channelView) } },
      handle: async ({ actor, query }) => ({
        body: {
          items: (await service.list(tenantFor(actor, query.tenant_code))).map(viewOf),
          nextCursor: null,
          hasMore: false,
        },
      }),
    }),
    route({
      method: 'POST',
      path: '/api/agent/channels',
      tag: 'Agent',
      access,
      permission,
      body: channelInput,
      summary: 'Add a channel to a tenant',
      description:
        'Formats: for `chat` `wecom`, `dingtalk` and `feishu` (group robots; `secret` is the one that ' +
        'the robot signs with) and `webhook` (signed by the one ' +
        "signature mechanism, the channel's id as key id) and `email`: `url` is `smtp://host:587` " +
        '(STARTTLS, without which nothing is sent) or `smtps://host:465` (TLS from the start), `mail.from` the sender, ' +
        '`recipients` the addresses, and `mail.user` logs in with `secret` as the password; where ' +
        'the server ' +
        'refuses some of the recipients, the message counts as failed, names them, and is not sent again; ' +
        'for `sms` `sms_gateway`: `body_template` ' +
        'may name {phones}, {phones_json}, {text}, {id}, {tenant} and {severity_code}, ' +
        'and `secret` goes as a bearer token. `url` and `secret` given in clear are sealed for this ' +
        'channel and never shown; instead, `url_ref` and `secret_ref` may name secrets of its tenant ' +
        '(PUT /api/core/secrets/{name}, use `channel_address` and `channel`). Where the address is ' +
        'changed to another host, the secret must be given anew. ' +
        "Every try carries the notification's id as `Idempotency-Key`. A tenant's rule that names " +
        '`chat` or `sms` notifies through each of its enabled channels of that kind. A channel without a ' +
        "tenant (`tenant_code` null) is the operators' own. With `alarms` a channel takes the alarms of " +
        'the installation from that severity on, those of its tenant or, of the operators, all: once when ' +
        'they begin, again every `repeat_minutes` until somebody has taken them over ' +
        '(POST /api/core/alarms/take), and when they are over. In the `quiet` hours nothing is told but, ' +
        'unless `critical_through` is false, critical ones; what stands afterwards is told then.',
      replies: { 201: { description: 'Added', schema: channelView } },
      errors: { 409: 'channel_exists' },
      handle: async (call) => ({ status: 201, body: viewOf(await service.create(call.body, actorOf(call))) }),
    }),
    route({
      method: 'PATCH',
      path: '/api/agent/channels/{id}',
      tag: 'Agent',
      access,
      permission,
      params,
      body: channelChange,
      summary: 'Change a channel; what is left out stays',
      replies: { 200: { description: 'Changed', schema: channelView } },
      errors: { 404: 'not_found', 409: 'channel_exists' },
      handle: async (call) => ({
        body: viewOf(await service.change(call.params.id, call.body, actorOf(call))),
      }),
    }),
    route({
      method: 'DELETE',
      path: '/api/agent/channels/{id}',
      tag: 'Agent',
      access,
      permission,
      params,
      summary: 'Remove a channel; what waits to go through it fails visibly',
      replies: { 200: { description: 'Removed', schema: channelView } },
      errors: { 404: 'not_found' },
      handle: async (call) => ({ body: viewOf(await service.remove(call.params.id, actorOf(call))) }),
    }),
    route({
      method: 'POST',
      path: '/api/agent/channels/{id}/test',
      tag: 'Agent',
      access,
      permission,
      params,
      summary: 'Send a test message through a channel now',
      replies: {
        200: {
          description: 'What came of it',
          schema: z.object({
            taken: z.boolean(),
            error: z.nullable(z.string()),
            errorZh: z.nullable(z.string()),
          }),
        },
      },
      errors: { 404: 'not_found' },
      handle: async (call) => ({ body: await service.test(call.params.id) }),
    }),
  ];
}
