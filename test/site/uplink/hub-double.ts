// An HTTP hub that keeps positions and keys as the real one does, and that a test can make answer what the
// real one gives rarely.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import {
  BATCH_MISSING,
  type ChannelName,
  channelNames,
  type Decision,
  type RejectedItem,
  type UplinkRequest,
} from '../../../common/uplink/wire.ts';
import { decidePosition } from '../../../hq/receiver/decide.ts';
import { headOf } from '../../../hq/receiver/items.ts';

const unzstd = promisify(zlib.zstdDecompress);

export interface Received {
  channel: ChannelName;
  request: UplinkRequest;
  /** Event ids or change numbers. */
  positions: number[];
}

export interface Scripted {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Cut the connection: before any answer, or in the middle of one. */
  cut?: 'before' | 'within';
  /** Store the batch nonetheless: the answer is lost, not the work. */
  store?: boolean;
}

/** What to answer instead; null for the ordinary answer. */
export type Script = (received: Received) => Scripted | null | Promise<Scripted | null>;

export class HubDouble {
  readonly received: Received[] = [];
  /** Calls that are of no channel, which it does not know. */
  readonly others: string[] = [];
  /** What a poll of the inbox is answered with instead; null: it is cut off. */
  polled: ((body: Record<string, unknown>) => Promise<object | null>) | null = null;
  /** Polls of the inbox. */
  polls = 0;
  /** What arrived and was kept, by channel, in order of first arrival. */
  readonly kept: Record<ChannelName, number[]> = { events: [], verdicts: [] };
  readonly positions = new Map<string, number>();
  epoch = 'hub-1';
  /** What stands in the inbox of the site. */
  decisions: Decision[] = [];
  /** What waits beyond that. */
  waiting = 0;
  /** All that ever stood there, by their numbers. */
  #numbered: Decision[] = [];
  /** Why an item is refused; null when it is taken. */
  refuse: (channel: ChannelName, position: number) => { error: string; message: string } | null = () => null;
  script: Script = () => null;
  #server = http.createServer((request, response) => void this.#handle(request, response));
  #port = 0;
  #waiting: { done: (received: Received[]) => boolean; resolve: () => void }[] = [];

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Closes the port; `open` gives the same one again. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server = http.createServer((request, response) => void this.#handle(request, response));
  }

  requests(channel: ChannelName): Received[] {
    return this.received.filter((each) => each.channel === channel);
  }

  /** Requests with items, by their first: of two that are on their way at once either may be read first. */
  batches(channel: ChannelName): number[][] {
    return this.requests(channel)
      .map((each) => each.positions)
      .filter((positions) => positions.length > 0)
      .toSorted(([a = 0], [b = 0]) => a - b);
  }

  until(done: (received: Received[]) => boolean): Promise<void> {
    if (done(this.received)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ done, resolve }));
  }

  async #handle(incoming: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const raw = Buffer.concat(parts);
    const plain = incoming.headers['content-encoding'] === 'zstd' ? await unzstd(raw) : raw;
    if (!channelNames.some((name) => incoming.url?.endsWith(`/${name}`))) {
      if (incoming.url?.endsWith('/inbox')) {
        const said = JSON.parse(plain.toString('utf8')) as Record<string, unknown>;
        this.polls += 1;
        const body = this.polled ? await this.polled(said) : this.#inboxAfter(said);
        return answer(response, body ? { body } : { cut: 'before' });
      }
      this.others.push(`${incoming.method} ${incoming.url}`);
      response.writeHead(404).end();
      return;
    }
    const request = JSON.parse(plain.toString('utf8')) as UplinkRequest;
    const channel = channelNames.find((name) => incoming.url?.endsWith(`/${name}`)) ?? 'events';
    const positions = (request.items as { origin_id?: number; change_no?: number }[]).map(
      (item) => item.origin_id ?? item.change_no ?? 0,
    );
    const received = { channel, request, positions } as const;
    this.received.push(received);
    for (const waiter of this.#waiting.filter(({ done }) => done(this.received))) waiter.resolve();
    this.#waiting = this.#waiting.filter(({ done }) => !done(this.received));
    const scripted = await this.script(received);
    if (scripted && !scripted.store) return answer(response, scripted);
    const ordinary = this.#take(received);
    return answer(response, scripted ? { ...ordinary, ...scripted } : ordinary);
  }

  #inboxAfter({ after, hub_epoch: epoch }: Record<string, unknown>): object {
    this.#numbered.push(...this.decisions.filter((one) => !this.#numbered.includes(one)));
    const from = epoch === this.epoch ? Number(after) : 0;
    const items = this.#numbered
      .map((body, at) => ({ no: at + 1, kind: 'decision', id: body.decision_id ?? `${at}`, body }))
      .filter(({ no, body }) => no > from && this.decisions.includes(body));
    return {
      protocol: 1,
      epoch: this.epoch,
      items,
      through: items.at(-1)?.no ?? from,
      waiting: { decision: this.waiting },
      held: false,
    };
  }

  #take({ channel, request, positions }: Received): Scripted {
    const key = `${channel} ${request.epoch}`;
    const position = decidePosition(this.positions.get(key) ?? 0, headOf(request));
    if (position.kind !== 'in_step') {
      return {
        status: 409,
        body: {
          error: position.kind === 'early' ? BATCH_MISSING : position.kind,
          message: '',
          retryable: false,
          known: position.known,
          epoch: this.epoch,
        },
      };
    }
    this.positions.set(key, position.cursor);
    const rejected: RejectedItem[] = [];
    let duplicates = 0;
    for (const each of positions) {
      const refusal = this.refuse(channel, each);
      if (refusal) rejected.push({ originId: each, ...refusal });
      else if (this.kept[channel].includes(each)) duplicates += 1;
      else this.kept[channel].push(each);
    }
    const accepted = positions.length - duplicates - rejected.length;
    return {
      body: {
        protocol: 1,
        epoch: this.epoch,
        accepted,
        duplicates,
        cursor: position.cursor,
        rejected,
      },
    };
  }
}

function answer(
  response: http.ServerResponse,
  { status = 200, body = {}, headers = {}, cut }: Scripted,
): void {
  if (cut === 'before') return void response.socket?.destroy();
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  if (cut === 'within') response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
  else response.end(text);
}
