// How a search is refused while its index cannot answer.
import { AppError } from '../../../common/http/error.ts';
import { ThreadFailure } from './thread.ts';

const RETRY_AFTER_S = 5;

export const stopping = (): AppError =>
  new AppError(503, 'store_closed', 'This process is stopping; send the request again.', {
    retryAfterSeconds: 1,
  });

/** Waits for work until a signal. @throws AppError 503 index_building when it takes longer */
export function within<T>(work: Promise<T>, until: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void =>
      reject(
        new AppError(503, 'index_building', 'The search index is being made; ask again shortly.', {
          retryAfterSeconds: RETRY_AFTER_S,
        }),
      );
    if (until.aborted) late();
    else until.addEventListener('abort', late, { once: true });
    work.then(resolve, reject).finally(() => until.removeEventListener('abort', late));
  });
}

/** What went wrong in a thread, as whoever searches is told. */
export function asAppError(error: unknown): unknown {
  if (!(error instanceof ThreadFailure)) return error;
  if (error.kind === 'store')
    return new AppError(503, 'store_unavailable', 'The database does not answer; ask again shortly.', {
      retryAfterSeconds: RETRY_AFTER_S,
      cause: error,
    });
  return new AppError(
    503,
    'index_building',
    'The search index cannot be used at the moment; ask again shortly.',
    { retryAfterSeconds: RETRY_AFTER_S, cause: error },
  );
}
