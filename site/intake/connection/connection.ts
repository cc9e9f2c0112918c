import type { Clock } from '../../../common/clock.ts';
import type { Networks } from '../../../common/http/outbound/address.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import { SecretError } from '../../../common/secret/secret.ts';
import type { Source } from '../driver.ts';
import type { Device, FetchPictures } from '../record.ts';
import type { DeviceRooms, Room } from '../room.ts';
import { pauseAfter, STOOD_MS } from './decide.ts';
import { ConnectionFault, connectionFault, type ConnectionMessage } from './fault.ts';
import { QuietWatch } from './quiet.ts';
import type { RemainingPause } from './refusals.ts';
import type { Connector, Endpoint, Message, Session } from './session.ts';
import { openSocket } from './socket.ts';
import { ConnectionState } from './state.ts';
import { type MessageSink, takeAtLast } from './take.ts';

export interface ConnectionOptions {
  device: Device;
  load: () => Promise<{ connector: Connector; source: Source }>;
  /** In clear; null where the device has none. @throws SecretError */
  password: () => Promise<string | null>;
  taking: MessageSink;
  networks: Networks;
  rooms: DeviceRooms;
  clock: Clock;
  log: Logger;
  /** What is left of a pause that began before the site was started; null: nothing. */
  waiting: () => Promise<RemainingPause | null>;
  /** Told of each change of the condition, and before each pause. */
  onState: (connection: Connection) => Promise<void>;
  random?: () => number;
}

/** A device that is connected to: one connection at a time, made anew whenever it is over. */
export class Connection {
  readonly device: Device;
  readonly state: ConnectionState;
  readonly loop: Loop;
  readonly #options: ConnectionOptions;
  #begun = false;

  constructor(options: ConnectionOptions) {
    const { device, clock, log } = options;
    this.#options = options;
    this.device = device;
    this.state = new ConnectionState(clock.now());
    this.loop = new Loop({
      name: 'device connection',
      about: device.keyId,
      interval: 1_000,
      lasting: true,
      log,
      round: (signal) => this.#round(signal),
    });
  }

  /** Connects at once where it waits to. */
  retry(): void {
    if (this.state.nextAttemptAt !== null) this.loop.kick();
  }

  /** What the device is reached under, for people. */
  get host(): string {
    return new URL(this.device.config.address ?? '').host;
  }

  async #round(stop: AbortSignal): Promise<RoundResult> {
    const { clock, onState, random = Math.random } = this.#options;
    const { state } = this;
    const left = await this.#leftPause();
    if (left !== null) return { again: false, pauseMs: left };
    state.nextAttemptAt = null;
    state.proven = false;
    const stood = new Stood(clock);
    const fault = await this.#connected(stop, stood);
    if (stop.aborted) return { again: false };
    state.failures = stood.long ? 1 : state.failures + 1;
    // A device that ends its connection after a while is not in the way of anything.
    const ended = fault.condition === 'connecting' && state.failures === 1;
    const pauseMs = pauseAfter(fault.condition, state.failures, random());
    if (!ended) this.#tellFault(fault, pauseMs);
    state.set(fault.condition, ended ? null : fault.fault, clock.now());
    state.nextAttemptAt = clock.now() + pauseMs;
    await onState(this);
    return { again: false, pauseMs };
  }

  /** Before the first round alone: whoever asks for a try has it. @returns ms; null where it may be tried */
  async #leftPause(): Promise<number | null> {
    if (this.#begun) return null;
    this.#begun = true;
    const { waiting, clock, onState, log } = this.#options;
    const left = await waiting();
    if (left === null) return null;
    const [now, { failures, until, fault }] = [clock.now(), left];
    this.state.failures = failures;
    if (until <= now) return null;
    this.state.set('refused', fault, now);
    this.state.nextAttemptAt = until;
    log.info(
      { device: this.device.keyId, retryInMs: until - now },
      'a device that refused the password waits',
    );
    await onState(this);
    return until - now;
  }

  /** One connection, from its beginning to its end. @returns what ended it */
  async #connected(stop: AbortSignal, stood: Stood): Promise<ConnectionFault> {
    const { load, rooms } = this.#options;
    const quiet = new AbortController();
    const signal = AbortSignal.any([stop, quiet.signal]);
    const room = rooms.open(() => quiet.abort(turnOver(this.host)));
    try {
      const password = await this.#password();
      const { connector, source } = await load();
      const quietMs = (this.device.config.quietSeconds ?? connector.quietMs / 1000) * 1000;
      const watch = new QuietWatch(quietMs, () => quiet.abort(silence(this.host, quietMs)));
      try {
        await connector.connect(this.#session({ password, source, signal, watch, stood, room }));
      } finally {
        watch.end();
        room.close();
      }
      throw new ConnectionFault({ code: 'device_closed', params: { host: this.host } });
    } catch (error) {
      return connectionFault(quiet.signal.aborted ? quiet.signal.reason : error, this.host);
    }
  }

  #session({ password, source, signal, watch, stood, room }: SessionParts): Session {
    const { device, networks, clock, taking, log } = this.#options;
    const alive = (): void => {
      watch.feed();
      this.state.aliveAt = clock.now();
      if (stood.long) this.#prove();
      // One that fell silent counts as connected when something comes.
      if (stood.since !== null && this.state.condition === 'silent') this.#set('connected');
    };
    return {
      device,
      password,
      signal,
      now: () => clock.now(),
      alive,
      connected: () => {
        this.state.connects += 1;
        stood.since = clock.monotonic();
        watch.feed();
        if (this.state.condition !== 'silent') this.#set('connected');
      },
      take: async (message: Message, fetch?: FetchPictures) => {
        alive();
        watch.pause();
        try {
          const readings = taking.read(device, source, message);
          await room.whileStored(() =>
            takeAtLast(() => taking.store(device, source, readings, fetch), {
              signal,
              onFailure: (error) => this.#notStored(error, log),
            }),
          );
          if (this.state.condition === 'not_stored') this.#set('connected');
          if (stood.since !== null) this.#prove();
        } finally {
          watch.resume();
        }
      },
      ...holdingOf(room, watch, signal),
      away: (fault) => this.#away(fault),
      pictureLost: () => taking.pictureLost(device),
      socket: (place: Endpoint) => openSocket(place, { networks, tls: device.config, signal }),
    };
  }

  /** It is more than let in: what the device has to say comes, or could have come for a while. */
  #prove(): void {
    const { state } = this;
    if (state.proven) return;
    state.proven = true;
    if (state.condition === 'connected') this.#tell();
  }

  #tell(): void {
    const { onState, log } = this.#options;
    onState(this).catch((error: unknown) => log.error({ err: error }, 'an alarm could not be changed'));
  }

  async #password(): Promise<string | null> {
    try {
      return await this.#options.password();
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      throw new ConnectionFault({ code: 'device_password_unusable', params: {} }, error);
    }
  }

  #set(condition: 'connected'): void {
    const { clock, log } = this.#options;
    if (this.state.condition === condition) return;
    log.info({ device: this.device.keyId, host: this.host }, 'a device is connected');
    this.state.set(condition, null, clock.now());
    this.#tell();
  }

  #away(told: ConnectionMessage | null): void {
    if (told === null) return this.#set('connected');
    const { clock, log } = this.#options;
    const { condition, fault, message } = new ConnectionFault(told);
    if (this.state.fault?.code !== fault.code)
      log.warn({ device: this.device.keyId, reason: message }, 'a device is away from its broker');
    this.state.set(condition, fault, clock.now());
    this.#tell();
  }

  #notStored(error: unknown, log: Logger): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (this.state.condition !== 'not_stored')
      log.error({ err: error, device: this.device.keyId }, 'a message of a device waits to be stored');
    const fault = { code: 'device_not_stored', params: { host: this.host, reason } } as const;
    this.state.set('not_stored', fault, this.#options.clock.now());
    this.#tell();
  }

  #tellFault({ message, fault }: ConnectionFault, retryInMs: number): void {
    const { log } = this.#options;
    const level = this.state.fault?.code === fault.code ? 'debug' : 'warn';
    log[level]({ device: this.device.keyId, reason: message, retryInMs }, 'a device is not connected');
  }
}

interface SessionParts {
  password: string | null;
  source: Source;
  signal: AbortSignal;
  watch: QuietWatch;
  stood: Stood;
  room: Room;
}

/** What waits for its turn is not silent. */
function holdingOf(room: Room, watch: QuietWatch, own: AbortSignal): Pick<Session, 'hold' | 'free'> {
  return {
    hold: async (bytes, { signal = own, kept = false } = {}) => {
      watch.pause();
      try {
        await room.take(bytes, signal, kept);
      } finally {
        watch.resume();
      }
    },
    free: (bytes) => room.give(bytes),
  };
}

/** Whether a connection stood for so long that it was a good one. */
class Stood {
  since: number | null = null;
  #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get long(): boolean {
    return this.since !== null && this.#clock.monotonic() - this.since >= STOOD_MS;
  }
}

const turnOver = (host: string): ConnectionFault =>
  new ConnectionFault({ code: 'device_turn_over', params: { host } });
const silence = (host: string, quietMs: number): ConnectionFault =>
  new ConnectionFault({ code: 'device_silent', params: { host, seconds: Math.round(quietMs / 1000) } });
