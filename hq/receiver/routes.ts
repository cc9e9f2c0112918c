import * as z from 'zod/mini';
import { code, tenantCode } from '../../common/core/event/schema.ts';
import { actorOf } from '../../common/core/key/routes.ts';
import { keyIdText, rotateInput } from '../../common/core/key/schema.ts';
import { forbidden } from '../../common/http/error.ts';
import { route, type Route } from '../../common/http/route.ts';
import { formatTime, formatTimeOrNull } from '../../common/time.ts';
import { MAX_BYTES, uplinkRequest, type ChannelName, type SiteReport } from '../../common/uplink/wire.ts';
import type { ReceiverService, SiteWithKeys } from './service.ts';
import type { ReceivedChannel, SiteStatus } from './status.ts';

const HOUR_MS = 3_600_000;
const time = z.nullable(z.string());
const tenants = z.array(tenantCode).check(z.minLength(1), z.maxLength(1000));
const siteParams = z.strictObject({ instance: code(128) });

const decision = z.object({
  decision_id: z.string(), kind: z.enum(['verdict', 'correction']), tenant_code: z.string(), event_key: z.string(), verdict: z.string(), by: z.string(),
  by_kind: z.enum(['human', 'machine']), note: z.nullable(z.string()), merged_into_key: z.nullable(z.string()), judged: z.unknown(),
  disposition: z.unknown(), at: z.int(),
});
const uplinkAnswer = z.object({
  protocol: z.int(), epoch: z.string(), accepted: z.int(), duplicates: z.int(), cursor: z.int(),
  rejected: z.array(z.object({ originId: z.int(), error: z.string(), message: z.string() })), decisions: z.array(decision),
});
const channelView = z.object({
  epoch: z.nullable(z.string()), cursor: z.int(), receivedTotal: z.int(), duplicateTotal: z.int(), rejectedTotal: z.int(), lastReceivedAt: time,
});
const statusView = z.object({
  role: z.literal('hq'),
  sites: z.array(z.object({
    instance: z.string(), tenants: z.array(z.string()), state: z.enum(['current', 'late', 'silent']), lastSeenAt: time, version: z.nullable(z.string()),
    report: z.nullable(z.object({
      at: z.string(), state: z.string(), storing: z.boolean(),
      disk: z.object({ level: z.string(), roomBytes: z.nullable(z.int()), usedBytes: z.nullable(z.int()), refused: z.int() }),
      shed: z.object({ evidence: z.int(), evidenceBytes: z.int(), observations: z.int(), events: z.int() }),
      clockSuspect: z.boolean(), lifeUsedPercent: z.nullable(z.int()), silentCameras: z.int(), alarms: z.int(),
    })),
    events: channelView, verdicts: channelView,
  })),
});
const siteView = z.object({
  instance: z.string(), tenants: z.array(z.string()), createdAt: z.string(),
  keys: z.array(z.object({ keyId: z.string(), createdAt: z.string(), previousSecretUntil: time })),
});

/** What sites call, the status of their uplinks, and their registry. */
export function receiverRoutes(service: ReceiverService): Route[] {
  return [
    receive(service, 'events', 'Take a batch of events of a site; stored in one transaction'),
    receive(service, 'verdicts', 'Take a batch of verdict changes of a site; stored in one transaction'),
    statusRoute(service),
    ...siteRoutes(service),
  ];
}

function receive(service: ReceiverService, channel: ChannelName, summary: string): Route {
  return route({
    method: 'POST', path: `/api/core/uplink/${channel}`, tag: 'Uplink', access: ['site'], summary, body: uplinkRequest, compressed: true, maxBody: MAX_BYTES, exactNumbers: true,
    replies: { 200: { description: 'What was taken, what was refused, and decisions for the site', schema: uplinkAnswer } },
    description: 'For sites only; the wire format may change with the protocol number. `cursor.from` and `cursor.to` are the positions between which the items stand. An item ' +
      'that cannot be taken is named in `rejected` and does not hold the others up. Items that are known are counted as duplicates. 409 `cursor_ahead`: send again from ' +
      '`known`; 409 `sender_rolled_back`: the sender runs on an older copy of its store and takes a new epoch. `decisions` are verdicts and corrections that headquarters ' +
      'wrote on this site\'s events; they come again until the site has answered them.',
    errors: { 400: 'protocol_unsupported', 403: 'site_unknown', 409: 'cursor_ahead, sender_rolled_back' },
    handle: async ({ actor, body }) => {
      if (actor.kind !== 'key') throw forbidden('An uplink is signed with the key of its site.');
      return { body: await service.receive(channel, body, actor.subject) };
    },
  });
}

function statusRoute(service: ReceiverService): Route {
  return route({
    method: 'GET', path: '/api/core/uplink/status', tag: 'Uplink', access: ['admin', 'session'], permission: 'uplink.view', summary: 'Whose data has been received',
    description: '`current`: heard within 30 s; `late`: within 10 minutes; `silent`: not for longer, or never. `report` is what the site last told of its machine; its alarms stand under its name in GET /api/core/alarms.',
    replies: { 200: { description: 'The sites', schema: statusView } },
    handle: async ({ actor }) => ({ body: { role: 'hq', sites: (await service.status(actor.tenantCode)).map(statusOf) } }),
  });
}

function siteRoutes(service: ReceiverService): Route[] {
  const access = ['admin'] as const;
  const secretOnce = z.object({ keyId: z.string(), secret: z.string() });
  return [
    route({
      method: 'POST', path: '/api/core/sites', tag: 'Sites', access, summary: 'Register a site and give it a signing key',
      body: z.strictObject({ instance: code(128), tenants, key_id: z.optional(keyIdText) }),
      replies: { 201: { description: 'The key with its secret, shown this once', schema: z.extend(secretOnce, { instance: z.string() }) } },
      errors: { 409: 'site_exists, key_exists' },
      handle: async (call) => {
        const { instance, key_id: keyId } = call.body;
        return { status: 201, body: await service.addSite({ instance, tenants: [...new Set(call.body.tenants)], keyId }, actorOf(call)) };
      },
    }),
    route({
      method: 'GET', path: '/api/core/sites', tag: 'Sites', access, summary: 'List the sites and their keys',
      replies: { 200: { description: 'The sites', schema: z.object({ items: z.array(siteView), nextCursor: z.null(), hasMore: z.boolean() }) } },
      handle: async () => ({ body: { items: (await service.sites()).map(viewOf), nextCursor: null, hasMore: false } }),
    }),
    route({
      method: 'PATCH', path: '/api/core/sites/{instance}', tag: 'Sites', access, params: siteParams, body: z.strictObject({ tenants }),
      summary: 'Change the tenants whose events a site may bring',
      replies: { 200: { description: 'The site', schema: z.object({ instance: z.string(), tenants: z.array(z.string()) }) } }, errors: { 404: 'not_found', 409: 'site_changed' },
      handle: async (call) => {
        const site = await service.setTenants(call.params.instance, [...new Set(call.body.tenants)], actorOf(call));
        return { body: { instance: site.instance, tenants: site.tenants } };
      },
    }),
    route({
      method: 'POST', path: '/api/core/sites/{instance}/keys/{key_id}/rotate', tag: 'Sites', access,
      params: z.strictObject({ instance: code(128), key_id: keyIdText }), body: rotateInput, bodyOptional: true,
      summary: 'Give a site a new secret; the old one works on for overlap_hours (default 24)',
      replies: { 200: { description: 'The key with its secret, shown this once', schema: secretOnce } }, errors: { 404: 'not_found' },
      handle: async (call) => ({
        body: await service.rotate(call.params.instance, call.params.key_id, call.body.overlap_hours * HOUR_MS, actorOf(call)),
      }),
    }),
    route({
      method: 'DELETE', path: '/api/core/sites/{instance}', tag: 'Sites', access, params: siteParams,
      summary: 'Remove a site with its keys; what it brought stays',
      replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } }, errors: { 404: 'not_found' },
      handle: async (call) => {
        await service.removeSite(call.params.instance, actorOf(call));
        return { body: { removed: true } };
      },
    }),
  ];
}

const channelOf = (channel: ReceivedChannel): z.infer<typeof channelView> => ({ ...channel, lastReceivedAt: formatTimeOrNull(channel.lastReceivedAt) });

const statusOf = (site: SiteStatus): z.infer<typeof statusView>['sites'][number] => ({
  ...site, lastSeenAt: formatTimeOrNull(site.lastSeenAt), report: site.report && reportView(site.report), events: channelOf(site.events), verdicts: channelOf(site.verdicts),
});

const reportView = ({ disk, shed, ...report }: SiteReport) => ({
  at: report.at, state: report.state, storing: report.storing,
  disk: { level: disk.level, roomBytes: disk.room_bytes, usedBytes: disk.used_bytes, refused: disk.refused },
  shed: { evidence: shed.evidence, evidenceBytes: shed.evidence_bytes, observations: shed.observations, events: shed.events },
  clockSuspect: report.clock_suspect, lifeUsedPercent: report.life_used_percent, silentCameras: report.silent_cameras, alarms: report.alarms.length,
});

const viewOf = (site: SiteWithKeys): z.infer<typeof siteView> => ({
  instance: site.instance, tenants: site.tenants, createdAt: formatTime(site.createdAt),
  keys: site.keys.map((key) => ({ keyId: key.keyId, createdAt: formatTime(key.createdAt), previousSecretUntil: formatTimeOrNull(key.previousUntil) })),
});
