// One HTTP exchange as a test wants it: every status is an answer, a broken exchange throws.
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { backoffDelay } from '../../common/backoff.ts';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';

export interface RequestOptions {
  /** `http://host:port`. */
  url: string;
  method: string;
  /** Path and query as they go out. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Keeps connections; without it each exchange has one of its own. */
  agent?: Agent;
  /** Milliseconds over the whole exchange. */
  timeoutMs?: number;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const single = new Agent(agentOptions({ pipelining: 0 }));

/** undici as tests use it: one bound over the whole exchange, and HTTP/1.1. */
export function agentOptions(more: Agent.Options): Agent.Options {
  return { headersTimeout: 0, bodyTimeout: 0, allowH2: false, ...more };
}

/** @throws when no whole answer came */
export async function request(options: RequestOptions): Promise<Answer> {
  const { statusCode, headers, body } = await (options.agent ?? single).request({
    origin: new URL(options.url).origin,
    path: options.path,
    method: options.method as Dispatcher.HttpMethod,
    headers: options.headers ?? {},
    body: options.body ?? null,
    signal: AbortSignal.timeout(options.timeoutMs ?? 60_000),
  });
  return {
    status: statusCode,
    headers: asOfNode(headers),
    text: Buffer.from(await body.arrayBuffer()).toString('utf8'),
  };
}

/** Cookies as a list, also a single one; of another header that came more than once, the first. */
export const asOfNode = (headers: Dispatcher.ResponseData['headers']): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name === 'set-cookie' ? [value ?? []].flat() : [value].flat()[0],
    ]),
  );

export const jsonOf = <T>(answer: Answer): T => JSON.parse(answer.text) as T;

/** @throws Error with the whole answer when the status is not the one wanted */
export function expectStatus(answer: Answer, ...wanted: number[]): Answer {
  if (!wanted.includes(answer.status))
    throw new Error(
      `answered ${answer.status}, wanted ${wanted.join(' or ')}: ${answer.text.slice(0, 2000)}`,
    );
  return answer;
}

export const adminCall = (
  url: string,
  adminKey: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> =>
  request({
    url,
    method,
    path,
    headers: {
      'x-admin-key': adminKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

export interface SignedCall {
  url: string;
  key: SigningKey;
  method: string;
  path: string;
  body?: string;
  agent?: Agent;
  /** Epoch milliseconds that the signature bears. */
  now?: number;
}

export const signedCall = (call: SignedCall): Promise<Answer> =>
  request({
    url: call.url,
    method: call.method,
    path: call.path,
    ...(call.agent ? { agent: call.agent } : {}),
    headers: {
      ...signedHeaders(call.key, call.now ?? Date.now(), call.method, call.path, call.body ?? ''),
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(call.body === undefined ? {} : { body: call.body }),
  });

/**
 * Asks again and again, less and less often, until `ask` gives something.
 * @throws after `withinMs` milliseconds, with what `ask` last said was missing
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  withinMs = 120_000,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (let tries = 1; ; tries += 1) {
    const found = await ask();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`${what}: not within ${withinMs} ms`);
    await pause(backoffDelay(tries, { first: 15, cap: 200, jitter: 0 }, 0));
  }
}
