// What a broker sends, before MQTT.js reads it: that gathers a packet whole, of up to 256 MB, and keeps each
// message of QoS 2 until the broker lets go of it (MQTT 3.1.1, 2.2.3 and 4.3.3).
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Session } from '../connection/session.ts';

/** Bytes of one message; those of these sources have a few kilobytes. */
export const MAX_MESSAGE = 1024 * 1024;
/** Bytes of any other packet, and of the head of a message: its topic has 65,535 at most. */
const MAX_HEAD = 128 * 1024;
const PUBLISH = 3;

/** A broker sends what it may not. */
export class PacketFault extends Error {
  /** MQTT.js tells of errors that have one. */
  readonly code = 'packet_fault';
}

interface Head {
  /** As it goes on. */
  bytes: Buffer;
  /** Bytes of the packet that follow, and those that are left out. */
  follow: number;
  skip: number;
}

/** Takes the payload out of messages that are too large, and lets everything else through as it is. */
export class PacketTrimmer {
  #head: number[] = [];
  #follow = 0;
  #skip = 0;
  /** Bytes of the packet that is on its way, which its reader holds. */
  #passed = 0;

  get held(): number {
    return this.#follow > 0 ? this.#passed : 0;
  }

  /** @throws PacketFault */
  trim(chunk: Buffer): Buffer {
    const out: Buffer[] = [];
    for (let at = 0; at < chunk.length;) {
      const rest = chunk.length - at;
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, rest);
        this.#skip -= skipped;
        at += skipped;
      } else if (this.#follow > 0) {
        const passed = Math.min(this.#follow, rest);
        out.push(chunk.subarray(at, at + passed));
        this.#follow -= passed;
        this.#passed += passed;
        at += passed;
      } else {
        this.#head.push(chunk[at] as number);
        at += 1;
        const head = headOf(this.#head);
        if (head) this.#begin(head, out);
      }
    }
    return Buffer.concat(out);
  }

  #begin({ bytes, follow, skip }: Head, out: Buffer[]): void {
    out.push(bytes);
    this.#head = [];
    this.#follow = follow;
    this.#skip = skip;
    this.#passed = bytes.length;
  }
}

/** null while more of it must come. @throws PacketFault */
function headOf(head: readonly number[]): Head | null {
  const last = head.at(-1) as number;
  const [type, qos] = [(head[0] as number) >> 4, ((head[0] as number) >> 1) & 3];
  if (head.length === 1) {
    if (type === PUBLISH && qos > 1) throw new PacketFault('a message has a quality that nobody asked for');
    return null;
  }
  if (head.length <= 5 && last >= 0x80 && head.slice(1).every((byte) => byte >= 0x80)) {
    if (head.length === 5) throw new PacketFault('the length of a packet is none');
    return null;
  }
  const lengthBytes = head.slice(1, 5).findIndex((byte) => byte < 0x80) + 1;
  const length = head.slice(1, 1 + lengthBytes).reduce((sum, byte, at) => sum + (byte & 0x7f) * 128 ** at, 0);
  if (type !== PUBLISH && length > MAX_HEAD) throw new PacketFault('a packet is too large');
  if (type !== PUBLISH || length <= MAX_MESSAGE) return { bytes: Buffer.from(head), follow: length, skip: 0 };
  return messageHead(head, { lengthBytes, length, qos });
}

/** Of a message that is too large: what stands before its payload, with the length that this has alone. */
function messageHead(
  head: readonly number[],
  { lengthBytes, length, qos }: { lengthBytes: number; length: number; qos: number },
): Head | null {
  const before = 1 + lengthBytes;
  if (head.length < before + 2) return null;
  const topic = (head[before] as number) * 256 + (head[before + 1] as number);
  const kept = 2 + topic + (qos > 0 ? 2 : 0);
  if (head.length < before + kept) return null;
  const sizes = kept < 128 ? [kept] : kept < 16_384 ? two(kept) : [...two(kept % 16_384, true), kept >> 14];
  const bytes = Buffer.from([head[0] as number, ...sizes, ...head.slice(before)]);
  return { bytes, follow: 0, skip: length - kept };
}

const two = (size: number, more = false): number[] => [(size & 0x7f) | 0x80, (size >> 7) | (more ? 0x80 : 0)];

/** A connection to a broker, trimmed and counted. */
export class TrimmedSocket extends Duplex {
  #socket: Socket;
  #session: Pick<Session, 'hold' | 'free'>;
  #trimmer = new PacketTrimmer();
  #counted = 0;

  constructor(socket: Socket, session: Pick<Session, 'hold' | 'free'>) {
    super();
    this.#socket = socket;
    this.#session = session;
    socket.pause();
    socket.on('data', (chunk: Buffer) => void this.#take(chunk));
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    this.#session.free(this.#counted);
    this.#counted = 0;
    done(error);
  }

  async #take(chunk: Buffer): Promise<void> {
    this.#socket.pause();
    try {
      await this.#session.hold(chunk.length);
      this.#counted += chunk.length;
      const trimmed = this.#trimmer.trim(chunk);
      const goOn = trimmed.length === 0 || this.push(trimmed);
      this.#session.free(this.#counted - this.#trimmer.held);
      this.#counted = this.#trimmer.held;
      if (goOn) this.#socket.resume();
    } catch (error) {
      this.destroy(error as Error);
    }
  }
}
