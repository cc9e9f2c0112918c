import * as z from 'zod/mini';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { alarmView, type AlarmWording, viewAlarm } from '../../common/core/alarm/view.ts';
import { tenantCode } from '../../common/core/event/schema.ts';
import { tenantFor } from '../../common/http/caller.ts';
import { limitParam, listOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import { TOKEN_ALARM } from './token/holds.ts';

/** Beginnings of the keys of alarms about webhooks, tokens and datasets. */
const KEYS = ['webhook.', TOKEN_ALARM, 'dataset_', 'project_codes_repeated:'];

/** They are all of headquarters itself, which nobody gives another name. */
const byItsName = (instance: string): string => instance;

/** The alarms of the integration, for whoever looks after it and need not see those of everything else. */
export const integrationAlarms = ({ alarms, ...wording }: AlarmWording & { alarms: AlarmPort }): Route =>
  route({
    method: 'GET',
    path: '/api/integration/alarms',
    tag: 'Integration',
    access: ['admin', 'session'],
    permission: 'integration.view',
    query: z.strictObject({ tenant_code: z.optional(tenantCode), limit: limitParam(100, 1000) }),
    summary: 'Alarms of webhooks, tokens and datasets that stand, the worst first',
    description:
      'Those of `GET /api/core/alarms` that are about the integration: deliveries that were given up or ' +
      'that nobody sends, clients whose requests for tokens are refused, sources that cannot be ' +
      'pulled or broke ' +
      'their contract, and codes of projects that are there twice.',
    replies: { 200: { description: 'The alarms', schema: listOf(alarmView) } },
    handle: async ({ actor, query }) => {
      const tenant = tenantFor(actor, query.tenant_code);
      const filter = { tenantCode: tenant, includeCleared: false, keys: KEYS };
      const rows = await alarms.list(filter, query.limit + 1, 'worst');
      return {
        body: {
          items: rows.slice(0, query.limit).map((row) => viewAlarm(row, wording, byItsName)),
          nextCursor: null,
          hasMore: rows.length > query.limit,
        },
      };
    },
  });
