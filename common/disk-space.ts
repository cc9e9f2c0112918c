import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Room on the file system that holds a folder, bytes. `freeBytes` is what an ordinary process may fill. */
export type DiskProbe = (dir: string) => { totalBytes: number; freeBytes: number };

export const probeDisk: DiskProbe = (dir) => {
  const { bsize, blocks, bavail } = statfsSync(dir);
  return { totalBytes: bsize * blocks, freeBytes: bsize * bavail };
};

/** What says nothing of the disk: this user may not, there is no such folder, or it is full. */
const NO_REFUSAL = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ENOSPC', 'EDQUOT', 'EEXIST']);

/**
 * The code with which the disk under a folder refuses a write, as one does that has worn out; null: it takes
 * it. A small file is written and removed: a file system that was closed after a fault is still listed as
 * writable.
 */
export function refusedWrite(dir: string): string | null {
  const file = path.join(dir, `.write-probe-${process.pid}`);
  try {
    const made = openSync(file, 'wx', 0o600);
    try {
      writeSync(made, '.');
    } finally {
      closeSync(made);
      rmSync(file, { force: true });
    }
    return null;
  } catch (error) {
    const { code = 'EIO' } = error as NodeJS.ErrnoException;
    return NO_REFUSAL.has(code) ? null : code;
  }
}
