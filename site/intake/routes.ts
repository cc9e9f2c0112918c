import * as z from 'zod/mini';
import { keyParams } from '../../common/core/key/schema.ts';
import { actorOf } from '../../common/http/caller.ts';
import { described } from '../../common/http/described.ts';
import { notFound } from '../../common/http/error.ts';
import { listOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import { formatTime } from '../../common/time.ts';
import { type DeviceFacts, deviceViewOf } from './device/view.ts';
import { deviceKinds } from './drivers.ts';
import { MAX_MESSAGE, type Posts } from './post.ts';
import { deviceChange, devicePassword, deviceView, issuedDevice, newDevice, tryInput } from './schema.ts';
import { type DeviceService, INTAKE_PREFIX } from './service.ts';
import type { Trials } from './trial.ts';

const TAG = 'Devices';
const access = ['admin'] as const;
const noDevice = { 404: 'not_found' };
const deviceInput = z
  .strictObject({ kind: z.enum(deviceKinds), ...newDevice })
  .register(described, { id: 'NewDevice' });
const taken = z
  .object({ stored: z.int(), repeated: z.int(), ended: z.int(), heartbeats: z.int() })
  .register(described, { id: 'TakenMessage' });
const trial = z
  .object({
    at: z.string(),
    contentType: z.nullable(z.string()),
    bytes: z.int(),
    parts: z.array(z.object({ form: z.string(), bytes: z.int(), text: z.nullable(z.string()) })),
    heartbeats: z.int(),
    unreadable: z.array(z.string()),
    events: z.array(
      z.object({
        state: z.enum(['active', 'ended', 'single']),
        known: z.boolean(),
        event: z.record(z.string(), z.unknown()),
      }),
    ),
  })
  .register(described, { id: 'TriedMessage' });

export interface DeviceRoutesOptions extends DeviceFacts {
  service: DeviceService;
  posts: Posts;
  trials: Trials;
  /** Connects at once to a device that waits to be tried again. */
  retry: (keyId: string) => void;
}

/** The registry of devices that cannot sign, and the paths where they post. */
export function deviceRoutes(options: DeviceRoutesOptions): Route[] {
  return [
    ...registryRoutes(options),
    tryRoute(options),
    probeRoute(options.posts),
    ...postRoutes(options.posts),
  ];
}

function registryRoutes(options: DeviceRoutesOptions): Route[] {
  const { service, states } = options;
  const issuedOnce = { description: 'What is typed into the device, shown this once', schema: issuedDevice };
  return [
    route({
      method: 'POST',
      path: '/api/core/devices',
      tag: TAG,
      access,
      summary: 'Register a camera or recorder that cannot sign',
      description:
        'It is listed beside the edge nodes. `path` is where it posts, a secret; `user` and `password` are ' +
        'what it shows with `auth` `basic` or `digest`. `channels` gives the camera of each channel of a ' +
        'recorder, `types` the event type of the words of the device, `severities` the severity by event ' +
        'type. `fields` says where the members of a webhook stand, by paths such as `alarm.type`. With ' +
        '`address` the site connects to the device instead, as `user` with `password`, or with the secret ' +
        'that `password_ref` names (use `device`); the password is never shown again. Over https its ' +
        'certificate must be of an authority of the system or of `tls_ca`, or have `tls_fingerprint`.',
      body: deviceInput,
      replies: { 201: issuedOnce },
      errors: { 409: 'key_exists' },
      handle: async (call) => ({ status: 201, body: await service.register(call.body, actorOf(call)) }),
    }),
    route({
      method: 'GET',
      path: '/api/core/devices',
      tag: TAG,
      access,
      summary: 'List the devices that cannot sign, with what was heard of each since the start',
      replies: { 200: { description: 'The devices', schema: listOf(deviceView) } },
      handle: () => ({
        body: {
          items: service.list().map((device) => deviceViewOf(device, options)),
          nextCursor: null,
          hasMore: false,
        },
      }),
    }),
    route({
      method: 'PUT',
      path: '/api/core/devices/{key_id}',
      tag: TAG,
      access,
      params: keyParams,
      body: deviceChange,
      summary: 'Give the settings of a device anew, all of them',
      description: 'A password is kept that is not given anew, unless the address names another host.',
      replies: { 200: { description: 'The device', schema: deviceView } },
      errors: noDevice,
      handle: async (call) => {
        const device = await service.configure(call.params.key_id, call.body, actorOf(call));
        return { body: deviceViewOf(device, options) };
      },
    }),
    route({
      method: 'PUT',
      path: '/api/core/devices/{key_id}/password',
      tag: TAG,
      access,
      params: keyParams,
      body: devicePassword,
      summary: 'Give the password with which a device is connected to, and its user where that changed too',
      replies: { 200: { description: 'The device', schema: deviceView } },
      errors: noDevice,
      handle: async (call) => {
        const device = await service.givePassword(call.params.key_id, call.body, actorOf(call));
        return { body: deviceViewOf(device, options) };
      },
    }),
    route({
      method: 'POST',
      path: '/api/core/devices/{key_id}/rotate',
      tag: TAG,
      access,
      params: keyParams,
      summary: 'Give a device a new path, and a new password where it has one; the old ones end at once',
      replies: { 200: issuedOnce },
      errors: noDevice,
      handle: async (call) => ({ body: await service.rotate(call.params.key_id, actorOf(call)) }),
    }),
    route({
      method: 'DELETE',
      path: '/api/core/devices/{key_id}',
      tag: TAG,
      access,
      params: keyParams,
      summary: 'Remove a device; what it sends is refused at once',
      replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
      errors: noDevice,
      handle: async (call) => {
        await service.remove(call.params.key_id, actorOf(call));
        states.forget(call.params.key_id);
        return { body: { removed: true } };
      },
    }),
  ];
}

function tryRoute({ service, trials, retry }: DeviceRoutesOptions): Route {
  return route({
    method: 'POST',
    path: '/api/core/devices/{key_id}/try',
    tag: TAG,
    access,
    params: keyParams,
    body: tryInput,
    bodyOptional: true,
    summary: 'Wait for a message of a device, and show what it becomes',
    description:
      'Answers with the first message that is more than a heartbeat, and the heartbeats before it; with an ' +
      'empty list when none comes in time. The look stores nothing itself: what comes meanwhile is taken ' +
      'as ever.',
    replies: { 200: { description: 'What came', schema: listOf(trial) } },
    errors: noDevice,
    handle: async ({ params, body, request }) => {
      if (!service.get(params.key_id)) throw notFound(`The device ${params.key_id}`);
      retry(params.key_id);
      const gone = new AbortController();
      request.socket.once('close', () => gone.abort());
      const seen = await trials.look(params.key_id, body.seconds * 1000, gone.signal);
      const items = seen.map((one) => ({ ...one, at: formatTime(one.at) }));
      return { body: { items, nextCursor: null, hasMore: false } };
    },
  });
}

/** Cameras and technicians ask by GET or HEAD whether an address is right. */
function probeRoute(posts: Posts): Route {
  return route({
    method: 'GET',
    path: `${INTAKE_PREFIX}{token}`,
    tag: TAG,
    access: ['public'],
    anyTarget: true,
    params: z.object({ token: z.string() }),
    summary: 'Whether this is the path of a registered device',
    replies: { 200: { description: 'It is', schema: z.object({ ready: z.boolean() }) } },
    errors: { 403: 'forbidden', 404: 'not_found' },
    handle: async ({ params, ip }) => {
      await posts.probe(params.token, ip);
      return { body: { ready: true } };
    },
  });
}

/** Public: the token in the path is what is known of the caller. */
function postRoutes(posts: Posts): Route[] {
  return (['POST', 'PUT'] as const).map((method) =>
    route({
      method,
      path: `${INTAKE_PREFIX}{token}`,
      tag: TAG,
      access: ['public'],
      stream: true,
      maxBody: MAX_MESSAGE,
      anyTarget: true,
      params: z.object({ token: z.string() }),
      summary: 'Where a registered device posts, in the form of its kind',
      description:
        'The answer leaves when every alarm of the message is on the disk. A repetition of an alarm that ' +
        'stands makes no second event. What cannot be read is 400.',
      replies: { 200: { description: 'Stored, or known already', schema: taken } },
      errors: {
        400: 'unreadable',
        401: 'unauthorized',
        403: 'forbidden',
        404: 'not_found',
        415: 'unsupported_media_type',
        507: 'storage_full',
      },
      handle: async ({ params, request, ip }) => ({
        body: { ...(await posts.take(params.token, request, ip)) },
      }),
    }),
  );
}
