import type { ApiClient } from '../../common/terminal/api.ts';
import type { Patience } from './patience.ts';
import { pause } from './pause.ts';

const CONSUMER = 'demo-analyst';
const ROUND_MS = 2_000;
/** One verdict for so many alerts. */
const EVERY = 6;

interface Batch {
  items: { id: number; kind: string; severity: string | null; title?: string }[];
  nextCursor: number;
  hasMore: boolean;
}

/** A consumer like any other: pulls by cursor, judges now and then, confirms what it has processed. */
export class Analyst {
  verdicts = 0;
  heardBack = 0;
  #api: ApiClient;
  #patience: Patience;
  #seen = 0;

  constructor(api: ApiClient, patience: Patience) {
    this.#api = api;
    this.#patience = patience;
  }

  async run(signal: AbortSignal): Promise<void> {
    let subscribed = false;
    while (!signal.aborted) {
      const more = await this.#patience.ask(async () => {
        if (!subscribed) await this.#api.call('POST', '/api/core/events/subscribe', { consumer: CONSUMER });
        subscribed = true;
        return this.#round(signal);
      });
      if (!more) await pause(ROUND_MS, signal);
    }
  }

  async #round(signal: AbortSignal): Promise<boolean> {
    const batch = await this.#api.call<Batch>('GET', `/api/core/events/since?consumer=${CONSUMER}&limit=50`);
    for (const event of batch.items) {
      if (signal.aborted) return false;
      this.#seen += 1;
      if (event.kind === 'alert' && this.#seen % EVERY === 0) await this.#judge(event);
    }
    if (batch.nextCursor > 0)
      await this.#api.call('POST', '/api/core/events/ack', { consumer: CONSUMER, cursor: batch.nextCursor });
    return batch.hasMore;
  }

  async #judge(event: Batch['items'][number]): Promise<void> {
    const real = event.severity === 'high' || event.severity === 'critical';
    const verdict = real
      ? { verdict: 'confirmed', by: CONSUMER, note: '现场已核实' }
      : { verdict: 'false_alarm', by: CONSUMER, note: '光影误报' };
    const reply = await this.#api.call<{ changed: boolean; pushedBack: boolean }>(
      'POST',
      `/api/core/events/${event.id}/verdict`,
      verdict,
    );
    if (reply.changed) this.verdicts += 1;
    if (reply.pushedBack) this.heardBack += 1;
  }
}
