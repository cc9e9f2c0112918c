// Frigate's HTTP API: pictures of what it saw, and what was judged of it. Port 5000 asks for nothing, port
// 8971 for a login, which answers with a cookie.
import { ConnectionFault } from '../connection/fault.ts';
import { type DeviceAnswer, DeviceHttp, type DeviceRequest, type DeviceSession } from '../connection/http.ts';

const MAX_PICTURE = 8 * 1024 * 1024;
/** Bytes of one object with its thumbnail. */
const MAX_EVENT = 2 * 1024 * 1024;

export type FrigateSession = Omit<DeviceSession, 'alive'>;

export class FrigateApi {
  #http: DeviceHttp;
  #user: string | undefined;
  #password: string | null;
  #cookie: string | null = null;

  /**
   * @param session with the broker. Its password is shown to Frigate only where both have one host: it is
   * bound to that of the broker.
   */
  constructor(session: FrigateSession, apiAddress: string) {
    const { device, signal, password } = session;
    const { address, user } = device.config;
    const own = address !== undefined && new URL(address).hostname === new URL(apiAddress).hostname;
    this.#user = own ? user : undefined;
    this.#password = own ? password : null;
    this.#http = new DeviceHttp({
      device: { ...device, config: { ...device.config, address: apiAddress } },
      password: null,
      signal,
      socket: (place) => session.socket(place),
      alive: () => undefined,
      hold: (bytes, how) => session.hold(bytes, { signal, ...how }),
      free: (bytes) => session.free(bytes),
    });
  }

  /** null while there is no picture. @throws ConnectionFault */
  async picture(path: string, timeoutMs: number): Promise<Buffer | null> {
    const { status, body } = await this.#send({ path, timeoutMs, maxAnswer: MAX_PICTURE, kept: true });
    return status === 200 ? body : null;
  }

  /** @throws ConnectionFault */
  async read(path: string, timeoutMs: number): Promise<Pick<DeviceAnswer, 'status' | 'body'>> {
    return this.#send({ path, timeoutMs, maxAnswer: MAX_EVENT });
  }

  /** The same again changes nothing. @returns the status */
  async post(path: string, body: object, timeoutMs: number): Promise<number> {
    const headers = { 'content-type': 'application/json' };
    const answer = await this.#send({ method: 'POST', path, headers, body: JSON.stringify(body), timeoutMs });
    return answer.status;
  }

  async #send(request: DeviceRequest): Promise<DeviceAnswer> {
    const send = (): Promise<DeviceAnswer> =>
      this.#http.send({
        ...request,
        open: true,
        headers: { ...request.headers, ...(this.#cookie === null ? {} : { cookie: this.#cookie }) },
      });
    const answer = await send();
    if (answer.status !== 401) return answer;
    await this.#logIn();
    return send();
  }

  /** @throws ConnectionFault */
  async #logIn(): Promise<void> {
    const { host } = this.#http.base;
    if (this.#user === undefined || this.#password === null)
      throw new ConnectionFault({ code: 'device_password_wanted', params: { host } });
    const body = JSON.stringify({ user: this.#user, password: this.#password });
    const headers = { 'content-type': 'application/json' };
    const answer = await this.#http
      .open({ method: 'POST', path: '/api/login', headers, body, open: true })
      .catch((error: unknown) => {
        if (!(error instanceof ConnectionFault) || error.fault.code !== 'device_status') throw error;
        throw new ConnectionFault({ code: 'device_password_refused', params: { host } }, error);
      });
    this.#cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? null;
    answer.resume();
  }
}
