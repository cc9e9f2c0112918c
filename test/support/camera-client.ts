// A camera as the field has it: posts under its own keys, tries again until it is told, and hears its
// verdicts.
import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { backoffDelay } from '../../common/backoff.ts';
import { signatureMatches, type SigningKey } from '../../common/http/signing/signature.ts';
import type { Ledger } from './ledger.ts';
import { agentOptions, type Answer, jsonOf, signedCall } from './request.ts';

export interface CameraOptions {
  name: string;
  /** Address of the site. */
  url: string;
  key: SigningKey;
  ledger: Ledger;
  /** Where its verdicts go. */
  feedbackUrl?: string;
  /** Its clock, epoch milliseconds. */
  now?: () => number;
}

type CameraEvent = { idempotency_key: string } & Record<string, unknown>;

/** How long a camera goes on trying one post, milliseconds. */
const GIVE_UP_MS = 240_000;

export class CameraClient {
  readonly name: string;
  /** Posts that were sent more than once. */
  retries = 0;
  #options: CameraOptions;
  #agent = new Agent(agentOptions({ connections: 4 }));
  #count = 0;
  #startedAt: number;

  constructor(options: CameraOptions) {
    this.#options = options;
    this.name = options.name;
    this.#startedAt = (options.now ?? Date.now)();
  }

  /**
   * Makes the next `count` events and posts them, as one batch or, for one, plain, until they are
   * acknowledged.
   */
  async post(count: number): Promise<{ key: string; id: number }[]> {
    const { ledger } = this.#options;
    const events = Array.from({ length: count }, () => this.#next());
    ledger.willPost(
      this.name,
      events.map((event) => event.idempotency_key),
    );
    const body = JSON.stringify(events.length === 1 ? events[0] : { events });
    const answer = await this.#untilTaken(body);
    const { items } = jsonOf<{ items: { id: number; idempotencyKey: string }[] }>(answer);
    if (items.length !== count) ledger.oddities.push(`${items.length} items for ${count} events`);
    for (const { id, idempotencyKey } of items) ledger.wasTold(idempotencyKey, id);
    return items.map(({ id, idempotencyKey }) => ({ key: idempotencyKey, id }));
  }

  /**
   * Posts everything once more, as a camera does that lost its notes. @returns how many were taken for new
   */
  async postAllAgain(): Promise<number> {
    let fresh = 0;
    for (let from = 1; from <= this.#count; from += 500) {
      const events = Array.from({ length: Math.min(500, this.#count - from + 1) }, (_, index) =>
        this.#event(from + index),
      );
      const { items } = jsonOf<{ items: { id: number; idempotencyKey: string; duplicate: boolean }[] }>(
        await this.#untilTaken(JSON.stringify({ events })),
      );
      for (const { id, idempotencyKey, duplicate } of items) {
        this.#options.ledger.wasTold(idempotencyKey, id);
        if (!duplicate) fresh += 1;
      }
    }
    return fresh;
  }

  /**
   * Ends its connections. A camera that posts again makes new ones, which an agent that was destroyed does
   * not.
   */
  close(): void {
    const closed = this.#agent;
    this.#agent = new Agent(agentOptions({ connections: 4 }));
    void closed.destroy();
  }

  #next(): CameraEvent {
    this.#count += 1;
    return this.#event(this.#count);
  }

  #event(count: number): CameraEvent {
    const { feedbackUrl } = this.#options;
    return {
      idempotency_key: `${this.name}/${count}`,
      type: 'vehicle.intrusion',
      severity: 'high',
      camera_ref: this.name,
      title: `alarm ${count} of ${this.name}`,
      local_alert_no: `${count}`,
      occurred_at: new Date(this.#startedAt + count).toISOString(),
      payload: { box: [1, 2, 3, 4], frame: count },
      ...(feedbackUrl === undefined ? {} : { feedback_url: feedbackUrl }),
    };
  }

  async #untilTaken(body: string): Promise<Answer> {
    const { url, key, ledger, now } = this.#options;
    const end = performance.now() + GIVE_UP_MS;
    for (let tries = 1; ; tries += 1) {
      const answer = await signedCall({
        url,
        key,
        method: 'POST',
        path: '/api/core/events',
        body,
        agent: this.#agent,
        now: (now ?? Date.now)(),
      }).catch(() => null);
      if (answer?.status === 200 || answer?.status === 201) return answer;
      if (answer) {
        ledger.sawStatus(`POST /api/core/events of ${this.name}`, answer.status, answer.text);
        if (answer.status < 500)
          throw new Error(`${this.name} was answered ${answer.status}: ${answer.text.slice(0, 500)}`);
      }
      if (performance.now() > end)
        throw new Error(
          `${this.name} was not taken within ${GIVE_UP_MS} ms; last ${answer?.status ?? 'no answer'}`,
        );
      this.retries += 1;
      await pause(backoffDelay(tries, { first: 10, cap: 200, jitter: 0 }, 0));
    }
  }
}

export interface Heard {
  localAlertNo: string | null;
  eventId: number;
  verdict: string;
  by: string;
  reason: string | null;
}

/** The ear of the cameras of one node: keeps every message whose signature is good. */
export class FeedbackListener {
  readonly heard: Heard[] = [];
  readonly oddities: string[] = [];
  /** Answers with 500 while it is above 0, and counts down. */
  deafFor = 0;
  #server: http.Server;
  #key: () => SigningKey;

  constructor(key: () => SigningKey) {
    this.#key = key;
    this.#server = http.createServer((request, response) => void this.#take(request, response));
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}/verdicts?node=1`;
  }

  has(eventId: number, verdict: string): boolean {
    return this.heard.some((message) => message.eventId === eventId && message.verdict === verdict);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const { keyId, secret } = this.#key();
    const timestamp = Number(request.headers['x-core-timestamp']);
    const signed =
      request.headers['x-core-key'] === keyId &&
      signatureMatches(
        [secret],
        { timestamp, method: 'POST', target: request.url ?? '', body },
        String(request.headers['x-core-signature']),
      );
    if (!signed) this.oddities.push(`a message with a bad signature: ${body.toString('utf8')}`);
    if (this.deafFor > 0) {
      this.deafFor -= 1;
      response.writeHead(500).end();
      return;
    }
    if (signed) this.heard.push(JSON.parse(body.toString('utf8')) as Heard);
    response.writeHead(204).end();
  }
}
