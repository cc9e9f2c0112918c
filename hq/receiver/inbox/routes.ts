import * as z from 'zod/mini';
import { type HeldCall, spacedAnswer, UNBUFFERED } from '../../../common/http/body/held.ts';
import { described } from '../../../common/http/described.ts';
import { type Route, route } from '../../../common/http/route.ts';
import {
  HEARTBEAT_MS,
  INBOX_PATH,
  inboxKinds,
  inboxRequest,
  MAX_HOLD_MS,
} from '../../../common/uplink/inbox.ts';
import { siteKeyOf } from '../sender.ts';
import type { InboxCalls } from './calls.ts';

const inboxAnswer = z
  .object({
    protocol: z.int(),
    epoch: z.string(),
    items: z.array(z.object({ no: z.int(), kind: z.enum(inboxKinds), id: z.string(), body: z.unknown() })),
    through: z.int(),
    waiting: z.partialRecord(z.enum(inboxKinds), z.int()),
    held: z.boolean(),
    tenants: z.optional(z.readonly(z.array(z.string()))),
    features: z.readonly(z.array(z.string())),
  })
  .register(described, { id: 'InboxAnswer' });

/** The report of a site is most of it, where there is one. */
const MAX_BODY = 1024 * 1024;

export const inboxRoute = (calls: InboxCalls): Route =>
  route({
    method: 'POST',
    path: INBOX_PATH,
    tag: 'Uplink',
    access: ['site'],
    summary: 'Wait for what headquarters has for a site',
    description:
      'For sites only. `items` are what the site is to carry out, in one numbered order: `decision` a ' +
      'verdict or correction on an event of the site, `order` something to be done to a task, ' +
      '`group_order` something to be done to an incident group, `want` a file that is wanted, `library` ' +
      'the version of the policies in force of a tenant, `settings` what is set at the site from here. ' +
      'The site stores them and asks with `through` as `after` for what stands behind them; after a number ' +
      'that this store never gave, as after a restore, it hears of all again. An item stays until its ' +
      'answer was stored: a verdict change, a task, the state of a file, of a library or of settings. A ' +
      'kind that the site does not name in `features` waits. Where nothing stands after `after` the call ' +
      'is held for ' +
      `\`hold_ms\`, at most ${MAX_HOLD_MS / 1000} s, until something does. With \`held\` false ` +
      'headquarters holds as many calls as it can; the next one comes after a while. A site whose critical ' +
      'alarm begins or ends gives up its call for one with a `report`, which is kept before the call is ' +
      `held. While it is held, spaces come before the answer with each ${HEARTBEAT_MS / 1000} s; where ` +
      'what happens meanwhile allows no answer, it is cut off.',
    body: inboxRequest,
    compressed: true,
    maxBody: MAX_BODY,
    replies: { 200: { description: 'What waits for the site', schema: inboxAnswer } },
    errors: { 400: 'protocol_unsupported' },
    holds: true,
    handle: async ({ actor, body, held }) => {
      const call = (held as () => HeldCall)();
      try {
        const answer = await calls.answer(body, siteKeyOf(actor), call);
        if (!('later' in answer)) {
          call.end();
          return { body: answer };
        }
        const text = answer.later.then((said) => JSON.stringify(said)).finally(() => call.end());
        return { body: spacedAnswer(text, HEARTBEAT_MS), headers: UNBUFFERED };
      } catch (error) {
        call.end();
        throw error;
      }
    },
  });
