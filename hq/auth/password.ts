import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../../common/http/error.ts';

/** KiB, passes, lanes: OWASP's least for argon2id. */
export interface HashCost {
  memory: number;
  passes: number;
  parallelism: number;
}

const COST: HashCost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
/**
 * Most derivations at once, each with its own memory and a thread for some 30 ms; further calls are refused.
 */
const MOST_AT_ONCE = 32;

const derive = promisify(argon2);
const STORED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Hashes passwords with argon2id, on the thread pool. Stored form: the PHC string, parameters included. */
export class PasswordHasher {
  #cost: HashCost;
  #running = 0;
  /** Compared in place of the hash of a user who does not exist; no password matches it. */
  #nobody: string;

  constructor(cost: HashCost = COST) {
    this.#cost = cost;
    this.#nobody = this.#stored(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return this.#stored(salt, await this.#derive(password, salt, this.#cost));
  }

  /**
   * @param stored null when there is no such user: the same work is done, so that the time tells nothing
   * @returns `stale` when the parameters have changed since it was stored
   * @throws AppError 503 overloaded
   */
  async verify(password: string, stored: string | null): Promise<{ right: boolean; stale: boolean }> {
    const parts = STORED.exec(stored ?? this.#nobody);
    if (!parts) throw new Error('a stored password hash is malformed');
    const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number];
    const tag = Buffer.from(parts[5] as string, 'base64');
    const given = await this.#derive(
      password,
      Buffer.from(parts[4] as string, 'base64'),
      { memory, passes, parallelism },
      tag.length,
    );
    const right = timingSafeEqual(given, tag) && stored !== null;
    const stale =
      memory !== this.#cost.memory || passes !== this.#cost.passes || parallelism !== this.#cost.parallelism;
    return { right, stale };
  }

  #stored(salt: Buffer, tag: Buffer): string {
    const { memory, passes, parallelism } = this.#cost;
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
  }

  async #derive(password: string, nonce: Buffer, cost: HashCost, tagLength = TAG_BYTES): Promise<Buffer> {
    if (this.#running >= MOST_AT_ONCE) {
      throw new AppError(503, 'overloaded', 'Too many logins at once. Try again in a moment.', {
        retryAfterSeconds: 2,
      });
    }
    this.#running += 1;
    try {
      // The same characters may be typed as different code points.
      return await derive('argon2id', {
        message: Buffer.from(password.normalize('NFKC')),
        nonce,
        tagLength,
        ...cost,
      });
    } finally {
      this.#running -= 1;
    }
  }
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
