// The public keys that releases are to be signed with, where this hub was given some.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../common/http/error.ts';

/** Files are read anew after so long, ms. */
const READ_EVERY_MS = 10_000;
/** Keys, and bytes of one file, at most. */
const MOST_KEYS = 50;
const MOST_BYTES = 16_384;

export class ReleaseKeys {
  #places: readonly string[];
  #monotonic: () => number;
  #read: { keys: KeyObject[]; at: number } | null = null;

  /** @param places files with a public key in PEM, and folders of such (`*.pem`) */
  constructor(places: readonly string[], monotonic: () => number) {
    this.#places = places;
    this.#monotonic = monotonic;
  }

  /** null: none were given. @throws AppError 503 release_keys_unreadable */
  all(): readonly KeyObject[] | null {
    if (this.#places.length === 0) return null;
    const now = this.#monotonic();
    if (this.#read && now - this.#read.at < READ_EVERY_MS) return this.#read.keys;
    const keys = this.#places.flatMap(readPlace);
    this.#read = { keys, at: now };
    return keys;
  }
}

function readPlace(place: string): KeyObject[] {
  try {
    if (!statSync(place).isDirectory()) return [readKey(place)];
    const names = readdirSync(place).filter((name) => name.endsWith('.pem'));
    return names
      .toSorted()
      .slice(0, MOST_KEYS)
      .map((name) => readKey(join(place, name)));
  } catch (cause) {
    throw unreadable(place, cause);
  }
}

function readKey(file: string): KeyObject {
  if (statSync(file).size > MOST_BYTES) throw new Error(`${file} is too large for a key`);
  const text = readFileSync(file, 'utf8');
  // A private key would be taken for its public half; it has no business here.
  if (text.includes('PRIVATE KEY')) throw new Error(`${file} is a private key`);
  const key = createPublicKey(text);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} is no Ed25519 key`);
  return key;
}

const unreadable = (place: string, cause: unknown): AppError =>
  new AppError(
    503,
    'release_keys_unreadable',
    `The keys of releases (CORE_RELEASE_KEYS, ${place}) cannot be read here: ` +
      `${cause instanceof Error ? cause.message : String(cause)}. Nothing was changed.`,
    { retryAfterSeconds: 60, cause },
  );
