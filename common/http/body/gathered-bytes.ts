const EMPTY: Buffer = Buffer.alloc(0);
/** Below this a piece of memory is left to the collector. */
const LARGE = 64 * 1024;
const FIRST_BYTES = 4 * 1024;

/**
 * Bytes that come in pieces, in one piece of memory that grows by doubling: each is copied a bounded number
 * of times, and however small the pieces are that a peer sends, they take no more room than their bytes. What
 * is outgrown or taken out is given back at once; the collector would see to it much later.
 */
export class GatheredBytes {
  #store: Buffer = EMPTY;
  #from = 0;
  #to = 0;
  /** Whether the memory is ours alone; a single piece is kept as it came. */
  #own = false;
  readonly #most: number;

  /** @param most bytes that are expected at most: room is not doubled past them */
  constructor(most = Infinity) {
    this.#most = most;
  }

  /** As a view, which is good until the next piece comes or something is taken out. */
  get bytes(): Buffer {
    return this.#store.subarray(this.#from, this.#to);
  }

  get length(): number {
    return this.#to - this.#from;
  }

  /** Bytes of memory that are kept for them. */
  get room(): number {
    return this.#own ? this.#store.length : this.length;
  }

  push(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.length === 0) {
      this.clear();
      this.#store = piece;
      this.#to = piece.length;
      return;
    }
    const needed = this.length + piece.length;
    if (!this.#own || this.#to + piece.length > this.#store.length) this.#move(needed);
    piece.copy(this.#store, this.#to);
    this.#to += piece.length;
  }

  /** Takes the first bytes out. */
  drop(bytes: number): void {
    this.#from += bytes;
    if (this.#from >= this.#to) this.clear();
    else if (this.#own && this.#store.length > LARGE && this.length * 4 < this.#store.length)
      this.#move(this.length);
  }

  clear(): void {
    this.#free();
    this.#store = EMPTY;
    this.#own = false;
    this.#from = 0;
    this.#to = 0;
  }

  /** All of it, in memory that is the caller's from now on; nothing is left here. */
  take(): Buffer {
    const { bytes } = this;
    const spare = this.#own && this.#store.length > LARGE && this.#to < this.#store.length;
    const mine = spare
      ? Buffer.from((this.#store.buffer as ArrayBuffer).transfer(this.#to), this.#from, this.length)
      : bytes;
    this.#own = false;
    this.clear();
    return mine;
  }

  /** @param needed bytes there must be room for */
  #move(needed: number): void {
    const { bytes, length } = this;
    const fits = this.#own && needed <= this.#store.length / 2;
    const doubled = Math.min(this.#most, Math.max(FIRST_BYTES, length * 2));
    const larger = Buffer.allocUnsafeSlow(fits ? needed : Math.max(needed, doubled));
    bytes.copy(larger);
    this.#free();
    this.#own = true;
    this.#store = larger;
    this.#to = length;
    this.#from = 0;
  }

  #free(): void {
    if (this.#own && this.#store.length > LARGE) (this.#store.buffer as ArrayBuffer).transfer(0);
  }
}
