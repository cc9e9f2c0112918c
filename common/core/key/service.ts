import type { Clock } from '../../clock.ts';
import type { KeyPurpose, Scope } from '../../http/access.ts';
import type { KeyLookup, LiveKey } from '../../http/auth.ts';
import { notFound } from '../../http/error.ts';
import type { Logger } from '../../log.ts';
import {
  newSecret,
  readSecret,
  SecretError,
  type SecretSources,
  type SecretVault,
} from '../../secret/secret.ts';
import type { KeyNews, KeyPort, KeyRecord } from './port.ts';

export interface KeyServiceOptions {
  keys: KeyPort;
  vault: SecretVault;
  sources: SecretSources;
  clock: Clock;
  log: Logger;
  /**
   * How long a looked-up key is believed, ms. 0 asks the store each time. Changes made in this process show
   * at once.
   */
  cacheMs: number;
  /** While it is current, a key is believed until it tells otherwise; null: nobody tells. */
  news: KeyNews | null;
}

export interface WantedKey {
  purpose: KeyPurpose;
  tenantCode: string | null;
  subject: string;
  keyId?: string | undefined;
  /** Of a consumer's key. */
  scopes?: Scope[] | undefined;
}

export interface IssuedKey {
  keyId: string;
  /** In clear, this once. */
  secret: string;
}

interface Cached {
  key: LiveKey;
  until: number;
  /** The same while the news are current. */
  untilTold: number;
}

const PREFIX: Record<KeyPurpose, string> = { node: 'fln_', site: 'fls_', consumer: 'flk_' };
const MAX_CACHED = 50_000;
/** Longest that a key is believed of which nothing is told: its secret may lie in a file, ms. */
const LONGEST_MS = 60_000;

/** Issues, rotates and removes signing keys, and looks them up for the authenticator. */
export class KeyService implements KeyLookup {
  readonly #options: KeyServiceOptions;
  #cache = new Map<string, Cached>();
  #onRemoved: ((keyId: string, actor: string) => Promise<void>) | null = null;
  /** Counts what was told, so that a key which was read meanwhile is not kept. */
  #changes = 0;

  constructor(options: KeyServiceOptions) {
    this.#options = options;
    options.news?.onKey((keyId) => this.#changed(keyId));
  }

  async issue(wanted: WantedKey, actor: string): Promise<IssuedKey> {
    const secret = newSecret(PREFIX[wanted.purpose]);
    const keyId = wanted.keyId ?? `${wanted.purpose}-${this.#options.clock.newId().slice(0, 13)}`;
    const secretRef = this.#options.vault.put(keyId, secret);
    const record: KeyRecord = {
      keyId,
      purpose: wanted.purpose,
      tenantCode: wanted.tenantCode,
      subject: wanted.subject,
      scopes: wanted.scopes ?? null,
      secretRef,
      previousRef: null,
      previousUntil: null,
      createdAt: this.#options.clock.now(),
      removedAt: null,
    };
    try {
      await this.#options.keys.add(record, actor);
    } catch (error) {
      this.#options.vault.forget(secretRef);
      throw error;
    }
    this.#changed(keyId);
    return { keyId, secret };
  }

  /** Gives a new secret; the present one works on for `overlapMs`. @throws 404 */
  async rotate(keyId: string, purpose: KeyPurpose, overlapMs: number, actor: string): Promise<IssuedKey> {
    const present = await this.#present(keyId, purpose);
    const secret = newSecret(PREFIX[purpose]);
    const secretRef = this.#options.vault.put(keyId, secret);
    const now = this.#options.clock.now();
    if (!(await this.#options.keys.rotate(keyId, secretRef, now + overlapMs, now, actor))) {
      this.#options.vault.forget(secretRef);
      throw notFound(`The key ${keyId}`);
    }
    if (present.previousRef) this.#options.vault.forget(present.previousRef);
    this.#changed(keyId);
    return { keyId, secret };
  }

  /** @param told of a key that was removed here, before the caller of `remove` hears of it */
  onRemoved(told: (keyId: string, actor: string) => Promise<void>): void {
    this.#onRemoved = told;
  }

  /** @throws 404 */
  async remove(keyId: string, purpose: KeyPurpose, actor: string): Promise<void> {
    const present = await this.#present(keyId, purpose);
    await this.#options.keys.remove(keyId, this.#options.clock.now(), actor);
    this.#changed(keyId);
    this.#options.vault.forget(present.secretRef);
    if (present.previousRef) this.#options.vault.forget(present.previousRef);
    await this.#onRemoved?.(keyId, actor);
  }

  list(purpose: KeyPurpose): Promise<KeyRecord[]> {
    return this.#options.keys.list(purpose);
  }

  live(keyId: string): LiveKey | null | Promise<LiveKey | null> {
    const cached = this.#cache.get(keyId);
    if (cached && this.#until(cached) > this.#options.clock.monotonic()) return cached.key;
    return this.#load(keyId);
  }

  #until({ until, untilTold }: Cached): number {
    return this.#options.news?.current() ? untilTold : until;
  }

  /** @param keyId null: any may have been */
  #changed(keyId: string | null): void {
    this.#changes += 1;
    if (keyId === null) this.#cache.clear();
    else this.#cache.delete(keyId);
  }

  /**
   * The newest secret of a live key, for signing what goes to its holder. null when the key is gone.
   * @throws SecretError
   */
  async signingSecret(keyId: string): Promise<string | null> {
    const key = await this.live(keyId);
    if (key && key.secrets.length === 0)
      throw new SecretError(`the secret of the key ${keyId} is unreadable`);
    return key?.secrets[0] ?? null;
  }

  /** Live keys of which a secret cannot be read, by key id. */
  async unreadable(): Promise<KeyRecord[]> {
    const found: KeyRecord[] = [];
    for (const purpose of ['node', 'site', 'consumer'] as const)
      for (const record of await this.#options.keys.list(purpose))
        if (this.#read(record).faults.length > 0) found.push(record);
    return found;
  }

  async #load(keyId: string): Promise<LiveKey | null> {
    const [changes, asked] = [this.#changes, this.#options.clock.monotonic()];
    const told = this.#options.news?.current() ?? false;
    const record = await this.#options.keys.get(keyId);
    const key = record && record.removedAt === null ? this.#open(record) : null;
    // What cannot be read is looked for again at each request: it may be put back at any time.
    if (record && key && !key.unreadable && this.#options.cacheMs > 0 && changes === this.#changes) {
      if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
      const until = Math.min(asked + this.#options.cacheMs, this.#previousEnds(record));
      const untilTold = told ? Math.min(asked + LONGEST_MS, this.#previousEnds(record)) : until;
      this.#cache.set(keyId, { key, until, untilTold });
    }
    return key;
  }

  /** Monotonic ms at which the secret before the last rotation is no longer accepted. */
  #previousEnds({ previousUntil }: KeyRecord): number {
    const left = (previousUntil ?? 0) - this.#options.clock.now();
    return left > 0 ? this.#options.clock.monotonic() + left : Infinity;
  }

  #open(record: KeyRecord): LiveKey {
    const { secrets, faults } = this.#read(record);
    for (const err of faults)
      this.#options.log.error(
        { keyId: record.keyId, err },
        'the secret of a key cannot be read; what it signs cannot be checked',
      );
    return {
      keyId: record.keyId,
      purpose: record.purpose,
      tenantCode: record.tenantCode,
      subject: record.subject,
      scopes: record.scopes ?? [],
      secrets,
      unreadable: faults.length > 0,
    };
  }

  #read({ secretRef, previousRef, previousUntil }: KeyRecord): { secrets: string[]; faults: SecretError[] } {
    const refs = [secretRef];
    if (previousRef && previousUntil !== null && previousUntil > this.#options.clock.now())
      refs.push(previousRef);
    const [secrets, faults]: [string[], SecretError[]] = [[], []];
    for (const ref of refs) {
      try {
        secrets.push(readSecret(ref, this.#options.sources));
      } catch (error) {
        if (!(error instanceof SecretError)) throw error;
        faults.push(error);
      }
    }
    return { secrets, faults };
  }

  async #present(keyId: string, purpose: KeyPurpose): Promise<KeyRecord> {
    const present = await this.#options.keys.get(keyId);
    if (!present || present.removedAt !== null || present.purpose !== purpose)
      throw notFound(`The key ${keyId}`);
    return present;
  }
}
