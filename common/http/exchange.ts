import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { Logger } from '../log.ts';
import { AppError } from './error.ts';
import type { RefusalLog } from './refusal-log.ts';
import type { Reply, Route } from './route.ts';

/** One request on its way to its answer. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  path: string;
  /** After the question mark; empty without one. */
  queryText: string;
  params: Record<string, string>;
  /** null when none matched. */
  route: Route | null;
}

export interface ErrorForm {
  /** Beginning of the paths. */
  prefix: string;
  render: (error: AppError, requestId: string) => { body: object; headers: Record<string, string> };
}

/** Random: a number would tell everybody how many requests this process has had. */
export const nextRequestId = (): string => randomUUID();

/** Of every answer that does not say otherwise: nobody keeps it, and it is what its type says. */
export const PLAIN_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

const JSON_TYPE = 'application/json; charset=utf-8';

/** Writes the whole answer; a body that is a stream follows as it comes. */
export function send({ request, response, requestId }: Exchange, reply: Reply, log: Logger): void {
  const status = reply.status ?? 200;
  const headers: OutgoingHttpHeaders = { 'X-Request-Id': requestId, ...PLAIN_HEADERS, ...reply.headers };
  if (status === 204 || status === 304) {
    response.writeHead(status, headers).end();
    return;
  }
  headers['Content-Type'] = reply.contentType ?? JSON_TYPE;
  if (reply.body instanceof Readable) {
    response.writeHead(status, headers);
    if (request.method === 'HEAD') {
      reply.body.destroy();
      response.end();
      return;
    }
    let sent = 0;
    reply.body.on('data', (part: Buffer | string) => (sent += Buffer.byteLength(part)));
    pipeline(reply.body, response, (error) => {
      // Whoever has as many bytes as were announced may hang up before the stream says that it is at its end.
      if (error && sent !== Number(headers['Content-Length']))
        log.warn({ err: error, requestId }, 'an answer broke off');
    });
    return;
  }
  const { body } = reply;
  writeBody(
    response,
    status,
    headers,
    typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  );
}

/**
 * Characters of an answer from which on it is handed over as bytes, so that it is encoded once and not
 * measured first.
 */
const ENCODE_ABOVE = 16 * 1024;

function writeBody(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  content: string | Buffer,
): void {
  const body = typeof content === 'string' && content.length > ENCODE_ABOVE ? Buffer.from(content) : content;
  headers['Content-Length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  response.writeHead(status, headers).end(body);
}

interface Refusing {
  log: Logger;
  refusals: RefusalLog;
  forms: readonly ErrorForm[];
}

/** Answers with an error; what is not an AppError goes to the log alone. @returns the status */
export function sendError(exchange: Exchange, thrown: unknown, { log, refusals, forms }: Refusing): number {
  const { request, response, requestId, path } = exchange;
  const error = thrown instanceof AppError ? thrown : hidden(exchange, thrown, log);
  if (error.status >= 500 && error.status !== 501 && thrown instanceof AppError)
    refusals.tell(error, exchange);
  if (response.headersSent) {
    response.destroy();
    return error.status;
  }
  const form = forms.find(({ prefix }) => path.startsWith(prefix));
  const { body, headers } = form
    ? form.render(error, requestId)
    : { body: { ...error.toBody(), requestId }, headers: {} };
  const all: OutgoingHttpHeaders = {
    'X-Request-Id': requestId,
    ...PLAIN_HEADERS,
    'Content-Type': JSON_TYPE,
    ...headers,
  };
  if (error.retryAfterSeconds !== undefined) all['Retry-After'] = String(error.retryAfterSeconds);
  // What was not read of a refused body must not be taken for the next request.
  if (!request.complete) all['Connection'] = 'close';
  writeBody(response, error.status, all, JSON.stringify(body));
  return error.status;
}

function hidden({ request, requestId, path }: Exchange, thrown: unknown, log: Logger): AppError {
  if (thrown instanceof URIError)
    return new AppError(400, 'validation_failed', 'The path is not validly percent-encoded.');
  const status = (thrown as { status?: unknown }).status;
  if (status === 400) return new AppError(400, 'validation_failed', 'The request line is not valid.');
  log.error({ err: thrown, requestId, method: request.method, path }, 'request failed');
  return new AppError(
    500,
    'internal',
    'Something failed here; the log has the details under this request id.',
  );
}
