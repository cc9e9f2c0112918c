import type { Logger } from '../../log.ts';
import type { Context } from '../state.ts';

/**
 * For Koa's event `error`: writes to the log that a streamed answer broke off. Whoever has as many bytes as
 * were announced may hang up before the stream says that it is at its end, and any other answer is whole when
 * Koa begins to send it: that its caller has gone is no fault.
 */
export const logBrokenAnswer =
  (log: Logger) =>
  (error: Error, ctx?: Context): void => {
    const sent = ctx?.state.streamedBytes;
    if (sent === undefined || sent === Number(ctx?.response.get('Content-Length'))) {
      log.debug({ err: error, requestId: ctx?.state.requestId }, 'a caller has gone');
      return;
    }
    log.warn({ err: error, requestId: ctx?.state.requestId }, 'an answer broke off');
    // Koa tells of the stream's fault and of the answer that ends with it; once is enough.
    delete ctx?.state.streamedBytes;
  };
