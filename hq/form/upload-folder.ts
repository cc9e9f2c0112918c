import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, readdirSync, rmSync, statSync, type WriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../common/http/error.ts';

/** Uploads under way at a time; each may take the disk of a whole file. */
const AT_ONCE = 16;
/** Folders older than this were left by a process that died, ms; no request takes as long. */
const ABANDONED_MS = 3_600_000;

/** Where the files of forms lie while their request is answered. */
export class UploadFolder {
  #dir: string;
  #underWay = 0;

  /** @param dir disposable; made here */
  constructor(dir: string) {
    this.#dir = dir;
    mkdirSync(dir, { recursive: true, mode: 0o750 });
  }

  /** Removes what earlier processes left. @param now epoch ms of the file system's clock */
  sweep(now: number): void {
    for (const name of readdirSync(this.#dir)) {
      const folder = path.join(this.#dir, name);
      const found = statSync(folder, { throwIfNoEntry: false });
      if (found && now - found.mtimeMs > ABANDONED_MS) rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Gives `work` a folder of its own, which is gone when it ends, however it ends. @throws AppError 503 */
  async during(work: (upload: Upload) => Promise<void>): Promise<void> {
    if (this.#underWay >= AT_ONCE)
      throw new AppError(
        503,
        'overloaded',
        'More files are being uploaded here at once than there is room for; send this one again later.',
        { retryAfterSeconds: 5 },
      );
    this.#underWay += 1;
    const upload = new Upload(path.join(this.#dir, randomUUID()));
    try {
      await mkdir(upload.dir, { mode: 0o700 });
      await work(upload);
    } finally {
      this.#underWay -= 1;
      await upload.remove();
    }
  }
}

/** The files of one request. */
export class Upload {
  readonly dir: string;
  #streams: WriteStream[] = [];

  constructor(dir: string) {
    this.dir = dir;
  }

  /** @param name one that was made here */
  pathOf(name: string): string {
    return path.join(this.dir, name);
  }

  create(name: string): WriteStream {
    const stream = createWriteStream(this.pathOf(name), { flags: 'wx', mode: 0o600 });
    this.#streams.push(stream);
    return stream;
  }

  /** A file that is still open would be opened or written to behind the removal. */
  async remove(): Promise<void> {
    await Promise.all(this.#streams.map(closed));
    await rm(this.dir, { recursive: true, force: true });
  }
}

/** However its writing ended: formidable hears of its errors. */
const closed = (stream: WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.closed) {
      resolve();
      return;
    }
    stream.once('close', () => resolve());
    stream.destroy();
  });
