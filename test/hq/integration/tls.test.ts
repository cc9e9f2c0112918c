// Receivers behind TLS. The certificates and their key are in test/support/tls: an authority of these tests
// alone, and of one key a certificate that holds until 2125 and one that ended with 2020.
import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ATTEMPT_MS } from '../../../hq/integration/decide.ts';
import { type IntegrationRig, ncr, openIntegrationRig } from './rig.ts';

const pem = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, '../../support/tls', `${name}.pem`), 'utf8');
const trusted = tls.getCACertificates('default');

let rig: IntegrationRig;
const servers: https.Server[] = [];
beforeAll(async () => {
  rig = await openIntegrationRig();
});
afterAll(async () => {
  tls.setDefaultCACertificates(trusted);
  await rig.close();
  for (const server of servers) server.close();
});

/** A receiver that takes everything. @returns its address and what came */
async function receiver(certificate: string, host = '127.0.0.1'): Promise<{ url: string; came: string[] }> {
  const came: string[] = [];
  const server = https.createServer(
    { cert: pem(certificate), key: pem('receiver-key') },
    (request, response) => {
      came.push(request.url ?? '');
      request.resume().on('end', () => response.end());
    },
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return { url: `https://${host}:${(server.address() as AddressInfo).port}/`, came };
}

test.each([
  ['of an authority that nobody knows', 'receiver', [], 'pending', /unable to verify|self-signed|issuer/],
  ['that has expired', 'receiver-expired', [pem('authority')], 'pending', /CERT_HAS_EXPIRED/],
  ['that is in order', 'receiver', [pem('authority')], 'success', null],
])('a receiver with a certificate %s', async (_what, certificate, more, status, error) => {
  tls.setDefaultCACertificates([...trusted, ...more]);
  const { url, came } = await receiver(certificate);
  const tenant = `${certificate}-${more.length}`;
  const { id } = await rig.webhook(url, { tenant_code: tenant });
  await rig.emit(ncr(1), tenant);
  const delivery = await rig.delivery(
    id,
    ({ attempts, lastAttemptAt, nextAttemptAt }) =>
      attempts === 1 &&
      (nextAttemptAt === null || Date.parse(nextAttemptAt) > Date.parse(lastAttemptAt ?? '')),
  );
  expect(delivery).toMatchObject({
    status,
    last_error: error === null ? null : (expect.stringMatching(error) as string),
  });
  expect(came).toHaveLength(error === null ? 1 : 0);
});

test('an attempt lasts the 10 s of the specification', () => expect(ATTEMPT_MS).toBe(10_000));
