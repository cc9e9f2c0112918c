import { Agent, type Dispatcher, errors } from 'undici';
import { GatheredBytes } from '../common/http/body/gathered-bytes.ts';
import { guardedLookup, type Networks } from '../common/http/outbound/address.ts';
import {
  type AnswerHeaders,
  answerTooLarge,
  bodyNotAsTold,
  bounded,
  fellSilent,
  type HttpClient,
  type HttpClientOptions,
  isStream,
  MAX_ANSWER,
  MAX_SOCKETS,
  type OutgoingAnswer,
  type OutgoingRequest,
  sizeOf,
} from '../common/http/outbound/client.ts';

/** A connection that takes longer is given up, also when nobody waits for it any more. */
const CONNECT_MS = 30_000;
/** undici's word for an answer without a cap. */
const NO_CAP = -1;

/**
 * Headquarters' way out, by undici; a site has node:http behind the same interface (site/http-client.ts says
 * why).
 */
export class UndiciHttpClient implements HttpClient {
  #networks: Networks;
  /** Of every agent, beside its cap. */
  #agentOptions: Agent.Options;
  /**
   * By the cap on an answer, which undici knows of an agent and not of a request; a client has one or two.
   */
  #agents = new Map<number, Agent>();

  constructor(
    networks: Networks = null,
    { maxSockets = MAX_SOCKETS, keepAlive = true, resolve }: HttpClientOptions = {},
  ) {
    this.#networks = networks;
    this.#agentOptions = {
      connect: { lookup: guardedLookup(networks, resolve) as never, timeout: CONNECT_MS },
      connections: Number.isFinite(maxSockets) ? maxSockets : null,
      pipelining: keepAlive ? 1 : 0,
      // One bound over the whole exchange takes the place of undici's over its parts.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    };
  }

  send(request: OutgoingRequest): Promise<OutgoingAnswer> {
    return bounded(request, this.#networks, (url, signal) => this.#exchange(url, request, signal));
  }

  close(): void {
    for (const agent of this.#agents.values()) void agent.destroy();
    this.#agents.clear();
  }

  async #exchange(url: URL, request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingAnswer> {
    signal.throwIfAborted();
    const { body, keepAnswer, silentMs, maxAnswer = MAX_ANSWER, onBytes } = request;
    const source = isStream(body) ? body.open() : body;
    let status: number | null = null;
    try {
      const exchange = this.#agent(keepAnswer === undefined ? maxAnswer : NO_CAP).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: headersOf(url, request),
        body: source ?? null,
        signal,
        // Its timers are of a second, and run once the request is sent.
        headersTimeout: silentMs ?? 0,
        bodyTimeout: silentMs ?? 0,
      });
      // A request that still waits for its connection does not hear of the signal.
      const answer = await Promise.race([exchange, abortOf(signal)]);
      status = answer.statusCode;
      return {
        status,
        headers: firstOfEach(answer),
        body: await read(answer, { keep: keepAnswer, onBytes, signal }),
      };
    } catch (error) {
      if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)
        throw fellSilent(silentMs ?? 0);
      if (error instanceof errors.ResponseExceededMaxSizeError) throw answerTooLarge(maxAnswer, status);
      if (error instanceof errors.RequestContentLengthMismatchError && isStream(body))
        throw bodyNotAsTold(body.size);
      throw asSystem(error, status !== null);
    } finally {
      if (typeof source === 'object' && !Buffer.isBuffer(source)) source.destroy();
    }
  }

  #agent(maxResponseSize: number): Agent {
    const existing = this.#agents.get(maxResponseSize);
    if (existing) return existing;
    const agent = new Agent({ ...this.#agentOptions, maxResponseSize });
    this.#agents.set(maxResponseSize, agent);
    return agent;
  }
}

export const createHttpClient = (networks?: Networks, options?: HttpClientOptions): HttpClient =>
  new UndiciHttpClient(networks, options);

/** Name and password of the address go as Basic, as browsers and node:http do it. */
function headersOf({ username, password }: URL, { headers, body }: OutgoingRequest): Record<string, string> {
  const named = Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
  const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
    'base64',
  );
  return {
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(sizeOf(body)) }),
    ...((username === '' && password === '') || named ? {} : { authorization: `Basic ${basic}` }),
  };
}

const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );

interface BodyReading {
  /** Bytes after which the rest is not awaited; with it, what came before a failure is all. */
  keep: number | undefined;
  onBytes: OutgoingRequest['onBytes'];
  signal: AbortSignal;
}

async function read(
  { body }: Dispatcher.ResponseData,
  { keep, onBytes, signal }: BodyReading,
): Promise<Buffer> {
  // A body that is left before its end says so by an error after the loop, which has the answer by then.
  body.on('error', () => undefined);
  const gathered = new GatheredBytes(keep);
  try {
    signal.throwIfAborted();
    for await (const part of body as AsyncIterable<Buffer>) {
      onBytes?.(part.length);
      gathered.push(part);
      if (keep !== undefined && gathered.length > keep) break;
    }
  } catch (error) {
    if (keep === undefined) throw error;
  }
  return gathered.take().subarray(0, keep);
}

const firstOfEach = ({ headers }: Dispatcher.ResponseData): AnswerHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );

/**
 * undici's own errors by the system's codes, which people and `transportFault` know; others as they are.
 * @param answering whether the head had come
 */
function asSystem(error: unknown, answering: boolean): unknown {
  const as = (code: string, message: string): Error =>
    Object.assign(new Error(message, { cause: error }), { code });
  const { code } = error as { code?: unknown };
  if (error instanceof errors.ConnectTimeoutError) return as('ETIMEDOUT', error.message);
  if (error instanceof errors.HeadersOverflowError) return as('HPE_HEADER_OVERFLOW', error.message);
  if (error instanceof errors.HTTPParserError) return as(error.code ?? 'HPE_INVALID_CONSTANT', error.message);
  if (typeof code === 'string' && code.startsWith('ERR_SSL_')) return as('EPROTO', (error as Error).message);
  if (
    error instanceof errors.SocketError ||
    error instanceof errors.ResponseContentLengthMismatchError ||
    code === 'ECONNRESET'
  )
    return as('ECONNRESET', answering ? 'aborted' : 'socket hang up');
  return error;
}
