import fs from 'node:fs';
import path from 'node:path';
import { assemble } from './assemble.ts';
import { readMarker, removeMarker, writeMarker, type DamageMarker } from './damage-marker.ts';
import { isDamage, StoreDamaged } from './fault.ts';
import { DATABASE_FILE, openFiles, syncDirectory } from './files.ts';
import { lockStore, type StoreLock } from './lock.ts';
import { asideName, salvage, setAside } from './salvage.ts';
import type { OpenOptions, SiteStore } from './site-store.ts';

export { DATABASE_FILE } from './files.ts';
export type { OpenOptions, SiteStore, StoreFacts } from './site-store.ts';

/**
 * Opens the store, recovers what a crash left, and migrates it.
 * @throws when another process has it open, when newer code wrote it, or when SQLite cannot recover it
 */
export async function openSiteStore(options: OpenOptions): Promise<SiteStore> {
  fs.mkdirSync(options.dir, { recursive: true });
  const lock = lockStore(path.join(options.dir, 'site.lock'));
  try {
    const marker = readMarker(options.dir);
    if (marker) return openAnew(options, lock, marker);
    try {
      return openWhole(options, lock, null);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return openAnew(options, lock, { reason: (error as Error).message, aside: null });
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openWhole(options: OpenOptions, lock: StoreLock, damaged: { file: string; reason: string } | null): SiteStore {
  const opened: { close(): void }[] = [];
  try {
    const files = openFiles(options, opened);
    const salvaged = damaged && salvage(damaged.file, files.main, damaged.reason, options.log);
    const pages = files.main.pragma('page_count', { simple: true }) as number;
    // What the WAL held is in the file by now.
    if (salvaged === null && files.settled && pages * 4096 > fs.fstatSync(files.dbFd).size) throw new StoreDamaged('the file is shorter than the store that it holds');
    return assemble(options, files, { lock, salvaged });
  } catch (error) {
    for (const part of opened.reverse()) part.close();
    throw error;
  }
}

/** The damaged store goes aside, and the site goes on with what can be read of it. */
function openAnew(options: OpenOptions, lock: StoreLock, { reason, aside: begun }: DamageMarker): SiteStore {
  const { dir, clock } = options;
  const aside = begun ?? asideName('damaged', clock.now());
  options.log.error({ reason }, 'the store is damaged; what can be read is saved into a new one, which may take a while');
  // An earlier start may have been ended in the middle of this: what it had saved so far is saved again.
  const cutShort = fs.existsSync(path.join(dir, aside));
  if (cutShort) for (const suffix of ['-wal', '-shm', '']) fs.rmSync(path.join(dir, `${DATABASE_FILE}${suffix}`), { force: true });
  else {
    writeMarker(dir, { reason, aside });
    syncDirectory(dir);
    setAside(dir, DATABASE_FILE, aside);
  }
  syncDirectory(dir);
  const store = openWhole(options, lock, { file: path.join(dir, aside), reason });
  removeMarker(dir);
  syncDirectory(dir);
  return store;
}
