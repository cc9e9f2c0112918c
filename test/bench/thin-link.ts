// A link of so many bytes a second each way, for all connections together: what one sends waits behind no
// more than a packet of each other.
import { once } from 'node:events';
import net from 'node:net';

const PACKET = 1_400;

/** Packets of every connection in one direction, in turn. */
class Lane {
  #bytesPerSecond: number;
  #queues = new Map<net.Socket, { to: net.Socket; packets: Buffer[]; from: net.Socket }>();
  #busy = false;

  constructor(bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond;
  }

  send(from: net.Socket, to: net.Socket, data: Buffer): void {
    const queue = this.#queues.get(from) ?? { from, to, packets: [] };
    for (let at = 0; at < data.length; at += PACKET) queue.packets.push(data.subarray(at, at + PACKET));
    this.#queues.set(from, queue);
    from.pause();
    if (!this.#busy) this.#next();
  }

  #next(): void {
    const [first] = this.#queues.values();
    const packet = first?.packets.shift();
    this.#busy = first !== undefined;
    if (!first || !packet) return;
    // At the end of the turn; one that has nothing more may send again.
    this.#queues.delete(first.from);
    if (first.packets.length > 0) this.#queues.set(first.from, first);
    setTimeout(
      () => {
        if (first.to.writable) first.to.write(packet);
        if (first.packets.length === 0) first.from.resume();
        this.#next();
      },
      (packet.length / this.#bytesPerSecond) * 1_000,
    );
  }
}

export class ThinLink {
  #server: net.Server;
  #open = new Set<net.Socket>();

  constructor(targetPort: number, bytesPerSecond: number) {
    const [up, down] = [new Lane(bytesPerSecond), new Lane(bytesPerSecond)];
    this.#server = net.createServer((near) => {
      const far = net.connect(targetPort, '127.0.0.1');
      this.#join(near, far, up);
      this.#join(far, near, down);
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(from: net.Socket, to: net.Socket, lane: Lane): void {
    this.#open.add(from);
    from.on('data', (data: Buffer) => lane.send(from, to, data));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#open.delete(from);
      to.destroy();
    });
  }
}
