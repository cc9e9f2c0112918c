import { AppError } from '../error.ts';
import { shownPath } from '../shown-path.ts';
import type { Middleware } from '../state.ts';

/** Makes errors of what neither route nor page took: the router leaves 404, or sets 405, 501 and `Allow`. */
export const refuseUnmatched = (): Middleware => async (ctx, next) => {
  await next();
  if (ctx.state.route !== undefined) return;
  if (ctx.status === 501) throw new AppError(501, 'not_implemented', 'That method is not known here.');
  if (ctx.status === 405)
    throw new AppError(
      405,
      'method_not_allowed',
      `This path takes ${ctx.response.get('Allow')}; see /openapi.json.`,
    );
  if (ctx.status === 404)
    throw new AppError(
      404,
      'not_found',
      `There is nothing at ${ctx.method} ${shownPath(ctx.path).slice(0, 200)}; see /openapi.json.`,
    );
};
