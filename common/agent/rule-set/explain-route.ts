import * as z from 'zod/mini';
import type { Clock } from '../../clock.ts';
import { admitEvent } from '../../core/event/intake.ts';
import type { EventPort } from '../../core/event/port.ts';
import type { EventRecord } from '../../core/event/record.ts';
import { tenantCode } from '../../core/event/schema.ts';
import { type Actor, may } from '../../http/actor.ts';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { badRequest, forbidden, notFound } from '../../http/error.ts';
import { type Route, route } from '../../http/route.ts';
import { explain } from './explain.ts';
import type { RuleSet } from './rule-set.ts';
import { fault } from './rule-set-fault-messages.ts';

export interface ExplainRouteOptions {
  ruleSet: RuleSet;
  events: Pick<EventPort, 'get'>;
  clock: Clock;
}

const text = z.nullable(z.string());
const explainInput = z
  .strictObject({
    event_id: z.optional(z.int().check(z.minimum(1))),
    tenant_code: z.optional(tenantCode),
    event: z.optional(z.record(z.string(), z.unknown())),
  })
  .register(described, { id: 'ExplanationRequest' });

const explanationView = z
  .object({
    rules: z.array(
      z.object({
        name: z.string(),
        version: z.int(),
        priority: z.int(),
        chosen: z.boolean(),
        failed: text,
        reason: z.string(),
        reasonZh: z.string(),
      }),
    ),
    choice: z.object({
      ruleName: text,
      ruleVersion: z.nullable(z.int()),
      kind: z.string(),
      severity: z.string(),
      channels: z.array(z.string()),
      assigneeOrg: text,
      dueMinutes: z.nullable(z.int()),
      cooldownS: z.int(),
      llm: z.boolean(),
      /** Whether the message is the standard one, since no rule has words of its own. */
      standard: z.boolean(),
      message: z.string(),
      judgedBelow: z.boolean(),
      /** The rules cannot be read, so that it is not known whether one matches. */
      rulesUnread: z.optional(z.literal(true)),
    }),
    makesTask: z.boolean(),
    note: text,
    noteZh: text,
  })
  .register(described, { id: 'Explanation' });

/** Above the number of values that 64 KiB of payload can hold. */
const ONE_EVENT = { values: 34000, run: 34000 };

async function eventOf(
  { events, clock }: ExplainRouteOptions,
  actor: Actor,
  body: z.infer<typeof explainInput>,
): Promise<EventRecord> {
  if ((body.event_id === undefined) === (body.event === undefined)) throw fault('event', 'event_or_id');
  const tenant = tenantFor(actor, body.tenant_code);
  if (body.event_id !== undefined) {
    const event = await events.get(body.event_id);
    if (!event || (tenant !== null && event.tenantCode !== tenant)) throw notFound(`Event ${body.event_id}`);
    return event;
  }
  const admitted = admitEvent(
    { idempotency_key: 'explain', ...body.event },
    { keyId: 'explain', tenantCode: tenant },
  );
  if (!admitted.ok) throw badRequest(admitted.faults.map((one) => ({ ...one, path: `event.${one.path}` })));
  const now = clock.now();
  return {
    ...admitted.event,
    id: 0,
    receivedAt: now,
    instance: null,
    originId: null,
    originReceivedAt: null,
    verdict: null,
    correctedTo: null,
  };
}

export function explainRoute(options: ExplainRouteOptions): Route {
  return route({
    method: 'POST',
    path: '/api/agent/rules/explain',
    tag: 'Agent',
    access: ['admin', 'session'],
    permission: 'rules.view',
    body: explainInput,
    limits: ONE_EVENT,
    summary:
      'What the agent would do about an event, and why: each rule with the first condition that the ' +
      'event does not meet',
    description:
      'Give `event_id` of a stored event, or `event` as a camera would post it with its `tenant_code`. ' +
      'Nothing is done or stored; cooldowns are not looked at. A stored event is only for sessions with ' +
      'the permission events.view. `choice` is what would be done; where that is otherwise than the rule ' +
      'says, `note` tells why (`noteZh` in Chinese), and `makesTask` is false for what no task is made of.',
    replies: { 200: { description: 'The rules in order, and what would be done', schema: explanationView } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, body }) => {
      if (body.event_id !== undefined && !may(actor, 'events.view'))
        throw forbidden('A stored event needs the permission events.view.');
      const event = await eventOf(options, actor, body);
      const { ruleSet } = options;
      return { body: explain(ruleSet.tenant(event.tenantCode), event, ruleSet.cameras) };
    },
  });
}
