import * as z from 'zod/mini';
import type { EventPort } from '../../core/event/port.ts';
import { tenantCode } from '../../core/event/schema.ts';
import { ruleView, viewOf } from '../../core/rule/routes.ts';
import { ruleKinds } from '../../core/rule/schema.ts';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { AppError } from '../../http/error.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTimeOrNull } from '../../time.ts';
import { explainRoute, type ExplainRouteOptions } from './explain-route.ts';
import { rehearsalRoute } from './rehearsal-route.ts';
import { shadowedView } from './schema.ts';
import { severityRoute } from './severity-route.ts';
import { shadowedOf } from './shadowing.ts';
import { thresholdRoute } from './threshold-route.ts';

export interface AgentRouteOptions extends ExplainRouteOptions {
  events: Pick<EventPort, 'get' | 'list'>;
  /** Name of this instance. */
  self: string;
  /** What the agent itself has to say of its work, for a tenant or for all. */
  agentStatus: (tenantCode: string | null) => Promise<Record<string, unknown>>;
}

const text = z.nullable(z.string());
const tenantQuery = z.strictObject({ tenant_code: z.optional(tenantCode) });
const givingWay = z
  .object({ tenantCode: z.string(), kind: z.enum(ruleKinds), name: z.string() })
  .register(described, { id: 'RuleGivingWay' });
const rulesView = z
  .object({
    items: z.array(ruleView),
    nextCursor: z.null(),
    hasMore: z.boolean(),
    shadowed: z.array(shadowedView),
    givingWay: z.array(givingWay),
    unread: z.boolean(),
  })
  .register(described, { id: 'RulesInForce' });
const sourceView = z
  .object({ source: z.enum(['core', 'cache', 'builtin']), fetchedAt: text })
  .register(described, { id: 'RuleSource' });
const badRuleView = z
  .object({
    tenantCode: text,
    kind: z.string(),
    name: z.string(),
    version: z.nullable(z.int()),
    why: z.array(z.string()),
  })
  .register(described, { id: 'BadRule' });
const statusView = z
  .looseObject({
    ruleSource: z.object(
      Object.fromEntries(ruleKinds.map((kind) => [kind, sourceView])) as Record<
        (typeof ruleKinds)[number],
        typeof sourceView
      >,
    ),
    rules: z.int(),
    badRules: z.array(badRuleView),
    givingWay: z.array(givingWay),
    reloadedAt: text,
    lastError: text,
    cache: z.nullable(z.object({ file: z.string(), savedAt: text, ageS: z.nullable(z.int()), error: text })),
  })
  .register(described, { id: 'AgentStatus' });
/** The agent's view of its rules (spec 3, "Rule endpoints"; DESIGN.md, "Rules"). */
export function ruleSetRoutes(options: AgentRouteOptions): Route[] {
  return [
    rulesRoute(options),
    reloadRoute(options),
    statusRoute(options),
    explainRoute(options),
    rehearsalRoute(options),
    thresholdRoute(options),
    severityRoute(options),
  ];
}

function rulesRoute({ ruleSet }: AgentRouteOptions): Route {
  return route({
    method: 'GET',
    path: '/api/agent/rules',
    tag: 'Agent',
    access: ['admin', 'session'],
    permission: 'rules.view',
    query: tenantQuery,
    summary: "The rules that are in the agent's memory now",
    description:
      '`shadowed` names response rules that can never decide, since one earlier rule matches ' +
      'everything that they match. `givingWay` names rules registered here ' +
      'that headquarters has under the same name, which goes first. `unread` says that the rules could not ' +
      'be read of the database since the start: none is in force, and there may be others than the list has.',
    replies: { 200: { description: 'The rules', schema: rulesView } },
    handle: ({ actor, query }) => {
      const tenant = tenantFor(actor, query.tenant_code);
      const own = <T extends { tenantCode: string | null }>(all: readonly T[]): T[] =>
        all.filter(({ tenantCode: of }) => tenant === null || of === tenant);
      const { rules, tenants, givingWay: behind } = ruleSet.loaded;
      const hidden = [...tenants].flatMap(([of, compiled]) =>
        shadowedOf(compiled.rules).map((one) => ({ tenantCode: of, ...one })),
      );
      return {
        body: {
          items: own(rules).map(viewOf),
          nextCursor: null,
          hasMore: false,
          shadowed: own(hidden),
          givingWay: own(behind),
          unread: ruleSet.unread,
        },
      };
    },
  });
}

function reloadRoute({ ruleSet }: AgentRouteOptions): Route {
  return route({
    method: 'POST',
    path: '/api/agent/rules/reload',
    tag: 'Agent',
    access: ['admin', 'session'],
    permission: 'rules.view',
    summary: 'Reload the rules at once',
    replies: { 200: { description: 'Reloaded', schema: z.object({ changed: z.boolean() }) } },
    errors: { 503: 'rules_unreachable' },
    handle: async () => {
      try {
        return { body: { changed: await ruleSet.reload() } };
      } catch (error) {
        if (error instanceof AppError) throw error;
        throw new AppError(
          503,
          'rules_unreachable',
          'Headquarters cannot be reached or refuses; the agent goes on with the rules that it has.',
          { retryAfterSeconds: 60, cause: error },
        );
      }
    },
  });
}

function statusRoute({ ruleSet, agentStatus, clock }: AgentRouteOptions): Route {
  return route({
    method: 'GET',
    path: '/api/agent/status',
    tag: 'Agent',
    access: ['admin', 'session'],
    permission: 'rules.view',
    summary: 'Where the agent has its rules from, what is wrong with them, and how its work goes',
    replies: { 200: { description: 'The status', schema: statusView } },
    handle: async ({ actor }) => {
      const { ruleSource, cache, reloadedAt, lastError } = ruleSet.status();
      const { rules, badRules, givingWay: behind } = ruleSet.loaded;
      const own = <T extends { tenantCode: string | null }>(all: readonly T[]): T[] =>
        all.filter(({ tenantCode: of }) => actor.tenantCode === null || of === actor.tenantCode);
      const ageS =
        cache === null || cache.savedAt === null
          ? null
          : Math.max(0, Math.round((clock.now() - cache.savedAt) / 1000));
      return {
        body: {
          ruleSource: Object.fromEntries(
            Object.entries(ruleSource).map(([kind, { source, fetchedAt }]) => [
              kind,
              { source, fetchedAt: formatTimeOrNull(fetchedAt) },
            ]),
          ),
          rules: own(rules).length,
          badRules: own(badRules),
          givingWay: own(behind),
          reloadedAt: formatTimeOrNull(reloadedAt),
          lastError: actor.tenantCode === null ? lastError : null,
          cache:
            cache && actor.tenantCode === null
              ? { file: cache.file, savedAt: formatTimeOrNull(cache.savedAt), ageS, error: cache.error }
              : null,
          ...(await agentStatus(actor.tenantCode)),
        },
      };
    },
  });
}
