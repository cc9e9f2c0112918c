import { randomBytes } from 'node:crypto';
import type { Route } from '../../common/http/route.ts';
import type { Middleware } from '../../common/http/state.ts';
import { readBuiltConsole } from './built.ts';
import { type BuiltConsole, firstName, pageFor } from './decide.ts';

const NONCE_BYTES = 16;

/**
 * Answers with the console what no route took, when a browser asks for a page. It is no part of the API, and
 * so none of its description.
 * @param folder where the console was built
 * @param routes those of the API
 */
export function consolePages(folder: string, routes: readonly Route[]): Middleware {
  const api = new Set(routes.map(({ path }) => firstName(path)));
  let built: BuiltConsole | null = readBuiltConsole(folder);
  return async (ctx, next) => {
    await next();
    if (ctx.state.route !== undefined || ctx.status !== 404) return;
    // It may have been built since.
    built ??= readBuiltConsole(folder);
    const reply = pageFor(
      {
        method: ctx.method,
        path: ctx.path,
        accept: ctx.req.headers.accept ?? '',
        acceptEncoding: String(ctx.req.headers['accept-encoding'] ?? ''),
      },
      built,
      api,
      randomBytes(NONCE_BYTES).toString('base64'),
    );
    if (reply === null) return;
    ctx.status = reply.status;
    ctx.set(reply.headers);
    ctx.body = reply.body;
  };
}
