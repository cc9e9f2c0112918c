import { AppError } from '../error.ts';
import type { Route } from '../route.ts';
import type { Middleware } from '../state.ts';

/**
 * The caller is proven, and no work was done on the body but reading it: it waits for its turn, and keeps it
 * until the answer.
 */
export const admit =
  (enter: NonNullable<Route['admit']>): Middleware =>
  async ({ state, req }, next) => {
    const leave = await enter(state.actor, state.raw.length);
    try {
      // Nobody would hear the answer, and the same comes again.
      if (req.socket.destroyed) throw new AppError(400, 'body_incomplete', 'The caller has gone.');
      await next();
    } finally {
      leave();
    }
  };
