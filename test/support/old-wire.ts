// A link on which both ends seem to be of the release that knew two channels and nothing beside them: what a
// newer end says more is taken out on the way, and what only a newer one answers is not found. The forms were
// compared with programs of that release.
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { request } from './request.ts';

const unzstd = promisify(zlib.zstdDecompress);
/** The calls of that release. */
const CALLS = ['/api/core/uplink/events', '/api/core/uplink/verdicts'];
const FEATURES = ['merge_by_identity'];
/** The members of its answers. */
const MEMBERS = [
  'protocol',
  'epoch',
  'accepted',
  'duplicates',
  'cursor',
  'rejected',
  'decisions',
  'decisionsWaiting',
];

export class OldWire {
  /** Calls that an end of that release does not know. */
  readonly unknown: string[] = [];
  /** Calls of channels that went through as of that release. */
  passed = 0;
  #old = true;
  #hub: string;
  #key: SigningKey;
  #server = http.createServer((incoming, response) => void this.#handle(incoming, response));

  /** @param key of the site, since what is changed must be signed again */
  constructor(hub: string, key: SigningKey) {
    this.#hub = hub;
    this.#key = key;
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Both ends are upgraded: everything goes through as it is. */
  upgrade(): void {
    this.#old = false;
  }

  /** Both ends are of the older release again. */
  downgrade(): void {
    this.#old = true;
  }

  async #handle(incoming: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const call = { method: incoming.method ?? '', path: incoming.url ?? '', body, headers: incoming.headers };
    const beside = !call.path.startsWith('/api/core/uplink/');
    const answer = this.#old && !beside ? await this.#asOld(call) : await this.#as(call);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
  }

  async #as({ method, path, body, headers }: Incoming): Promise<{ status: number; text: string }> {
    const kept = Object.entries(headers).filter(
      ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
    );
    return request({ url: this.#hub, method, path, body, headers: Object.fromEntries(kept) as Text });
  }

  async #asOld({ method, path, body, headers }: Incoming): Promise<{ status: number; text: string }> {
    if (!CALLS.includes(path)) {
      this.unknown.push(`${method} ${path}`);
      return { status: 404, text: JSON.stringify({ error: 'not_found', message: 'There is nothing here.' }) };
    }
    this.passed += 1;
    const plain = headers['content-encoding'] === 'zstd' ? await unzstd(body) : body;
    const said = { ...(JSON.parse(plain.toString('utf8')) as object), features: FEATURES };
    const bytes = Buffer.from(JSON.stringify(said));
    const signed = signedHeaders(this.#key, Date.now(), method, path, bytes);
    const answer = await request({
      url: this.#hub,
      method,
      path,
      body: bytes,
      headers: { 'content-type': 'application/json', ...signed },
    });
    if (answer.status !== 200) return answer;
    const members = Object.entries(JSON.parse(answer.text) as object).filter(([name]) =>
      MEMBERS.includes(name),
    );
    return { status: 200, text: JSON.stringify(Object.fromEntries(members)) };
  }
}

type Text = Record<string, string>;

interface Incoming {
  method: string;
  path: string;
  body: Buffer;
  headers: http.IncomingHttpHeaders;
}
