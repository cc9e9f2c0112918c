// A receiver of webhooks on real sockets that behaves as badly as its path says.
import net, { type AddressInfo } from 'node:net';

const ANSWERS: Record<string, string> = {
  reset: '',
  hang: '',
  drip: 'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n.',
  cut: 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
  noise: '\u0000\u0001 not http\r\n\r\n',
};
const BIG = 1024 ** 3;

export interface Received {
  path: string;
  head: string;
  body: string;
}

export class OddReceiver {
  readonly received: Received[] = [];
  /** Bytes of the large answer that left. */
  sent = 0;
  #server = net.createServer((socket) => this.#serve(socket));
  #sockets = new Set<net.Socket>();
  /** Requests by path that wait for their end now, and the most that ever did. */
  #open = new Map<string, { sockets: Set<net.Socket>; most: number }>();
  #timers = new Set<NodeJS.Timeout>();

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  to(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  /** The most requests to a path that were under way at once. */
  mostAtOnce(path: string): number {
    return this.#open.get(path)?.most ?? 0;
  }

  /** Breaks off every request to a path that waits for its end. */
  cut(path: string): void {
    for (const socket of this.#open.get(path)?.sockets ?? []) socket.destroy();
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #serve(socket: net.Socket): void {
    this.#sockets.add(socket);
    // A sender that has had enough hangs up; that is its right.
    socket.on('error', () => socket.destroy());
    let text = '';
    socket.on('data', (part) => {
      text += part.toString('utf8');
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (end < 0 || Buffer.byteLength(text.slice(end + 4)) < length) return;
      const [head, body] = [text.slice(0, end), text.slice(end + 4)];
      text = '';
      const path = head.split(' ')[1] ?? '';
      this.received.push({ path, head, body });
      this.#follow(socket, path);
      this.#answer(socket, path.slice(1));
    });
  }

  #follow(socket: net.Socket, path: string): void {
    const open = this.#open.get(path) ?? { sockets: new Set<net.Socket>(), most: 0 };
    this.#open.set(path, open);
    open.sockets.add(socket);
    open.most = Math.max(open.most, open.sockets.size);
    socket.once('close', () => open.sockets.delete(socket));
  }

  #answer(socket: net.Socket, how: string): void {
    const status = /^\d{3}$/.exec(how)?.[0];
    if (status)
      return void socket.end(
        `HTTP/1.1 ${status} X\r\nLocation: /200\r\nRetry-After: 45\r\nContent-Length: 2\r\nConnection: ` +
          `close\r\n\r\n${status === '204' ? '' : 'ok'}`,
      );
    if (how === 'reset') return void socket.resetAndDestroy();
    if (how === 'big') return this.#big(socket);
    socket.write(ANSWERS[how] ?? '');
    if (how === 'cut' || how === 'noise') socket.end();
    if (how === 'drip') this.#timers.add(setInterval(() => socket.writable && socket.write('.'), 50));
  }

  #big(socket: net.Socket): void {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${BIG}\r\n\r\n`);
    const more = (): void => {
      while (!socket.destroyed && this.sent < BIG) {
        this.sent += chunk.length;
        if (!socket.write(chunk)) return void socket.once('drain', more);
      }
    };
    more();
  }
}
