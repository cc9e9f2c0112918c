import { hash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { CONFIGURED } from '../../http/access.ts';
import { notFound } from '../../http/error.ts';
import type { Logger } from '../../log.ts';
import { newSecret } from '../../secret/secret.ts';
import { isLive, NOTE_USE_EVERY_MS } from './decide.ts';
import type { AdminKeyPort, AdminKeyRecord } from './port.ts';

export interface AdminKeyServiceOptions {
  adminKeys: AdminKeyPort;
  /** The key of the configuration, in clear. */
  configured: string;
  clock: Clock;
  log: Logger;
  /**
   * How long a key that was found is believed, ms: another process may withdraw it. Changes made in this
   * process show at once.
   */
  cacheMs: number;
}

export interface IssuedAdminKey {
  name: string;
  /** In clear, this once. */
  secret: string;
}

const PREFIX = 'fla_';
const MADE_HERE = /^fla_[\w-]{43}$/;

/** The admin keys: the one of the configuration, and named ones beside it, of which only digests are kept. */
export class AdminKeyService {
  readonly #options: AdminKeyServiceOptions;
  #configured: Buffer;
  /** By digest. */
  #found = new Map<string, { key: AdminKeyRecord; until: number }>();
  /** Counts the changes of keys: what was read before one must not be believed after it. */
  #changes = 0;
  /** When the use of a key was noted last, by name. */
  #noted = new Map<string, number>();

  constructor(options: AdminKeyServiceOptions) {
    this.#options = options;
    this.#configured = hash('sha256', options.configured, 'buffer');
  }

  /**
   * Name of the key that this is the secret of; null for none. At once where nothing has to be read. @param
   * from address of the caller, for the last use
   */
  identify(secret: string, from: string): string | null | Promise<string | null> {
    const digest = hash('sha256', secret, 'buffer');
    if (timingSafeEqual(digest, this.#configured)) return this.#used(CONFIGURED, from);
    // Only a text in the form of a key made here is looked up, so that a guess costs no read.
    if (!MADE_HERE.test(secret)) return null;
    const hex = digest.toString('hex');
    const known = this.#found.get(hex);
    if (
      known &&
      this.#options.clock.monotonic() < known.until &&
      isLive(known.key, hex, this.#options.clock.now())
    )
      return this.#used(known.key.name, from);
    return this.#look(hex, from);
  }

  /** @throws AppError 409 key_exists */
  async issue(name: string, actor: string): Promise<IssuedAdminKey> {
    const secret = newSecret(PREFIX);
    await this.#options.adminKeys.add(
      {
        name,
        secretHash: hash('sha256', secret),
        previousHash: null,
        previousUntil: null,
        createdAt: this.#options.clock.now(),
        createdBy: actor,
        lastUsedAt: null,
        lastUsedFrom: null,
        removedAt: null,
      },
      actor,
    );
    return { name, secret };
  }

  /** Gives a new secret; the present one works on for `overlapMs`. @throws AppError 404 */
  async rotate(name: string, overlapMs: number, actor: string): Promise<IssuedAdminKey> {
    const secret = newSecret(PREFIX);
    const now = this.#options.clock.now();
    const rotated = await this.#options.adminKeys.rotate(
      name,
      hash('sha256', secret),
      now + overlapMs,
      now,
      actor,
    );
    this.#forget();
    if (!rotated) throw unknownKey(name);
    return { name, secret };
  }

  /** @throws AppError 404 */
  async remove(name: string, actor: string): Promise<void> {
    const removed = await this.#options.adminKeys.remove(name, this.#options.clock.now(), actor);
    this.#forget();
    if (!removed) throw unknownKey(name);
  }

  list(): Promise<AdminKeyRecord[]> {
    return this.#options.adminKeys.list();
  }

  async #look(hex: string, from: string): Promise<string | null> {
    const changes = this.#changes;
    const key = await this.#options.adminKeys.byHash(hex);
    if (!key || !isLive(key, hex, this.#options.clock.now())) return null;
    if (changes === this.#changes)
      this.#found.set(hex, { key, until: this.#options.clock.monotonic() + this.#options.cacheMs });
    return this.#used(key.name, from);
  }

  #forget(): void {
    this.#changes += 1;
    this.#found.clear();
  }

  /** The call neither waits for its use to be noted nor fails when the store does. */
  #used(name: string, from: string): string {
    const last = this.#noted.get(name);
    if (last !== undefined && this.#options.clock.monotonic() - last < NOTE_USE_EVERY_MS) return name;
    this.#noted.set(name, this.#options.clock.monotonic());
    this.#options.adminKeys
      .used(name, this.#options.clock.now(), from)
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error, adminKey: name }, 'the use of an admin key could not be noted'),
      );
    return name;
  }
}

const unknownKey = (name: string): Error => notFound(`The admin key ${name}`);
