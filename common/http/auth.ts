import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';
import { adminActor, type KeyPurpose, opens, type Scope } from './access.ts';
import type { Actor, SessionActor } from './actor.ts';
import { readCookie, SESSION_COOKIE } from './cookie.ts';
import { type AppError, forbidden, unauthorized } from './error.ts';
import { callerOf } from './forwarded.ts';
import { guardChange } from './origin.ts';
import type { NetworkList } from './outbound/address.ts';
import type { Access, RoutePermission } from './route.ts';
import { badSignature, clockSkew, secretUnreadable } from './signing/refusals.ts';
import { type BodyDigest, SIGNATURE_TOLERANCE_S, signatureMatches } from './signing/signature.ts';

/** A signing key with its live secrets in clear, as the key ring hands it out. */
export interface LiveKey {
  keyId: string;
  purpose: KeyPurpose;
  tenantCode: string | null;
  subject: string;
  /** Empty but for a consumer's. */
  scopes: readonly Scope[];
  secrets: string[];
  /** One of its secrets cannot be read here: a signature that does not match may be right. */
  unreadable: boolean;
}

export interface KeyLookup {
  /** null when there is no such live key. */
  live(keyId: string): LiveKey | null | Promise<LiveKey | null>;
}

/** An open client whose access token holds now. */
export interface LiveClient {
  tenantCode: string;
  clientId: string;
  scopes: readonly string[];
}

export interface ClientLookup {
  /** null when the token is of no client, or holds no more. */
  ofToken(token: string): Promise<LiveClient | null>;
}

export interface SessionLookup {
  /** null when no live session has this token. */
  identify(token: string): Promise<SessionActor | null>;
}

export interface AdminKeyLookup {
  /** Name of the key that this is the secret of; null for none. */
  identify(secret: string, from: string): string | null | Promise<string | null>;
}

export interface AdminKeyRefuser {
  /** What a caller with a wrong key is answered. */
  refuse(ip: string): Promise<AppError>;
}

export interface AuthenticatorOptions {
  adminKeys: AdminKeyLookup;
  refusals: AdminKeyRefuser;
  /** Whose `X-Forwarded-For` is believed. */
  trustedProxies: NetworkList;
  keys: KeyLookup;
  sessions: SessionLookup;
  /** Whose access tokens open what keys of consumers do; left out where there are none. */
  clients?: ClientLookup;
  clock: Clock;
}

/** What a route says of who may call it. */
export interface Guard {
  access: readonly Access[];
  permission?: RoutePermission | undefined;
  scopes?: readonly Scope[] | undefined;
}

/** What a request claims whose body has not been read yet; `key` is null when there is none of that id. */
export interface SignedClaim {
  key: LiveKey | null;
  guard: Guard;
  /** Unix seconds. */
  timestamp: number;
  signature: string;
}

/** The credentials of a request whose body has not been read yet. */
export type Credentials = { actor: Actor } | SignedClaim;

/**
 * Tells who calls and whether the route is open to them. A key is looked up before the body is read. Until
 * the signature over the whole request holds, every key id is treated alike, whether it exists, is of the
 * right kind, or its time is off.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /**
   * At once where nothing has to be read for it. @throws AppError 401 without valid credentials, 403 when
   * they are not for this route
   */
  identify(request: IncomingMessage, guard: Guard, local: boolean): Credentials | Promise<Credentials> {
    const { access } = guard;
    const keyId = header(request, 'x-core-key');
    if (keyId !== undefined) return this.#identifyKey(request, keyId, guard);
    const adminKey = header(request, 'x-admin-key');
    if (adminKey !== undefined) return this.#identifyAdmin(request, adminKey, access);
    const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    const { clients } = this.#options;
    if (bearer !== undefined && clients && access.includes('consumer'))
      return identifyClient(clients, bearer, guard);
    const token = readCookie(request, SESSION_COOKIE);
    if (token !== undefined && !access.includes('public'))
      return this.#identifySession(request, token, guard);
    if (local)
      return { actor: permitted({ kind: 'admin', name: 'local', tenantCode: null }, 'admin', access) };
    if (access.includes('public')) return { actor: { kind: 'public', name: 'public', tenantCode: null } };
    throw unauthorized(`Send ${waysIn(access)}.`);
  }

  /**
   * @throws AppError 401 when the signature is not of a live secret, or its time is off; 403 when the key is
   * not for this route; 503 when a secret of the key cannot be read
   */
  verify(credentials: Credentials, request: IncomingMessage, body: Uint8Array | BodyDigest): Actor {
    if ('actor' in credentials) return credentials.actor;
    const { key, guard, timestamp, signature } = credentials;
    const parts = { timestamp, method: request.method ?? '', target: request.url ?? '', body };
    const signed = signatureMatches(key?.secrets.length ? key.secrets : NO_SECRETS, parts, signature);
    if (!signed || !key) throw key?.unreadable ? secretUnreadable() : badSignature();
    const now = this.#options.clock.now();
    if (Math.abs(now / 1000 - timestamp) > SIGNATURE_TOLERANCE_S) throw clockSkew(now);
    refuseKey(key, guard);
    return {
      kind: 'key',
      name: `${key.purpose}:${key.subject}`,
      tenantCode: key.tenantCode,
      purpose: key.purpose,
      keyId: key.keyId,
      subject: key.subject,
      scopes: key.scopes,
    };
  }

  #identifyAdmin(
    request: IncomingMessage,
    adminKey: string,
    access: readonly Access[],
  ): Credentials | Promise<Credentials> {
    const ip = callerOf(request, this.#options.trustedProxies);
    const claim = (name: string | null): Credentials | Promise<Credentials> => {
      if (name !== null)
        return {
          actor: permitted({ kind: 'admin', name: adminActor(name), tenantCode: null }, 'admin', access),
        };
      return this.#options.refusals.refuse(ip).then((refusal) => {
        throw refusal;
      });
    };
    const found = this.#options.adminKeys.identify(adminKey, ip);
    return found instanceof Promise ? found.then(claim) : claim(found);
  }

  /** A route that names no permission is closed to sessions. */
  async #identifySession(
    request: IncomingMessage,
    token: string,
    { access, permission }: Guard,
  ): Promise<{ actor: SessionActor }> {
    guardChange(request, this.#options.trustedProxies);
    const actor = await this.#options.sessions.identify(token);
    if (!actor) throw unauthorized('The session has ended; log in again.');
    if (!access.includes('session') || permission === undefined)
      throw forbidden(`This call is not open to a login session; send ${waysIn(access)}.`);
    if (permission !== 'self' && !actor.permissions.includes(permission))
      throw forbidden(`This call needs the permission ${permission}.`);
    return { actor };
  }

  #identifyKey(request: IncomingMessage, keyId: string, guard: Guard): Credentials | Promise<Credentials> {
    const timestamp = header(request, 'x-core-timestamp') ?? '';
    const signature = header(request, 'x-core-signature') ?? '';
    if (!/^\d{1,12}$/.test(timestamp) || signature === '')
      throw unauthorized(
        'A signed request carries X-Core-Key, X-Core-Timestamp (Unix seconds) and X-Core-Signature ' +
          '(v1=<hex>).',
      );
    const claim = (key: LiveKey | null): Credentials => ({
      key,
      guard,
      timestamp: Number(timestamp),
      signature,
    });
    const found = this.#options.keys.live(keyId);
    return found instanceof Promise ? found.then(claim) : claim(found);
  }
}

/** A client acts as a consumer of its own name. @throws AppError 401, 403 */
async function identifyClient(clients: ClientLookup, token: string, guard: Guard): Promise<{ actor: Actor }> {
  const client = await clients.ofToken(token);
  if (!client) throw unauthorized('The access token does not hold any more; ask for another.');
  refuseKey({ purpose: 'consumer', scopes: client.scopes }, guard);
  const { tenantCode, clientId: keyId, scopes } = client;
  const name = `client:${keyId}`;
  return { actor: { kind: 'key', name, tenantCode, purpose: 'consumer', keyId, subject: name, scopes } };
}

function permitted(actor: Actor, as: Access, access: readonly Access[]): Actor {
  if (access.includes(as) || access.includes('public')) return actor;
  throw forbidden(`This call is not open to the admin key; send ${waysIn(access)}.`);
}

/**
 * A consumer's key opens the calls of its scopes; one that names no scope is closed to them all. @throws
 * AppError 403
 */
function refuseKey(
  key: { purpose: KeyPurpose; scopes: readonly string[] },
  { access, scopes = [] }: Guard,
): void {
  if (!access.includes(key.purpose)) {
    const ways = waysIn(access);
    throw forbidden(
      `A ${key.purpose} key is not for this call; send ${ways === '' ? 'no key' : ways}.`,
      `${KEYS_ZH[key.purpose]}不能用于此调用${ways === '' ? '，请不带密钥调用' : `，请改用${waysInZh(access)}`}。`,
    );
  }
  if (key.purpose === 'consumer' && !opens(key.scopes, scopes))
    throw forbidden(
      `This call needs a key with the scope ${scopes.join(' or ')}.`,
      `此调用需要具有权限范围 ${scopes.join(' 或 ')} 的密钥。`,
    );
}

/** Stands for the secrets of an unknown key, so that it costs the same work as a known one; nobody has it. */
const NO_SECRETS = [randomBytes(32).toString('base64url')];

function waysIn(access: readonly Access[]): string {
  const ways: string[] = [];
  if (access.includes('admin')) ways.push('X-Admin-Key');
  if (access.includes('session')) ways.push('a login session');
  const keys = access.filter((way) => way === 'node' || way === 'site' || way === 'consumer');
  if (keys.length > 0) ways.push(`a request signed with a ${keys.join(' or ')} key`);
  return ways.join(' or ');
}

const KEYS_ZH: Readonly<Record<KeyPurpose, string>> = {
  node: '边缘节点密钥',
  site: '站点密钥',
  consumer: '消费者密钥',
};

function waysInZh(access: readonly Access[]): string {
  const ways: string[] = [];
  if (access.includes('admin')) ways.push('管理密钥（X-Admin-Key）');
  if (access.includes('session')) ways.push('登录会话');
  for (const way of access) if (way in KEYS_ZH) ways.push(KEYS_ZH[way as KeyPurpose]);
  return ways.join('或');
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
