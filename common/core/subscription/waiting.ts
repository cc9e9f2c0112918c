import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { Actor } from '../../http/actor.ts';
import { type HeldCall, pageWithin } from '../../http/body/held.ts';
import type { WaitingCalls } from '../../http/body/waiting-calls.ts';
import { AppError } from '../../http/error.ts';
import type { Awaited } from './arrivals.ts';
import type { Pull, Pulled, SubscriptionService } from './service.ts';

/** A stream says something so often, ms: a proxy takes a silent connection for dead. */
const BEAT_MS = 15_000;
/** Bytes of event text in one message of a stream, which waits in memory for its reader. */
export const STREAM_TEXT = 256 * 1024;
/** A reader who has not taken a message within this time is let go, ms. */
const READ_WITHIN_MS = 60_000;
/** Where too much is being answered a stream tries again after this time, ms. */
const BUSY_MS = 2_000;

/** What is pulled, by whom, and what came of the first look. */
export interface Waiting {
  consumer: string;
  pull: Pull;
  actor: Actor;
  first: Pulled;
  call: HeldCall;
  /** How long it may take. */
  ms: number;
}

/** Pulls that wait for events, and streams of them: the batches of `since`, as soon as there are any. */
export class WaitingPulls {
  readonly #service: Pick<SubscriptionService, 'since'>;
  readonly #arrivals: WaitingCalls<Awaited>;

  constructor(service: Pick<SubscriptionService, 'since'>, arrivals: WaitingCalls<Awaited>) {
    this.#service = service;
    this.#arrivals = arrivals;
  }

  /**
   * The batch as soon as there is something in it, an empty one when the time is over.
   * @throws AppError as `since`; when the caller has gone, or would not be let in any more
   */
  batch({ consumer, pull, actor, first, call, ms }: Waiting): Promise<Pulled> {
    let newest = first;
    const look = async (after: number): Promise<Pulled> => {
      newest = await call.inTurn(() => this.#service.since(consumer, { ...pull, after }, actor));
      return newest;
    };
    const who = (): Awaited => ({ filter: newest.filter, includeTest: pull.includeTest });
    return pageWithin({ first, look, ms }, this.#arrivals.of(who), call);
  }

  /**
   * Server-sent events: each message is a batch as `since` answers it, with a position as its id; after a
   * fault one with the error, and the end.
   * @param textOf a batch as it is sent
   */
  stream(waiting: Waiting, textOf: (batch: Pulled) => string, idOf: (cursor: number) => string): Readable {
    const body = new PassThrough();
    // Whoever sends it hears of a fault.
    body.on('error', () => undefined);
    const write = async (text: string): Promise<void> => {
      const sent = waiting.call.unsent(Buffer.byteLength(text));
      try {
        if (body.write(text)) return;
        const late = AbortSignal.timeout(READ_WITHIN_MS);
        await once(body, 'drain', { signal: AbortSignal.any([waiting.call.gone, late]) });
      } finally {
        sent();
      }
    };
    void this.#follow(waiting, write, textOf, idOf).then(
      () => body.end(),
      (error: Error) => (error instanceof AppError ? body.end(errorFrame(error)) : body.destroy(error)),
    );
    return body;
  }

  async #follow(
    { consumer, pull, actor, first, call, ms }: Waiting,
    write: (text: string) => Promise<void>,
    textOf: (batch: Pulled) => string,
    idOf: (cursor: number) => string,
  ): Promise<void> {
    const end = performance.now() + ms;
    let [told, toldAt] = [first.after, performance.now()];
    await write('retry: 2000\n\n');
    for (let batch = first; ;) {
      const due = performance.now() - toldAt >= BEAT_MS;
      if (batch.items.length > 0 || (due && batch.nextCursor > told)) {
        await write(`id: ${idOf(batch.nextCursor)}\nevent: batch\ndata: ${textOf(batch)}\n\n`);
        [told, toldAt] = [batch.nextCursor, performance.now()];
      } else if (due) {
        await write(': nothing new\n\n');
        toldAt = performance.now();
      }
      if (this.#arrivals.closed || call.gone.aborted || performance.now() >= end) return;
      const left = batch.hasMore ? 0 : Math.min(toldAt + BEAT_MS, end) - performance.now();
      await this.#news(batch, pull, left, call);
      const after = batch.nextCursor;
      batch = await this.#unlessBusy(batch, call, () =>
        this.#service.since(consumer, { ...pull, after }, actor),
      );
    }
  }

  /** Waits for what is after a batch; not at all with `ms` 0. */
  async #news(batch: Pulled, { includeTest }: Pull, ms: number, call: HeldCall): Promise<void> {
    const who = { filter: batch.filter, includeTest };
    await this.#arrivals.news(who, batch.nextCursor, ms, call.gone);
    await call.check();
  }

  /** Nothing yet where too much is being answered: a stream is in no hurry. */
  async #unlessBusy(before: Pulled, call: HeldCall, look: () => Promise<Pulled>): Promise<Pulled> {
    try {
      return await call.inTurn(look);
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 503) throw error;
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
      return { ...before, items: [], hasMore: true };
    }
  }
}

const errorFrame = (error: AppError): string => `event: error\ndata: ${JSON.stringify(error.toBody())}\n\n`;
