import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { pagedList, viewPage } from '../../cursor.ts';
import type { Actor } from '../../http/actor.ts';
import { actorOf, tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { fault, forbidden } from '../../http/error.ts';
import { namesTag } from '../../http/etag.ts';
import { limitParam, pageOf } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime } from '../../time.ts';
import { code, tenantCode } from '../event/schema.ts';
import type { RuleFilter, RulePosition } from './port.ts';
import type { RuleRecord } from './record.ts';
import { anyBody, registerInput, type RuleKind, ruleKinds } from './schema.ts';
import type { RuleService } from './service.ts';

const RULES = pagedList('rules', ['string', 'string', 'string']);
const VERSIONS = pagedList('rule-history', ['number']);

export interface RuleRouteOptions {
  epoch: () => string;
  /** Tenants of a site that calls with its key; null where no sites call. */
  tenantsOfSite: ((instance: string) => Promise<readonly string[]>) | null;
}

export const ruleView = z
  .object({
    tenantCode: z.string(),
    kind: z.enum(ruleKinds),
    name: z.string(),
    version: z.int(),
    body: z.record(z.string(), z.unknown()),
    by: z.string(),
    createdAt: z.string(),
    deleted: z.boolean(),
  })
  .register(described, { id: 'Rule' });
const registeredView = z.extend(ruleView, { body: anyBody }).register(described, { id: 'RegisteredRule' });
const checkedView = z
  .pick(ruleView, { tenantCode: true, kind: true, name: true })
  .register(described, { id: 'CheckedRule' });
const difference = z
  .object({ path: z.string(), before: z.unknown(), after: z.unknown() })
  .register(described, { id: 'RuleDifference' });

const one = { tenant_code: z.optional(tenantCode), kind: z.enum(ruleKinds), name: code(128) };
const version = z.coerce.number().check(z.int(), z.minimum(1));
const cursor = z.optional(z.string().check(z.maxLength(1024)));
const listQuery = z.strictObject({
  kind: z.optional(z.enum(ruleKinds)),
  tenant_code: z.optional(tenantCode),
  limit: limitParam(500, 1000),
  cursor,
});
const historyQuery = z.strictObject({ ...one, limit: limitParam(50, 200), cursor });
const differenceQuery = z.strictObject({ ...one, from: version, to: version });

export const viewOf = ({ createdAt, ...rule }: RuleRecord): z.infer<typeof ruleView> => ({
  ...rule,
  body: rule.body as Record<string, unknown>,
  createdAt: formatTime(createdAt),
});

const REGISTER =
  'Each registration appends a version; older ones stay. What `body` is depends on `kind`. `response`: ' +
  '`priority` (ascending, the first match wins, 100 unless given), `enabled`, `match`, `action`; channels ' +
  'that do not exist are dropped, an unknown placeholder in `message` is refused. `threshold`: named ' +
  '`threshold.agent`, only the fields to change; a value out of range is refused and the old one kept. ' +
  "`prompt`: `text`; `names.agent` holds `types` and `severities`, the tenant's own names for messages; " +
  '`severities.agent` holds `types`, the severity of types (`person.no_helmet`, `vehicle.*`) where the ' +
  'sender of an event gives none. `model_ledger`: `models`. A customer registers for its own tenant only. ' +
  'Nothing that is under way changes; agents take the rule at their next reload, at the latest after 60 s. ' +
  '`dry_run=1` checks it and registers nothing.';

/** The rule object interface, and the duty console's way to register (spec 3, "Rule endpoints"). */
export function ruleRoutes(service: RuleService, options: RuleRouteOptions): Route[] {
  return [
    register(service, '/api/core/objects/rules', 'Register a rule: append a version'),
    register(
      service,
      '/api/mind/rules',
      'Register a rule from the duty console; the same as POST /api/core/objects/rules',
    ),
    list(service, options),
    remove(service),
    history(service),
    differenceRoute(service),
  ];
}

function register(service: RuleService, path: string, summary: string): Route {
  return route({
    method: 'POST',
    path,
    tag: 'Rules',
    access: ['admin', 'session'],
    permission: 'rules.manage',
    body: registerInput,
    query: z.strictObject({ dry_run: z.optional(z.enum(['0', '1'])) }),
    summary,
    description: REGISTER,
    replies: {
      200: { description: 'With dry_run=1: it would be taken; nothing was registered', schema: checkedView },
      201: { description: 'The version that was appended', schema: registeredView },
    },
    errors: { 409: 'write_contention' },
    handle: async ({ body, query, ...call }) => {
      if (query.dry_run === '1') {
        service.checked(body, call.actor);
        return { status: 200, body: { tenantCode: body.tenant_code, kind: body.kind, name: body.name } };
      }
      return { status: 201, body: viewOf(await service.register(body, call.actor, actorOf(call))) };
    },
  });
}

function list(service: RuleService, { epoch, tenantsOfSite }: RuleRouteOptions): Route {
  // The tenants are part of the tag: those of a site may change while the number of registrations happens to
  // stay the same.
  const etagOf = async (filter: RuleFilter): Promise<string> => {
    const asked = hash('sha256', JSON.stringify([filter.tenantCodes?.toSorted(), filter.kind])).slice(0, 16);
    return `"${epoch()}-${await service.revision(filter)}-${asked}"`;
  };
  return route({
    method: 'GET',
    path: '/api/core/objects/rules',
    tag: 'Rules',
    access: tenantsOfSite ? ['admin', 'session', 'site'] : ['admin', 'session'],
    permission: 'rules.view',
    query: listQuery,
    summary: 'The rules in force: the newest version of each, by tenant, kind and name',
    description:
      'The `ETag` changes with every registration that the filter covers; with `If-None-Match` an ' +
      'unchanged list is 304. A site reads the rules of its tenants with its key.',
    replies: {
      200: { description: 'A page of rules', schema: pageOf(ruleView) },
      304: { description: 'Nothing was registered since' },
    },
    handle: async ({ actor, query, request }) => {
      const filter: RuleFilter = {
        tenantCodes: await tenantsFor(actor, query.tenant_code, tenantsOfSite),
        ...(query.kind ? { kind: query.kind } : {}),
      };
      const after = positionOf(query.cursor);
      const etag = await etagOf(filter);
      const headers = { ETag: etag };
      if (namesTag(request.headers['if-none-match'], etag)) return { status: 304, headers, body: '' };
      const rows = await service.current(filter, after, query.limit + 1);
      const page = RULES.page(rows, query.limit, (rule) => [rule.tenantCode, rule.kind, rule.name]);
      return { headers, body: viewPage(page, viewOf) };
    },
  });
}

async function tenantsFor(
  actor: Actor,
  wanted: string | undefined,
  tenantsOfSite: RuleRouteOptions['tenantsOfSite'],
): Promise<readonly string[] | null> {
  if (actor.kind === 'key') {
    const own = (await tenantsOfSite?.(actor.subject)) ?? [];
    if (wanted !== undefined && !own.includes(wanted))
      throw forbidden('You may only ask for your own tenants.');
    return wanted === undefined ? own : [wanted];
  }
  const tenant = tenantFor(actor, wanted);
  return tenant === null ? null : [tenant];
}

function positionOf(cursor: string | undefined): RulePosition | null {
  const position = RULES.positionOf(cursor);
  return position && { tenantCode: position[0], kind: position[1], name: position[2] };
}

/** Whose rule is meant: the caller's own tenant, or the one that it names. */
function ruleOf(
  actor: Actor,
  query: { tenant_code?: string | undefined; kind: RuleKind; name: string },
): { tenantCode: string; kind: RuleKind; name: string } {
  const tenantCode = tenantFor(actor, query.tenant_code);
  if (tenantCode === null) throw fault('tenant_code', 'required');
  return { tenantCode, kind: query.kind, name: query.name };
}

function remove(service: RuleService): Route {
  return route({
    method: 'DELETE',
    path: '/api/core/objects/rules',
    tag: 'Rules',
    access: ['admin', 'session'],
    permission: 'rules.manage',
    query: z.strictObject(one),
    summary: 'Delete a rule: it is not in force any more, and its versions stay',
    description:
      'Appends a last version, which `deleted` marks. Agents leave the rule at their next reload, at the ' +
      'latest after 60 s. A rule of the name that is registered later begins anew, with the next version.',
    replies: { 200: { description: 'The version with which it ended', schema: ruleView } },
    errors: { 404: 'not_found' },
    handle: async ({ query, ...call }) => ({
      body: viewOf(await service.remove(ruleOf(call.actor, query), call.actor.name, actorOf(call))),
    }),
  });
}

function history(service: RuleService): Route {
  return route({
    method: 'GET',
    path: '/api/core/objects/rules/history',
    tag: 'Rules',
    access: ['admin', 'session'],
    permission: 'rules.view',
    query: historyQuery,
    summary: 'The versions of one rule, newest first',
    replies: { 200: { description: 'A page of versions', schema: pageOf(ruleView) } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, query }) => {
      const before = VERSIONS.positionOf(query.cursor)?.[0] ?? null;
      const rows = await service.history(ruleOf(actor, query), before, query.limit + 1);
      const page = VERSIONS.page(rows, query.limit, ({ version }) => [version]);
      return { body: viewPage(page, viewOf) };
    },
  });
}

function differenceRoute(service: RuleService): Route {
  return route({
    method: 'GET',
    path: '/api/core/objects/rules/difference',
    tag: 'Rules',
    access: ['admin', 'session'],
    permission: 'rules.view',
    query: differenceQuery,
    summary: 'What changed in a rule from one version to another',
    replies: {
      200: {
        description: 'The members that differ',
        schema: z.object({ from: z.int(), to: z.int(), differences: z.array(difference) }),
      },
    },
    errors: { 404: 'not_found' },
    handle: async ({ actor, query }) => ({
      body: {
        from: query.from,
        to: query.to,
        differences: await service.difference(ruleOf(actor, query), query.from, query.to),
      },
    }),
  });
}
