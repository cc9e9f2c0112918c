import * as z from 'zod/mini';
import { severities, tenantCode } from '../../core/event/schema.ts';
import { eventTypeTable } from '../../core/event/type-table.ts';
import { SEVERITIES_NAME } from '../../core/rule/schema.ts';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { fault } from '../../http/error.ts';
import { type Route, route } from '../../http/route.ts';
import type { RuleSet } from './rule-set.ts';
import { namedAs, severityIn } from './severity.ts';

const severity = z.nullable(z.enum(severities));
const eventTypesView = z
  .object({
    tenantCode: z.string(),
    version: z.nullable(z.int()),
    items: z.array(
      z
        .object({
          type: z.string(),
          nameZh: z.nullable(z.string()),
          nameEn: z.nullable(z.string()),
          severity,
          standard: severity,
          registered: z.boolean(),
          registeredAs: z.nullable(z.string()),
        })
        .register(described, { id: 'EventTypeEntry' }),
    ),
    nextCursor: z.null(),
    hasMore: z.boolean(),
  })
  .register(described, { id: 'EventTypes' });

/** The types of events that have a name, with how grave each is to a tenant. */
export function severityRoute({ ruleSet }: { ruleSet: RuleSet }): Route {
  return route({
    method: 'GET',
    path: '/api/agent/rules/event-types',
    tag: 'Agent',
    access: ['admin', 'session'],
    permission: 'self',
    query: z.strictObject({ tenant_code: z.optional(tenantCode) }),
    summary: 'The types of events, with the severity that counts where the sender gives none',
    description:
      'What a tenant calls its types, and how grave they are, is for everybody who sees its events. ' +
      '`tenant_code` may be left out only by a session that is bound to a tenant. `nameZh` and `nameEn` ' +
      "are the tenant's own name (prompt `names.agent`) where it has one. `severity` is in force; " +
      '`standard` is what counts where the prompt `severities.agent` of the tenant does not name the type ' +
      '(`registered` false; `registeredAs` is the type or the pattern under which it does), for cameras ' +
      'that cannot sign alone: a signed event without a severity gets only what the tenant says. ' +
      '`version` is that of the prompt, null without one.',
    replies: {
      200: { description: 'Each type and pattern that is named', schema: eventTypesView },
    },
    handle: ({ actor, query }) => {
      const tenant = tenantFor(actor, query.tenant_code);
      if (tenant === null) throw fault('tenant_code', 'required');
      const { severities: table, names } = ruleSet.tenant(tenant);
      const rule = ruleSet.loaded.rules.find(
        ({ kind, name, tenantCode: of }) => kind === 'prompt' && name === SEVERITIES_NAME && of === tenant,
      );
      const types = new Set([...eventTypeTable.keys(), ...Object.keys(table), ...Object.keys(names.types)]);
      return {
        body: {
          tenantCode: tenant,
          version: rule?.version ?? null,
          items: [...types].map((type) => {
            const entry = eventTypeTable.get(type);
            const own = severityIn(table, type);
            const called = Object.hasOwn(names.types, type) ? names.types[type] : undefined;
            return {
              type,
              nameZh: called ?? entry?.zh ?? null,
              nameEn: called ?? entry?.en ?? null,
              severity: own ?? entry?.severity ?? null,
              standard: entry?.severity ?? null,
              registered: own !== null,
              registeredAs: namedAs(table, type),
            };
          }),
          nextCursor: null,
          hasMore: false,
        },
      };
    },
  });
}
