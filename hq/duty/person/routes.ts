import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { sessionOf } from '../../../common/core/session/routes.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { say } from '../../../common/message.ts';
import { formatTime, formatTimeOrNull } from '../../../common/time.ts';
import { sendingMessages } from '../duty-messages.ts';
import type { PushDevice } from './record.ts';
import { choiceInput, deviceInput, deviceView, meView, pushTryView } from './schema.ts';
import type { MyCalls, PersonService } from './service.ts';

const deviceParams = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(64)) });
const own = { access: ['session'], permission: 'self', tag: 'Duty' } as const;

/** What a person chooses for himself. */
export const personRoutes = (service: PersonService): Route[] => [
  mineRoute(service),
  chooseRoute(service),
  addDeviceRoute(service),
  removeDeviceRoute(service),
  tryRoute(service),
];

const mineRoute = (service: PersonService): Route =>
  route({
    ...own,
    method: 'GET',
    path: '/api/core/duty/me',
    summary: 'What you are called for and how, your devices, and the key that browsers subscribe to',
    replies: { 200: { description: 'Your calls', schema: meView } },
    handle: async ({ actor }) => ({ body: viewOf(await service.mine(sessionOf(actor))) }),
  });

const chooseRoute = (service: PersonService): Route =>
  route({
    ...own,
    method: 'PUT',
    path: '/api/core/duty/me',
    body: choiceInput,
    summary: 'Choose what you are called for, when and how',
    description:
      'Who is on duty by a rota is called for what the rota is for, at any hour, by the ways chosen here. ' +
      'The rest is told beside it, once: with `when` `always` what fits `severities`, `alarms`, `tenants` ' +
      'and `sites`, but not in the `quiet` hours.',
    replies: { 200: { description: 'Your calls', schema: meView } },
    handle: async (call) => ({
      body: viewOf(await service.choose(sessionOf(call.actor), call.body, originOf(call.request))),
    }),
  });

const addDeviceRoute = (service: PersonService): Route =>
  route({
    ...own,
    method: 'POST',
    path: '/api/core/duty/devices',
    body: deviceInput,
    maxBody: 16 * 1024,
    summary: 'Let this browser take your calls, by its subscription to a push service',
    description:
      'A subscription that is known is yours from then on; of more than ten the oldest goes. Its address ' +
      'and keys are sealed and never shown again. A device that its push service knows no more is removed.',
    replies: { 201: { description: 'The device', schema: deviceView } },
    handle: async (call) => ({
      status: 201,
      body: deviceOf(
        await service.addDevice(sessionOf(call.actor), call.body, originOf(call.request), actorOf(call)),
      ),
    }),
  });

const removeDeviceRoute = (service: PersonService): Route =>
  route({
    ...own,
    method: 'DELETE',
    path: '/api/core/duty/devices/{id}',
    params: deviceParams,
    summary: 'Let a device of yours take no calls any more',
    replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
    errors: { 404: 'not_found' },
    handle: async (call) => {
      await service.removeDevice(sessionOf(call.actor), call.params.id, actorOf(call));
      return { body: { removed: true } };
    },
  });

const tryRoute = (service: PersonService): Route =>
  route({
    ...own,
    method: 'POST',
    path: '/api/core/duty/devices/{id}/test',
    params: deviceParams,
    summary: 'Send a test message to a device of yours now, and say what the push service answered',
    replies: { 200: { description: 'What came of it', schema: pushTryView } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params }) => {
      const tried = await service.tryDevice(sessionOf(actor), params.id);
      const told = tried.taken ? null : tried.fault;
      return {
        body: {
          taken: tried.taken,
          status: tried.status,
          error: told && say(sendingMessages, told, 'en'),
          errorZh: told && say(sendingMessages, told, 'zh'),
        },
      };
    },
  });

/** Where the browser found the page that calls; browsers alone send it, and for the person himself. */
function originOf({ headers: { origin } }: IncomingMessage): string | null {
  if (origin === undefined || origin.length > 300 || !URL.canParse(origin)) return null;
  const url = new URL(origin);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.origin : null;
}

const viewOf = ({ devices, ...mine }: MyCalls): z.infer<typeof meView> => ({
  ...mine,
  devices: devices.map(deviceOf),
});

const deviceOf = ({ id, host, label, createdAt, lastSentAt, lastError, endpointHash }: PushDevice) => ({
  id,
  host,
  label,
  createdAt: formatTime(createdAt),
  lastSentAt: formatTimeOrNull(lastSentAt),
  lastError,
  endpointHash,
});
