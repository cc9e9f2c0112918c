// The HTTP layer by itself: routes of a test behind a real listener, without a store and without keys.
import type http from 'node:http';
import { systemClock } from '../../common/clock.ts';
import { createHttpApp, type HttpAppOptions } from '../../common/http/app.ts';
import { Authenticator } from '../../common/http/auth.ts';
import { BodyBudget, SITE_BODIES } from '../../common/http/body/budget.ts';
import { unauthorized } from '../../common/http/error.ts';
import { listen, type Listening } from '../../common/http/listen.ts';
import { AnswerCounts } from '../../common/http/middleware/access-log.ts';
import { type Route, route } from '../../common/http/route.ts';
import type { Logger } from '../../common/log.ts';

/** Knows nobody: for routes that are open to everybody. */
const authenticator = new Authenticator({
  adminKeys: { identify: () => null },
  refusals: { refuse: () => Promise.resolve(unauthorized('There is no key here.')) },
  keys: { live: () => null },
  sessions: { identify: () => Promise.resolve(null) },
  trustedProxies: [],
  clock: systemClock,
});

export interface AppHere extends Listening {
  url: string;
  answers: AnswerCounts;
}

export async function startApp(
  routes: readonly Route[],
  log: Logger,
  more: Partial<HttpAppOptions> = {},
): Promise<AppHere> {
  const answers = new AnswerCounts();
  const bodies = new BodyBudget(SITE_BODIES);
  const handle: http.RequestListener = createHttpApp({
    routes,
    authenticator,
    log,
    bodies,
    answers,
    trustedProxies: [],
    errorTexts: {},
    ...more,
  });
  const listening = await listen(handle, { at: { host: '127.0.0.1', port: 0 } });
  return { ...listening, answers, url: `http://127.0.0.1:${listening.port}` };
}

/** A route that is open to everybody and answers with its own name. */
export const openRoute = (
  method: Route['method'],
  path: string,
  handle: Route['handle'] = () => ({ body: { route: `${method} ${path}` } }),
): Route => ({
  ...route({
    method,
    path,
    tag: 'Test',
    access: ['public'],
    summary: 'A route of a test',
    replies: { 200: { description: 'Its name' } },
    handle: () => ({ body: {} }),
  }),
  handle,
});
