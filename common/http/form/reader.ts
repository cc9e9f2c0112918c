import type { Route } from '../route.ts';
import type { Middleware } from '../state.ts';

/**
 * Reads forms. A program that has routes with forms brings one: koa-body, which reads them, is not for a
 * site, which has no such route and no memory for it.
 */
export interface FormReader {
  /**
   * Reads an `application/x-www-form-urlencoded` body into `ctx.state.form`, `raw` and `signed`.
   * @throws AppError 400, 413, 415
   */
  urlencoded(route: Route): Middleware;
  /**
   * Reads a `multipart/form-data` body into `ctx.state.form` and `files`; the files are gone when the request
   * is answered. @throws AppError 400, 413, 415, 503, 507
   */
  multipart(route: Route): Middleware;
}

/** For a program without forms. */
export const NO_FORMS: FormReader = {
  urlencoded: (route) => refuseRoute(route),
  multipart: (route) => refuseRoute(route),
};

function refuseRoute({ method, path }: Route): never {
  throw new Error(`${method} ${path} takes a form; this program has no reader for forms`);
}
