import * as z from 'zod/mini';
import { type HttpClient, TransportError } from '../../common/http/outbound/client.ts';
import { redactUrl } from '../../common/http/outbound/redact-url.ts';
import type { LinkFault } from '../site-messages.ts';

const TIMEOUT_MS = 15_000;

const joined = z.object({ instance: z.string(), keyId: z.string(), secret: z.string() });

export type Join = { ok: true; instance: string; key: string } | { ok: false; fault: LinkFault };

/**
 * Fetches the key of this site from headquarters for a short code, which is used up by it.
 * @param instance the name that the site has; null: that which the code was made for
 */
export async function joinByCode(options: {
  client: HttpClient;
  url: string;
  code: string;
  instance: string | null;
}): Promise<Join> {
  const { client, code, instance } = options;
  const url = redactUrl(options.url);
  try {
    const answer = await client.send({
      method: 'POST',
      url: `${options.url.replace(/\/+$/, '')}/api/core/sites/join`,
      body: JSON.stringify({ code, ...(instance === null ? {} : { instance }) }),
      timeoutMs: TIMEOUT_MS,
      maxAnswer: 65_536,
      headers: { 'content-type': 'application/json' },
    });
    const { status } = answer;
    const given = joined.safeParse(jsonOf(answer.body.toString('utf8')));
    if (status === 200 && given.success) {
      const { keyId, secret } = given.data;
      return { ok: true, instance: given.data.instance, key: `${keyId}:${secret}` };
    }
    if (status === 401) return { ok: false, fault: { code: 'join_code', params: {} } };
    if (status === 429)
      return { ok: false, fault: { code: 'join_held_up', params: { seconds: secondsOf(answer.headers) } } };
    if (status === 409) return { ok: false, fault: { code: 'join_keys', params: {} } };
    return { ok: false, fault: { code: 'join_not_there', params: { url, status } } };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { ok: false, fault: { code: 'hub_unreachable_at', params: { url, fault: error.fault } } };
  }
}

const secondsOf = (headers: Readonly<Record<string, string | undefined>>): number =>
  Number(headers['retry-after'] ?? 60) || 60;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
