import * as z from 'zod/mini';
import { forbidden } from '../../common/http/error.ts';
import { type Route, route } from '../../common/http/route.ts';
import { handedResult, NOTIFICATIONS_PATH, notificationsRequest } from '../../common/uplink/notification.ts';
import { PROTOCOL } from '../../common/uplink/wire.ts';
import type { SiteRecord } from '../receiver/port.ts';
import type { HandedNotifications } from './service.ts';

export interface NotificationRouteParts {
  handed: HandedNotifications;
  site: (instance: string) => Promise<SiteRecord | null>;
  epoch: () => string;
}

const answer = z.object({ protocol: z.int(), epoch: z.string(), results: z.array(handedResult) });

/** What sites call with notifications that no channel of theirs can deliver. */
export function siteNotificationRoute({ handed, site, epoch }: NotificationRouteParts): Route {
  return route({
    method: 'POST',
    path: NOTIFICATIONS_PATH,
    tag: 'Uplink',
    access: ['site'],
    summary: 'Take notifications of a site, to be delivered by the channels of headquarters',
    description:
      'For sites only; the wire format may change with the protocol number. `items` are messages of ' +
      'tenants that have no such channel at the site, `asked` names earlier ones. Each goes out once ' +
      'through every enabled channel of its kind that the tenant has here; doing it again changes ' +
      'nothing. `taken`: kept here and on its way; `sent` names the `channels` that took it; `failed` ' +
      'says why; `later`: too many messages of this site are on their way, or came within a minute or an ' +
      'hour; `unknown`: there is nothing under an id that was asked for.',
    body: notificationsRequest,
    compressed: true,
    replies: { 200: { description: 'How each message stands', schema: answer } },
    errors: { 403: 'forbidden' },
    handle: async ({ actor, body }) => {
      if (actor.kind !== 'key') throw forbidden('An uplink is signed with the key of its site.');
      const instance = actor.subject;
      if (body.instance !== instance)
        throw forbidden(`This key is of ${instance}; it cannot speak for another site.`);
      const known = await site(instance);
      const results = await handed.take(
        {
          instance,
          owned: [instance, ...(known?.continues ?? [])],
          tenants: new Set(known?.removedAt === null ? known.tenants : []),
        },
        body,
      );
      return { body: { protocol: PROTOCOL, epoch: epoch(), results } };
    },
  });
}
