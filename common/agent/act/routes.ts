import * as z from 'zod/mini';
import { tenantCode } from '../../core/event/schema.ts';
import { pagedList, viewPage } from '../../cursor.ts';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { limitParam, pageOf } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime } from '../../time.ts';
import type { AgentPort } from './port.ts';
import { decisionOutcomes, type DecisionRecord } from './record.ts';

const DECISIONS = pagedList('agent-decisions', ['number']);

const decisionView = z
  .object({
    eventId: z.int(),
    tenantCode: z.string(),
    outcome: z.enum(decisionOutcomes),
    ruleName: z.nullable(z.string()),
    ruleVersion: z.nullable(z.int()),
    action: z.enum(['notify', 'dispatch', 'review']),
    taskId: z.nullable(z.int()),
    note: z.nullable(z.string()),
    summary: z.nullable(z.enum(['pending', 'succeeded', 'failed'])),
    decidedAt: z.string(),
  })
  .register(described, { id: 'Decision' });

const viewOf = ({ decidedAt, ...rest }: DecisionRecord): z.infer<typeof decisionView> => ({
  ...rest,
  decidedAt: formatTime(decidedAt),
});

/** Lists what the agent decided on each event. */
export function decisionRoutes(agent: AgentPort): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/agent/decisions',
      tag: 'Agent',
      access: ['admin', 'session'],
      permission: 'notifications.view',
      query: z.strictObject({
        tenant_code: z.optional(tenantCode),
        outcome: z.optional(z.enum(decisionOutcomes)),
        event_id: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
        limit: limitParam(100, 1000),
        cursor: z.optional(z.string().check(z.maxLength(512))),
      }),
      summary: 'What the agent decided on each event, newest event first',
      description:
        '`task`: a task was made. `suppressed`: made within the cooldown of its rule, without ' +
        'notification and deadline. `judged`: the event had been called a false alarm ' +
        'or merged before the agent came to it; no task. `observed`: an observation that no rule asks ' +
        'for; no task. `note` says why it went otherwise than the rule says: a machine ' +
        'judgement below judge_min_conf makes a review of low severity; a test event, and one that ' +
        'waited more than 4 hours, notify the inbox only.',
      replies: { 200: { description: 'A page of decisions', schema: pageOf(decisionView) } },
      handle: async ({ actor, query }) => {
        const { outcome, event_id: eventId } = query;
        const rows = await agent.decisions(
          {
            tenantCode: tenantFor(actor, query.tenant_code),
            ...(outcome && { outcome }),
            ...(eventId && { eventId }),
          },
          DECISIONS.positionOf(query.cursor)?.[0] ?? null,
          query.limit + 1,
        );
        const page = DECISIONS.page(rows, query.limit, (decision) => [decision.eventId]);
        return { body: viewPage(page, viewOf) };
      },
    }),
  ];
}
