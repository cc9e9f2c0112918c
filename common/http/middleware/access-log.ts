import type { Logger } from '../../log.ts';
import { counter, type Metric } from '../../metrics.ts';
import { shownPath } from '../shown-path.ts';
import type { Middleware } from '../state.ts';

/** Counts answers by method and status. There are few of either: the HTTP parser refuses other methods. */
export class AnswerCounts {
  #counts = new Map<string, Map<number, number>>();

  add(method: string, status: number): void {
    let ofMethod = this.#counts.get(method);
    // A rate is made of two readings: the first fault would be none if its figure began at one.
    if (ofMethod === undefined) this.#counts.set(method, (ofMethod = new Map([[500, 0]])));
    ofMethod.set(status, (ofMethod.get(status) ?? 0) + 1);
  }

  rows(): { labels: { method: string; status: string }; value: number }[] {
    return [...this.#counts].flatMap(([method, ofMethod]) =>
      [...ofMethod].map(([status, value]) => ({ labels: { method, status: String(status) }, value })),
    );
  }
}

/** For `/metrics`. */
export const answerMetrics = (answers: AnswerCounts): Metric[] => [
  counter('fieldline_http_answers_total', 'Answers to requests, by method and status', () => answers.rows()),
];

/**
 * Counts each answer, and writes it to the log at the level debug. The path is written without its query,
 * which may hold personal data.
 */
export const accessLog =
  (log: Logger, answers: AnswerCounts): Middleware =>
  async (ctx, next) => {
    const began = performance.now();
    await next();
    answers.add(ctx.method, ctx.status);
    if (!log.isLevelEnabled('debug')) return;
    const { requestId, ip } = ctx.state;
    log.debug(
      {
        requestId,
        ip,
        method: ctx.method,
        path: shownPath(ctx.url.split('?')[0] ?? ''),
        status: ctx.status,
        ms: Math.round(performance.now() - began),
      },
      'request answered',
    );
  };
