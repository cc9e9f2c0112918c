// Names in the folder of the data, and what is done to files there.
import fs from 'node:fs';
import path from 'node:path';

export const DATABASE_FILE = 'site.db';

/** Where `restore` unpacks. What is found there while no restore runs was left by one that was stopped. */
export const RESTORE_PART = 'site-restore.part';

export const asideName = (kind: 'damaged' | 'before-restore', now: number): string =>
  `site-${kind}-${new Date(now).toISOString().replace(/[:.]/g, '-')}.db`;

/** Renames the files of the store, the database last. Can be repeated after it was cut short. */
export function setAside(dir: string, file: string, name: string): void {
  for (const suffix of ['-wal', '']) {
    const from = path.join(dir, `${file}${suffix}`);
    if (fs.existsSync(from)) fs.renameSync(from, path.join(dir, `${name}${suffix}`));
  }
  fs.rmSync(path.join(dir, `${file}-shm`), { force: true });
}

/** Makes the names in a folder durable. */
export function syncDirectory(dir: string): void {
  const fd = fs.openSync(dir, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}
