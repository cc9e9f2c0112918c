// OpenID Connect with the provider, by openid-client: code flow with PKCE, state, nonce, the issuer and the
// signature of the id token checked. What goes out goes by our own client, which judges every address.
import * as oidc from 'openid-client';
import type { HttpClient } from '../../../common/http/outbound/client.ts';
import type { Claims } from './decide.ts';
import type { ProviderConfig } from './record.ts';

const TRY_MS = 10_000;
const MAX_ANSWER = 512 * 1024;
/** What the provider says of itself is believed for this long, ms. */
const FRESH_MS = 3_600_000;

/** What the answer of the provider is checked against. */
export interface Checks {
  state: string;
  nonce: string;
  verifier: string;
}

export interface SignedIn {
  subject: string;
  claims: Claims;
  idToken: string | null;
}

export interface ProviderClientOptions {
  config: ProviderConfig;
  /** null: a public client. */
  secret: () => string | null;
  http: HttpClient;
  monotonic: () => number;
}

export class ProviderClient {
  readonly #options: ProviderClientOptions;
  #known: { at: number; found: oidc.Configuration } | null = null;

  constructor(options: ProviderClientOptions) {
    this.#options = options;
  }

  /** Where the browser goes to sign in, and what its answer is checked against. */
  async begin(): Promise<{ address: string; checks: Checks }> {
    const provider = await this.#provider();
    const { scopes } = this.#options.config;
    const checks = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    const address = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: this.#returnTo,
      scope: scopes,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { address: address.href, checks };
  }

  /** @param query of the address that the provider sent the browser back to */
  async finish(query: string, checks: Checks): Promise<SignedIn> {
    const provider = await this.#provider();
    const at = new URL(this.#returnTo);
    at.search = query;
    const tokens = await oidc.authorizationCodeGrant(provider, at, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('the provider sent no id token');
    const more = provider.serverMetadata().userinfo_endpoint
      ? await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub)
      : {};
    return { subject: claims.sub, claims: { ...more, ...claims }, idToken: tokens.id_token ?? null };
  }

  /** Where the browser goes to log out of the provider too; null: it knows no such address. */
  async endAddress(idToken: string): Promise<string | null> {
    const provider = await this.#provider();
    if (!provider.serverMetadata().end_session_endpoint) return null;
    return oidc.buildEndSessionUrl(provider, {
      id_token_hint: idToken,
      post_logout_redirect_uri: `${this.#options.config.publicUrl}/login`,
    }).href;
  }

  close(): void {
    this.#options.http.close();
  }

  get #returnTo(): string {
    return `${this.#options.config.publicUrl}/login/return`;
  }

  async #provider(): Promise<oidc.Configuration> {
    const { monotonic } = this.#options;
    if (this.#known && monotonic() - this.#known.at < FRESH_MS) return this.#known.found;
    const found = await this.#discover();
    this.#known = { at: monotonic(), found };
    return found;
  }

  async #discover(): Promise<oidc.Configuration> {
    const { config, secret } = this.#options;
    const issuer = new URL(config.issuer);
    const found = await oidc.discovery(issuer, config.clientId, secret() ?? undefined, authOf(secret()), {
      [oidc.customFetch]: (url, options) => this.#fetch(url, options),
      timeout: TRY_MS / 1000,
      execute: [
        oidc.enableNonRepudiationChecks,
        // The configuration takes http: of this machine alone.
        ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
      ],
    });
    found[oidc.customFetch] = (url, options) => this.#fetch(url, options);
    return found;
  }

  async #fetch(url: string, options: oidc.CustomFetchOptions): Promise<Response> {
    const { method, headers, body } = options;
    const answer = await this.#options.http.send({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(body === undefined || body === null ? {} : { body: textOf(body) }),
      timeoutMs: TRY_MS,
      maxAnswer: MAX_ANSWER,
      ...(options.signal ? { signal: options.signal } : {}),
    });
    const kept = ['content-type', 'www-authenticate', 'dpop-nonce'].flatMap((name) => {
      const value = answer.headers[name];
      return value === undefined ? [] : [[name, value] as [string, string]];
    });
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers: kept });
  }
}

const authOf = (secret: string | null): oidc.ClientAuth =>
  secret === null ? oidc.None() : oidc.ClientSecretBasic(secret);

function textOf(body: NonNullable<oidc.CustomFetchOptions['body']>): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('the provider is sent forms alone');
}
