import { isWhole } from '../message/message.ts';
import { formOf } from '../message/parts.ts';
import type { Part } from '../record.ts';
import { picturesExpected } from './pictures.ts';

/** How long an alarm waits for the pictures that it announces, ms. */
const WAIT_MS = 2_000;
const MAX_PICTURES = 8;
/** Bytes of them together; more of them is too many. */
const MAX_BYTES = 12 * 1024 * 1024;

export interface GatheringOptions {
  /** A document with its pictures. */
  onMessage: (parts: readonly Part[]) => Promise<void>;
  /** A picture that no document waits for: its event is written already. */
  onStray: () => void;
}

/**
 * Puts the pictures of a stream to the document before them, where that announces some. One without does not
 * wait: the next part may be hours away.
 */
export class Gathering {
  readonly #options: GatheringOptions;
  #parts: Part[] = [];
  #wanted = 0;
  #bytes = 0;
  #storing = 0;
  #timer: NodeJS.Timeout | undefined;
  /** What was handed over last; the next waits for it. */
  #before: Promise<void> = Promise.resolve();

  constructor(options: GatheringOptions) {
    this.#options = options;
  }

  /**
   * Returns when nothing is handed over any more.
   * @param brokenOff whether it may be cut: half a picture is none, and its alarm counts it as lost
   * @throws what `onMessage` throws
   */
  async add(part: Part, brokenOff = false): Promise<void> {
    const picture = formOf(part) === 'picture';
    if (picture && brokenOff && !isWhole(part) && this.#parts.length > 0) return;
    const tooMany = this.#bytes + part.body.length > MAX_BYTES;
    if (picture && (this.#parts.length === 0 || tooMany)) return this.#options.onStray();
    if (!picture) {
      this.#handOver();
      this.#wanted = Math.min(picturesExpected(part), MAX_PICTURES);
    }
    this.#parts.push(part);
    this.#bytes += part.body.length;
    if (this.#parts.length > this.#wanted) this.#handOver();
    else this.#timer ??= setTimeout(() => this.#handOver(), WAIT_MS);
    await this.#before;
  }

  /** Bytes that are not stored yet. */
  get bytes(): number {
    return this.#bytes + this.#storing;
  }

  /** The stream is over. @throws what `onMessage` throws */
  async end(): Promise<void> {
    this.#handOver();
    await this.#before;
  }

  #handOver(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const parts = this.#parts;
    if (parts.length === 0) return;
    this.#parts = [];
    const bytes = this.#bytes;
    this.#bytes = 0;
    this.#storing += bytes;
    this.#before = this.#before
      .then(() => this.#options.onMessage(parts))
      .finally(() => (this.#storing -= bytes));
    // Whoever adds next is told; after a timeout nobody waits for it yet.
    this.#before.catch(() => undefined);
  }
}
