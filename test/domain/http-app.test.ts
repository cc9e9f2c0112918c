// The way of a request through Koa: which route takes it, what it is answered, counted and logged as.
import net from 'node:net';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { promisify } from 'node:util';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { AppError } from '../../common/http/error.ts';
import type { Route } from '../../common/http/route.ts';
import { type AppHere, openRoute, startApp } from '../support/http-app.ts';
import { rawExchange } from '../support/raw.ts';
import { type Answer, jsonOf, request } from '../support/request.ts';

let app: AppHere;
let lines: Record<string, unknown>[];

async function start(routes: Route[]): Promise<void> {
  lines = [];
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line) as never) });
  app = await startApp(routes, log);
}
afterEach(() => app.close());

const call = (method: string, path: string): Promise<Answer> => request({ url: app.url, method, path });
const routeOf = (answer: Answer): unknown => jsonOf<{ route?: unknown }>(answer).route;

test('of routes that match, the one with fewer parameters takes the request, in whatever order', async () => {
  await start([openRoute('GET', '/things/{id}'), openRoute('GET', '/things/list')]);
  expect(routeOf(await call('GET', '/things/list'))).toBe('GET /things/list');
  expect(routeOf(await call('GET', '/things/7'))).toBe('GET /things/{id}');
});

test('HEAD is answered as GET is, without the body', async () => {
  const name = 'x'.repeat(20_000);
  await start([
    openRoute('GET', '/long', () => ({ body: { name } })),
    openRoute('GET', '/stream', () => ({
      body: Readable.from(['abc']),
      contentType: 'text/plain',
      headers: { 'Content-Length': '3', ETag: '"3"' },
    })),
  ]);
  for (const path of ['/long', '/stream']) {
    const [get, head] = [await call('GET', path), await call('HEAD', path)];
    const shown = ({ status, headers }: Answer): unknown[] => [
      status,
      headers['content-length'],
      headers['content-type'],
      headers.etag,
    ];
    expect(shown(head)).toEqual(shown(get));
    expect([head.text, Number(head.headers['content-length'])]).toEqual(['', get.text.length]);
  }
});

test('long answers go packed to whoever takes them so, and not at all where nothing has changed', async () => {
  let name = 'x'.repeat(20_000);
  await start([
    openRoute('GET', '/long', () => ({ body: { name } })),
    openRoute('GET', '/short', () => ({ body: { name: 'x' } })),
    openRoute('GET', '/stream', () => ({
      body: Readable.from(['{}'.repeat(5_000)]),
      contentType: 'application/json',
    })),
  ]);
  const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${app.url}${path}`, { headers: { 'Accept-Encoding': 'gzip, br, zstd', ...headers } });
  const packed = await ask('/long', { 'If-None-Match': '"none"' });
  expect(packed.headers.get('content-encoding')).toMatch(/^(gzip|zstd)$/);
  expect(packed.headers.get('vary')).toBe('Accept-Encoding');
  expect(await packed.json()).toEqual({ name });
  const tag = packed.headers.get('etag') ?? '';
  expect((await ask('/long', { 'If-None-Match': tag })).status).toBe(304);
  name = `${name}y`;
  const changed = await ask('/long', { 'If-None-Match': tag });
  expect([changed.status, await changed.json()]).toEqual([200, { name }]);
  for (const path of ['/short', '/stream'])
    expect((await ask(path)).headers.get('content-encoding')).toBe(null);
  const plain = await call('GET', '/long');
  expect([plain.headers['content-encoding'], jsonOf(plain)]).toEqual([undefined, { name }]);
});

test('what no route takes is 404, 405 with the methods that are taken, 501, or told of by OPTIONS', async () => {
  await start([openRoute('POST', '/a')]);
  const shown = async (method: string, path: string): Promise<unknown[]> => {
    const answer = await call(method, path);
    const error = answer.text === '' ? null : jsonOf<{ error: string }>(answer).error;
    return [answer.status, error, answer.headers.allow];
  };
  expect(await shown('GET', '/b')).toEqual([404, 'not_found', undefined]);
  expect(await shown('DELETE', '/a')).toEqual([405, 'method_not_allowed', 'POST']);
  expect(await shown('PROPFIND', '/a')).toEqual([501, 'not_implemented', 'POST']);
  expect(await shown('OPTIONS', '/a')).toEqual([200, null, 'POST']);
});

test.each(['http://a:b:c/', 'http://[/', '//[', '/%', '*'])(
  'a request line with %s is the fault of its sender',
  async (target) => {
    await start([openRoute('GET', '/{name}')]);
    const { status, body } = await rawExchange(
      app.url,
      `GET ${target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
      false,
    );
    expect([200, 400, 404]).toContain(status);
    expect(body).not.toBeNull();
    expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  },
);

test('an error that is not meant for callers is a bare 500, and in the log under the request id', async () => {
  await start([
    openRoute('GET', '/broken', () => {
      throw new Error('the password is tiger');
    }),
    openRoute('GET', '/busy', () => {
      throw new AppError(503, 'busy', 'Come back later.', { retryAfterSeconds: 7 });
    }),
  ]);
  const broken = await call('GET', '/broken');
  expect([broken.status, broken.text.includes('tiger')]).toEqual([500, false]);
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'request failed',
      requestId: broken.headers['x-request-id'],
      err: expect.objectContaining({ message: 'the password is tiger' }) as object,
    }),
  );
  expect((await call('GET', '/busy')).headers['retry-after']).toBe('7');
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'request refused', error: 'busy' }));
});

test('every answer is counted by method and status, and logged without its query', async () => {
  await start([openRoute('GET', '/a')]);
  await call('GET', '/a');
  await call('GET', '/a?token=secret');
  await call('GET', '/nothing');
  expect(app.answers.rows()).toEqual([
    // There from the beginning, so that a rule sees the first fault as an increase.
    { labels: { method: 'GET', status: '500' }, value: 0 },
    { labels: { method: 'GET', status: '200' }, value: 1 },
    { labels: { method: 'GET', status: '400' }, value: 1 },
    { labels: { method: 'GET', status: '404' }, value: 1 },
  ]);
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: 'request answered', method: 'GET', path: '/a', status: 400 }),
  );
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('a stream that fails cuts its answer off, and the log says so once', async () => {
  const body = new Readable({ read: () => body.destroy(new Error('the disk is gone')) });
  await start([openRoute('GET', '/stream', () => ({ body, contentType: 'text/plain' }))]);
  await expect(call('GET', '/stream')).rejects.toThrow();
  expect(lines.filter(({ msg }) => msg === 'an answer broke off')).toHaveLength(1);
});

test('who sends all of a body before he reads is told why it was refused', async () => {
  await start([openRoute('POST', '/small')]);
  const socket = net.connect(Number(new URL(app.url).port), '127.0.0.1');
  const size = 24 * 1024 * 1024;
  socket.write(`POST /small HTTP/1.1\r\nhost: a\r\ncontent-length: ${size}\r\n\r\n`);
  await promisify<Buffer, void>((bytes, done) => socket.write(bytes, done))(Buffer.alloc(size));
  const text = await readText(socket);
  expect(text).toMatch(/^HTTP\/1\.1 413 [^]*"error":"body_too_large"/);
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test('who sends without end is answered once, and cut off', async () => {
  await start([openRoute('POST', '/small')]);
  const socket = net.connect(Number(new URL(app.url).port), '127.0.0.1').on('error', () => null);
  socket.write('POST /small HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n');
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024), Buffer.from('\r\n')]);
  const send = (error?: Error | null): void => void (error ?? socket.write(chunk, send));
  send();
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  expect(app.answers.rows()).toContainEqual({ labels: { method: 'POST', status: '413' }, value: 1 });
});
