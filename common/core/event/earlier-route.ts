import * as z from 'zod/mini';
import { described } from '../../http/described.ts';
import { idParam } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import type { VerdictPort } from '../verdict/port.ts';
import { EARLIER_DAYS, LOOKED_AT } from './earlier.ts';
import { judgedEventView, renderJudged } from './render.ts';
import { tenantCode } from './schema.ts';
import type { EventService } from './service.ts';

const counts = { events: z.int(), judged: z.int(), falseAlarms: z.int() };
const past = z
  .object({
    ...counts,
    ofType: z.object(counts),
    /** There are more than were looked at. */
    more: z.boolean(),
    items: z.array(judgedEventView),
  })
  .register(described, { id: 'PastEvents' });
const earlierView = z
  .object({ days: z.int(), camera: z.nullable(past), place: z.nullable(past) })
  .register(described, { id: 'EarlierEvents' });

/** What to judge an event by. @param self name of this instance */
export function earlierRoute(
  service: Pick<EventService, 'earlier'>,
  verdicts: Pick<VerdictPort, 'givenOn'>,
  self: string,
): Route {
  return route({
    method: 'GET',
    path: '/api/core/events/{id}/earlier',
    tag: 'Events',
    access: ['admin', 'session', 'consumer'],
    permission: 'events.view',
    scopes: ['events.read'],
    params: idParam,
    query: z.strictObject({ tenant_code: z.optional(tenantCode) }),
    summary: 'What the camera and the place of an event brought before it, and how that was judged',
    description:
      `Events of the same kind and site that occurred within the ${EARLIER_DAYS} days before, the newest ` +
      `first; of each the newest ${LOOKED_AT} are counted, and \`more\` says that there are others. ` +
      '`judged` counts those with a verdict, `falseAlarms` those whose verdict stands as one (the last ' +
      'correction, or else the first verdict); `ofType` counts those of the type of the event. `camera` ' +
      'is null for an event that names none, `place` for one without a `siteRef`.',
    replies: { 200: { description: 'The counts, and the newest of them', schema: earlierView } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params, query }) => {
      const earlier = await service.earlier(params.id, actor.tenantCode ?? query.tenant_code ?? null);
      const shown = [earlier.camera, earlier.place].flatMap((one) => one?.items ?? []);
      const given = await verdicts.givenOn(shown.map(({ id }) => id));
      const texts = [earlier.camera, earlier.place].map((one) => {
        if (one === null) return 'null';
        const { items, ...counted } = one;
        const rows = items.map((event) => renderJudged(event, self, given.get(event.id) ?? null));
        return `${JSON.stringify(counted).slice(0, -1)},"items":[${rows.join(',')}]}`;
      });
      return { body: `{"days":${EARLIER_DAYS},"camera":${texts[0]},"place":${texts[1]}}` };
    },
  });
}
