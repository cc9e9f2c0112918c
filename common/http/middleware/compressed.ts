import type Koa from 'koa';
import compress from 'koa-compress';
import type { Middleware } from '../state.ts';

/** Bytes from which on it is worth it. */
const LEAST = 1024;

/**
 * Answers in JSON go packed to whoever takes them so: a list of events is a tenth then, which on a telephone
 * is what a screen costs that stays open. What is streamed goes as it comes. For routes that Koa serves.
 */
export function compressed(): Middleware {
  const pack = compress({
    filter: (type) => type === 'application/json',
    threshold: LEAST,
    defaultEncoding: 'identity',
  });
  return (ctx, next) => pack(ctx as unknown as Koa.Context, next);
}
