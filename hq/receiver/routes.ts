import * as z from 'zod/mini';
import { limitParam, tenantFor } from '../../common/core/event/routes.ts';
import { code, tenantCode } from '../../common/core/event/schema.ts';
import { actorOf } from '../../common/core/key/routes.ts';
import { keyIdText, rotateInput } from '../../common/core/key/schema.ts';
import { forbidden } from '../../common/http/error.ts';
import { route, type Route } from '../../common/http/route.ts';
import { formatTime, formatTimeOrNull } from '../../common/time.ts';
import { MAX_BYTES, uplinkRequest, type ChannelName, type SiteReport } from '../../common/uplink/wire.ts';
import type { ConflictRecord } from './port.ts';
import type { ReceiverService, SiteWithKeys } from './service.ts';
import type { ReceivedChannel, SiteStatus } from './status.ts';

/** A sender halves a batch that is refused with 413; one event of 64 KiB payload must fit. */
const UPLINK_LIMITS = { depth: 64, values: 400_000, run: 36_000 };
const HOUR_MS = 3_600_000;
const time = z.nullable(z.string());
const tenants = z.array(tenantCode).check(z.minLength(1), z.maxLength(1000));
const siteParams = z.strictObject({ instance: code(128) });

const decision = z.object({
  decision_id: z.string(),
  kind: z.enum(['verdict', 'correction']),
  tenant_code: z.string(),
  event_key: z.string(),
  verdict: z.string(),
  by: z.string(),
  by_kind: z.enum(['human', 'machine']),
  note: z.nullable(z.string()),
  merged_into_key: z.nullable(z.string()),
  merged_into_instance: z.optional(z.string()),
  judged: z.unknown(),
  disposition: z.unknown(),
  at: z.int(),
});
const uplinkAnswer = z.object({
  protocol: z.int(),
  epoch: z.string(),
  accepted: z.int(),
  duplicates: z.int(),
  cursor: z.int(),
  rejected: z.array(z.object({ originId: z.int(), error: z.string(), message: z.string() })),
  decisions: z.array(decision),
  decisionsWaiting: z.optional(z.int()),
});
const channelView = z.object({
  epoch: z.nullable(z.string()),
  cursor: z.int(),
  receivedTotal: z.int(),
  duplicateTotal: z.int(),
  rejectedTotal: z.int(),
  conflictTotal: z.int(),
  lastReceivedAt: time,
});
const statusView = z.object({
  role: z.literal('hq'),
  sites: z.array(
    z.object({
      instance: z.string(),
      tenants: z.array(z.string()),
      state: z.enum(['current', 'late', 'silent']),
      lastSeenAt: time,
      version: z.nullable(z.string()),
      report: z.nullable(
        z.object({
          at: z.string(),
          state: z.string(),
          storing: z.boolean(),
          disk: z.object({
            level: z.string(),
            roomBytes: z.nullable(z.int()),
            usedBytes: z.nullable(z.int()),
            refused: z.int(),
          }),
          shed: z.object({
            evidence: z.int(),
            evidenceBytes: z.int(),
            observations: z.int(),
            events: z.int(),
          }),
          clockSuspect: z.boolean(),
          lifeUsedPercent: z.nullable(z.int()),
          silentCameras: z.int(),
          alarms: z.int(),
        }),
      ),
      events: channelView,
      verdicts: channelView,
      decisions: z.object({ waiting: z.int(), oldestWaitingAt: time, refused: z.int() }),
    }),
  ),
});
const conflictView = z.object({
  tenantCode: z.string(),
  idempotencyKey: z.string(),
  instance: z.string(),
  originId: z.int(),
  type: z.string(),
  severity: z.nullable(z.string()),
  occurredAt: time,
  receivedAt: z.string(),
  heldBy: z.string(),
  heldId: z.int(),
  firstAt: z.string(),
  lastAt: z.string(),
  count: z.int(),
});
const siteView = z.object({
  instance: z.string(),
  tenants: z.array(z.string()),
  continues: z.array(z.string()),
  createdAt: z.string(),
  keys: z.array(z.object({ keyId: z.string(), createdAt: z.string(), previousSecretUntil: time })),
});

/** What sites call, the status of their uplinks, and their registry. */
export function receiverRoutes(service: ReceiverService): Route[] {
  return [
    receive(service, 'events', 'Take a batch of events of a site; stored in one transaction'),
    receive(service, 'verdicts', 'Take a batch of verdict changes of a site; stored in one transaction'),
    statusRoute(service),
    conflictsRoute(service),
    ...siteRoutes(service),
  ];
}

function receive(service: ReceiverService, channel: ChannelName, summary: string): Route {
  return route({
    method: 'POST',
    path: `/api/core/uplink/${channel}`,
    tag: 'Uplink',
    access: ['site'],
    summary,
    body: uplinkRequest,
    compressed: true,
    maxBody: MAX_BYTES,
    limits: UPLINK_LIMITS,
    exactNumbers: true,
    replies: {
      200: {
        description: 'What was taken, what was refused, and decisions for the site',
        schema: uplinkAnswer,
      },
    },
    description:
      'For sites only; the wire format may change with the protocol number. `cursor.from` and ' +
      '`cursor.to` are the positions between which the items stand. An item ' +
      'that cannot be taken is named in `rejected` and does not hold the others up. Items that are ' +
      'known are counted as duplicates. 409 `cursor_ahead`: send again from ' +
      '`known`; 409 `sender_rolled_back`: the sender runs on an older copy of its store and takes a ' +
      'new epoch. `decisions` are verdicts and corrections that headquarters ' +
      "wrote on this site's events; they come again until the site has answered them.",
    errors: { 400: 'protocol_unsupported', 403: 'site_unknown', 409: 'cursor_ahead, sender_rolled_back' },
    handle: async ({ actor, body }) => {
      if (actor.kind !== 'key') throw forbidden('An uplink is signed with the key of its site.');
      return { body: await service.receive(channel, body, actor.subject) };
    },
  });
}

function statusRoute(service: ReceiverService): Route {
  return route({
    method: 'GET',
    path: '/api/core/uplink/status',
    tag: 'Uplink',
    access: ['admin', 'session'],
    permission: 'uplink.view',
    summary: 'Whose data has been received',
    description:
      '`current`: heard within 30 s; `late`: within 10 minutes; `silent`: not for longer, or never. ' +
      '`report` is what the site last told of its machine; its alarms stand under its name in GET ' +
      '/api/core/alarms. ' +
      '`lastReceivedAt` is when items last came, `conflictTotal` counts those whose key is of another ' +
      'event. `decisions` are verdicts and corrections given here on its events: those that wait to go ' +
      'down, and those that it did not carry out, of which the timeline of the event tells.',
    replies: { 200: { description: 'The sites', schema: statusView } },
    handle: async ({ actor }) => ({
      body: { role: 'hq', sites: (await service.status(actor.tenantCode)).map(statusOf) },
    }),
  });
}

function conflictsRoute(service: ReceiverService): Route {
  return route({
    method: 'GET',
    path: '/api/core/uplink/conflicts',
    tag: 'Uplink',
    access: ['admin', 'session'],
    permission: 'uplink.view',
    query: z.strictObject({
      instance: z.optional(code(128)),
      tenant_code: z.optional(tenantCode),
      limit: limitParam(100, 1000),
    }),
    summary: 'Events of sites that are not stored here, because their idempotency key is of another event',
    description:
      'Last sent first, at most 10,000 a site. `heldBy` and `heldId` name the event that has the key; ' +
      'where `heldBy` is the site itself, it came again with another content. ' +
      'An event leaves the list when its site sends it again and it can be taken.',
    replies: {
      200: {
        description: 'The events',
        schema: z.object({ items: z.array(conflictView), nextCursor: z.null(), hasMore: z.boolean() }),
      },
    },
    handle: async ({ actor, query }) => {
      const rows = await service.conflicts(
        { instance: query.instance, tenantCode: tenantFor(actor, query.tenant_code) },
        query.limit + 1,
      );
      return {
        body: {
          items: rows.slice(0, query.limit).map((row) => conflictOf(row, service.instance)),
          nextCursor: null,
          hasMore: rows.length > query.limit,
        },
      };
    },
  });
}

function siteRoutes(service: ReceiverService): Route[] {
  const access = ['admin'] as const;
  const secretOnce = z.object({ keyId: z.string(), secret: z.string() });
  return [
    route({
      method: 'POST',
      path: '/api/core/sites',
      tag: 'Sites',
      access,
      summary: 'Register a site and give it a signing key',
      body: z.strictObject({ instance: code(128), tenants, key_id: z.optional(keyIdText) }),
      replies: {
        201: {
          description: 'The key with its secret, shown this once',
          schema: z.extend(secretOnce, { instance: z.string() }),
        },
      },
      errors: { 409: 'site_exists, site_continued, key_exists, instance_taken' },
      handle: async (call) => {
        const { instance, key_id: keyId } = call.body;
        return {
          status: 201,
          body: await service.addSite(
            { instance, tenants: [...new Set(call.body.tenants)], keyId },
            actorOf(call),
          ),
        };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/sites',
      tag: 'Sites',
      access,
      summary: 'List the sites and their keys',
      replies: {
        200: {
          description: 'The sites',
          schema: z.object({ items: z.array(siteView), nextCursor: z.null(), hasMore: z.boolean() }),
        },
      },
      handle: async () => ({
        body: { items: (await service.sites()).map(viewOf), nextCursor: null, hasMore: false },
      }),
    }),
    route({
      method: 'PATCH',
      path: '/api/core/sites/{instance}',
      tag: 'Sites',
      access,
      params: siteParams,
      body: z
        .strictObject({
          tenants: z.optional(tenants),
          continues: z.optional(z.array(code(128)).check(z.maxLength(100))),
        })
        .check(
          z.refine((body) => body.tenants !== undefined || body.continues !== undefined, {
            message: 'is required, or continues',
            path: ['tenants'],
          }),
        ),
      summary:
        'Change the tenants whose events a site may bring, or say that it goes on with what another site was',
      description:
        '`continues` are names of sites that are no more and that this one was: their events are its ' +
        'own from now on, what was decided on them goes down to it. ' +
        'Such a site must have been removed.',
      replies: {
        200: {
          description: 'The site',
          schema: z.object({
            instance: z.string(),
            tenants: z.array(z.string()),
            continues: z.array(z.string()),
          }),
        },
      },
      errors: { 404: 'not_found', 409: 'site_changed, site_live, site_continued' },
      handle: async (call) => {
        const { tenants: given, continues } = call.body;
        const change = {
          ...(given ? { tenants: [...new Set(given)] } : {}),
          ...(continues ? { continues: [...new Set(continues)] } : {}),
        };
        const site = await service.changeSite(call.params.instance, change, actorOf(call));
        return { body: { instance: site.instance, tenants: site.tenants, continues: site.continues } };
      },
    }),
    route({
      method: 'POST',
      path: '/api/core/sites/{instance}/keys/{key_id}/rotate',
      tag: 'Sites',
      access,
      params: z.strictObject({ instance: code(128), key_id: keyIdText }),
      body: rotateInput,
      bodyOptional: true,
      summary: 'Give a site a new secret; the old one works on for overlap_hours (default 24)',
      replies: { 200: { description: 'The key with its secret, shown this once', schema: secretOnce } },
      errors: { 404: 'not_found' },
      handle: async (call) => ({
        body: await service.rotate(
          call.params.instance,
          call.params.key_id,
          call.body.overlap_hours * HOUR_MS,
          actorOf(call),
        ),
      }),
    }),
    route({
      method: 'DELETE',
      path: '/api/core/sites/{instance}',
      tag: 'Sites',
      access,
      params: siteParams,
      summary: 'Remove a site with its keys; what it brought stays',
      replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
      errors: { 404: 'not_found' },
      handle: async (call) => {
        await service.removeSite(call.params.instance, actorOf(call));
        return { body: { removed: true } };
      },
    }),
  ];
}

const channelOf = (channel: ReceivedChannel): z.infer<typeof channelView> => ({
  ...channel,
  lastReceivedAt: formatTimeOrNull(channel.lastReceivedAt),
});

const statusOf = (site: SiteStatus): z.infer<typeof statusView>['sites'][number] => ({
  ...site,
  decisions: { ...site.decisions, oldestWaitingAt: formatTimeOrNull(site.decisions.oldestWaitingAt) },
  lastSeenAt: formatTimeOrNull(site.lastSeenAt),
  report: site.report && reportView(site.report),
  events: channelOf(site.events),
  verdicts: channelOf(site.verdicts),
});

const conflictOf = ({ key, heldBy, ...row }: ConflictRecord, self: string): z.infer<typeof conflictView> => ({
  ...row,
  idempotencyKey: key,
  heldBy: heldBy ?? self,
  occurredAt: formatTimeOrNull(row.occurredAt),
  receivedAt: formatTime(row.receivedAt),
  firstAt: formatTime(row.firstAt),
  lastAt: formatTime(row.lastAt),
});

const reportView = ({ disk, shed, ...report }: SiteReport) => ({
  at: report.at,
  state: report.state,
  storing: report.storing,
  disk: { level: disk.level, roomBytes: disk.room_bytes, usedBytes: disk.used_bytes, refused: disk.refused },
  shed: {
    evidence: shed.evidence,
    evidenceBytes: shed.evidence_bytes,
    observations: shed.observations,
    events: shed.events,
  },
  clockSuspect: report.clock_suspect,
  lifeUsedPercent: report.life_used_percent,
  silentCameras: report.silent_cameras,
  alarms: report.alarms.length,
});

const viewOf = (site: SiteWithKeys): z.infer<typeof siteView> => ({
  instance: site.instance,
  tenants: site.tenants,
  continues: site.continues,
  createdAt: formatTime(site.createdAt),
  keys: site.keys.map((key) => ({
    keyId: key.keyId,
    createdAt: formatTime(key.createdAt),
    previousSecretUntil: formatTimeOrNull(key.previousUntil),
  })),
});
