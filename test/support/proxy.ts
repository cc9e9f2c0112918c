// A TCP link between two programs that can be cut, stalled, slowed and broken in the middle of a request or
// an answer.
import { once } from 'node:events';
import net from 'node:net';
import type { Random } from './random.ts';

export interface LinkQuality {
  /** Delay of each piece of data, milliseconds. */
  latencyMs?: number;
  /** Bytes per second, each way. */
  bandwidth?: number;
  /** A connection breaks, either way round, after at most this many bytes. */
  breaksWithin?: number;
}

/** Up passes on; refused resets each connection; silent takes connections and data and never answers. */
type State = 'up' | 'refused' | 'silent';

export class Link {
  /** What was cut so far, for the assertion that something was. */
  readonly counts = { connections: 0, broken: 0, answersWithheld: 0 };
  #server: net.Server;
  #target: number;
  #random: Random;
  #state: State = 'up';
  #quality: LinkQuality = {};
  #open = new Set<net.Socket>();
  #withhold: (() => void) | null = null;

  constructor(targetPort: number, random: Random) {
    this.#target = targetPort;
    this.#random = random;
    this.#server = net.createServer({ allowHalfOpen: true }, (near) => this.#accept(near));
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`;
  }

  get isUp(): boolean {
    return this.#state === 'up';
  }

  /** Breaks what runs; new connections are reset, or taken and left without an answer. */
  down(how: 'refused' | 'silent'): void {
    this.#state = how;
    if (how === 'refused') this.#breakAll();
  }

  up(quality: LinkQuality = {}): void {
    this.#state = 'up';
    this.#quality = quality;
    this.#withhold = null;
    this.#breakAll();
  }

  /** Requests still go through; resolves when the first answer to one has come and was kept back. */
  withholdAnswers(): Promise<void> {
    return new Promise((resolve) => {
      this.#withhold = resolve;
    });
  }

  async close(): Promise<void> {
    this.#breakAll();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #breakAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #accept(near: net.Socket): void {
    this.counts.connections += 1;
    this.#track(near);
    if (this.#state === 'refused') {
      near.resetAndDestroy();
      return;
    }
    if (this.#state === 'silent') {
      near.resume();
      return;
    }
    const far = net.connect({ port: this.#target, host: '127.0.0.1', allowHalfOpen: true });
    this.#track(far);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    const budget =
      this.#quality.breaksWithin === undefined ? null : this.#random.whole(1, this.#quality.breaksWithin);
    const breaksUp = this.#random.chance(0.5);
    this.#carry(near, far, breaksUp ? budget : null, false);
    this.#carry(far, near, breaksUp ? null : budget, true);
  }

  /** Pieces go one after another, so that delay and bandwidth never reorder them. */
  #carry(from: net.Socket, to: net.Socket, breaksAfter: number | null, answers: boolean): void {
    let carried = 0;
    from.on('data', (piece: Buffer) => {
      if (this.#state === 'silent') return;
      if (answers && this.#withhold) {
        this.counts.answersWithheld += 1;
        this.#withhold();
        return;
      }
      carried += piece.length;
      if (breaksAfter !== null && carried > breaksAfter) {
        this.counts.broken += 1;
        to.write(piece.subarray(0, Math.max(0, piece.length - (carried - breaksAfter))), () => to.destroy());
        return;
      }
      this.#pass(from, to, piece);
    });
    from.on('end', () => to.end());
  }

  #pass(from: net.Socket, to: net.Socket, piece: Buffer): void {
    const { latencyMs = 0, bandwidth } = this.#quality;
    const wait = latencyMs + (bandwidth === undefined ? 0 : (piece.length / bandwidth) * 1000);
    if (wait === 0) {
      to.write(piece);
      return;
    }
    from.pause();
    setTimeout(() => {
      if (to.writable) to.write(piece);
      from.resume();
    }, wait);
  }

  #track(socket: net.Socket): void {
    this.#open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#open.delete(socket));
  }
}
