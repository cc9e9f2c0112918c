import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { RuleSet } from '../../common/agent/rule-set/rule-set.ts';
import { severityByRules } from '../../common/agent/rule-set/severity.ts';
import type { Core } from '../../common/core/core.ts';
import type { SeverityOf } from '../../common/core/event/service.ts';
import { standardSeverity } from '../../common/core/event/type-table.ts';
import type { CarryFeedback } from '../../common/core/feedback/sender.ts';
import type { BodyBudget } from '../../common/http/body/budget.ts';
import type { HttpClient } from '../../common/http/outbound/client.ts';
import type { Route } from '../../common/http/route.ts';
import type { Loop } from '../../common/loop.ts';
import type { Metric } from '../../common/metrics.ts';
import { createHttpClient } from '../http-client.ts';
import { PasswordCheck } from '../intake/device/caller.ts';
import { feedbackToDevices } from '../intake/device/feedback.ts';
import { ShownPasswords } from '../intake/device/password.ts';
import { DeviceStates } from '../intake/device/state.ts';
import { driverOf } from '../intake/drivers.ts';
import { KnownDevices } from '../intake/known.ts';
import { deviceMetrics } from '../intake/metrics.ts';
import { fetchPictures } from '../intake/picture/fetch.ts';
import { HeldPictures } from '../intake/picture/held.ts';
import { type NeverComes, PictureKeeper, pictureNeverComes } from '../intake/picture/keep.ts';
import { Posts, type PostsOptions } from '../intake/post.ts';
import type { Device } from '../intake/record.ts';
import { Recorder, type RecorderOptions } from '../intake/recorder.ts';
import { DeviceRooms, roomMetrics } from '../intake/room.ts';
import { deviceRoutes } from '../intake/routes.ts';
import { DeviceService } from '../intake/service.ts';
import { sweepLoop } from '../intake/sweep.ts';
import { Trials } from '../intake/trial.ts';
import type { DiskKeeper } from '../retention/keeper.ts';
import type { ClockWatch } from '../status/clock.ts';
import type { DeviceFacts } from '../status/facts.ts';
import type { Base } from './base.ts';
import { createConnected } from './connected.ts';

/**
 * What is known of devices before there is a core, which itself asks for it: who they are, how they stand,
 * and what of theirs is under way.
 */
export interface DeviceGround {
  known: KnownDevices;
  states: DeviceStates;
  held: HeldPictures;
  shown: ShownPasswords;
  rooms: DeviceRooms;
  deviceOf: (keyId: string) => Device | undefined;
  /** Tells a device what was judged of its alarm, where it takes that in a form of its own. */
  carryFeedback: CarryFeedback;
  neverComes: NeverComes;
}

export function createDeviceGround({ config, secrets, log }: Base): DeviceGround {
  const known = new KnownDevices();
  const held = new HeldPictures(join(config.dataDir, 'device-pictures'), log);
  const shown = new ShownPasswords(secrets.resolver);
  const rooms = new DeviceRooms();
  const deviceOf = (keyId: string): Device | undefined => known.get(keyId);
  const carryFeedback = feedbackToDevices({ shown, deviceOf, rooms, networks: config.feedbackNetworks });
  const neverComes = pictureNeverComes({ held, deviceOf });
  return { known, states: new DeviceStates(), held, shown, rooms, deviceOf, carryFeedback, neverComes };
}

/** Intake from devices that cannot sign. */
export interface Devices {
  metrics: Metric[];
  routes(bodies: BodyBudget): Route[];
  /** What the status of the site is told of them. */
  facts: DeviceFacts;
  /** Names of those whose password cannot be opened. */
  unreadable(): Promise<string[]>;
  start(): Promise<void>;
}

export function createDevices(
  base: Base,
  core: Core,
  ground: DeviceGround,
  { clockWatch, disk, ruleSet }: { clockWatch: ClockWatch; disk: DiskKeeper; ruleSet: RuleSet },
): Devices {
  const { clock } = base;
  const { states, deviceOf, held, shown, rooms } = ground;
  const severityOf = severityOfTypes(ruleSet);
  const pictures = createPictures(base, core, ground);
  const recorder = createRecorder(base, core, { clockWatch, states, deviceOf, severityOf, held, pictures });
  const sweep = sweepLoop({ recorder, pictures, deviceOf, clock, log: base.log });
  base.lifecycle.onStop('devices', () => sweep.stop());
  const trials = new Trials(() => clock.now(), severityOf);
  const admit = (): void => disk.admit();
  const connected = createConnected(base, { recorder, trials, states, shown, rooms, admit });
  const service = createService(base, core, ground, recorder, async (devices) => {
    await begin(devices, sweep);
    await connected.follow(devices);
  });
  const cameras = clientOfCameras(base);
  return {
    facts: {
      heardAt: (keyId) => states.heardAt(keyId),
      kindOf: (keyId) => deviceOf(keyId)?.kind ?? null,
      connectionOf: (keyId) => connected.view(keyId),
      ...refusalsOf(states),
    },
    metrics: [
      ...deviceMetrics(service, { states, recorder, connectionOf: connected.view }),
      ...roomMetrics(rooms),
    ],
    routes: (bodies) =>
      deviceRoutes({
        service,
        states,
        trials,
        connectionOf: connected.view,
        retry: connected.retry,
        posts: postsOf(base, { service, recorder, states, bodies, rooms, trials, cameras, admit }),
      }),
    unreadable: () => service.unreadable(),
    start: () => service.load(),
  };
}

/** What was refused of devices, and of cameras that sign. */
const refusalsOf = (states: DeviceStates): Pick<DeviceFacts, 'refusalOf' | 'heard'> => ({
  refusalOf: (keyId) => {
    const { refusal, refused } = states.of(keyId);
    return refusal && refused && { reason: refusal.reason, at: refusal.at, ...refused };
  },
  heard: (keyId, refused) => {
    const state = states.of(keyId);
    if (refused === null) state.take(true);
    else state.refuse(refused.reason, refused.detail, refused.at);
  },
});

/** As the tenant says, or else by the table of all types: what devices tell mostly has no severity. */
function severityOfTypes(ruleSet: RuleSet): SeverityOf {
  const byRules = severityByRules(ruleSet);
  return (tenantCode, type) => byRules(tenantCode, type) ?? standardSeverity(type);
}

function postsOf(
  { secrets, clock }: Base,
  { cameras, trials, ...parts }: PostsParts & { cameras: HttpClient; trials: Trials },
): Posts {
  return new Posts({
    ...parts,
    clock,
    passwords: new PasswordCheck(nonceKey(secrets.sealKey), () => clock.now()),
    source: ({ kind }) => driverOf(kind).source(),
    pictures: (room) => (occurrence) => fetchPictures({ client: cameras, clock, room }, occurrence),
    onMessage: (device, seen) => trials.see(device, seen),
  });
}

type PostsParts = Pick<PostsOptions, 'service' | 'recorder' | 'states' | 'bodies' | 'rooms' | 'admit'>;

/** Fetches what cameras keep. */
function clientOfCameras({ config, lifecycle }: Base): HttpClient {
  const client = createHttpClient(config.feedbackNetworks);
  lifecycle.onStop('device client', () => client.close());
  return client;
}

/** Loads sources now, not with the first message: an upgrade takes the files away while the site runs. */
async function begin(devices: readonly Device[], sweep: Loop): Promise<void> {
  if (devices.length > 0) sweep.start();
  await Promise.all([...new Set(devices.map(({ kind }) => kind))].map((kind) => driverOf(kind).source()));
}

function createService(
  { store, secrets, clock }: Base,
  { keys }: Core,
  { known, shown, states }: DeviceGround,
  recorder: Recorder,
  onChange: (devices: readonly Device[]) => Promise<void>,
): DeviceService {
  const service = new DeviceService({
    devices: store.devices,
    known,
    keys,
    sealing: secrets.sealing,
    sources: secrets.sources,
    shown,
    clock,
    onChange,
  });
  // A device is gone when its node key is, whoever removed that.
  keys.onRemoved(async (keyId, actor) => {
    states.forget(keyId);
    if (!service.get(keyId)) return;
    await service.forget(keyId, actor);
    await recorder.forget(keyId);
  });
  return service;
}

function createRecorder(
  { config, store, clock, log }: Base,
  { events }: Core,
  { clockWatch, ...parts }: { clockWatch: ClockWatch } & RecorderParts,
): Recorder {
  return new Recorder({
    devices: store.devices,
    events,
    kept: store.events,
    alarms: store.alarms,
    self: config.instance,
    clock,
    clockSuspect: () => clockWatch.suspect,
    log,
    ...parts,
  });
}

type RecorderParts = Pick<RecorderOptions, 'states' | 'deviceOf' | 'pictures' | 'held' | 'severityOf'>;

function createPictures(
  { store, log }: Base,
  { evidence }: Core,
  { held, states, deviceOf }: DeviceGround,
): PictureKeeper {
  return new PictureKeeper({ evidence, events: store.events, held, states, deviceOf, log });
}

/** Of the key that seals, but for this use alone. */
const nonceKey = (sealKey: Buffer): Buffer => createHmac('sha256', sealKey).update('device nonces').digest();
