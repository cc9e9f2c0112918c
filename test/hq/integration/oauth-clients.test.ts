// The token answer as kept OAuth 2 libraries take it, with nothing set but addresses and the tenant's header.
import { allowInsecureRequests, clientCredentialsGrant, Configuration, customFetch } from 'openid-client';
import { ClientCredentials } from 'simple-oauth2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonOf, request } from '../../support/request.ts';
import { type IntegrationRig, openIntegrationRig } from './rig.ts';

let rig: IntegrationRig;
beforeAll(async () => {
  rig = await openIntegrationRig();
});
afterAll(() => rig.close());

/** What a wrong token is not told. */
async function statusWith(token: string): Promise<[number, string]> {
  const answer = await request({
    url: rig.hub.url,
    method: 'GET',
    path: '/open/v1/project/NONE/snapshot?utm_source=mail&utm_source=twice',
    headers: { authorization: `Bearer ${token}` },
  });
  return [answer.status, jsonOf<{ error: string }>(answer).error];
}

test('openid-client gets a token that opens the snapshot', async () => {
  const { client_id, client_secret } = await rig.client();
  const token_endpoint = `${rig.hub.url}/open/v1/oauth/token`;
  const configuration = new Configuration({ issuer: rig.hub.url, token_endpoint }, client_id, client_secret);
  allowInsecureRequests(configuration);
  configuration[customFetch] = (url, options) =>
    fetch(url, { ...options, headers: { ...options.headers, 'X-Tenant-Code': 'acme' } } as RequestInit);
  const { access_token, token_type, expires_in } = await clientCredentialsGrant(configuration);
  expect([token_type, expires_in]).toEqual(['bearer', 7200]);
  expect(await statusWith(access_token)).toEqual([404, 'not_found']);
  expect(await statusWith('flt_wrong')).toEqual([401, 'invalid_token']);
});

test('simple-oauth2 gets a token that opens the snapshot', async () => {
  const { client_id: id, client_secret: secret } = await rig.client();
  const grant = new ClientCredentials({
    client: { id, secret },
    auth: { tokenHost: rig.hub.url, tokenPath: '/open/v1/oauth/token' },
    http: { headers: { 'X-Tenant-Code': 'acme' } },
  });
  const { token } = await grant.getToken({});
  expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 7200 });
  expect(await statusWith(String(token.access_token))).toEqual([404, 'not_found']);
});
