import { LEAST_PIECE, MAX_PIECE } from '../../../common/uplink/evidence.ts';

/**
 * Bytes of the first piece, and of the smallest: a slow link must bring one across before it breaks again.
 */
const FIRST = 64 * 1024;
const LEAST = 16 * 1024;
/** A piece that takes less than this, ms, may be larger; one that takes more is to be smaller. */
const QUICK_MS = 500;
const SLOW_MS = 5_000;
/** With a cap on the rate a piece is this long, ms, so that pieces and pauses take turns evenly. */
const CAPPED_PIECE_MS = 500;

/** How large the pieces are, and how fast they follow each other. */
export class Pace {
  readonly #cap: { readonly kbps: number | null };
  #bytes = FIRST;
  #freeAt = 0;

  /** @param cap kilobits a second, which may change; null: no cap */
  constructor(cap: { readonly kbps: number | null }) {
    this.#cap = cap;
  }

  get kbps(): number | null {
    return this.#cap.kbps;
  }

  /** Bytes of the next piece at most. */
  get pieceBytes(): number {
    const { kbps } = this;
    if (kbps === null) return this.#bytes;
    return Math.max(LEAST_PIECE, Math.min(this.#bytes, Math.floor((kbps * CAPPED_PIECE_MS) / 8)));
  }

  /** Ms until the next piece may go. @param now monotonic ms */
  wait(now: number): number {
    return Math.max(0, Math.ceil(this.#freeAt - now));
  }

  /** @param started monotonic ms, as `now` */
  sent(bytes: number, started: number, now: number): void {
    const { kbps } = this;
    if (kbps !== null) this.#freeAt = Math.max(this.#freeAt, started) + (bytes * 8) / kbps;
    if (now - started < QUICK_MS && bytes >= this.#bytes) this.#bytes = Math.min(MAX_PIECE, this.#bytes * 2);
    if (now - started > SLOW_MS) this.slower();
  }

  /** A piece did not get across. */
  slower(): void {
    this.#bytes = Math.max(LEAST, Math.floor(this.#bytes / 2));
  }
}
