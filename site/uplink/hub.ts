import type { LinkFault } from '../site-messages.ts';
import { type Outcome, readAnswer } from './answer.ts';
import type { Batch } from './batch/batch.ts';
import { type HubCallOptions, HubCalls } from './hub-calls.ts';

/** No complete answer came. `late`: a connection was made, but the answer took too long. */
export type Unreachable = { kind: 'unreachable'; fault: LinkFault; late: boolean };

/** Sends a batch to headquarters and reads its answer. */
export class Hub {
  #calls: HubCalls;
  readonly #options: HubCallOptions;

  constructor(options: HubCallOptions) {
    this.#calls = new HubCalls(options);
    this.#options = options;
  }

  async post(batch: Batch, signal: AbortSignal): Promise<Outcome | Unreachable> {
    const { body, compressed, channel } = batch;
    const http = await this.#calls.send('POST', `/api/core/uplink/${channel}`, {
      body,
      type: 'application/json',
      ...(compressed ? { encoding: 'zstd' } : {}),
      signal,
    });
    if (!('kind' in http)) return readAnswer(batch, http, this.#options.clock.now());
    const { fault, unreachable, late, retryAfterMs, skewSeconds } = http;
    return unreachable
      ? { kind: 'unreachable', fault, late }
      : { kind: 'failed', fault, retryAfterMs, skewSeconds };
  }
}
