import { setTimeout as sleep } from 'node:timers/promises';
import { backoffDelay } from '../../common/backoff.ts';
import { TransportError } from '../../common/http/outbound/client.ts';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { createHttpClient } from '../../hq/http-client.ts';
import { type Picture, pictureOf } from './picture.ts';
import type { SceneEvent } from './scenes.ts';

interface SenderOptions {
  siteUrl: string;
  key: SigningKey;
  now: () => number;
  note: (what: string, facts: Record<string, unknown>) => void;
}

const BACKOFF = { first: 500, cap: 30_000, jitter: 0.2 };
/** Answers after which the same picture may be taken another time. */
const LATER = new Set([401, 408, 429, 500, 502, 503, 504, 507]);
const TRIES = 20;

/** The pictures of a camera: announced with their events, and sent when the site has stored these. */
export class PictureSender {
  sent = 0;
  /** Given up: refused by the site, or tried too often. */
  lost = 0;
  #options: SenderOptions;
  #client = createHttpClient(null, { maxSockets: 1 });
  #sending: Promise<void> = Promise.resolve();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** The event with its picture announced. */
  async announce(event: SceneEvent): Promise<SceneEvent> {
    const { name, contentType, sha256, bytes } = await pictureOf(event.type, event.payload.frame);
    return { ...event, evidence: [{ name, content_type: contentType, size: bytes.length, sha256 }] };
  }

  /** Sends the picture of an event that was announced with it, after those that are under way. */
  stored(event: SceneEvent, id: number, signal: AbortSignal): void {
    this.#sending = this.#sending.then(async () =>
      this.#send(id, await pictureOf(event.type, event.payload.frame), signal),
    );
  }

  async close(): Promise<void> {
    await this.#sending;
    this.#client.close();
  }

  async #send(id: number, picture: Picture, signal: AbortSignal): Promise<void> {
    for (let tries = 1; tries <= TRIES && !signal.aborted; tries += 1) {
      const said = await this.#put(`/api/core/events/${id}/evidence/${picture.name}`, picture, signal);
      if (said === 200 || said === 201) {
        this.sent += 1;
        return;
      }
      this.#options.note('picture not taken', { id, said });
      if (typeof said === 'number' && !LATER.has(said)) break;
      const wait = backoffDelay(tries, BACKOFF, Math.random());
      await sleep(wait, undefined, { signal }).catch(() => undefined); // the signal ends the loop
    }
    this.lost += 1;
  }

  /** @returns the status, or why there was none */
  async #put(target: string, { bytes, contentType }: Picture, signal: AbortSignal): Promise<number | string> {
    const { siteUrl, key, now } = this.#options;
    try {
      const answer = await this.#client.send({
        method: 'PUT',
        url: new URL(target, siteUrl).href,
        body: bytes,
        timeoutMs: 15_000,
        signal,
        headers: { 'content-type': contentType, ...signedHeaders(key, now(), 'PUT', target, bytes) },
      });
      return answer.status;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return error.message;
    }
  }
}
