import { hash } from 'node:crypto';
import type { Middleware } from '../state.ts';

/** Below this many characters the headers weigh more than what is saved. */
const LEAST = 256;

/**
 * A page asks for the same lists every few seconds: who says with `If-None-Match` what it has gets a body
 * only where that has changed. Who does not say it is answered as ever.
 */
export const answerUnchanged = (): Middleware => async (ctx, next) => {
  await next();
  const known = ctx.req.headers['if-none-match'];
  const { body } = ctx;
  if (known === undefined || ctx.method !== 'GET' || ctx.status !== 200) return;
  if (!(typeof body === 'string' || Buffer.isBuffer(body)) || body.length < LEAST) return;
  const tag = `"${hash('sha256', body).slice(0, 32)}"`;
  ctx.set({ ETag: tag });
  if (known !== tag) return;
  ctx.status = 304;
  ctx.body = null;
};
