// An MQTT broker, and Frigate's HTTP API.
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import { Aedes, type Client } from 'aedes';
import type { Scene } from '../../support/process.ts';
import { jpeg } from './rig.ts';

/** A broker that knows one user, and that can be away. */
export class Broker {
  readonly user = 'fieldline';
  password = 'right';
  /** Topics nobody may subscribe to. */
  forbidden = new Set<string>();
  wrong = 0;
  aedes: Aedes;
  #secure: { key: string; cert: string } | undefined;
  #server: net.Server | null = null;
  #sockets = new Set<Socket>();
  port = 0;

  private constructor(aedes: Aedes, secure?: { key: string; cert: string }) {
    this.aedes = aedes;
    this.#secure = secure;
    aedes.authenticate = (_client, user, password, done) => {
      const right = user === this.user && password?.toString() === this.password;
      if (right) return done(null, true);
      this.wrong += 1;
      // 4: bad user name or password.
      done(Object.assign(new Error('no'), { returnCode: 4 as const }), false);
    };
    aedes.authorizeSubscribe = (_client, subscription, done) =>
      done(null, this.forbidden.has(subscription.topic) ? null : subscription);
  }

  static async start(scene: Scene, secure?: { key: string; cert: string }): Promise<Broker> {
    const broker = new Broker(await Aedes.createBroker(), secure);
    await broker.open();
    scene.onClose(async () => {
      await broker.close();
      await new Promise<void>((resolve) => broker.aedes.close(resolve));
    });
    return broker;
  }

  get address(): string {
    return `${this.#secure ? 'mqtts' : 'mqtt'}://localhost:${this.port}`;
  }

  get clients(): number {
    return this.aedes.connectedClients;
  }

  async open(): Promise<void> {
    const take = (socket: Socket): void => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
      this.aedes.handle(socket);
    };
    this.#server = this.#secure ? tls.createServer(this.#secure, take) : net.createServer(take);
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  /** Goes away with all connections; what it holds stays. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const socket of this.#sockets) socket.destroy();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  publish(topic: string, payload: unknown, { retain = false, qos = 1 as 0 | 1 } = {}): Promise<void> {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return new Promise((resolve, reject) =>
      this.aedes.publish({ cmd: 'publish', topic, payload: text, retain, qos, dup: false }, (error) =>
        error ? reject(error) : resolve(),
      ),
    );
  }

  /** Resolves when somebody has subscribed to a topic. */
  subscribed(topic: string): Promise<void> {
    return new Promise((resolve) => {
      const look = (subscriptions: { topic: string }[], _client: Client): void => {
        if (!subscriptions.some((one) => one.topic === topic)) return;
        this.aedes.off('subscribe', look);
        resolve();
      };
      this.aedes.on('subscribe', look);
    });
  }
}

/** Frigate's HTTP API: open, or behind a login. */
export class Frigate {
  readonly pictures = new Map<string, Buffer>();
  /** What stands with each object, by the path of the object. */
  readonly descriptions = new Map<string, string>();
  readonly posts: { path: string; body: unknown; user: string | null }[] = [];
  /** Answers to posts that are not 200, one after the other. */
  failures: number[] = [];
  login: { user: string; password: string } | null = null;
  logins = 0;
  /** Pictures that are not there before they were asked for so often. */
  lateBy = 0;
  #server = http.createServer((request, response) => void this.#take(request, response));

  static async start(scene: Scene): Promise<Frigate> {
    const frigate = new Frigate();
    frigate.#server.listen(0, '127.0.0.1');
    await once(frigate.#server, 'listening');
    scene.onClose(() => {
      frigate.#server.closeAllConnections();
      frigate.#server.close();
    });
    return frigate;
  }

  get address(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  picture(id: string): Buffer {
    const bytes = jpeg(9_000, this.pictures.size + 1);
    this.pictures.set(`/api/events/${id}/snapshot.jpg`, bytes);
    return bytes;
  }

  async #take(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request) text += String(part);
    const path = request.url ?? '';
    if (path === '/api/login') return this.#logIn(JSON.parse(text) as object, response);
    if (this.login && request.headers.cookie !== 'frigate_token=good')
      return void response.writeHead(401).end();
    if (request.method === 'POST') {
      const status = this.failures.shift() ?? 200;
      if (status === 200)
        this.posts.push({ path, body: JSON.parse(text) as unknown, user: this.login?.user ?? null });
      const { description } = JSON.parse(text) as { description?: string };
      if (status === 200 && description !== undefined)
        this.descriptions.set(path.replace(/\/description$/, ''), description);
      return void response.writeHead(status).end('{"success":true}');
    }
    const description = this.descriptions.get(path);
    if (description !== undefined)
      return void response.writeHead(200).end(JSON.stringify({ id: path, data: { description } }));
    const picture = this.pictures.get(path);
    if (!picture || this.lateBy-- > 0) return void response.writeHead(404).end('{}');
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture);
  }

  #logIn(given: object, response: http.ServerResponse): void {
    this.logins += 1;
    const { user, password } = given as { user?: string; password?: string };
    const right = this.login !== null && user === this.login.user && password === this.login.password;
    response
      .writeHead(right ? 200 : 401, right ? { 'set-cookie': 'frigate_token=good; HttpOnly' } : {})
      .end('{}');
  }
}
