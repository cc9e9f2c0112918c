import { STATUS_CODES } from 'node:http';
import type { Logger } from '../../log.ts';
import { lingerAfterAnswer } from '../body/linger.ts';
import { AppError } from '../error.ts';
import type { ErrorTexts } from '../fault/error-texts.ts';
import type { RefusalLog } from '../refusal-log.ts';
import { shownPath } from '../shown-path.ts';
import type { Context, Middleware } from '../state.ts';

/** How errors look under paths that have conventions of their own. */
export interface ErrorForm {
  /** Beginning of the paths. */
  prefix: string;
  render: (error: AppError, requestId: string) => { body: object; headers: Record<string, string> };
}

export interface ErrorLooks {
  forms: readonly ErrorForm[];
  /** What the codes of the program's errors mean in Chinese. */
  texts: ErrorTexts;
  /** What a caller is told of an error of the store; null: nothing, since it is the program's own fault. */
  ofStore?: ((thrown: unknown) => AppError | null) | undefined;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
/** Only who names it gets it: `*` is for the form that everybody else gets. */
const ASKS_FOR_PROBLEM =
  /(?:^|,)\s*application\/problem\+json\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))[^,]*)?(?:,|$)/i;

/**
 * Answers with the error that any middleware after it throws. What is no AppError becomes a bare 500 and goes
 * to the log; nothing of it leaves the program.
 */
export const errors =
  (log: Logger, refusals: RefusalLog, looks: ErrorLooks): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const told = thrown instanceof AppError ? thrown : (looks.ofStore?.(thrown) ?? null);
      const error = told ?? hidden(ctx, thrown, log);
      // 501 tells of the caller's method, not of a failure here.
      if (told && error.status >= 500 && error.status !== 501)
        refusals.tell(error, {
          request: ctx.req,
          requestId: ctx.state.requestId,
          path: shownPath(pathOf(ctx)),
        });
      answer(ctx, error, looks);
    }
  };

function answer(ctx: Context, error: AppError, { forms, texts }: ErrorLooks): void {
  const { requestId } = ctx.state;
  const path = pathOf(ctx);
  const form = forms.find(({ prefix }) => path.startsWith(prefix));
  const { body, headers } = form
    ? form.render(error, requestId)
    : { body: { ...error.toBody(texts), requestId }, headers: {} };
  const problem = ASKS_FOR_PROBLEM.test(ctx.req.headers.accept ?? '');
  ctx.status = error.status;
  ctx.set({ 'Content-Type': problem ? PROBLEM_TYPE : JSON_TYPE, ...headers });
  ctx.set(error.headers);
  if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
  // The rest of a refused body must not be taken for the next request.
  if (!ctx.req.complete) {
    ctx.set('Connection', 'close');
    lingerAfterAnswer(ctx.req, ctx.res);
  }
  ctx.body = JSON.stringify(problem ? { ...problemOf(error), ...body } : body);
}

/** RFC 9457; the members that errors have otherwise stand beside these. */
const problemOf = ({ status, message }: AppError): object => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail: message,
});

function hidden(ctx: Context, thrown: unknown, log: Logger): AppError {
  if (thrown instanceof URIError)
    return new AppError(400, 'validation_failed', 'The path is not validly percent-encoded.');
  const { status, code } = thrown as { status?: unknown; code?: unknown };
  if (status === 400 || code === 'ERR_INVALID_URL')
    return new AppError(400, 'validation_failed', 'The request line is not valid.');
  const { requestId } = ctx.state;
  log.error({ err: thrown, requestId, method: ctx.method, path: shownPath(pathOf(ctx)) }, 'request failed');
  return new AppError(
    500,
    'internal',
    'Something failed here; the log has the details under this request id.',
  );
}

/** The path as routes see it; what stands on the request line where that is no address. */
function pathOf(ctx: Context): string {
  try {
    return ctx.path;
  } catch {
    // Koa reads the address when it is asked for its path.
    return ctx.url;
  }
}
