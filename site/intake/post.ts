import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../common/clock.ts';
import { announcedBytes, discard, refuseEncoded } from '../../common/http/body/body.ts';
import type { BodyBudget } from '../../common/http/body/budget.ts';
import { type Came, readWhatComes } from '../../common/http/body/partial.ts';
import { AppError, notFound } from '../../common/http/error.ts';
import { secretUnreadable } from '../../common/http/signing/refusals.ts';
import { SecretError } from '../../common/secret/secret.ts';
import { fromItsNetwork, type PasswordCheck } from './device/caller.ts';
import type { DeviceStates } from './device/state.ts';
import type { Source } from './driver.ts';
import { messageParts, type Parts } from './message/message.ts';
import type { Device, FetchPictures, Occurrence, Part, Reading } from './record.ts';
import type { Recorder, Taken } from './recorder.ts';
import type { DeviceRooms, Room } from './room.ts';
import type { DeviceService } from './service.ts';

/** Bytes of one message that are taken: three pictures of four megapixels, and some. */
export const MAX_MESSAGE = 12 * 1024 * 1024;
/** Bytes of one message that are let pass, so that its sender hears of what was taken. */
const MAX_PASSED = 4 * MAX_MESSAGE;

export interface PostsOptions {
  service: DeviceService;
  recorder: Recorder;
  states: DeviceStates;
  passwords: PasswordCheck;
  bodies: BodyBudget;
  clock: Clock;
  source: (device: Device) => Promise<Source>;
  rooms: DeviceRooms;
  /** Fetches what a message names by address. */
  pictures: (room: Room) => FetchPictures;
  /** Told of each message that was read. */
  onMessage: (device: Device, seen: ReadMessage) => void;
  /** @throws AppError while the disk is full */
  admit: () => void;
}

/** A message as it came and as it was understood. */
export interface ReadMessage {
  contentType: string | undefined;
  bytes: number;
  parts: readonly Part[];
  readings: readonly Reading[];
  vendor: string;
}

const KEPT = 'The alarm was stored without it.';

/** Why a message is not all that its sender sent. */
function brokenOff(cut: AppError | null, { tooMuch }: Parts): AppError | null {
  if (cut !== null || tooMuch === null) return cut;
  return new AppError(413, 'body_too_large', `The message holds ${tooMuch}.`);
}

/** The sentence of a fault, without what it says of the storing. */
const withoutClaim = ({ message }: AppError): string => `${message.split(/[;.]/)[0]}.`;

/** Alarms of a message that broke off; the pictures that did not come are those of the last. */
function withLost(readings: readonly Reading[], lost: number): Occurrence[] {
  const whole = readings.filter((one) => one.what === 'occurrence');
  return whole.map((one, index) =>
    index < whole.length - 1 ? one : { ...one, picturesLost: Math.max(one.picturesLost ?? 0, lost) },
  );
}

/**
 * Takes what devices post. Nothing of a body is read before the path, the network and the password are
 * right.
 */
export class Posts {
  readonly #options: PostsOptions;

  constructor(options: PostsOptions) {
    this.#options = options;
  }

  /** For devices and people who ask whether the path is right before anything is posted. @throws as `take` */
  async probe(token: string, ip: string): Promise<void> {
    const { service, states, clock } = this.#options;
    const device = await service.byToken(token);
    if (!device) throw notFound('The device');
    this.#fromItsNetwork(device, ip);
    states.of(device.keyId).heardAt = clock.now();
  }

  /**
   * Returns when every alarm of the message is on the disk. @throws AppError 404 for a path that is none;
   * 400, 401, 403, 413, 415, 503, 507
   */
  async take(token: string, request: IncomingMessage, ip: string): Promise<Taken> {
    const device = await this.#options.service.byToken(token);
    if (!device) throw notFound('The device');
    this.#letIn(device, request, ip);
    try {
      return await this.#takeOf(device, request, ip);
    } catch (error) {
      this.#count(device, error);
      throw error;
    }
  }

  async #takeOf(device: Device, request: IncomingMessage, ip: string): Promise<Taken> {
    const { source, onMessage, admit } = this.#options;
    refuseEncoded(request);
    admit();
    const speaking = await source(device);
    return this.#withBody(request, ip, async ({ raw, cut }) => {
      const contentType = request.headers['content-type'];
      const message = messageParts(contentType, raw, cut !== null);
      const { parts } = message;
      const readings = speaking.parse(parts, device.config, { headers: request.headers });
      onMessage(device, { contentType, bytes: raw.length, parts, readings, vendor: speaking.vendor });
      const broken = brokenOff(cut, message);
      if (broken === null) return this.#record(device, speaking, readings);
      // Without an alarm that is whole it is to come again; one that is there does not wait for that.
      const whole = withLost(readings, message.picturesLost);
      if (whole.length === 0 || message.nothingWhole) throw broken;
      const taken = await this.#record(device, speaking, whole);
      this.#count(device, new AppError(broken.status, broken.code, `${withoutClaim(broken)} ${KEPT}`));
      if (message.tooMuch !== null) throw broken;
      return taken;
    });
  }

  /** Pictures that are fetched for it count until it is stored. */
  async #record(device: Device, speaking: Source, readings: readonly Reading[]): Promise<Taken> {
    const { recorder, pictures, rooms } = this.#options;
    const room = rooms.open();
    try {
      return await recorder.take(device, speaking, readings, pictures(room));
    } finally {
      room.close();
    }
  }

  /** A message that was refused before it could be read shows with its device like any other. */
  #count({ keyId }: Device, error: unknown): void {
    if (!(error instanceof AppError)) return;
    const { states, clock } = this.#options;
    const state = states.of(keyId);
    if (error.status === 413) return state.refuse('too_large', error.message, clock.now());
    if (error.status !== 415 && error.code !== 'body_incomplete') return;
    state.unreadable += 1;
    state.refuse('unreadable', error.message, clock.now());
  }

  /** @throws AppError 503, so that the device sends again */
  #password(device: Device): string {
    try {
      return this.#options.service.password(device) ?? '';
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      throw secretUnreadable('The password of this device', error);
    }
  }

  /** @throws AppError 401, 403, 503 */
  #letIn(device: Device, request: IncomingMessage, ip: string): void {
    const { states, passwords, clock } = this.#options;
    this.#fromItsNetwork(device, ip);
    if ((device.config.auth ?? 'none') === 'none') return;
    const shown = passwords.shown(device, this.#password(device), request);
    if (shown === 'right') return;
    if (shown === 'wrong') states.of(device.keyId).refuse('wrong_password', ip, clock.now());
    throw passwords.challenge(device, shown === 'stale');
  }

  /** @throws AppError 403 */
  #fromItsNetwork(device: Device, ip: string): void {
    if (fromItsNetwork(device, ip)) return;
    this.#options.states.of(device.keyId).refuse('wrong_network', ip, this.#options.clock.now());
    throw new AppError(403, 'forbidden', 'This device may not post from this address.');
  }

  async #withBody<T>(request: IncomingMessage, ip: string, use: (came: Came) => Promise<T>): Promise<T> {
    const announced = announcedBytes(request);
    const hold = this.#options.bodies.open('proven', ip, Math.min(announced, MAX_MESSAGE));
    try {
      const reading = { max: MAX_MESSAGE, hold, signed: false, kept: true };
      const came = await readWhatComes(request, reading, MAX_PASSED);
      try {
        return await use(came);
      } finally {
        discard(came.raw, hold);
      }
    } finally {
      hold.release();
    }
  }
}
