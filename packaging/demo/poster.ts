import { backoffDelay } from '../../common/backoff.ts';
import { type OutgoingAnswer, TransportError } from '../../common/http/outbound/client.ts';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { createHttpClient } from '../../hq/http-client.ts';
import { pause } from './pause.ts';
import type { SceneEvent } from './scenes.ts';

export interface Ledger {
  made: number;
  /** Acknowledged by the site, so on its disk. */
  stored: number;
  duplicates: number;
  /** Refused for good by the site. */
  refused: number;
  /** Pushed out of the full buffer while the site was away. */
  dropped: number;
  waiting: number;
}

export interface PosterOptions {
  siteUrl: string;
  key: SigningKey;
  /** Events kept while the site cannot be reached; the oldest go first. */
  buffer: number;
  /** Events of one request. */
  batch: number;
  note: (what: string, facts: Record<string, unknown>) => void;
  onStored: (event: SceneEvent, id: number) => void;
  /** The site does not know this key with this secret, and never did since the start. */
  onWrongKey: (message: string) => void;
}

const BACKOFF = { first: 500, cap: 30_000, jitter: 0.2 };
const TARGET = '/api/core/events';
/** Refusals of the key in a row after which it counts as wrong. */
const WRONG_AFTER = 3;

/**
 * The sending half of a camera: keeps what was not acknowledged, in order, and
 * sends it again with the same keys until the site has said that it is stored.
 */
export class Poster {
  readonly ledger: Ledger = { made: 0, stored: 0, duplicates: 0, refused: 0, dropped: 0, waiting: 0 };
  #options: PosterOptions;
  #client = createHttpClient(null, { maxSockets: 2 });
  #queue: SceneEvent[] = [];
  #failures = 0;
  /** Answers in a row that found the clock off although it was just set. */
  #clockAnswers = 0;
  /** Refusals of the key in a row; null: it was taken once, so that the site may come to know it again. */
  #keyRefused: number | null = 0;
  /** Events of the request under way: they may be stored already, so they are not given up. */
  #underWay = 0;
  /** What the site's clock is ahead of ours, ms; a camera may have no clock of its own. */
  #clockOffset = 0;

  constructor(options: PosterOptions) {
    this.#options = options;
  }

  now(): number {
    return Date.now() + this.#clockOffset;
  }

  add(event: SceneEvent): void {
    this.ledger.made += 1;
    this.#queue.push(event);
    if (this.#queue.length > this.#options.buffer) {
      const [oldest] = this.#queue.splice(this.#underWay, 1);
      this.ledger.dropped += 1;
      this.#options.note('buffer is full, oldest event dropped', { key: oldest?.idempotency_key });
    }
    this.ledger.waiting = this.#queue.length;
  }

  /** Sends what waits until nothing does or the signal comes. */
  async flush(signal: AbortSignal): Promise<void> {
    while (this.#queue.length > 0 && !signal.aborted) {
      const events = this.#queue.slice(0, this.#options.batch);
      this.#underWay = events.length;
      const wait = await this.#send(events, signal);
      this.#underWay = 0;
      this.ledger.waiting = this.#queue.length;
      if (wait > 0) await pause(wait, signal);
    }
  }

  close(): void {
    this.#client.close();
  }

  /** @returns milliseconds to wait before the next try */
  async #send(events: SceneEvent[], signal: AbortSignal): Promise<number> {
    const body = JSON.stringify(events.length === 1 ? events[0] : { events });
    const { siteUrl, key } = this.#options;
    try {
      const answer = await this.#client.send({
        method: 'POST',
        url: new URL(TARGET, siteUrl).href,
        body,
        timeoutMs: 15_000,
        signal,
        headers: {
          'content-type': 'application/json',
          ...signedHeaders(key, this.now(), 'POST', TARGET, body),
        },
      });
      return this.#settle(events, answer);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return signal.aborted ? 0 : this.#later(`the site cannot be reached: ${error.message}`);
    }
  }

  #settle(events: SceneEvent[], answer: OutgoingAnswer): number {
    const body = readJson(answer.body);
    if (answer.status === 200 || answer.status === 201) return this.#stored(events, body);
    if (body.error === 'clock_skew' && typeof body.serverUnixSeconds === 'number') {
      this.#clockAnswers += 1;
      this.#clockOffset = body.serverUnixSeconds * 1000 - Date.now();
      this.#options.note('clock set by the site', { offsetMs: this.#clockOffset });
      return this.#clockAnswers > 1 ? this.#later('the site still finds the clock off') : 0;
    }
    if (body.error === 'bad_signature' && this.#keyRefused !== null) {
      this.#keyRefused += 1;
      if (this.#keyRefused >= WRONG_AFTER) this.#options.onWrongKey(String(body.message));
    }
    if (answer.status >= 500 || answer.status === 429 || answer.status === 401 || answer.status === 408) {
      return this.#later(
        `the site answered ${answer.status}: ${String(body.message)}`,
        Number(answer.headers['retry-after'] ?? 0) * 1000,
      );
    }
    this.#drop(events);
    this.ledger.refused += events.length;
    this.#options.note('REFUSED by the site', {
      status: answer.status,
      error: body.error,
      message: body.message,
      details: body.details,
    });
    return 0;
  }

  #stored(events: SceneEvent[], body: Record<string, unknown>): number {
    const items = (body.items ?? []) as { id: number; idempotencyKey: string; duplicate: boolean }[];
    const rejected = (body.rejected ?? []) as { index: number; message: string }[];
    const acknowledged = new Set(items.map((item) => item.idempotencyKey));
    const refused = new Set(rejected.map((one) => one.index));
    const settled = events.filter(
      (event, index) => acknowledged.has(event.idempotency_key) || refused.has(index),
    );
    // What the answer does not name is not known to be stored.
    if (settled.length === 0)
      return this.#later('the answer names none of the posted events; is this the address of a site?');
    this.#failures = 0;
    this.#keyRefused = null;
    this.#clockAnswers = 0;
    this.#drop(settled);
    const byKey = new Map(events.map((event) => [event.idempotency_key, event]));
    for (const item of items) {
      this.ledger.stored += 1;
      if (item.duplicate) this.ledger.duplicates += 1;
      const event = byKey.get(item.idempotencyKey);
      if (event) this.#options.onStored(event, item.id);
    }
    this.ledger.refused += rejected.length;
    for (const one of rejected) this.#options.note('REFUSED by the site', one);
    return 0;
  }

  #drop(events: SceneEvent[]): void {
    const gone = new Set(events);
    this.#queue = this.#queue.filter((event) => !gone.has(event));
  }

  #later(reason: string, atLeast = 0): number {
    this.#failures += 1;
    const pause = Math.max(atLeast, backoffDelay(this.#failures, BACKOFF, Math.random()));
    this.#options.note('will try again', { reason, inMs: pause, waiting: this.#queue.length });
    return pause;
  }
}

function readJson(body: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  } catch {
    return { message: 'an answer that is no JSON' };
  }
}
