// An OpenID Connect provider in this process, by oidc-provider over HTTP: it signs in whom the test names,
// and goes wrong where the test says so.
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type InteractionResults } from 'oidc-provider';

export const CLIENT = { id: 'fieldline-hub', secret: 'a secret of the provider and the hub' };

export interface IdentityProvider {
  issuer: string;
  /** Who is signed in next, by subject; null: the person refuses. */
  person: string | null;
  /** What is said of each, by subject. */
  claims: Record<string, object>;
  /** Its keys are others than those it signs with. */
  wrongKeys: boolean;
  /** Takes a code back, as when it has expired. */
  expire(code: string): Promise<void>;
  /** Variables of a hub that goes by it. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/** @param publicUrl of the console, where browsers are sent back to */
export async function startIdentityProvider(publicUrl: string): Promise<IdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const known: IdentityProvider = {
    issuer,
    person: null,
    claims: {},
    wrongKeys: false,
    expire: async (code) => (await provider.AuthorizationCode.find(code))?.destroy(),
    env: {
      AGENT_LINK_URL: publicUrl,
      CORE_OIDC_ISSUER: issuer,
      CORE_OIDC_CLIENT_ID: CLIENT.id,
      CORE_OIDC_CLIENT_SECRET_REF: 'env:OIDC_SECRET',
      OIDC_SECRET: CLIENT.secret,
      CORE_OIDC_NETWORKS: '127.0.0.0/8',
      CORE_OIDC_NAME: 'Company ID',
      CORE_OIDC_ROLES: '{"desk":"operator","partners":"customer"}',
      CORE_OIDC_TENANTS: '{"acme-people":"acme","other-people":"other"}',
      CORE_OIDC_CLEARANCES: '{"secret-readers":{"acme":"secret"}}',
    },
    close: () => close(server),
  };
  const provider = providerAt(issuer, publicUrl, known);
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer);
    if (pathname === '/jwks' && known.wrongKeys) sendOtherKeys(response);
    else if (pathname.startsWith('/interaction/')) void signIn(provider, known, request, response);
    else void answer(request, response);
  });
  return known;
}

function providerAt(issuer: string, publicUrl: string, known: IdentityProvider): Provider {
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${publicUrl}/login/return`],
        post_logout_redirect_uris: [`${publicUrl}/login`],
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
    findAccount: (_, subject) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...known.claims[subject] }),
    }),
    // Nobody is asked whether the hub may know them.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        accountId: oidc.session?.accountId ?? '',
        clientId: oidc.client?.clientId ?? '',
      });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['of this test'] },
  });
  return provider;
}

/** Goes through the pages of the provider as a browser does. @returns the query that it comes back with */
export async function throughProvider(goTo: string, publicUrl: string): Promise<string> {
  const cookies = new Map<string, string>();
  let at = goTo;
  for (let hops = 0; hops < 8 && !at.startsWith(publicUrl); hops += 1) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    at = new URL(answer.headers.get('location') ?? '', at).href;
  }
  if (!at.startsWith(`${publicUrl}/login/return?`)) throw new Error(`the provider leads to ${at}`);
  return new URL(at).search.slice(1);
}

async function signIn(
  provider: Provider,
  known: IdentityProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const result: InteractionResults =
    known.person === null
      ? { error: 'access_denied', error_description: 'the person said no' }
      : { login: { accountId: known.person, remember: false } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

function sendOtherKeys(response: ServerResponse): void {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' };
  response.setHeader('content-type', 'application/jwk-set+json');
  response.end(JSON.stringify({ keys: [key] }));
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
