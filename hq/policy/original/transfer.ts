// Originals on their way: a body into its place, and out of it again, whole and checked or not at all.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { AppError, storageFull } from '../../../common/http/error.ts';
import type { PolicyDocument } from '../record.ts';
import { keyOf, type Originals, PRESIGN_SECONDS, storageUnavailable } from './original.ts';

/** A file that is registered with its original. */
export type Registered = Pick<PolicyDocument, 'id' | 'tenantCode'> & { size: number; sha256: string };

/** Temporary files older than this were left by a process that died; no request takes as long. */
const ABANDONED_MS = 3_600_000;

export class OriginalTransfer {
  #storage: Originals;
  #dir: string;

  /** @param dir for bytes on their way; disposable */
  constructor(storage: Originals, dir: string) {
    this.#storage = storage;
    this.#dir = dir;
    mkdirSync(dir, { recursive: true, mode: 0o750 });
  }

  /** Removes what earlier processes left. @param now epoch ms of the file system's clock */
  sweep(now: number): void {
    for (const name of readdirSync(this.#dir)) {
      const file = path.join(this.#dir, name);
      const found = statSync(file, { throwIfNoEntry: false });
      if (found && now - found.mtimeMs > ABANDONED_MS) rmSync(file, { force: true });
    }
  }

  /** @throws AppError 422 original_mismatch, 503, 507; what `body` throws. Nothing is left then. */
  async take(document: Registered, body: AsyncIterable<Buffer>): Promise<void> {
    await this.takeAs(keyOf(document), document, body, () => mismatch(document));
  }

  /** The same for any file that belongs in the place. @param wrong what is thrown where it is another file */
  async takeAs(
    key: string,
    expected: { size: number; sha256: string },
    body: AsyncIterable<Buffer>,
    wrong: (found: { size: number; sha256: string }) => Error,
  ): Promise<void> {
    await this.#spooled(async (file, handle) => {
      const received = await spool(handle, body, expected.size);
      if (received.size !== expected.size || received.sha256 !== expected.sha256) throw wrong(received);
      await handle.sync();
      await this.#storage.put(key, file, expected.size);
    });
  }

  /** Whether originals can be had here. @throws AppError 503 */
  check(): Promise<void> {
    return this.#storage.check();
  }

  /** Undoes `take` where nothing names the original. */
  remove(document: Registered): Promise<void> {
    return this.removeAs(keyOf(document));
  }

  /** The same for any file that lies in the place. */
  removeAs(key: string): Promise<void> {
    return this.#storage.remove(key);
  }

  /** `bytes` of a file from `offset` on, not compared; null: it is not there. @throws AppError 503 */
  pieceOf(key: string, offset: number, bytes: number): Promise<Readable | null> {
    return this.#storage.piece(key, offset, bytes);
  }

  /**
   * The original, after every byte of it was compared with the registered digest. @throws AppError 404
   * original_missing, 500 original_damaged, 503
   */
  async give(document: Registered): Promise<Readable> {
    const source = await this.#storage.open(keyOf(document));
    if (!source)
      throw new AppError(
        404,
        'original_missing',
        'The original was received, but it is not in the store of the originals any more.',
      );
    return this.#spooled(async (file, handle) => {
      const found = await spool(handle, fromPlace(source), document.size);
      if (found.size !== document.size || found.sha256 !== document.sha256) {
        throw new AppError(
          500,
          'original_damaged',
          'The stored bytes are not those that were registered; they are not handed out. Upload the ' +
            'original under a new registration.',
        );
      }
      // The name goes when this returns; the bytes stay as long as they are read.
      return (await open(file, 'r')).createReadStream();
    });
  }

  /** @throws AppError 400 presign_unavailable; as `give` */
  async presign(document: Registered, fileName: string): Promise<string> {
    const address = await this.#storage.presign(keyOf(document), fileName, PRESIGN_SECONDS);
    if (address === null)
      throw new AppError(
        400,
        'presign_unavailable',
        'There is no public endpoint (CORE_DOC_S3_PUBLIC_ENDPOINT); fetch the bytes without presign.',
      );
    (await this.give(document)).destroy();
    return address;
  }

  async #spooled<T>(work: (file: string, handle: FileHandle) => Promise<T>): Promise<T> {
    const file = path.join(this.#dir, randomUUID());
    const handle = await open(file, 'wx+', 0o600);
    try {
      return await work(file, handle);
    } catch (error) {
      throw ['ENOSPC', 'EDQUOT'].includes((error as { code?: string }).code ?? '') ? storageFull() : error;
    } finally {
      await handle.close();
      await rm(file, { force: true });
    }
  }
}

/** Writes and measures; stops once more than `limit` bytes have come, since nothing can make that right. */
async function spool(
  handle: FileHandle,
  source: AsyncIterable<Buffer>,
  limit: number,
): Promise<{ size: number; sha256: string }> {
  const digest = createHash('sha256');
  let size = 0;
  for await (const part of source) {
    size += part.length;
    if (size > limit) break;
    digest.update(part);
    for (let at = 0; at < part.length;) at += (await handle.write(part, at)).bytesWritten;
  }
  return { size, sha256: digest.digest('hex') };
}

async function* fromPlace(source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* source as AsyncIterable<Buffer>;
  } catch (error) {
    throw storageUnavailable(error);
  }
}

const mismatch = ({ size, sha256 }: Registered): AppError =>
  new AppError(
    422,
    'original_mismatch',
    `The body is not the file that was registered: ${size} bytes with SHA-256 ${sha256}. Nothing was stored.`,
  );
