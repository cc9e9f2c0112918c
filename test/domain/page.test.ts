import { expect, test } from 'vitest';
import { type BuiltConsole, pageFor, type PageRequest } from '../../hq/page/decide.ts';

const file = { contentType: 'text/javascript', content: Buffer.from('plain'), lasting: true };
const built: BuiltConsole = {
  index: '<meta nonce="@NONCE@">',
  files: new Map([
    ['/assets/a-1.js', { ...file, forms: { br: Buffer.from('brotli'), gzip: Buffer.from('gzip') } }],
    ['/assets/b-2.js', { ...file, forms: {} }],
  ]),
};
const api = new Set(['api', 'healthz']);
const request = (over: Partial<PageRequest>): PageRequest => ({
  method: 'GET',
  path: '/',
  accept: 'text/html',
  acceptEncoding: '',
  ...over,
});
const reply = (over: Partial<PageRequest>, from: BuiltConsole | null = built) =>
  pageFor(request(over), from, api, 'n0');

test.each([
  ['br, gzip', 'brotli'],
  ['gzip', 'gzip'],
  ['gzip;q=0.5, BR;q=1', 'brotli'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.000, gzip; q=0', 'plain'],
  ['brotli', 'plain'],
  ['', 'plain'],
])('for Accept-Encoding "%s" a file comes as %s', (acceptEncoding, expected) => {
  expect(String(reply({ path: '/assets/a-1.js', acceptEncoding })?.body)).toBe(expected);
  expect(String(reply({ path: '/assets/b-2.js', acceptEncoding })?.body)).toBe('plain');
});

test('a page that is not built says how to build it, to whoever opens one', () => {
  expect(reply({}, null)).toMatchObject({
    status: 503,
    body: expect.stringContaining('npm run build') as string,
  });
  expect(reply({ path: '/sites' }, null)?.status).toBe(503);
  expect(reply({ path: '/api/core/x' }, null)).toBeNull();
});

test('nothing else is answered', () => {
  for (const over of [
    { method: 'POST' },
    { path: '/api' },
    { path: '/api/core/x' },
    { path: '/healthz' },
    { path: '/sites', accept: '*/*' },
    { accept: 'application/json' },
  ])
    expect([over, reply(over)]).toEqual([over, null]);
  expect(reply({ path: '/assets/../index.html', accept: '*/*' })).toBeNull();
  expect(reply({ accept: '*/*' })?.body).toBe('<meta nonce="n0">');
});
