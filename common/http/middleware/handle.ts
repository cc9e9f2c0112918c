import { Readable } from 'node:stream';
import type { Reply, Route } from '../route.ts';
import type { Context, Middleware } from '../state.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/**
 * Characters of an answer from which on it is handed over as bytes, so that it is encoded once and not
 * measured first.
 */
const ENCODE_ABOVE = 16 * 1024;

/** Calls the route's handler and makes its reply Koa's answer. */
export const handle =
  (route: Route): Middleware =>
  async (ctx) => {
    const { actor, params, query, body, raw, stream, files, held, ip, requestId } = ctx.state;
    const call = { actor, params, query, body, ip, requestId, request: ctx.req };
    const more = stream ? { stream } : files ? { files } : held ? { held } : route.raw ? { raw } : null;
    reply(ctx, await route.handle(more ? { ...call, ...more } : call));
  };

function reply(ctx: Context, { status = 200, headers, contentType, body }: Reply): void {
  ctx.status = status;
  if (headers) ctx.set(headers);
  // Neither has a body; Koa sends none.
  if (status === 204 || status === 304) return;
  ctx.set('Content-Type', contentType ?? JSON_TYPE);
  if (body instanceof Readable) {
    countBytes(ctx, body);
    ctx.body = body;
    // With the head sent, a fault of the stream cuts the answer off; otherwise Koa would send its own text of
    // the fault.
    ctx.flushHeaders();
    return;
  }
  if (Buffer.isBuffer(body)) ctx.body = body;
  else ctx.body = encoded(typeof body === 'string' ? body : JSON.stringify(body));
}

const encoded = (text: string): string | Buffer => (text.length > ENCODE_ABOVE ? Buffer.from(text) : text);

/**
 * Counts what is sent. The stream is paused again at once, since a listener for `data` makes it flow; Koa
 * lets it flow when it sends it.
 */
function countBytes({ state }: Context, body: Readable): void {
  state.streamedBytes = 0;
  body.on('data', (part: Buffer | string) => {
    state.streamedBytes = (state.streamedBytes ?? 0) + Buffer.byteLength(part);
  });
  body.pause();
}
