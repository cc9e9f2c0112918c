// Digest access authentication (RFC 7616) as a client. The packages for it bring undici or axios, which cost
// a site more memory than all of its sources, or know MD5 alone.
import { createHash } from 'node:crypto';

/** What a server asks for in `WWW-Authenticate`; names of parameters in small letters. */
export interface Challenge {
  scheme: string;
  params: Readonly<Record<string, string>>;
}

const HASHES: Readonly<Record<string, string>> = {
  md5: 'md5',
  'sha-256': 'sha256',
  'sha-512-256': 'sha512-256',
};

/** The challenges of a header, in its order. */
export function challengesOf(header: string): Challenge[] {
  const found: { scheme: string; params: Record<string, string> }[] = [];
  const words = /([^\s,="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g;
  for (const [whole, word = '', quoted, plain] of header.matchAll(words)) {
    const last = found.at(-1);
    if (!whole.includes('=')) found.push({ scheme: word.toLowerCase(), params: {} });
    else if (last) last.params[word.toLowerCase()] = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
  }
  return found;
}

/** The first that can be answered: some devices offer several, and mean the first. */
export const answerable = (challenges: readonly Challenge[]): Challenge | null =>
  challenges.find(
    ({ scheme, params }) =>
      scheme === 'digest' && params.nonce !== undefined && hashOf(params) !== null && qopOf(params) !== null,
  ) ?? null;

/** Whether only the nonce was too old. */
export const isStale = ({ params }: Challenge): boolean => params.stale?.toLowerCase() === 'true';

export interface DigestRequest {
  user: string;
  password: string;
  method: string;
  /** As it stands in the request line. */
  uri: string;
  /** How often the nonce has been used, this time too. */
  count: number;
  /** The same for all requests with one challenge: devices keep the key of a session (`-sess`). */
  cnonce: string;
}

/** The header `Authorization` for a challenge that can be answered. */
export function digestAnswer({ params }: Challenge, request: DigestRequest): string {
  const { user, password, method, uri, count, cnonce } = request;
  const { realm = '', nonce = '', opaque, algorithm } = params;
  const hash = hashOf(params) ?? 'md5';
  const digest = (...words: readonly string[]): string =>
    createHash(hash).update(words.join(':')).digest('hex');
  // Devices write Chinese names into it, in whatever encoding: their bytes count, which Node hands over as
  // Latin-1.
  const named = createHash(hash).update(`${user}:`).update(realm, 'latin1');
  const hashed = named.copy().digest('hex');
  const secret = named.update(`:${password}`).digest('hex');
  const session = algorithm?.toLowerCase().endsWith('-sess') ?? false;
  const own = session ? digest(secret, nonce, cnonce) : secret;
  const what = digest(method, uri);
  const qop = qopOf(params);
  const nc = count.toString(16).padStart(8, '0');
  const response = qop ? digest(own, nonce, nc, cnonce, qop, what) : digest(own, nonce, what);
  const said: string[] = [
    ...userOf(user, params, hashed),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${response}"`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(qop ? [`qop=${qop}`, `nc=${nc}`] : []),
    ...(qop || session ? [`cnonce="${cnonce}"`] : []),
  ];
  return `Digest ${said.join(', ')}`;
}

/**
 * The user, hashed where the server takes it so (`userhash`), and encoded where it is no ASCII, which a
 * quoted text cannot hold.
 */
function userOf(user: string, { userhash }: Challenge['params'], hashed: string): string[] {
  if (userhash?.toLowerCase() === 'true') return [`username="${hashed}"`, 'userhash=true'];
  if (/^[\x20-\x7e]*$/.test(user)) return [`username=${quoted(user)}`];
  const encoded = encodeURIComponent(user).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return [`username*=UTF-8''${encoded}`];
}

const hashOf = ({ algorithm = 'MD5' }: Challenge['params']): string | null =>
  HASHES[algorithm.toLowerCase().replace(/-sess$/, '')] ?? null;

/** '' where the server names none, as before RFC 2617; null where it wants another than `auth`. */
function qopOf({ qop }: Challenge['params']): string | null {
  if (qop === undefined || qop.trim() === '') return '';
  const offered = qop.split(',').map((one) => one.trim().toLowerCase());
  return offered.includes('auth') ? 'auth' : null;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
