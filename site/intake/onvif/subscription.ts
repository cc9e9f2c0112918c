// A PullPoint: messages are kept in the device for us, and asked for. It is never unsubscribed from: some
// devices then end the subscriptions of everybody. Its time is short instead, and it ends by itself.
import { ConnectionFault } from '../connection/fault.ts';
import { deviceTime } from '../message/time.ts';
import { type OnvifClient, SoapFault } from './client.ts';
import { duration, type Endpoint, endpointIn, NAMESPACES } from './soap.ts';

/** What is asked for, ms; the device may grant another time. */
const TERM_MS = 120_000;
/** Messages of one answer; some devices refuse more. */
const MESSAGES = 10;
const EVENTS = NAMESPACES.events;
/** Answers of a device that has no such operation. */
const MISSING = ['ActionNotSupported', 'NotImplemented', 'OptionalActionNotImplemented', 'NoSuchService'];
/** What an address says that a subscription is not found at any more. */
const GONE = new Set(['device_path_unknown', 'device_status']);
/** Faults of a device that ended the connection in the place of an answer. */
const CLOSED = new Set(['closed_early', 'broke_off', 'device_closed']);
/** One that ends it sooner, ms, did not wait for something to tell, */
const WAITED_MS = 1_000;
/** and may do so a few times in a row. */
const MOST_CLOSED = 3;
/** Of an operation that is answered at once, ms. */
const AT_ONCE_MS = 5_000;

export class PullPoint {
  readonly #client: OnvifClient;
  readonly #endpoint: Endpoint;
  #term: number;
  /** Monotonic ms. */
  #endsAt: number;
  #born = performance.now();
  #answered = false;
  /** Times in a row that the device ended the connection at once. */
  #closed = 0;
  #limits = { waitMs: Infinity, messages: MESSAGES };
  #renewable = true;

  private constructor(client: OnvifClient, endpoint: Endpoint, term: number) {
    this.#client = client;
    this.#endpoint = endpoint;
    this.#term = term;
    this.#endsAt = performance.now() + term;
  }

  /** @param path of the service of events @throws ConnectionFault */
  static async subscribe(client: OnvifClient, path: string): Promise<PullPoint> {
    const answer = await subscribed(client, path);
    const endpoint = endpointIn(answer, { path, address: `http://${client.host}${path}` });
    if (endpoint === null)
      throw new ConnectionFault({
        code: 'device_answer_wrong',
        params: { host: client.host, reason: 'a subscription without an address' },
      });
    return new PullPoint(client, endpoint, termIn(answer, 'CreatePullPointSubscriptionResponse') ?? TERM_MS);
  }

  /** Whether it has answered, and was there for so long, ms. */
  lasts(ms: number): boolean {
    return this.#answered && performance.now() - this.#born >= ms;
  }

  /**
   * Waits in the device until there is something to tell, `waitMs` at most.
   * @returns the answer; an empty one of a device that ends the connection when it has nothing to tell; null:
   * there is no such subscription any more @throws ConnectionFault
   */
  async pull(waitMs: number, timeoutMs: number): Promise<string | null> {
    const asked = performance.now();
    const answer = await this.#pulled(waitMs, timeoutMs).catch((error: unknown) => {
      this.#closed = performance.now() - asked < WAITED_MS ? this.#closed + 1 : 0;
      if (isClosed(error) && this.#closed <= MOST_CLOSED) return '';
      throw error;
    });
    if (answer !== '') this.#closed = 0;
    this.#answered ||= answer !== null;
    // Some devices say that it lasts as long again after each answer, others what is left of it.
    const term = termIn(answer ?? '', 'PullMessagesResponse');
    if (term !== null) this.#endsAt = performance.now() + term;
    return answer;
  }

  /**
   * Renews it in time. @param aheadMs what must be left
   * @returns false: it is over @throws ConnectionFault
   */
  async keep(aheadMs: number): Promise<boolean> {
    const left = this.#endsAt - performance.now();
    if (left > Math.max(aheadMs, this.#term / 2)) return true;
    if (!this.#renewable) return left > 0;
    const renew =
      `<Renew xmlns="${NAMESPACES.notification}">` +
      `<TerminationTime>${duration(TERM_MS)}</TerminationTime></Renew>`;
    try {
      const action = `${NAMESPACES.notification.replace('/b-2', '/bw-2')}/SubscriptionManager/RenewRequest`;
      const answer = await this.#call(action, renew, AT_ONCE_MS);
      if (answer === null) return false;
      this.#term = termIn(answer, 'RenewResponse') ?? TERM_MS;
      this.#endsAt = performance.now() + this.#term;
      return true;
    } catch (error) {
      // The subscription is there all the same, and brings what it can.
      if (!(error instanceof SoapFault) && !isOfConnection(error)) throw error;
      this.#renewable = false;
      return left > 0;
    }
  }

  async #pulled(waitMs: number, timeoutMs: number): Promise<string | null> {
    const ask = (): Promise<string | null> => {
      const wait = duration(Math.min(waitMs, this.#term / 2, this.#limits.waitMs));
      return this.#call(
        `${EVENTS}/PullPointSubscription/PullMessagesRequest`,
        `<PullMessages xmlns="${EVENTS}"><Timeout>${wait}</Timeout>` +
          `<MessageLimit>${this.#limits.messages}</MessageLimit></PullMessages>`,
        timeoutMs,
      );
    };
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof SoapFault)) throw error;
      const { limits } = error.fault;
      if (limits === null) throw missing(this.#client.host, error);
      this.#limits = limits;
      return ask();
    }
  }

  /** null: there is no such subscription. @throws SoapFault for what the device cannot do, or not so much */
  async #call(action: string, body: string, timeoutMs?: number): Promise<string | null> {
    const { path } = this.#endpoint;
    const timed = timeoutMs === undefined ? {} : { timeoutMs };
    try {
      return await this.#client.call({ path, action, body, to: this.#endpoint, ...timed });
    } catch (error) {
      if (error instanceof SoapFault && !error.is(...MISSING) && error.fault.limits === null) return null;
      if (error instanceof ConnectionFault && GONE.has(error.fault.code)) return null;
      throw error;
    }
  }
}

const isClosed = (error: unknown): boolean =>
  error instanceof ConnectionFault && CLOSED.has(error.fault.code);

const isOfConnection = (error: unknown): boolean =>
  error instanceof ConnectionFault && error.condition !== 'refused';

const missing = (host: string, cause: SoapFault): ConnectionFault =>
  new ConnectionFault({ code: 'device_pullpoint_missing', params: { host } }, cause);

/** @throws SoapFault, ConnectionFault */
function create(client: OnvifClient, path: string, members: string): Promise<string> {
  const action = `${EVENTS}/EventPortType/CreatePullPointSubscriptionRequest`;
  const name = 'CreatePullPointSubscription';
  return client.call({ path, action, body: `<${name} xmlns="${EVENTS}">${members}</${name}>` });
}

async function subscribed(client: OnvifClient, path: string): Promise<string> {
  const { host, proven } = client;
  const term = `<InitialTerminationTime>${duration(TERM_MS)}</InitialTerminationTime>`;
  try {
    return await create(client, path, term).catch((error: unknown) => {
      // Some devices take no time.
      if (!(error instanceof SoapFault) || error.is(...MISSING)) throw error;
      return create(client, path, '');
    });
  } catch (error) {
    if (error instanceof SoapFault && error.is(...MISSING)) throw missing(host, error);
    if (error instanceof SoapFault) {
      const { reason } = error.fault;
      throw new ConnectionFault({ code: 'device_subscription_refused', params: { host, reason } }, error);
    }
    // The same user was let in a moment ago.
    const right = error instanceof ConnectionFault && error.fault.code === 'device_password_refused';
    if (!right || !proven) throw error;
    throw new ConnectionFault({ code: 'device_onvif_right', params: { host } }, error);
  }
}

/** By the clock of the device, epoch ms: its time, and when the subscription ends. null: it does not say. */
export function timesIn(answer: string, name: string): { now: number | null; end: number | null } {
  // Of an answer that breaks off this much may be there.
  const [head = ''] = answer.split(/<(?:[\w.-]+:)?NotificationMessage[\s>]/, 1);
  const at = (member: string): number | null => {
    const told = new RegExp(`<(?:[\\w.-]+:)?${member}(?:\\s[^<>]*)?>([^<]{1,64})<`).exec(head)?.[1];
    return deviceTime(told)?.at ?? null;
  };
  return head.includes(name) ? { now: at('CurrentTime'), end: at('TerminationTime') } : NO_TIMES;
}

const NO_TIMES = { now: null, end: null };

/**
 * How long a subscription still lasts, ms; null: the device does not say. An end that is not ahead is no end:
 * the two are written in different zones, or the device writes the same time twice, and it goes on answering.
 */
function termIn(answer: string, name: string): number | null {
  const { now, end } = timesIn(answer, name);
  return now === null || end === null || end <= now ? null : end - now;
}
