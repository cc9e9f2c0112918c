import * as z from 'zod/mini';
import { upTo } from '../../../common/characters.ts';
import { severities } from '../../../common/core/event/schema.ts';
import { sessionOf } from '../../../common/core/session/routes.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { described } from '../../../common/http/described.ts';
import { idParam, listOf } from '../../../common/http/list.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { formatTime, formatTimeOrNull } from '../../../common/time.ts';
import { saying } from '../duty-fault-messages.ts';
import type { TakeOutcome } from '../port.ts';
import { callStates, type DutyCall } from './record.ts';
import type { CallService } from './service.ts';
import { headOf, pathOf } from './text.ts';

/** Events that are asked for at once. */
const MOST = 200;
const IDS = /^[0-9]{1,16}(,[0-9]{1,16}){0,199}$/;

const callView = z
  .object({
    id: z.string(),
    eventId: z.int(),
    state: z.enum(callStates),
    /** Whom it was brought to in this round. */
    called: z.array(z.string()),
    nextAt: z.nullable(z.string()),
    takenBy: z.nullable(z.string()),
    takenAt: z.nullable(z.string()),
    createdAt: z.string(),
  })
  .register(described, { id: 'DutyCall' });

const takingView = z
  .object({ taken: z.boolean(), takenBy: z.nullable(z.string()), takenAt: z.nullable(z.string()) })
  .register(described, { id: 'DutyTaking' });

const linkView = z
  .object({
    state: z.enum(callStates),
    severity: z.enum(severities),
    title: z.string(),
    titleZh: z.string(),
    /** Path of the console. */
    url: z.string(),
    at: z.string(),
    userName: z.string(),
    takenBy: z.nullable(z.string()),
    takenAt: z.nullable(z.string()),
  })
  .register(described, { id: 'DutyLink' });

const token = z.string().check(z.minLength(1), z.maxLength(200));
const linkInput = z.strictObject({ token }).register(described, { id: 'DutyLinkInput' });
const seenInput = z
  .strictObject({ token, opened: z._default(z.boolean(), false) })
  .register(described, { id: 'DutySeenInput' });
const byLink = { access: ['public'], tag: 'Duty', method: 'POST', maxBody: 4 * 1024 } as const;

/** Who was called of an event, and who takes it over: in the console, or by the link of a message. */
export const callRoutes = (service: CallService): Route[] => [
  listRoute(service),
  takeRoute(service),
  lookRoute(service),
  takeByLinkRoute(service),
  seenRoute(service),
];

const listRoute = (service: CallService): Route =>
  route({
    method: 'GET',
    path: '/api/core/duty/calls',
    tag: 'Duty',
    access: ['admin', 'session'],
    permission: 'events.view',
    query: z.strictObject({
      event_ids: z.string().check(upTo(4096), z.regex(IDS, saying('duty_ids'))),
    }),
    summary: 'Who was called of these events, and who took them over',
    description: `At most ${MOST} ids with commas; an event of which nobody was called is not there.`,
    replies: { 200: { description: 'The calls, by event', schema: listOf(callView) } },
    handle: async ({ actor, query }) => {
      const ids = query.event_ids.split(',').map(Number);
      const found = await service.ofEvents(ids, actor.tenantCode);
      const items = [...found].map(([eventId, call]) => viewOf(eventId, call));
      return { body: { items, nextCursor: null, hasMore: false } };
    },
  });

const takeRoute = (service: CallService): Route =>
  route({
    method: 'POST',
    path: '/api/core/duty/events/{id}/take',
    tag: 'Duty',
    access: ['session'],
    permission: 'events.judge',
    params: idParam,
    summary: 'Take an event over: nobody else is called of it',
    description:
      'The first one has it; whoever comes later is answered `taken` false and who was first. It changes ' +
      'neither the event nor its tasks.',
    replies: { 200: { description: 'Who has it', schema: takingView } },
    errors: { 404: 'not_found', 409: 'call_over' },
    handle: async (call) => {
      const { userName, tenantCode } = sessionOf(call.actor);
      return {
        body: takingOf(
          await service.takeEvent(call.params.id, tenantCode, userName, actorOf(call)),
          userName,
        ),
      };
    },
  });

const lookRoute = (service: CallService): Route =>
  route({
    ...byLink,
    path: '/api/core/duty/link/look',
    body: linkInput,
    summary: 'What the link of a call is about',
    description: 'A link is signed, for one message to one person, and good for a day.',
    replies: { 200: { description: 'The call', schema: linkView } },
    errors: { 404: 'call_link_invalid' },
    handle: async ({ body }) => {
      const { call, userName } = await service.look(body.token);
      return {
        body: {
          state: call.state,
          severity: call.severity,
          title: headOf(call, 'en'),
          titleZh: headOf(call, 'zh'),
          url: pathOf(call),
          at: formatTime(call.at),
          userName,
          takenBy: call.takenBy,
          takenAt: formatTimeOrNull(call.takenAt),
        },
      };
    },
  });

const takeByLinkRoute = (service: CallService): Route =>
  route({
    ...byLink,
    path: '/api/core/duty/link/take',
    body: linkInput,
    summary: 'Take over what the link of a call is about, as the person whom it was sent to',
    replies: { 200: { description: 'Who has it', schema: takingView } },
    errors: { 404: 'call_link_invalid', 409: 'call_over' },
    handle: async ({ body, ip }) => {
      const { outcome, userName } = await service.takeByLink(body.token, ip);
      return { body: takingOf(outcome, userName) };
    },
  });

const seenRoute = (service: CallService): Route =>
  route({
    ...byLink,
    path: '/api/core/duty/link/seen',
    body: seenInput,
    summary: 'Say that a device has shown a call, or that its person has opened it',
    replies: { 200: { description: 'Noted', schema: z.object({ noted: z.boolean() }) } },
    errors: { 404: 'call_link_invalid' },
    handle: async ({ body }) => {
      await service.seen(body.token, body.opened);
      return { body: { noted: true } };
    },
  });

/** Who comes again to what is his already has it. */
function takingOf(outcome: TakeOutcome, userName: string): z.infer<typeof takingView> {
  if (outcome.kind === 'no_call') return { taken: false, takenBy: null, takenAt: null };
  const { takenBy, takenAt } = outcome.call;
  return {
    taken: outcome.kind === 'taken' || takenBy === userName,
    takenBy,
    takenAt: formatTimeOrNull(takenAt),
  };
}

const viewOf = (eventId: number, call: DutyCall): z.infer<typeof callView> => ({
  id: call.id,
  eventId,
  state: call.state,
  called: call.called,
  nextAt: formatTimeOrNull(call.nextAt),
  takenBy: call.takenBy,
  takenAt: formatTimeOrNull(call.takenAt),
  createdAt: formatTime(call.createdAt),
});
