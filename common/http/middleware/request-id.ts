import { randomUUID } from 'node:crypto';
import type { Middleware } from '../state.ts';

/** Random: a number would tell everybody how many requests this process has had. */
export const nextRequestId = (): string => randomUUID();

/** Gives the request the id under which its answer and the log have it. */
export const requestId = (): Middleware => (ctx, next) => {
  ctx.state.requestId = nextRequestId();
  ctx.set('X-Request-Id', ctx.state.requestId);
  return next();
};
