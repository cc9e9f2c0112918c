import * as z from 'zod/mini';
import { severities, tenantCode, zonedTime } from '../../core/event/schema.ts';
import type { RegisterRule } from '../../core/rule/record.ts';
import { checkBody, registerInput } from '../../core/rule/schema.ts';
import { type Actor, may } from '../../http/actor.ts';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { badRequest, forbidden } from '../../http/error.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime, formatTimeOrNull, parseTime } from '../../time.ts';
import type { Example, Fate } from './comparison.ts';
import { type RehearsalOptions, type RehearsalOrder, Rehearsals } from './rehearsals.ts';
import { fault } from './rule-set-fault-messages.ts';
import { shadowedView } from './schema.ts';

const text = z.nullable(z.string());
const MAX_DRAFT = 20;
const MAX_EVENTS = 20_000;

const rehearsalInput = z
  .strictObject({
    tenant_code: z.optional(tenantCode),
    rules: z._default(z.array(registerInput).check(z.maxLength(MAX_DRAFT)), []),
    since: zonedTime,
    until: z.optional(zonedTime),
    limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_EVENTS)), 5_000),
  })
  .register(described, { id: 'RehearsalRequest' });

const fateView = z
  .object({
    outcome: z.enum(['task', 'suppressed', 'observed']),
    ruleName: text,
    ruleVersion: z.nullable(z.int()),
    kind: z.enum(['notify', 'dispatch', 'review']),
    severity: z.enum(severities),
    channels: z.array(z.string()),
    assigneeOrg: text,
    dueMinutes: z.nullable(z.int()),
    message: z.string(),
    judgedBelow: z.boolean(),
  })
  .register(described, { id: 'EventFate' });
const fatesView = z
  .object({
    notify: z.int(),
    dispatch: z.int(),
    review: z.int(),
    suppressed: z.int(),
    observed: z.int(),
    told: z.int(),
  })
  .register(described, { id: 'EventFates' });
const countView = z
  .object({ tenantCode: z.string(), name: text, draft: z.boolean(), before: z.int(), after: z.int() })
  .register(described, { id: 'RuleCount' });
const exampleView = z
  .object({
    eventId: z.int(),
    tenantCode: z.string(),
    type: z.string(),
    severity: z.nullable(z.enum(severities)),
    instance: z.string(),
    occurredAt: text,
    changed: z.boolean(),
    before: fateView,
    after: fateView,
  })
  .register(described, { id: 'RehearsalExample' });
const rehearsalView = z
  .object({
    since: z.string(),
    until: z.string(),
    events: z.int(),
    complete: z.boolean(),
    first: text,
    last: text,
    changed: z.int(),
    before: fatesView,
    after: fatesView,
    rules: z.array(countView),
    examples: z.array(exampleView),
    shadowed: z.array(shadowedView),
  })
  .register(described, { id: 'Rehearsal' });

/** What a draft of rules would have made of recorded events. @param options `self`: name of this instance */
export function rehearsalRoute(options: RehearsalOptions & { self: string }): Route {
  const rehearsals = new Rehearsals(options);
  return route({
    method: 'POST',
    path: '/api/agent/rules/rehearse',
    tag: 'Agent',
    access: ['admin', 'session'],
    permission: 'rules.view',
    body: rehearsalInput,
    summary: 'What rules would have made of the recorded events of a period, beside those in force',
    description:
      'Nothing is stored or done. `rules` are registrations as they would be posted, up to ' +
      `${MAX_DRAFT}, which take the place of those in force of the same name; without any, what is in ` +
      'force is told. Looked at are the newest `limit` events that occurred from `since` until before ' +
      '`until` (now, if not given), without test events and without those of which the camera did not ' +
      'know the time. They are played in the order in which they came, as if nobody had judged them; ' +
      'cooldowns begin with the first. `complete` is false when there are more events than `limit`, or ' +
      'when twenty seconds were not enough: `events`, `first` and `last` say what was looked at. ' +
      '`before` is by the rules in force, `after` by the draft; `notify`, `dispatch`, `review` (tasks), ' +
      '`suppressed` and `observed` add up to `events`, and `told` are those of which somebody is told. ' +
      '`rules` counts the events that each rule decides (null: none matched). `changed` counts the ' +
      'events that another rule decides, or that are treated otherwise; `examples` are some of them, ' +
      'and of those that the draft decides. Only for sessions that also have the permission events.view.',
    replies: { 200: { description: 'What would become of the events', schema: rehearsalView } },
    handle: async ({ actor, body }) => {
      if (!may(actor, 'events.view'))
        throw forbidden('Rehearsing on recorded events needs the permission events.view.');
      const order = orderOf(body, actor, options.clock.now());
      const { first, last, examples, ...rest } = await rehearsals.run(order);
      return {
        body: {
          since: formatTime(order.since),
          until: formatTime(order.until),
          ...rest,
          first: formatTimeOrNull(first),
          last: formatTimeOrNull(last),
          examples: examples.map((one) => exampleOf(one, options.self)),
        },
      };
    },
  });
}

/** @throws AppError 400 with every fault, 403 for another tenant than the caller's */
function orderOf(body: z.infer<typeof rehearsalInput>, actor: Actor, now: number): RehearsalOrder {
  const tenant = tenantFor(actor, body.tenant_code);
  if (actor.tenantCode !== null && body.rules.some(({ tenant_code: of }) => of !== actor.tenantCode))
    throw forbidden('You may rehearse rules of your own tenant only.');
  const [since, until] = [parseTime(body.since) ?? 0, body.until === undefined ? now : parseTime(body.until)];
  if (until === null || until <= since) throw fault('until', 'after_since');
  const of = new Set(body.rules.map(({ tenant_code: one }) => one));
  if (tenant !== null && [...of].some((one) => one !== tenant)) throw fault('tenant_code', 'tenant_of_rules');
  return {
    draft: body.rules.map((rule, index) => draftOf(rule, index, actor)),
    tenantCode: tenant ?? (of.size === 1 ? ([...of][0] as string) : null),
    since,
    until,
    limit: body.limit,
  };
}

/** The schema has told the faults of the body already; here its defaults are filled in. */
function draftOf(
  { tenant_code: tenantCode, kind, name, body, by }: z.infer<typeof registerInput>,
  index: number,
  actor: Actor,
): RegisterRule {
  const checked = checkBody(kind, name, body);
  if (!checked.ok)
    throw badRequest(checked.faults.map((one) => ({ ...one, path: `rules[${index}].${one.path}` })));
  return { tenantCode, kind, name, body: checked.body, by: by ?? actor.name };
}

function exampleOf({ event, changed, before, after }: Example, self: string): z.infer<typeof exampleView> {
  return {
    eventId: event.id,
    tenantCode: event.tenantCode,
    type: event.type,
    severity: event.severity,
    instance: event.instance ?? self,
    occurredAt: formatTimeOrNull(event.occurredAt),
    changed,
    before: fateOf(before),
    after: fateOf(after),
  };
}

const fateOf = (fate: Fate): z.infer<typeof fateView> => ({ ...fate, channels: [...fate.channels] });
