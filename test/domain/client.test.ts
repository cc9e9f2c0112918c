// What a person reads when a peer could not be asked.
import http from 'node:http';
import https from 'node:https';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Resolve } from '../../common/http/address.ts';
import { HttpClient, TransportError } from '../../common/http/client.ts';
import { freePort } from '../support/process.ts';

const pem = (name: string): string => readFileSync(path.resolve(import.meta.dirname, '../support/tls', `${name}.pem`), 'utf8');
const open: (http.Server | https.Server)[] = [];
afterEach(() => open.splice(0).forEach((server) => server.close()));

async function portOf(server: http.Server | https.Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const unresolved = (code: string): Resolve => (host, _options, callback) => callback(Object.assign(new Error(`getaddrinfo ${code} ${host}`), { code }), []);

async function failure(url: string, resolve?: Resolve): Promise<TransportError> {
  const client = new HttpClient(null, { keepAlive: false, resolve });
  const error = await client.send({ method: 'GET', url, timeoutMs: 5_000 }).catch((thrown: unknown) => thrown);
  client.close();
  if (!(error instanceof TransportError)) throw new Error('an answer came');
  return error;
}

test('nobody listens', async () => {
  const port = await freePort();
  expect(await failure(`http://127.0.0.1:${port}/`)).toMatchObject({ code: 'ECONNREFUSED', message: `nothing listens at 127.0.0.1:${port} (ECONNREFUSED)` });
});

test.each([
  ['ENOTFOUND', 'the name of erp.test is not known (ENOTFOUND)'], ['EAI_AGAIN', 'the name of erp.test could not be looked up (EAI_AGAIN)'],
])('a name that ends with %s', async (code, message) => {
  expect(await failure('https://erp.test/', unresolved(code))).toMatchObject({ code, message });
});

test('https:// where the peer speaks plain HTTP', async () => {
  const port = await portOf(http.createServer());
  expect((await failure(`https://127.0.0.1:${port}/`)).message).toBe(`127.0.0.1:${port} does not speak TLS, as https:// asks for (EPROTO)`);
});

test('a certificate of an issuer that is not known', async () => {
  const port = await portOf(https.createServer({ cert: pem('receiver'), key: pem('receiver-key') }));
  expect((await failure(`https://127.0.0.1:${port}/`)).message).toMatch(/^the certificate of 127\.0\.0\.1:\d+ is of an issuer that is not known here \(\w+\); name the issuer's certificate in NODE_EXTRA_CA_CERTS$/);
});
