/**
 * 53-bit hash of an idempotency key within its tenant (the two lanes of cyrb53).
 * Equal hashes only name candidates; the events themselves are compared.
 */
export function hashKey(tenantCode: string, idempotencyKey: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < tenantCode.length; i += 1) {
    const unit = tenantCode.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  // Separates tenant and key, since tenant codes hold no control characters.
  a = Math.imul(a ^ 0x1_0000, 2654435761);
  b = Math.imul(b ^ 0x1_0000, 1597334677);
  for (let i = 0; i < idempotencyKey.length; i += 1) {
    const unit = idempotencyKey.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (b & 0x1f_ffff) + (a >>> 0);
}

const BITS_PER_KEY = 10;
const PROBES = 7;

/** A Bloom filter: of 100 hashes that a run does not hold it rules out about 99. */
export class Bloom {
  readonly bytes: Uint8Array;
  #bits: number;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#bits = bytes.length * 8;
  }

  static for(keys: number): Bloom {
    return new Bloom(new Uint8Array(Math.ceil((Math.max(keys, 1) * BITS_PER_KEY) / 8)));
  }

  add(hash: number): void {
    const step = stepOf(hash);
    for (let i = 0, at = hash >>> 0; i < PROBES; i += 1, at = (at + step) >>> 0) {
      const bit = at % this.#bits;
      this.bytes[bit >>> 3] = (this.bytes[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  mayHold(hash: number): boolean {
    const step = stepOf(hash);
    for (let i = 0, at = hash >>> 0; i < PROBES; i += 1, at = (at + step) >>> 0) {
      const bit = at % this.#bits;
      if (((this.bytes[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }
}

function stepOf(hash: number): number {
  return (Math.imul(Math.floor(hash / 4294967296) ^ (hash >>> 0), 0x9e3779b1) >>> 0) | 1;
}
