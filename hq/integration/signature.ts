// What a receiver can verify a push by (spec 1, "Webhook signature"; Standard Webhooks 1.0).
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** `sha256=<lowercase hex>` over the body alone; the key is the secret as UTF-8 text. */
export function serviceSignature(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body, 'utf8').digest('hex')}`;
}

/** The key of Standard Webhooks: what `whsec_` carries in base64, otherwise the secret as UTF-8 text. */
export function standardKey(secret: string): Buffer {
  const rest = secret.slice(PREFIX.length);
  return secret.startsWith(PREFIX) && rest !== '' && BASE64.test(rest)
    ? Buffer.from(rest, 'base64')
    : Buffer.from(secret, 'utf8');
}

/** `v1,<base64>` over `<id>.<timestamp>.<body>`. @param timestamp Unix seconds */
export function standardSignature(
  secret: string,
  signed: { id: string; timestamp: number; body: string },
): string {
  const { id, timestamp, body } = signed;
  const signature = createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.${body}`, 'utf8');
  return `v1,${signature.digest('base64')}`;
}

/**
 * The signature headers of one attempt, in the letters of their specifications: some receivers look at the
 * case.
 * @param secrets the live one, and the one before it while a rotation's overlap lasts
 */
export function webhookSignatures(
  secrets: readonly [string, ...string[]],
  signed: { id: string; timestamp: number; body: string },
): Record<string, string> {
  const [live, previous] = secrets;
  return {
    'X-Service-Signature': serviceSignature(live, signed.body),
    ...(previous === undefined
      ? {}
      : { 'X-Service-Signature-Previous': serviceSignature(previous, signed.body) }),
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': secrets.map((secret) => standardSignature(secret, signed)).join(' '),
  };
}
