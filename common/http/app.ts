// The way of a request, from its first byte to its answer: who knows Koa reads it here from top to bottom.
// What each step does and why stands with the step, in middleware/.
import type { RequestListener } from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from '../log.ts';
import type { Authenticator } from './auth.ts';
import type { BodyBudget } from './body/budget.ts';
import { isDirect, serveDirectly } from './direct.ts';
import { COMMON_ERRORS, type ErrorTexts } from './fault/error-texts.ts';
import { type FormReader, NO_FORMS } from './form/reader.ts';
import { accessLog, type AnswerCounts } from './middleware/access-log.ts';
import { admit } from './middleware/admit.ts';
import { answerInTurn, answersList } from './middleware/answer-room.ts';
import { parseBody, readBody, readFormOrBody, reserveRoom, validateForm } from './middleware/body.ts';
import { logBrokenAnswer } from './middleware/broken-answer.ts';
import { identify, verifyCaller } from './middleware/caller.ts';
import { compressed } from './middleware/compressed.ts';
import { type ErrorForm, type ErrorLooks, errors } from './middleware/errors.ts';
import { handle } from './middleware/handle.ts';
import { holdCalls } from './middleware/held.ts';
import { requestId } from './middleware/request-id.ts';
import { answerRetries, type Retries } from './middleware/retried.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { handOverBody, settleCaller } from './middleware/streamed-body.ts';
import { readTarget } from './middleware/target.ts';
import { tellCaller } from './middleware/tell-caller.ts';
import { answerUnchanged } from './middleware/unchanged.ts';
import { refuseUnmatched } from './middleware/unmatched.ts';
import type { NetworkList } from './outbound/address.ts';
import { RefusalLog } from './refusal-log.ts';
import type { Route } from './route.ts';
import type { Middleware, RequestState } from './state.ts';

export interface HttpAppOptions {
  routes: readonly Route[];
  authenticator: Authenticator;
  log: Logger;
  bodies: BodyBudget;
  /** Counts answers for the metrics. */
  answers: AnswerCounts;
  /** Whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  trustedProxies: NetworkList;
  /** Reads forms, for routes that take them. */
  forms?: FormReader;
  /**
   * How errors look under paths of their own conventions; elsewhere they have the one form (DESIGN.md, "The
   * API").
   */
  errorForms?: readonly ErrorForm[];
  /** What the codes of errors mean in Chinese that are the program's own. */
  errorTexts: ErrorTexts;
  /** As `ErrorLooks.ofStore`. */
  storeError?: ErrorLooks['ofStore'];
  /** Knows requests that are sent again, on routes with `retryKey`. */
  retries?: Retries;
  /** Answers what no route took, before that is an error: the pages of a program that has some. */
  pages?: Middleware;
}

/** The request handler of a program, from its route table. */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const { log, answers, trustedProxies, errorForms: forms = [], errorTexts, storeError: ofStore } = options;
  const always = [
    requestId(),
    accessLog(log, answers),
    securityHeaders(trustedProxies),
    errors(log, new RefusalLog(log), { forms, texts: { ...COMMON_ERRORS, ...errorTexts }, ofStore }),
  ];
  const router = createRouter(options);
  const app = new Koa<RequestState>();
  for (const middleware of always) app.use(middleware);
  app.use(refuseUnmatched());
  if (options.pages) app.use(options.pages);
  app.use(router.routes());
  app.use(router.allowedMethods());
  app.on('error', logBrokenAnswer(log));
  const serve = app.callback();
  const direct = new Map<string | undefined, RequestListener>(
    options.routes
      .filter(isDirect)
      .map((route) => [route.path, serveDirectly(route.path, [...always, ...stepsOf(route, options)], log)]),
  );
  return (request, response) => {
    const past = request.method === 'POST' ? direct.get(request.url) : undefined;
    if (past) past(request, response);
    else void serve(request, response);
  };
}

/** Of routes that match one path the one with the fewest parameters takes the request. */
function createRouter(options: HttpAppOptions): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, exclusive: 'specificity' });
  for (const route of options.routes)
    router.register(route.path.replace(/\{(\w+)\}/g, ':$1'), [route.method], stepsOf(route, options));
  return router;
}

/** The steps of a request whose route is known. No work is done on a body before its caller is known. */
function stepsOf(route: Route, options: HttpAppOptions): Middleware[] {
  const { authenticator, bodies, trustedProxies, forms = NO_FORMS } = options;
  if (route.stream)
    return [
      identify(route, authenticator, trustedProxies),
      handOverBody(route, authenticator),
      readTarget(route),
      handle(route),
    ];
  if (route.files)
    return [
      identify(route, authenticator, trustedProxies),
      settleCaller(route, authenticator),
      readTarget(route),
      forms.multipart(route),
      ...(route.body ? [validateForm(route.body)] : []),
      handle(route),
    ];
  return [
    ...(route.heard ? [tellCaller(route.heard)] : []),
    identify(route, authenticator, trustedProxies),
    reserveRoom(route, bodies),
    route.form ? readFormOrBody(route, forms) : readBody(route),
    verifyCaller(authenticator),
    readTarget(route),
    ...(route.retryKey && options.retries ? [answerRetries(options.retries)] : []),
    ...(route.admit ? [admit(route.admit)] : []),
    ...(route.body ? [parseBody(route, route.body, bodies)] : []),
    ...(route.method === 'GET' ? [compressed(), answerUnchanged()] : []),
    ...(route.holds ? [holdCalls(route, authenticator, bodies.answers)] : []),
    ...(answersList(route) ? [answerInTurn(bodies.answers)] : []),
    handle(route),
  ];
}
