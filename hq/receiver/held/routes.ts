import * as z from 'zod/mini';
import { described } from '../../../common/http/described.ts';
import { route, type Route } from '../../../common/http/route.ts';
import { evidenceWant } from '../../../common/uplink/evidence.ts';
import { heldRequest, MAX_HOLD_MS } from '../../../common/uplink/held.ts';
import { decision } from '../channel-routes.ts';
import { siteKeyOf } from '../sender.ts';
import type { HeldCalls } from './calls.ts';

const heldAnswer = z
  .object({
    protocol: z.int(),
    epoch: z.string(),
    mark: z.string(),
    held: z.boolean(),
    decisions: z.array(decision),
    decisionsWaiting: z.int(),
    evidence: z.optional(z.array(evidenceWant)),
    tenants: z.optional(z.readonly(z.array(z.string()))),
    features: z.readonly(z.array(z.string())),
  })
  .register(described, { id: 'HeldAnswer' });

/** The report of a site is most of it, where there is one. */
const MAX_BODY = 1024 * 1024;

export const heldRoute = (calls: HeldCalls): Route =>
  route({
    method: 'POST',
    path: '/api/core/uplink/held',
    tag: 'Uplink',
    access: ['site'],
    summary: 'Wait for what headquarters decides on events of a site',
    description:
      `For sites only. The call is held for \`hold_ms\`, at most ${MAX_HOLD_MS / 1000} s, and is answered ` +
      'as soon as something waits for the site that its last answer did not tell: a decision, an order or ' +
      'a wanted file. `known` is the `mark` of that answer. With `held` false headquarters holds as many ' +
      'calls as it can; the next one comes after a while. A site whose critical alarm begins or ends gives ' +
      'up its call for one with a `report`, which is kept before the call is held.',
    body: heldRequest,
    compressed: true,
    maxBody: MAX_BODY,
    replies: { 200: { description: 'What waits for the site', schema: heldAnswer } },
    errors: { 400: 'protocol_unsupported' },
    handle: async ({ actor, body, request }) => {
      const { socket } = request;
      let left: () => void = () => undefined;
      const gone = (callBack: () => void): void => void socket.once('close', (left = callBack));
      try {
        return { body: await calls.answer(body, siteKeyOf(actor), gone) };
      } finally {
        socket.off('close', left);
      }
    },
  });
