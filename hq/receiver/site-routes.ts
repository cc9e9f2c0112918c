import * as z from 'zod/mini';
import { upTo } from '../../common/characters.ts';
import { code, tenantCode } from '../../common/core/event/schema.ts';
import { keyIdText, rotateInput } from '../../common/core/key/schema.ts';
import { actorOf } from '../../common/http/caller.ts';
import { described } from '../../common/http/described.ts';
import { listOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import { formatTime, formatTimeOrNull } from '../../common/time.ts';
import { groupNames } from './fleet/schema.ts';
import { saying } from './receiver-fault-messages.ts';
import { MOST_SILENT_AFTER_MINUTES } from './silence/record.ts';
import type { SiteRegistry, SiteWithKeys } from './sites.ts';

const HOUR_MS = 3_600_000;
/** Changes need `sites.manage`; who may look at the uplinks may look at the registry. */
const ACCESS = ['admin', 'session'] as const;
const MANAGE = { access: ACCESS, permission: 'sites.manage' } as const;

const tenants = z.array(tenantCode).check(z.minLength(1), z.maxLength(1000));
/** What people call a site. */
const displayName = z
  .string()
  .check(upTo(64), z.regex(/\S/, saying('blank')), z.regex(/^\P{Cc}*$/u, saying('one_line')));
const siteParams = z.strictObject({ instance: code(128) });
const siteInput = z
  .strictObject({
    instance: code(128),
    tenants,
    display_name: z.optional(z.nullable(displayName)),
    groups: z.optional(groupNames),
    key_id: z.optional(keyIdText),
  })
  .register(described, { id: 'NewSite' });
const siteChange = z
  .strictObject({
    tenants: z.optional(tenants),
    display_name: z.optional(z.nullable(displayName)),
    groups: z.optional(groupNames),
    continues: z.optional(z.array(code(128)).check(z.maxLength(100))),
    silent_after_minutes: z.optional(z.int().check(z.minimum(1), z.maximum(MOST_SILENT_AFTER_MINUTES))),
    away: z.optional(z.boolean()),
  })
  .check(
    z.refine((body) => Object.values(body).some((value) => value !== undefined), {
      ...saying('one_of_site'),
      path: ['tenants'],
    }),
  )
  .register(described, { id: 'SiteChange' });
const secretOnce = z.object({ keyId: z.string(), secret: z.string() });
const siteView = z
  .object({
    instance: z.string(),
    displayName: z.nullable(z.string()),
    groups: z.array(z.string()),
    tenants: z.array(z.string()),
    continues: z.array(z.string()),
    createdAt: z.string(),
    silentAfterMinutes: z.int(),
    away: z.boolean(),
    keys: z.array(
      z.object({ keyId: z.string(), createdAt: z.string(), previousSecretUntil: z.nullable(z.string()) }),
    ),
  })
  .register(described, { id: 'Site' });

/** The registry of sites and their keys. */
export function siteRoutes(registry: SiteRegistry): Route[] {
  return [
    addRoute(registry),
    listRoute(registry),
    changeRoute(registry),
    issueRoute(registry),
    rotateRoute(registry),
    withdrawRoute(registry),
    removeRoute(registry),
  ];
}

function addRoute(registry: SiteRegistry): Route {
  return route({
    method: 'POST',
    path: '/api/core/sites',
    tag: 'Sites',
    ...MANAGE,
    summary: 'Register a site and give it a signing key',
    body: siteInput,
    replies: {
      201: {
        description: 'The key with its secret, shown this once',
        schema: z.extend(secretOnce, { instance: z.string() }),
      },
    },
    errors: { 409: 'site_exists, site_continued, key_exists, instance_taken' },
    handle: async (call) => {
      const { instance, key_id: keyId, display_name: displayName = null, groups = [] } = call.body;
      return {
        status: 201,
        body: await registry.add(
          { instance, tenants: distinct(call.body.tenants), displayName, groups: distinct(groups), keyId },
          actorOf(call),
        ),
      };
    },
  });
}

function listRoute(registry: SiteRegistry): Route {
  return route({
    method: 'GET',
    path: '/api/core/sites',
    tag: 'Sites',
    access: ACCESS,
    permission: 'uplink.view',
    query: z.strictObject({ instance: z.optional(code(128)) }),
    summary: 'List the sites and their keys; with `instance`, that one alone',
    replies: {
      200: {
        description: 'The sites',
        schema: listOf(siteView),
      },
    },
    handle: async ({ query: { instance } }) => ({
      body: { items: (await registry.list(instance)).map(viewOf), nextCursor: null, hasMore: false },
    }),
  });
}

function changeRoute(registry: SiteRegistry): Route {
  return route({
    method: 'PATCH',
    path: '/api/core/sites/{instance}',
    tag: 'Sites',
    ...MANAGE,
    params: siteParams,
    body: siteChange,
    summary:
      'Change the tenants whose events a site may bring, what people call it, say that it goes on with ' +
      'what another site was, or when somebody is called for its silence',
    description:
      '`continues` are names of sites that are no more and that this one was: their events are its ' +
      'own from now on, what was decided on them goes down to it. ' +
      'Such a site must have been removed. ' +
      '`display_name` is shown in its place wherever people read; null takes it away. `groups` are what it ' +
      'is looked after by, such as its region and its contract; those given are all that it is in. ' +
      'Nothing heard of a site for longer than `silent_after_minutes`, ten unless it is set, raises the ' +
      'alarm `site_silent`; not for a site that is planned to be `away`.',
    replies: {
      200: {
        description: 'The site',
        schema: z.object({
          instance: z.string(),
          displayName: z.nullable(z.string()),
          groups: z.array(z.string()),
          tenants: z.array(z.string()),
          continues: z.array(z.string()),
          silentAfterMinutes: z.int(),
          away: z.boolean(),
        }),
      },
    },
    errors: { 404: 'not_found', 409: 'site_changed, site_live, site_continued' },
    handle: async (call) => {
      const { tenants: given, continues, groups, away } = call.body;
      const { silent_after_minutes: silentAfterMinutes, display_name: displayName } = call.body;
      const change = {
        ...(given ? { tenants: distinct(given) } : {}),
        ...(continues ? { continues: distinct(continues) } : {}),
        ...(groups ? { groups: distinct(groups) } : {}),
        ...(displayName === undefined ? {} : { displayName }),
        ...(silentAfterMinutes === undefined ? {} : { silentAfterMinutes }),
        ...(away === undefined ? {} : { away }),
      };
      const site = await registry.change(call.params.instance, change, actorOf(call));
      const { createdAt: _created, removedAt: _removed, ...shown } = site;
      return { body: shown };
    },
  });
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

function issueRoute(registry: SiteRegistry): Route {
  return route({
    method: 'POST',
    path: '/api/core/sites/{instance}/keys',
    tag: 'Sites',
    ...MANAGE,
    params: siteParams,
    body: z.strictObject({ key_id: z.optional(keyIdText) }),
    bodyOptional: true,
    summary: 'Give a site one more key, such as in place of one that was withdrawn',
    replies: { 201: { description: 'The key with its secret, shown this once', schema: secretOnce } },
    errors: { 404: 'not_found', 409: 'key_exists, too_many_keys' },
    handle: async (call) => ({
      status: 201,
      body: await registry.issue(call.params.instance, call.body.key_id, actorOf(call)),
    }),
  });
}

function withdrawRoute(registry: SiteRegistry): Route {
  return route({
    method: 'DELETE',
    path: '/api/core/sites/{instance}/keys/{key_id}',
    tag: 'Sites',
    ...MANAGE,
    params: z.strictObject({ instance: code(128), key_id: keyIdText }),
    summary: 'Withdraw a key of a site at once; what is signed with it is refused from now on',
    replies: { 200: { description: 'Withdrawn', schema: z.object({ removed: z.boolean() }) } },
    errors: { 404: 'not_found' },
    handle: async (call) => {
      await registry.withdraw(call.params.instance, call.params.key_id, actorOf(call));
      return { body: { removed: true } };
    },
  });
}

function rotateRoute(registry: SiteRegistry): Route {
  return route({
    method: 'POST',
    path: '/api/core/sites/{instance}/keys/{key_id}/rotate',
    tag: 'Sites',
    ...MANAGE,
    params: z.strictObject({ instance: code(128), key_id: keyIdText }),
    body: rotateInput,
    bodyOptional: true,
    summary: 'Give a site a new secret; the old one works on for overlap_hours (default 24)',
    replies: { 200: { description: 'The key with its secret, shown this once', schema: secretOnce } },
    errors: { 404: 'not_found' },
    handle: async (call) => ({
      body: await registry.rotate(
        call.params.instance,
        call.params.key_id,
        call.body.overlap_hours * HOUR_MS,
        actorOf(call),
      ),
    }),
  });
}

function removeRoute(registry: SiteRegistry): Route {
  return route({
    method: 'DELETE',
    path: '/api/core/sites/{instance}',
    tag: 'Sites',
    ...MANAGE,
    params: siteParams,
    summary: 'Remove a site with its keys; what it brought stays',
    replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
    errors: { 404: 'not_found' },
    handle: async (call) => {
      await registry.remove(call.params.instance, actorOf(call));
      return { body: { removed: true } };
    },
  });
}

const viewOf = (site: SiteWithKeys): z.infer<typeof siteView> => ({
  instance: site.instance,
  displayName: site.displayName,
  groups: site.groups,
  tenants: site.tenants,
  continues: site.continues,
  createdAt: formatTime(site.createdAt),
  silentAfterMinutes: site.silentAfterMinutes,
  away: site.away,
  keys: site.keys.map((key) => ({
    keyId: key.keyId,
    createdAt: formatTime(key.createdAt),
    previousSecretUntil: formatTimeOrNull(key.previousUntil),
  })),
});
