import { PassThrough, type Readable } from 'node:stream';
import * as z from 'zod/mini';
import { described } from '../../../common/http/described.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { evidenceWant } from '../../../common/uplink/evidence.ts';
import { HEARTBEAT_MS, type HeldAnswer, heldRequest, MAX_HOLD_MS } from '../../../common/uplink/held.ts';
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

const isHeld = (
  answer: HeldAnswer | { held: Promise<HeldAnswer> },
): answer is { held: Promise<HeldAnswer> } => answer.held instanceof Promise;

/** Spaces until there is an answer, which JSON reads past. What fails then cuts the answer off. */
function beating(answer: Promise<object>): Readable {
  const body = new PassThrough();
  const beat = setInterval(() => body.write(' '), HEARTBEAT_MS);
  body.write(' ');
  void answer
    .then(
      (said) => body.end(JSON.stringify(said)),
      (error: Error) => body.destroy(error),
    )
    .finally(() => clearInterval(beat));
  body.on('close', () => clearInterval(beat));
  // Whoever sends it hears of a fault, until the caller has gone.
  body.on('error', () => clearInterval(beat));
  return body;
}

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
      'up its call for one with a `report`, which is kept before the call is held. While it is held, ' +
      `spaces come before the answer with each ${HEARTBEAT_MS / 1000} s; where what happens meanwhile ` +
      'allows no answer, it is cut off.',
    body: heldRequest,
    compressed: true,
    maxBody: MAX_BODY,
    replies: { 200: { description: 'What waits for the site', schema: heldAnswer } },
    errors: { 400: 'protocol_unsupported' },
    handle: async ({ actor, body, request }) => {
      const { socket } = request;
      let left: () => void = () => undefined;
      const gone = (callBack: () => void): void => void socket.once('close', (left = callBack));
      const done = (): void => void socket.off('close', left);
      try {
        const answer = await calls.answer(body, siteKeyOf(actor), gone);
        if (!isHeld(answer)) {
          done();
          return { body: answer };
        }
        return { body: beating(answer.held.finally(done)), headers: { 'X-Accel-Buffering': 'no' } };
      } catch (error) {
        done();
        throw error;
      }
    },
  });
