// Whether a post comes from the device that its path names: source network, and password where one was given.
import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../common/http/error.ts';
import { addressAllowed, parseNetworks } from '../../../common/http/outbound/address.ts';
import type { Device } from '../record.ts';

/** How long a device may answer a challenge, ms; some keep the first one for the day. */
const NONCE_MS = 24 * 3_600_000;
const REALM = 'fieldline';
/** User name that is typed into devices. */
export const DEVICE_USER = 'fieldline';

export function fromItsNetwork({ config }: Device, ip: string): boolean {
  const { sourceNetworks = [] } = config;
  return sourceNetworks.length === 0 || addressAllowed(ip, parseNetworks(sourceNetworks));
}

/** `stale`: right, but for the challenge, which is too old. */
export type Shown = 'right' | 'none' | 'wrong' | 'stale';

/** Checks Basic and Digest (RFC 7616) credentials. */
export class PasswordCheck {
  #nonceKey: Buffer;
  #now: () => number;

  constructor(nonceKey: Buffer, now: () => number) {
    this.#nonceKey = nonceKey;
    this.#now = now;
  }

  /** A device for which Digest was chosen may not show its password openly. */
  shown({ config }: Device, password: string, request: IncomingMessage): Shown {
    const header = request.headers.authorization;
    if (header === undefined) return 'none';
    if (config.auth === 'basic' && /^basic /i.test(header))
      return same(
        Buffer.from(header.slice(6).trim(), 'base64').toString('utf8'),
        `${DEVICE_USER}:${password}`,
      )
        ? 'right'
        : 'wrong';
    if (/^digest /i.test(header)) return this.#digest(header, password, request);
    return 'none';
  }

  /** What asks a device for its password. @param stale whether only its nonce was too old */
  challenge({ config }: Device, stale: boolean): AppError {
    const nonce = this.#nonce(this.#now());
    const digest = ['MD5', 'SHA-256'].map(
      (algorithm) =>
        `Digest realm="${REALM}", qop="auth", algorithm=${algorithm}, nonce="${nonce}"` +
        (stale ? ', stale=true' : ''),
    );
    const asked = config.auth === 'basic' ? [`Basic realm="${REALM}"`] : digest;
    return new AppError(401, 'unauthorized', 'Send the user name and password of this device.', {
      headers: { 'WWW-Authenticate': asked.join(', ') },
    });
  }

  #nonce(at: number): string {
    const time = at.toString(36);
    return `${time}-${createHmac('sha256', this.#nonceKey).update(time).digest('hex').slice(0, 32)}`;
  }

  #digest(header: string, password: string, { method = '', url = '' }: IncomingMessage): Shown {
    const told = directives(header);
    const algorithm = (told.algorithm ?? 'MD5').toLowerCase();
    const digest = (text: string): string =>
      createHash(algorithm.startsWith('sha-256') ? 'sha256' : 'md5')
        .update(text)
        .digest('hex');
    const issued = Number.parseInt(told.nonce ?? '', 36);
    if (!Number.isFinite(issued) || told.nonce !== this.#nonce(issued)) return 'none';
    // Some devices write the whole address.
    if (told.uri === undefined || pathOf(told.uri) !== pathOf(url) || told.username !== DEVICE_USER)
      return 'wrong';
    const secret = digest(`${DEVICE_USER}:${REALM}:${password}`);
    const ha1 = algorithm.endsWith('-sess') ? digest(`${secret}:${told.nonce}:${told.cnonce}`) : secret;
    const ha2 = digest(`${method}:${told.uri}`);
    const middle = told.qop ? `${told.nonce}:${told.nc}:${told.cnonce}:${told.qop}` : told.nonce;
    if (!same(told.response ?? '', digest(`${ha1}:${middle}:${ha2}`))) return 'wrong';
    return this.#now() - issued > NONCE_MS ? 'stale' : 'right';
  }
}

/** The directives of a Digest header, by name in small letters. */
export function directives(header: string): Record<string, string | undefined> {
  const found: Record<string, string> = {};
  for (const match of header.matchAll(/([A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g))
    found[(match[1] ?? '').toLowerCase()] = match[2] ?? match[3] ?? '';
  return found;
}

const pathOf = (uri: string): string =>
  (URL.canParse(uri) ? new URL(uri).pathname : uri.split('?')[0]) ?? uri;

const same = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
