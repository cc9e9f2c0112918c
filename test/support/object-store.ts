// A small real HTTP server that speaks as much of S3 as an object store for originals needs, and fails as a
// test tells it.
import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** `hang`: no answer; `stall`: half of one, and no more. */
type Fault = 'refuse' | 'error' | 'break' | 'hang' | 'stall' | null;

const escapeXml = (text: string): string =>
  text.replace(/[<>&]/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;' })[sign] ?? sign);

export class ObjectStore {
  readonly objects = new Map<string, Buffer>();
  readonly heard: string[] = [];
  /** Keys that one page of a list holds. */
  pageSize = 2;
  /** What happens to requests of a method, or to all. */
  fault: (method: string, listing: boolean) => Fault = () => null;
  /** Told of every object before it is put; a promise holds the answer back. */
  beforePut: (key: string) => Promise<void> = () => Promise.resolve();
  #server = http.createServer((request, response) => void this.#handle(request, response));
  #port = 0;

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  /** Whether it gives parts of objects. */
  ranges = true;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const url = new URL(request.url ?? '', this.url);
    const key = decodeURIComponent(url.pathname).split('/').slice(2).join('/');
    const method = request.method ?? '';
    this.heard.push(`${method} ${key}`);
    const fault = this.fault(method, url.searchParams.has('list-type'));
    if (fault === 'refuse') return void request.socket.destroy();
    if (fault === 'hang') return;
    if (fault === 'error')
      return void response
        .writeHead(503, { 'content-type': 'application/xml' })
        .end('<Error><Code>SlowDown</Code><Message>inner-host.example is busy</Message></Error>');
    if (
      !/AWS4-HMAC-SHA256/.test(request.headers.authorization ?? '') &&
      !url.searchParams.has('X-Amz-Signature')
    )
      return void response.writeHead(403).end();
    if (url.searchParams.has('list-type')) return void this.#list(url, response);
    if (method === 'PUT') {
      await this.beforePut(key);
      const body = Buffer.concat(parts);
      this.objects.set(key, body);
      return void response
        .writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` })
        .end();
    }
    if (method === 'DELETE') {
      this.objects.delete(key);
      return void response.writeHead(204).end();
    }
    const found = this.objects.get(key);
    if (!found)
      return void response
        .writeHead(404, { 'content-type': 'application/xml' })
        .end('<Error><Code>NoSuchKey</Code><Message>none</Message></Error>');
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(this.ranges ? (request.headers.range ?? '') : '') ?? [];
    if (from !== undefined) {
      const part = found.subarray(Number(from), Number(to) + 1);
      const end = Number(from) + part.length - 1;
      return void response
        .writeHead(206, {
          ...{ 'content-length': part.length, 'content-range': `bytes ${from}-${end}/${found.length}` },
        })
        .end(part);
    }
    response.writeHead(200, { 'content-length': found.length, 'content-type': 'application/octet-stream' });
    if (fault !== 'break' && fault !== 'stall') return void response.end(found);
    response.write(
      found.subarray(0, Math.floor(found.length / 2)),
      () => void (fault === 'break' && request.socket.destroy()),
    );
  }

  #list(url: URL, response: http.ServerResponse): void {
    const prefix = url.searchParams.get('prefix') ?? '';
    const after = url.searchParams.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, Math.min(this.pageSize, Number(url.searchParams.get('max-keys') ?? 1000)));
    const more = keys.length > page.length;
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        '<?xml ' +
          `version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${escapeXml(page.at(-1) ?? '')}</NextContinuationToken>` : ''}` +
          `${page.map((key) => `<Contents><Key>${escapeXml(key)}</Key><Size>1</Size></Contents>`).join('')}</ListBucketResult>`,
      );
  }
}
