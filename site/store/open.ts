import fs from 'node:fs';
import path from 'node:path';
import { salvage } from '../salvage/salvage.ts';
import { leaveRoom } from '../salvage/settle.ts';
import { holdsPages } from '../salvage/wal.ts';
import { assemble } from './assemble.ts';
import { openFiles, type StoreFiles } from './engine/files.ts';
import { asideName, DATABASE_FILE, RESTORE_PART, setAside, syncDirectory } from './engine/folder.ts';
import { lockStore, type StoreLock } from './engine/lock.ts';
import { isUnopenable, refuseOddFiles, StoreRefused } from './engine/refused.ts';
import { findLost, hasStore, type LostStore } from './engine/store-note.ts';
import { diskReads } from './engine/sync.ts';
import { StoreDamaged } from './health/fault.ts';
import { readMarker, removeMarker, writeMarker } from './health/marker.ts';
import { openSound } from './health/start.ts';
import type { OpenOptions, SiteStore } from './site-store.ts';

export { DATABASE_FILE } from './engine/folder.ts';
export type { OpenOptions, SiteStore } from './site-store.ts';

/**
 * Opens the store, recovers what a crash left, and migrates it.
 * @throws when another process has it open, when newer code wrote it, or when the disk takes nothing
 */
export async function openSiteStore(options: OpenOptions): Promise<SiteStore> {
  fs.mkdirSync(options.dir, { recursive: true });
  refuseOddFiles(options.dir);
  const lock = lockStore(path.join(options.dir, 'site.lock'));
  try {
    return await openOrSave(options, lock);
  } catch (error) {
    lock.release();
    if (isUnopenable(error)) {
      const file = path.join(options.dir, DATABASE_FILE);
      throw new StoreRefused({ code: 'not_openable', params: { file } }, error);
    }
    throw error;
  }
}

/** What was found to be damaged, by the last process or now, is looked at once more before it is given up. */
async function openOrSave(options: OpenOptions, lock: StoreLock): Promise<SiteStore> {
  const { dir, clock, log, reads = diskReads, faultPausesMs: pausesMs } = options;
  fs.rmSync(path.join(dir, RESTORE_PART), { recursive: true, force: true });
  const marker = readMarker(dir);
  const { reason, aside } = marker;
  if (reason !== null && aside !== null) return openAnew(options, lock, reason, aside);
  if (!hasStore(dir) && holdsPages(path.join(dir, `${DATABASE_FILE}-wal`))) {
    // SQLite would begin a new store and throw the log away.
    fs.closeSync(fs.openSync(path.join(dir, DATABASE_FILE), 'a'));
    return openAnew(options, lock, 'the file of the store is empty or missing, and its log is not');
  }
  const lost = findLost(dir);
  try {
    const open = (passed: string | null) => openWhole(options, lock, { passed, lost });
    return await openSound({ dir, marker, clock, log, reads, pausesMs }, open);
  } catch (error) {
    if (error instanceof StoreDamaged) return openAnew(options, lock, error.message);
    throw error;
  }
}

/**
 * @param found a damaged store that was set aside; or damage that was found and is none, and a store that is
 * gone
 */
function openWhole(
  options: OpenOptions,
  lock: StoreLock,
  found: { file: string; reason: string } | { passed: string | null; lost: LostStore | null },
): SiteStore {
  const opened: { close(): void }[] = [];
  try {
    const files = openFiles(options, opened);
    const salvaged = 'file' in found ? salvage(found.file, files.main, found.reason, options.log) : null;
    const pages = files.main.pragma('page_count', { simple: true }) as number;
    // What the WAL held is in the file by now.
    if (salvaged === null && files.settled && pages * 4096 > fs.fstatSync(files.dbFd).size)
      throw new StoreDamaged('the file is shorter than the store that it holds');
    const { passed, lost } = 'passed' in found ? found : { passed: null, lost: null };
    if (lost !== null) beginAnew(options, files, lost);
    return assemble(options, files, { lock, salvaged, passed, lost });
  } catch (error) {
    for (const part of opened.reverse()) part.close();
    throw error;
  }
}

/**
 * Ids that the lost store gave out are never given out again: evidence, tasks and people's notes go by them.
 */
function beginAnew({ log }: OpenOptions, { main }: StoreFiles, lost: LostStore): void {
  log.error({ ...lost }, 'the store of this site is gone, site.db was empty or missing; a new one is begun');
  if (main.prepare("SELECT 1 FROM meta WHERE key = 'ids_began_after'").get() === undefined)
    leaveRoom(main, lost.lastEventId);
}

/** The damaged store goes aside, and the site goes on with what can be read of it. */
function openAnew(options: OpenOptions, lock: StoreLock, reason: string, begun?: string): SiteStore {
  const { dir, clock } = options;
  const aside = begun ?? asideName('damaged', clock.now());
  options.log.error(
    { reason },
    'the store is damaged; what can be read is saved into a new one, which may take a while',
  );
  // An earlier start may have been ended in the middle of this: what it had saved so far is saved again.
  const cutShort = fs.existsSync(path.join(dir, aside));
  if (cutShort)
    for (const suffix of ['-wal', '-shm', ''])
      fs.rmSync(path.join(dir, `${DATABASE_FILE}${suffix}`), { force: true });
  else {
    writeMarker(dir, { state: 'damaged', reason, aside });
    setAside(dir, DATABASE_FILE, aside);
  }
  syncDirectory(dir);
  const store = openWhole(options, lock, { file: path.join(dir, aside), reason });
  removeMarker(dir);
  syncDirectory(dir);
  return store;
}
