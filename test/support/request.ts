// One HTTP exchange as a test wants it: every status is an answer, a broken exchange throws.
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffDelay } from '../../common/backoff.ts';
import { signedHeaders, type SigningKey } from '../../common/http/signature.ts';

export interface RequestOptions {
  /** `http://host:port`. */
  url: string;
  method: string;
  /** Path and query as they go out. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  agent?: http.Agent;
  /** Milliseconds over the whole exchange. */
  timeoutMs?: number;
}

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** @throws when no whole answer came */
export function request(options: RequestOptions): Promise<Answer> {
  const { hostname, port } = new URL(options.url);
  const body = options.body ?? '';
  return new Promise((resolve, reject) => {
    const outgoing = http.request({
      hostname, port, path: options.path, method: options.method, agent: options.agent ?? false,
      headers: { ...(options.body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }), ...options.headers },
      signal: AbortSignal.timeout(options.timeoutMs ?? 60_000),
    });
    outgoing.on('error', reject);
    outgoing.on('response', (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(parts).toString('utf8') }));
    });
    outgoing.end(body);
  });
}

export const jsonOf = <T>(answer: Answer): T => JSON.parse(answer.text) as T;

/** @throws Error with the whole answer when the status is not the one wanted */
export function expectStatus(answer: Answer, ...wanted: number[]): Answer {
  if (!wanted.includes(answer.status)) throw new Error(`answered ${answer.status}, wanted ${wanted.join(' or ')}: ${answer.text.slice(0, 2000)}`);
  return answer;
}

export const adminCall = (url: string, adminKey: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  request({
    url, method, path,
    headers: { 'x-admin-key': adminKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

export interface SignedCall {
  url: string;
  key: SigningKey;
  method: string;
  path: string;
  body?: string;
  agent?: http.Agent;
  /** Epoch milliseconds that the signature bears. */
  now?: number;
}

export const signedCall = (call: SignedCall): Promise<Answer> =>
  request({
    url: call.url, method: call.method, path: call.path, ...(call.agent ? { agent: call.agent } : {}),
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
export async function until<T>(what: string, ask: () => Promise<T | null | undefined | false>, withinMs = 120_000): Promise<T> {
  const end = performance.now() + withinMs;
  for (let tries = 1; ; tries += 1) {
    const found = await ask();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`${what}: not within ${withinMs} ms`);
    await pause(backoffDelay(tries, { first: 15, cap: 200, jitter: 0 }, 0));
  }
}
