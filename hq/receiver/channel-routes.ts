import * as z from 'zod/mini';
import { described } from '../../common/http/described.ts';
import { type Route, route } from '../../common/http/route.ts';
import { type ChannelName, MAX_BYTES, uplinkRequest } from '../../common/uplink/wire.ts';
import type { Admission } from './admission/admission.ts';
import { siteKeyOf } from './sender.ts';
import type { ReceiverService } from './service.ts';

/** A sender halves a batch that is refused with 413; one event of 64 KiB payload must fit. */
const UPLINK_LIMITS = { depth: 64, values: 400_000, run: 36_000 };

const uplinkAnswer = z
  .object({
    protocol: z.int(),
    epoch: z.string(),
    accepted: z.int(),
    duplicates: z.int(),
    cursor: z.int(),
    rejected: z.array(z.object({ originId: z.int(), error: z.string(), message: z.string() })),
    tenants: z.optional(z.readonly(z.array(z.string()))),
    features: z.optional(z.readonly(z.array(z.string()))),
  })
  .register(described, { id: 'UplinkAnswer' });

/** What sites call: one route a channel (DESIGN.md, "Uplink"). */
export function channelRoutes(service: ReceiverService, admission: Admission): Route[] {
  const receive = (channel: ChannelName, summary: string) =>
    channelRoute(service, admission, channel, summary);
  return [
    receive('events', 'Take a batch of events of a site; stored in one transaction'),
    receive(
      'verdicts',
      'Take a batch of the log of a site: verdicts, tasks, groups, answers; stored in one transaction',
    ),
  ];
}

function channelRoute(
  service: ReceiverService,
  admission: Admission,
  channel: ChannelName,
  summary: string,
): Route {
  return route({
    method: 'POST',
    path: `/api/core/uplink/${channel}`,
    tag: 'Uplink',
    access: ['site'],
    direct: true,
    summary,
    body: uplinkRequest,
    compressed: true,
    maxBody: MAX_BYTES,
    limits: UPLINK_LIMITS,
    exactNumbers: true,
    admit: (actor, bytes) => admission.enter(siteKeyOf(actor).subject, bytes, channel),
    replies: {
      200: {
        description: 'What was taken, and what was refused',
        schema: uplinkAnswer,
      },
    },
    description:
      'For sites only; the wire format may change with the protocol number. `cursor.from` and ' +
      '`cursor.to` are the positions between which the items stand. An item ' +
      'that cannot be taken is named in `rejected` and does not hold the others up. Items that are ' +
      'known are counted as duplicates. 409 `cursor_ahead`: send again from ' +
      '`known`; 409 `sender_rolled_back`: the sender runs on an older copy of its store and takes a ' +
      'new epoch. `cursor.held` says that what stands between it and `cursor.from` is on its way in ' +
      'another call, which is waited for; 409 `batch_missing`: it did not come, and nothing was stored. ' +
      'What headquarters has for the site comes with its inbox.',
    errors: {
      400: 'protocol_unsupported',
      403: 'site_unknown',
      409: 'cursor_ahead, sender_rolled_back, batch_missing',
      503: 'uplink_full',
    },
    handle: async ({ actor, body, request }) => {
      const gone = (): boolean => request.socket.destroyed || request.socket.readableEnded;
      return { body: await service.receive(channel, body, { subject: siteKeyOf(actor).subject, gone }) };
    },
  });
}
