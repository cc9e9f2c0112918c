// The pages of a damaged store: those of its log before those of the file itself.
import fs from 'node:fs';
import { PAGE_BYTES, type ReadPage } from './page.ts';
import { readWal } from './wal.ts';

/** Tries of one reading where the disk fails, and the pause between them, ms. Nothing else runs yet. */
const READ_TRIES = 3;
const READ_PAUSE_MS = 20;

export interface DamagedFile {
  /** Pages that there are, or should be. */
  pages: number;
  read: ReadPage;
  /** Some pages may be older than others, so that what a page leads to need not be all. */
  patchy: boolean;
  /** Pages that the disk did not give back. */
  unread(): number;
  close(): void;
}

/** @param file of the store; its log is beside it, and either may be missing */
export function openDamaged(file: string): DamagedFile {
  let unread = 0;
  const [main, wal] = [file, `${file}-wal`].map((name) =>
    fs.existsSync(name) ? fs.openSync(name, 'r') : null,
  );
  const sizeOf = (fd: number | null | undefined): number =>
    typeof fd === 'number' ? fs.fstatSync(fd).size : 0;
  const bytesAt = (fd: number | null | undefined, at: number, length: number): Buffer | null => {
    const bytes = Buffer.alloc(length);
    if (typeof fd !== 'number' || at >= sizeOf(fd)) return null;
    if (readFully(fd, bytes, at)) return bytes;
    unread += 1;
    return null;
  };
  const log = readWal(sizeOf(wal), (at, length) => bytesAt(wal, at, length));
  let pages = Math.max(Math.ceil(sizeOf(main) / PAGE_BYTES), log.pages);
  for (const page of log.offsets.keys()) pages = Math.max(pages, page);
  return {
    pages,
    patchy: log.patchy,
    read: (page) => {
      if (page < 1 || page > pages) return null;
      const offset = log.offsets.get(page);
      return offset === undefined
        ? bytesAt(main, (page - 1) * PAGE_BYTES, PAGE_BYTES)
        : bytesAt(wal, offset, PAGE_BYTES);
    },
    unread: () => unread,
    close: () => {
      for (const fd of [main, wal]) if (typeof fd === 'number') fs.closeSync(fd);
    },
  };
}

/**
 * What lies beyond the end of the file is zeros. @returns false when the disk does not give it, also when it
 * is asked again
 */
function readFully(fd: number, bytes: Buffer, at: number): boolean {
  for (let tries = 1; ; tries += 1) {
    try {
      fs.readSync(fd, bytes, 0, bytes.length, at);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
      if (tries >= READ_TRIES) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, READ_PAUSE_MS);
    }
  }
}
