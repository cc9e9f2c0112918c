import * as z from 'zod/mini';
import type { Clock } from '../../clock.ts';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { type Route, route } from '../../http/route.ts';
import { gauge, type Metric } from '../../metrics.ts';
import { tenantCode } from '../event/schema.ts';
import { dayAt } from './decide.ts';
import type { ModelCallPort } from './port.ts';
import { modelCallKinds } from './record.ts';

const DAYS = { standard: 31, most: 400 };

const callsView = z
  .object({
    tenantCode: z.string(),
    day: z.string(),
    kind: z.enum(modelCallKinds),
    calls: z.int(),
    tokens: z.int(),
    most: z.int(),
  })
  .register(described, { id: 'ModelCalls' });
const listView = z.object({ items: z.array(callsView) }).register(described, { id: 'ModelCallsList' });

/** How often models were called, by tenant and day. */
export function modelCallRoutes(calls: ModelCallPort, clock: Clock): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/core/model-calls',
      tag: 'Operation',
      access: ['admin', 'session'],
      permission: 'stats.view',
      query: z.strictObject({
        tenant_code: z.optional(tenantCode),
        days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(DAYS.most)), DAYS.standard),
      }),
      summary: 'How often models were called for a tenant, by day of Beijing, newest first',
      description:
        '`kind`: `summary` of tasks by the language model, `embedding` of texts. `most` is the bound of ' +
        'the day (`AGENT_LLM_CALLS_PER_DAY`, `CORE_EMBED_CALLS_PER_DAY`): after it tasks have no summary ' +
        'and searches go by keywords, until midnight. From 80 % on the alarm `model_calls` stands. ' +
        '`tokens` is what the model says it has used, 0 where it says nothing.',
      replies: { 200: { description: 'Days on which there were calls', schema: listView } },
      handle: async ({ actor, query }) => ({
        body: {
          items: await calls.list(tenantFor(actor, query.tenant_code), dayAt(clock.now(), query.days - 1)),
        },
      }),
    }),
  ];
}

/** Of today. */
export function modelCallMetrics(calls: ModelCallPort, clock: Clock): Metric[] {
  const today = async (value: 'calls' | 'tokens' | 'most') =>
    (await calls.list(null, dayAt(clock.now()))).map((one) => ({
      labels: { tenant: one.tenantCode, kind: one.kind },
      value: one[value],
    }));
  return [
    gauge('fieldline_model_calls_today', 'Calls to models today (Beijing)', () => today('calls')),
    gauge('fieldline_model_calls_limit', 'Most calls to models a day', () => today('most')),
    gauge('fieldline_model_tokens_today', 'Tokens that models say they used today', () => today('tokens')),
  ];
}
