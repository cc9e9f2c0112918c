import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { AppError, storageFull } from '../../../common/http/error.ts';
import { MARK, type OriginalPlace, storageUnavailable } from './original.ts';

/**
 * A copy that has been under way for longer than any request may take was left by a process that died, ms.
 */
const ABANDONED_MS = 3_600_000;

/** What every key begins with one of. */
const KINDS = ['kb', 'releases'];

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';

/**
 * Originals in a directory of this machine, or one that all hub processes have mounted. Invariant: what
 * stands under a key is whole and durable.
 */
export class LocalOriginals implements OriginalPlace {
  /** It may be unmounted at any time. */
  readonly lasts = false;
  #root: string;

  /** @param root made when the first original comes */
  constructor(root: string) {
    this.#root = root;
  }

  get name(): string {
    return this.#root;
  }

  mark(): Promise<string | null> {
    return this.#reached(() =>
      readFile(path.join(this.#root, MARK), 'utf8').catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return null;
        throw error;
      }),
    );
  }

  async setMark(mark: string): Promise<void> {
    await this.#reached(async () => {
      await mkdir(this.#root, { recursive: true, mode: 0o750 });
      const file = path.join(this.#root, MARK);
      await writeFile(file, mark, { flag: 'wx', mode: 0o640, flush: true }).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error;
      });
      await sync(this.#root);
    });
  }

  async holds(key: string): Promise<boolean> {
    return stat(this.#pathOf(key)).then(
      () => true,
      () => false,
    );
  }

  async put(key: string, file: string): Promise<void> {
    await this.#reached(async () => {
      const target = this.#pathOf(key);
      const folder = path.dirname(target);
      await mkdir(folder, { recursive: true, mode: 0o750 });
      await this.#sweep();
      const temporary = path.join(this.#root, 'incoming', randomUUID());
      try {
        await copyFile(file, temporary);
        await sync(temporary);
        await rename(temporary, target);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      for (let at = folder; at.startsWith(this.#root); at = path.dirname(at)) await sync(at);
    });
  }

  async open(key: string): Promise<Readable | null> {
    return this.#reading(key, {});
  }

  piece(key: string, offset: number, bytes: number): Promise<Readable | null> {
    return this.#reading(key, { start: offset, end: offset + bytes - 1 });
  }

  #reading(key: string, part: { start?: number; end?: number }): Promise<Readable | null> {
    return this.#reached(async () => {
      const file = this.#pathOf(key);
      const found = await stat(file).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return null;
        throw error;
      });
      return found?.isFile() ? createReadStream(file, part) : null;
    });
  }

  async remove(key: string): Promise<void> {
    await this.#reached(async () => {
      const file = this.#pathOf(key);
      await rm(file, { force: true });
      // Remove folders that became empty; those that other originals still use stay.
      for (
        let at = path.dirname(file);
        at !== this.#root && at.startsWith(this.#root);
        at = path.dirname(at)
      ) {
        const removed = await rmdir(at).then(
          () => true,
          (error: unknown) => {
            if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) return false;
            if (codeOf(error) === 'ENOENT') return true;
            throw error;
          },
        );
        if (!removed) break;
      }
    });
  }

  /**
   * A directory that does not exist yet holds nothing; what is in its place, or above it, must be one that
   * can be read.
   */
  async check(): Promise<void> {
    await this.#reached(async () => {
      for (let at = this.#root; ; at = path.dirname(at)) {
        try {
          await readdir(at);
          return;
        } catch (error) {
          if (codeOf(error) !== 'ENOENT' || at === path.dirname(at)) throw error;
        }
      }
    });
  }

  async *list(prefix: string): AsyncGenerator<string> {
    const folder = this.#pathOf(prefix);
    for (const document of await this.#names(folder)) {
      for (const name of await this.#names(path.join(folder, document))) yield `${prefix}${document}/${name}`;
    }
  }

  presign(): Promise<null> {
    return Promise.resolve(null);
  }

  close(): void {
    // Nothing is kept open.
  }

  /** Removes what processes left that died while they copied. */
  async #sweep(): Promise<void> {
    const incoming = path.join(this.#root, 'incoming');
    await mkdir(incoming, { recursive: true, mode: 0o750 });
    for (const name of await readdir(incoming)) {
      const file = path.join(incoming, name);
      const found = await stat(file).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return null;
        throw error;
      });
      // By the clock of the file system, as its times are.
      if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(file, { force: true });
    }
  }

  #names(folder: string): Promise<string[]> {
    return this.#reached(() =>
      readdir(folder).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return [];
        throw error;
      }),
    );
  }

  #pathOf(key: string): string {
    const full = path.join(this.#root, key);
    if (!KINDS.some((kind) => full.startsWith(path.join(this.#root, kind) + path.sep)))
      throw new Error('a key leads out of its directory');
    return full;
  }

  async #reached<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (['ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw storageFull();
      throw error instanceof AppError || codeOf(error) === '' ? error : storageUnavailable(error);
    }
  }
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
