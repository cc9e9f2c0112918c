import { randomBytes } from 'node:crypto';
import { ConnectionFault, type ConnectionMessage } from '../connection/fault.ts';
import { DeviceHttp, statusFault } from '../connection/http.ts';
import type { Session } from '../connection/session.ts';
import { textOf } from '../message/parts.ts';
import { addressedTo, type Endpoint, envelope, type Fault, faultIn, usernameToken } from './soap.ts';

/** An offset that a device may have beside what it told, ms. */
const SMALL_MS = 5_000;
/** Bytes of one answer. */
const MAX_ANSWER = 1024 * 1024;

export interface Call {
  path: string;
  /** As in the WSDL: the namespace and the name of the operation. */
  action: string;
  /** The element of the operation. */
  body: string;
  /** The subscription that is meant. */
  to?: Endpoint;
  timeoutMs?: number;
}

/** Reads how far the clock of a device is off, ms; null where it does not tell. */
export type ReadClock = (client: OnvifClient) => Promise<number | null>;

/** The device refused an operation. */
export class SoapFault extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.reason);
    this.name = 'SoapFault';
    this.fault = fault;
  }

  is(...codes: readonly string[]): boolean {
    return this.fault.codes.some((code) => codes.includes(code));
  }
}

/** Codes for credentials that are missing or wrong, as the specification and as devices write them. */
const NOT_AUTHORIZED = ['NotAuthorized', 'SenderNotAuthorized', 'FailedAuthentication', 'InvalidSecurity'];
const LATE = ['MessageExpired', 'InvalidTimestamp', 'TimestampExpired'];

/**
 * Calls operations of one device. Which credentials it wants is found out: HTTP Digest where it asks for
 * that, or a UsernameToken in the message, in the time of the device. Per connection a wrong password is
 * shown twice at most, since devices lock accounts.
 */
export class OnvifClient {
  readonly host: string;
  readonly #session: Session;
  readonly #http: DeviceHttp;
  readonly #readClock: ReadClock;
  #way: 'http' | 'token' = 'http';
  #proven = false;
  /** Whether our own time may be tried, where the device's was not taken. */
  #ownTime = false;
  /** What is added to our time, ms. */
  #offset = 0;
  /** How far its clock is off, as it told, ms; null: it did not tell. */
  #told: number | null = null;

  constructor(session: Session, readClock: ReadClock) {
    this.#session = session;
    this.#http = new DeviceHttp(session);
    this.host = this.#http.base.host;
    this.#readClock = readClock;
  }

  /** Reads the clock of the device, by which the tokens are written. */
  async setClock(): Promise<void> {
    this.#told = await this.#readClock(this);
    this.#offset = this.#told ?? 0;
  }

  get clockOff(): number | null {
    return this.#told;
  }

  /** Whether the password was shown and taken. */
  get proven(): boolean {
    return this.#proven;
  }

  /** The text of an answer. @throws SoapFault, ConnectionFault */
  async call(call: Call): Promise<string> {
    for (let clockRead = false; ;) {
      try {
        const answer = await this.#exchange(call);
        // A token is shown only after the same call was refused without.
        this.#proven ||= this.#way === 'token' || this.#http.answersChallenge;
        return answer;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        if (await this.#otherway(error, clockRead)) clockRead ||= this.#proven;
        else throw this.#refused(error);
      }
    }
  }

  /** Without credentials. @throws SoapFault, ConnectionFault */
  open(call: Call): Promise<string> {
    return this.#send(call, '', true);
  }

  #exchange(call: Call): Promise<string> {
    if (this.#way === 'http') return this.#send(call, '', false);
    const { device, password } = this.#session;
    const token = usernameToken({
      user: device.config.user ?? '',
      password: password ?? '',
      nonce: randomBytes(16),
      created: this.#session.now() + this.#offset,
    });
    return this.#send(call, token, true);
  }

  async #send({ path, action, body, to, timeoutMs }: Call, token: string, open: boolean): Promise<string> {
    const answer = await this.#http.send({
      method: 'POST',
      path,
      headers: { 'content-type': `application/soap+xml; charset=utf-8; action="${action}"` },
      body: envelope(token + (to ? addressedTo(to, action) : ''), body),
      open,
      maxAnswer: MAX_ANSWER,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    const text = textOf(answer.body, answer.contentType);
    const fault = faultIn(text);
    if (fault) throw new SoapFault(fault);
    if (answer.status === 401)
      throw new SoapFault({ codes: ['NotAuthorized'], reason: 'HTTP 401', limits: null });
    if (answer.status < 200 || answer.status > 299)
      throw statusFault(this.host, path, answer.status, answer.location);
    return text;
  }

  /** Whether there is another way to show the credentials. */
  async #otherway(error: SoapFault | ConnectionFault, clockRead: boolean): Promise<boolean> {
    const { device, password } = this.#session;
    if (device.config.user === undefined || password === null) return false;
    if (this.#proven) return this.#way === 'token' && !clockRead && this.#clockMoved();
    if (this.#way === 'http') {
      this.#way = 'token';
      // Where Digest was refused, one more is enough.
      this.#ownTime = error instanceof SoapFault;
      return true;
    }
    if (!this.#ownTime || Math.abs(this.#offset) < SMALL_MS) return false;
    this.#ownTime = false;
    this.#offset = 0;
    return true;
  }

  /** A clock that was set, or went to summer time, makes tokens too old that were right before. */
  async #clockMoved(): Promise<boolean> {
    const before = this.#offset;
    await this.setClock();
    return Math.abs(this.#offset - before) >= SMALL_MS;
  }

  #refused(error: SoapFault | ConnectionFault): ConnectionFault {
    const { device, password } = this.#session;
    const params = { host: this.host };
    const fault = (code: RefusalCode): ConnectionFault => new ConnectionFault({ code, params }, error);
    if (device.config.user === undefined || password === null) return fault('device_password_wanted');
    if (error instanceof SoapFault && error.is(...LATE)) return fault('device_clock_refused');
    if (error instanceof ConnectionFault) return error;
    return fault('device_password_refused');
  }
}

type RefusalCode = Extract<
  ConnectionMessage['code'],
  'device_password_wanted' | 'device_password_refused' | 'device_clock_refused'
>;

const isRefusal = (error: unknown): error is SoapFault | ConnectionFault =>
  error instanceof SoapFault
    ? error.is(...NOT_AUTHORIZED, ...LATE)
    : error instanceof ConnectionFault &&
      ['device_password_refused', 'device_password_open'].includes(error.fault.code);
