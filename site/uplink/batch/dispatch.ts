import { setImmediate as nextTurnOfTheEventLoop } from 'node:timers/promises';
import type { Clock } from '../../../common/clock.ts';
import type { Logger } from '../../../common/log.ts';
import type { Outcome } from '../answer.ts';
import type { Channel } from '../channel.ts';
import type { Hub, Unreachable } from '../hub.ts';
import type { Next, Sent } from './ahead.ts';
import type { Batch } from './batch.ts';

export interface DispatchOptions {
  hub: Hub;
  channel: Channel;
  clock: Clock;
  log: Logger;
  random: () => number;
}

/** Sends a batch of events, and prepares the next one meanwhile, which may leave before the answer. */
export class Dispatch {
  readonly #options: DispatchOptions;

  constructor(options: DispatchOptions) {
    this.#options = options;
  }

  /** @returns null: it was sent ahead and not taken, and goes again with nothing before it */
  async send({ batch, sent }: Next, signal: AbortSignal): Promise<Outcome | Unreachable | null> {
    const { hub, channel } = this.#options;
    const [outcome] = await Promise.all([
      sent ? until(sent, signal) : hub.post(batch, signal),
      this.#prepareNext(batch),
    ]);
    if (!sent || signal.aborted) return outcome;
    if (outcome.kind !== 'answered') return this.#notTaken(outcome);
    channel.ahead.succeeded();
    return outcome;
  }

  #notTaken(outcome: Outcome | Unreachable): null {
    const { channel, clock, log, random } = this.#options;
    channel.ahead.halt();
    const pauseMs = channel.ahead.failed(outcome, clock.monotonic(), random());
    const { name } = channel;
    log.debug({ channel: name, outcome: outcome.kind, pauseMs }, 'a batch that was sent ahead goes again');
    return null;
  }

  async #prepareNext(batch: Batch): Promise<void> {
    const { hub, channel, clock, log } = this.#options;
    // Never more than two in memory.
    if (!batch.more || !channel.ahead.isEmpty) return;
    // Reading the store must not delay the request that is about to leave.
    await nextTurnOfTheEventLoop();
    try {
      await channel.makeReady(batch.to);
    } catch (error) {
      // The round that needs the batch reads it again, and fails if the fault lasts.
      log.warn({ err: error, channel: channel.name }, 'the next uplink batch could not be prepared');
      return;
    }
    const way = { current: batch, confirmed: channel.state.cursor, now: clock.monotonic() };
    channel.ahead.send(way, (next, signal) => hub.post(next, signal));
  }
}

/** What became of a batch that is on its way already; it is given up with the signal. */
async function until({ outcome, abort }: Sent, signal: AbortSignal): Promise<Outcome | Unreachable> {
  const giveUp = (): void => abort.abort();
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  try {
    return await outcome;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
