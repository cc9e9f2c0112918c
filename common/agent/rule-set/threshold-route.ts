import * as z from 'zod/mini';
import { tenantCode } from '../../core/event/schema.ts';
import { type ThresholdBody, type ThresholdName, thresholdRanges } from '../../core/rule/schema.ts';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { fault } from '../../http/error.ts';
import { type Route, route } from '../../http/route.ts';
import { fallbackThresholds, thresholdMembers } from './record.ts';
import type { RuleSet } from './rule-set.ts';
import { thresholdView } from './schema.ts';

const thresholdsView = z
  .object({
    tenantCode: z.string(),
    version: z.nullable(z.int()),
    items: z.array(thresholdView),
    nextCursor: z.null(),
    hasMore: z.boolean(),
  })
  .register(described, { id: 'Thresholds' });

const names = Object.keys(thresholdRanges) as ThresholdName[];

/** The thresholds that a tenant's events are treated by, with what each may be. */
export function thresholdRoute({ ruleSet }: { ruleSet: RuleSet }): Route {
  return route({
    method: 'GET',
    path: '/api/agent/rules/thresholds',
    tag: 'Agent',
    access: ['admin', 'session'],
    permission: 'rules.view',
    query: z.strictObject({ tenant_code: z.optional(tenantCode) }),
    summary: "The thresholds in the agent's memory now, with their ranges",
    description:
      '`tenant_code` may be left out only by a session that is bound to a tenant. `value` is in force; ' +
      '`standard` is what counts where no rule names it (`registered` false). `version` is that of the ' +
      'rule `threshold.agent`, null without one. `escalate_grace_s` below zero: no escalation.',
    replies: { 200: { description: 'Each threshold', schema: thresholdsView } },
    handle: ({ actor, query }) => {
      const tenant = tenantFor(actor, query.tenant_code);
      if (tenant === null) throw fault('tenant_code', 'required');
      const rule = ruleSet.loaded.rules.find(
        ({ kind, tenantCode: of }) => kind === 'threshold' && of === tenant,
      );
      const registered = rule?.body as ThresholdBody | undefined;
      const { thresholds } = ruleSet.tenant(tenant);
      return {
        body: {
          tenantCode: tenant,
          version: rule?.version ?? null,
          items: names.map((name) => ({
            name,
            value: thresholds[thresholdMembers[name]],
            standard: fallbackThresholds[thresholdMembers[name]],
            ...thresholdRanges[name],
            registered: registered?.[name] !== undefined,
          })),
          nextCursor: null,
          hasMore: false,
        },
      };
    },
  });
}
