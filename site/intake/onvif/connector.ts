// ONVIF by PullPoint: the device is asked again and again for what it has to tell, and answers when it has.
import { setTimeout as pause } from 'node:timers/promises';
import { backoffDelay, type BackoffOptions } from '../../../common/backoff.ts';
import { ConnectionFault } from '../connection/fault.ts';
import type { Connector, Session } from '../connection/session.ts';
import { pathSnapshots } from '../connection/snapshot.ts';
import type { FetchPictures } from '../record.ts';
import type { OnvifClient } from './client.ts';
import { clientOf, serialOf, servicesOf } from './device.ts';
import { headersOf, type Identity } from './identity.ts';
import { sourcesOf } from './media.ts';
import { Heard } from './notification.ts';
import { PullPoint, timesIn } from './subscription.ts';

/** Two answers are missing. */
const QUIET_MS = 60_000;
/** How long the device waits for something to tell, ms. */
const WAIT_MS = 30_000;
/** Devices that do not wait are asked so often, ms. */
const EVERY_MS = 1_000;
/** What is left of a subscription when the next question begins, beside the time of its answer, ms. */
const AHEAD_MS = 20_000;
/**
 * Some devices go on answering for a subscription that tells nothing any more. One that was quiet for so
 * long, ms, is made anew; the device then says how everything stands.
 */
const QUIET_POINT_MS = 3_600_000;
/** A subscription that is over so soon after it was given, ms, was not what was asked for. */
const SHORT_MS = 10_000;
/** So many in a row are named, although each may have brought something. */
const SHORT_NAMED = 3;

export const pullPoint: Connector = {
  quietMs: QUIET_MS,
  async connect(session) {
    const client = clientOf(session);
    await client.setClock();
    const services = await servicesOf(client);
    const { host } = client;
    if (services.events === null)
      throw new ConnectionFault({ code: 'device_pullpoint_missing', params: { host } });
    const serial = await serialOf(client);
    const sources = await sourcesOf(client, services);
    await new Listening(session, { client, events: services.events, identity: { serial, ...sources } }).run();
  },
};

interface Described {
  client: OnvifClient;
  /** Path of the service of events. */
  events: string;
  identity: Identity;
}

class Listening {
  readonly #session: Session;
  readonly #device: Described;
  readonly #fetch: FetchPictures;
  readonly #heard = new Heard();
  readonly #waitMs: number;
  readonly #timeoutMs: number;
  /** Between subscriptions that are over at once. What is silent for longer is taken for dead. */
  readonly #pauses: BackoffOptions;
  /** How many of them there were in a row. */
  #short = 0;

  constructor(session: Session, device: Described) {
    const { quietSeconds } = session.device.config;
    const quietMs = quietSeconds === undefined ? QUIET_MS : quietSeconds * 1000;
    this.#session = session;
    this.#device = device;
    this.#fetch = pathSnapshots(session);
    this.#waitMs = Math.min(WAIT_MS, quietMs / 2);
    this.#pauses = { first: 1_000, cap: Math.min(60_000, quietMs / 2), jitter: 0.2 };
    // What is silent is ended before.
    this.#timeoutMs = quietMs + 10_000;
  }

  /** Until the connection is over. @throws ConnectionFault */
  async run(): Promise<never> {
    let point = await this.#subscribe();
    let toldAt = this.#session.now();
    this.#session.connected();
    for (;;) {
      const asked = performance.now();
      const answer = await point.pull(this.#waitMs, this.#timeoutMs);
      if (answer === '') this.#session.alive();
      const fresh = answer === null || answer === '' ? 0 : await this.#take(answer);
      if (fresh > 0) toldAt = this.#session.now();
      else if (answer !== null) await this.#pause(EVERY_MS - (performance.now() - asked));
      if (answer !== null && point.lasts(SHORT_MS)) this.#lasting();
      const stale = Math.abs(this.#session.now() - toldAt) >= QUIET_POINT_MS;
      if (answer !== null && !stale && (await point.keep(this.#waitMs + AHEAD_MS))) continue;
      const before = point;
      if (!stale) await this.#breathe(before);
      point = await this.#subscribe();
      toldAt = this.#session.now();
      if (answer !== null) await this.#drain(before);
    }
  }

  #subscribe = (): Promise<PullPoint> => PullPoint.subscribe(this.#device.client, this.#device.events);

  /** Asked at once, a device that forgets each subscription would be asked without an end. */
  async #breathe(before: PullPoint): Promise<void> {
    if (before.lasts(SHORT_MS)) return this.#lasting();
    this.#short += 1;
    const { host } = this.#device.client;
    if (this.#short >= SHORT_NAMED)
      this.#session.away({ code: 'device_subscription_ended', params: { host } });
    await this.#pause(backoffDelay(this.#short, this.#pauses, Math.random()));
  }

  #lasting(): void {
    if (this.#short >= SHORT_NAMED) this.#session.away(null);
    this.#short = 0;
  }

  /** What the device kept for the subscription before the present one. */
  async #drain(point: PullPoint): Promise<void> {
    const answer = await point.pull(0, EVERY_MS * 5).catch((error: unknown) => {
      // It is over for good, and the present one is there.
      if (error instanceof ConnectionFault) return null;
      throw error;
    });
    if (answer !== null && answer !== '') await this.#take(answer);
  }

  /** @returns how many notifications were new */
  async #take(answer: string): Promise<number> {
    const { parts, fresh } = this.#heard.take(answer, performance.now());
    if (parts.length === 0) return 0;
    await this.#session.take(
      {
        contentType: 'application/soap+xml',
        headers: headersOf(this.#device.identity, {
          at: this.#session.now(),
          deviceAt: timesIn(answer, 'PullMessagesResponse').now,
          clockOff: this.#device.client.clockOff,
        }),
        parts,
        bytes: parts.reduce((sum, { body }) => sum + body.length, 0),
      },
      this.#fetch,
    );
    return fresh;
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) await pause(ms, undefined, { signal: this.#session.signal });
  }
}
