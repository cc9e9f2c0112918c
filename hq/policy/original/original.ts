// Originals of policy files: where they lie, and how they come and go (spec 3, "Original storage").
// Packages of releases lie with them: every hub of a database has that place.
import type { Readable } from 'node:stream';
import { AppError } from '../../../common/http/error.ts';

/** Bytes of one original (spec 3, "Limits"). */
export const MAX_ORIGINAL = 25 * 1024 * 1024;
/** Validity of a presigned address, seconds. */
export const PRESIGN_SECONDS = 300;

/** Whether a place is the one of the database; `unused`: nothing was ever stored. */
export type StorageStanding = 'agreed' | 'other' | 'unused';

/**
 * A place for originals. Keys are made here only, never taken from outside. Every method throws 503
 * `originals_unavailable` when the place cannot be reached, or is another than that of the database.
 */
export interface OriginalStorage extends Originals {
  /** Throws only where that cannot be seen. */
  standing(): Promise<StorageStanding>;
}

/** A place without regard to which it is. */
export interface OriginalPlace extends Originals {
  /** Whether one that was seen to be the right one stays so while this process lives. */
  readonly lasts: boolean;
  /** What tells it from every other place; null: nothing does yet. */
  mark(): Promise<string | null>;
  setMark(mark: string): Promise<void>;
  holds(key: string): Promise<boolean>;
}

export interface Originals {
  /** The folder or bucket, as people know it. */
  readonly name: string;
  /** Resolves when the object is durable. @param file a whole local file */
  put(key: string, file: string, size: number): Promise<void>;
  /** null when there is no such object. */
  open(key: string): Promise<Readable | null>;
  /** `bytes` of it from `offset` on, which must be there; null when there is no such object. */
  piece(key: string, offset: number, bytes: number): Promise<Readable | null>;
  remove(key: string): Promise<void>;
  /** Whether it can be reached and may be listed. */
  check(): Promise<void>;
  /** Keys below a prefix that ends with `/`. */
  list(prefix: string): AsyncIterable<string>;
  /** An address to download from, or null where no public endpoint is configured. */
  presign(key: string, fileName: string, seconds: number): Promise<string | null>;
  close(): void;
}

/**
 * `kb/<tenant>/`. A tenant code may hold anything but control characters: what a path could take for more
 * than a name is written out.
 */
export function prefixOf(tenantCode: string): string {
  const safe = tenantCode
    .replace(/[%/\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/^\./, '%2E');
  return `kb/${safe}/`;
}

/** Marks a place as ours; no key begins with this name. */
export const MARK = '.fieldline-originals';

/** `kb/<tenant>/<file number>/<sha256>`. */
export function keyOf(document: { tenantCode: string; id: number; sha256: string }): string {
  if (!Number.isSafeInteger(document.id) || document.id < 1 || !/^[0-9a-f]{64}$/.test(document.sha256))
    throw new Error('not the key of an original');
  return `${prefixOf(document.tenantCode)}${document.id}/${document.sha256}`;
}

/** `releases/<version>/<sha256>`: a package of a release. */
export function packageKey({ version, sha256 }: { version: string; sha256: string }): string {
  if (!/^[0-9]+(?:\.[0-9]+){2}$/.test(version) || !/^[0-9a-f]{64}$/.test(sha256))
    throw new Error('not the key of a package');
  return `releases/${version}/${sha256}`;
}

/** The file number in a key; null for what is no key of ours. */
export function documentIdOf(key: string): number | null {
  const [, id] = /\/(\d{1,15})\/[^/]+$/.exec(key) ?? [];
  return id === undefined ? null : Number(id);
}

/** What is known of the place beside it, by which one that is not mounted is told from an empty one. */
export interface StorageMarker {
  /** The mark of the place; null before its first original. */
  mark(): Promise<string | null>;
  /** Notes a mark unless there is one. @returns the one that counts */
  adopt(mark: string): Promise<string>;
  /** Runs `work` while no other hub does what it runs so. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Any file whose original was stored; null for none. */
  anyStored(): Promise<{ id: number; tenantCode: string; sha256: string } | null>;
}

export const storageUnavailable = (cause: unknown): AppError =>
  new AppError(
    503,
    'originals_unavailable',
    'The store of the originals cannot be reached now; nothing was changed. Send the same request ' +
      'again later.',
    { retryAfterSeconds: 30, cause },
  );

export const notMounted = (): AppError =>
  new AppError(
    503,
    'originals_unavailable',
    'The folder or bucket of the originals here is not the one that they were stored in; nothing was ' +
      'changed. Mount or name that one, or copy the originals here with their mark.',
    { retryAfterSeconds: 30 },
  );
