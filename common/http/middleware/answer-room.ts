import * as z from 'zod/mini';
import type { AnswerRoom } from '../body/answers.ts';
import type { Route } from '../route.ts';
import type { Middleware } from '../state.ts';

/** Answers below this many bytes are not held: they are with the system as soon as they are made. */
const SMALL = 64 * 1024;
/** A reader who has not taken an answer within this time is let go, ms: 8 MiB at half a megabit a second. */
const READ_WITHIN_MS = 150_000;

/** Members of answers that grow with what is stored. */
const LISTS = ['items', 'steps', 'members'];

/** Whether a route reads out a list, of which each entry may be large. */
export function answersList({ method, replies }: Route): boolean {
  const { schema } = replies[200] ?? {};
  if (method !== 'GET' || !(schema instanceof z.ZodMiniObject)) return false;
  return LISTS.some((name) => name in schema.shape);
}

/** Bounds what lists take that are being made, and that wait for their readers. */
export const answerInTurn =
  (answers: AnswerRoom): Middleware =>
  async (ctx, next) => {
    const { ip } = ctx.state;
    const made = await answers.enter(ip);
    try {
      await next();
    } finally {
      made();
    }
    const bytes = sizeOf(ctx.body);
    if (bytes < SMALL) return;
    const sent = answers.hold(ip, bytes);
    const { socket } = ctx.req;
    const late = setTimeout(() => socket.destroy(), READ_WITHIN_MS);
    ctx.res.once('close', () => {
      clearTimeout(late);
      sent();
    });
  };

const sizeOf = (body: unknown): number =>
  Buffer.isBuffer(body) ? body.length : typeof body === 'string' ? body.length : 0;
