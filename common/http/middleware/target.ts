import { readParams, readQuery } from '../query.ts';
import type { Route } from '../route.ts';
import type { Middleware } from '../state.ts';

/** Reads the parameters of the path, as the router found them, and those after the question mark. */
export const readTarget =
  (route: Route): Middleware =>
  (ctx, next) => {
    if (route.anyTarget) {
      ctx.state.params = ctx.params as Record<string, string>;
      return next();
    }
    ctx.state.params = readParams(route, (ctx.params ?? {}) as Record<string, string>);
    ctx.state.query = readQuery(route, ctx.querystring);
    return next();
  };
