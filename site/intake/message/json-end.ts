const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Looks for the end of a JSON object that comes in pieces, once at each byte. */
export class JsonEnd {
  #at = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /**
   * @param bytes all that has come of it so far
   * @returns the offset behind its last bracket; null: not yet
   */
  of(bytes: Buffer): number | null {
    for (; this.#at < bytes.length; this.#at += 1) {
      const byte = bytes[this.#at] as number;
      if (this.#inString) this.#readString(byte);
      else if (byte === QUOTE) this.#inString = true;
      else if (byte === 0x7b || byte === 0x5b) this.#depth += 1;
      else if (byte === 0x7d || byte === 0x5d) {
        this.#depth -= 1;
        if (this.#depth <= 0) return this.#at + 1;
      }
    }
    return null;
  }

  #readString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }
}
