import crypto, { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The one signature mechanism inside the system (DESIGN.md, "The API"): HMAC-SHA256 over
 * `v1\n<unix seconds>\n<METHOD>\n<path and query>\n<hex SHA-256 of the raw body>`.
 */
export const SIGNATURE_TOLERANCE_S = 300;

export interface SignedParts {
  timestamp: number;
  method: string;
  /** Path and query exactly as on the request line. */
  target: string;
  body: Uint8Array | string | BodyDigest;
}

/** Stands for a body that is not held in memory. */
export interface BodyDigest {
  /** Lowercase hex. */
  sha256: string;
}

/** The value of `X-Core-Signature`. */
export function signatureOf(secret: string, parts: SignedParts): string {
  const { body } = parts;
  const digest = typeof body === 'object' && 'sha256' in body ? body.sha256 : sha256(body);
  const text = `v1\n${parts.timestamp}\n${parts.method}\n${parts.target}\n${digest}`;
  return `v1=${createHmac('sha256', secret).update(text).digest('hex')}`;
}

/**
 * In one call where there is one, which is the faster way; a business system's Node may be older (20.12,
 * 21.7).
 */
const sha256 = (body: Uint8Array | string): string =>
  crypto.hash ? crypto.hash('sha256', body, 'hex') : crypto.createHash('sha256').update(body).digest('hex');

export interface SigningKey {
  keyId: string;
  secret: string;
}

/** Headers that sign one request. @param now epoch milliseconds */
export function signedHeaders(
  key: SigningKey,
  now: number,
  method: string,
  target: string,
  body: Uint8Array | string,
): Record<string, string> {
  const timestamp = Math.floor(now / 1000);
  return {
    'x-core-key': key.keyId,
    'x-core-timestamp': String(timestamp),
    'x-core-signature': signatureOf(key.secret, { timestamp, method, target, body }),
  };
}

const SIGNATURE_LENGTH = 'v1='.length + 64;
// Each is written and compared in one go, so that all requests can share them.
const [claimed, expected] = [Buffer.alloc(SIGNATURE_LENGTH), Buffer.alloc(SIGNATURE_LENGTH)];

/** True when one of the live secrets made the signature. Every secret is tried, each in constant time. */
export function signatureMatches(secrets: readonly string[], parts: SignedParts, given: string): boolean {
  if (given.length !== SIGNATURE_LENGTH || claimed.write(given) !== SIGNATURE_LENGTH) return false;
  let matched = false;
  const { body } = parts;
  // The digest is made once, however many secrets a key has: the time that a large body takes would otherwise
  // tell their number.
  const digested =
    typeof body === 'object' && 'sha256' in body ? parts : { ...parts, body: { sha256: sha256(body) } };
  for (const secret of secrets) {
    expected.write(signatureOf(secret, digested));
    if (timingSafeEqual(expected, claimed)) matched = true;
  }
  return matched;
}
