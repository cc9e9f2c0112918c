// Whether a change within a login session comes of a page of this server.
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { comesFromHere } from '../../common/http/origin.ts';

const PROXY = [ipaddr.parseCIDR('10.0.0.0/8')];
const request = (headers: Record<string, string>, remoteAddress: string | undefined = '10.0.0.1') =>
  ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage;

test.each<[string, Record<string, string>, boolean]>([
  ['no browser', { host: 'hq' }, true],
  ['its own page', { host: 'hq.example:8090', origin: 'http://hq.example:8090' }, true],
  ['the port of the scheme, written or not', { host: 'hq.example:443', origin: 'https://hq.example' }, true],
  ['another host', { host: 'hq.example', origin: 'https://evil.example' }, false],
  ['another port', { host: 'hq.example:8090', origin: 'http://hq.example:8091' }, false],
  ['a page without an origin', { host: 'hq.example', origin: 'null' }, false],
  [
    'what the browser says',
    { host: 'inner', origin: 'https://hq.example', 'sec-fetch-site': 'same-origin' },
    true,
  ],
  ['a neighbour of the same site', { host: 'hq.example', 'sec-fetch-site': 'same-site' }, false],
  ['another site', { host: 'hq.example', 'sec-fetch-site': 'cross-site' }, false],
])('%s', (_, headers, here) => {
  expect(comesFromHere(request(headers), [])).toBe(here);
});

test('what a proxy says of the host counts where it is named, the last of several', () => {
  const headers = { host: 'inner:8090', origin: 'https://hq.example', 'x-forwarded-host': 'hq.example' };
  expect(comesFromHere(request(headers), PROXY)).toBe(true);
  expect(comesFromHere(request(headers), [])).toBe(false);
  expect(comesFromHere(request(headers, '192.0.2.1'), PROXY)).toBe(false);
  const written = {
    ...headers,
    origin: 'https://evil.example',
    'x-forwarded-host': 'evil.example, hq.example',
  };
  expect(comesFromHere(request(written), PROXY)).toBe(false);
});
