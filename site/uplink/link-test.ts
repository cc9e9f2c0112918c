import { type HttpClient, TransportError } from '../../common/http/outbound/client.ts';
import { redactUrl } from '../../common/http/outbound/redact-url.ts';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import type { LinkFault } from '../site-messages.ts';

/**
 * A protocol number that does not exist: headquarters checks key, clock and instance first, and then refuses
 * the request without storing anything.
 */
const NO_PROTOCOL = 1_000_000;
const TIMEOUT_MS = 15_000;

export type LinkTest = { ok: true } | { ok: false; fault: LinkFault };

/** Asks headquarters whether it would take what this site sends; nothing is stored there. */
export async function testLink(options: {
  client: HttpClient;
  url: string;
  key: SigningKey;
  instance: string;
  now: number;
}): Promise<LinkTest> {
  const target = `${options.url.replace(/\/+$/, '')}/api/core/uplink/verdicts`;
  const body = JSON.stringify({
    protocol: NO_PROTOCOL,
    version: 'link-test',
    instance: options.instance,
    epoch: 'link-test',
    head: 0,
    oldest: 0,
    cursor: { from: 0, to: 0 },
    items: [],
  });
  try {
    const answer = await options.client.send({
      method: 'POST',
      url: target,
      body,
      timeoutMs: TIMEOUT_MS,
      maxAnswer: 65_536,
      headers: {
        'content-type': 'application/json',
        ...signedHeaders(options.key, options.now, 'POST', new URL(target).pathname, body),
      },
    });
    return judge(answer.status, answer.body.toString('utf8'), {
      url: redactUrl(options.url),
      instance: options.instance,
    });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return failed({
      code: 'hub_unreachable_at',
      params: { url: redactUrl(options.url), fault: error.fault },
    });
  }
}

function judge(status: number, text: string, { url, instance }: { url: string; instance: string }): LinkTest {
  const { error, serverTime } = codeOf(text);
  if (status === 400 && error === 'protocol_unsupported') return { ok: true };
  if (error === 'clock_skew') {
    return failed({
      code: 'test_clock',
      params: { time: serverTime ?? { code: 'another_time', params: {} } },
    });
  }
  if (status === 401) return failed({ code: 'test_key', params: {} });
  if (status === 403) return failed({ code: 'test_instance', params: { instance } });
  return failed({ code: 'test_not_hub', params: { url, status } });
}

const failed = (fault: LinkFault): LinkTest => ({ ok: false, fault });

function codeOf(text: string): { error?: string; serverTime?: string } {
  try {
    return JSON.parse(text) as { error?: string; serverTime?: string };
  } catch {
    return {};
  }
}
