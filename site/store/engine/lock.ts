import { truncateSync } from 'node:fs';
import Database from 'better-sqlite3';
import { say } from '../../../common/message.ts';
import { type StoreFault, storeMessages } from '../store-messages.ts';
import { StoreRefused } from './refused.ts';

export interface StoreLock {
  release(): void;
}

/** Another process has the store. Its message is the fault in English. */
export class StoreInUse extends Error {
  readonly forPeople = true;
  readonly fault: StoreFault;
  constructor(fault: StoreFault, cause: unknown) {
    super(say(storeMessages, fault, 'en'), { cause });
    this.fault = fault;
  }
}

/**
 * One process per store. The lock is SQLite's own exclusive lock on an empty
 * file, so that the kernel drops it however the process ends.
 * @throws StoreInUse when another process, or another store of this process, holds it
 */
export function lockStore(path: string): StoreLock {
  const lock = tryLock(path);
  if (lock !== null) return lock;
  // Nothing is in it but the lock, and whoever held that would have been met first. Emptied and not replaced:
  // of two that start at once both must come upon the same file.
  truncateSync(path);
  const anew = tryLock(path);
  if (anew === null) throw new StoreRefused({ code: 'not_openable', params: { file: path } });
  return anew;
}

/** @returns null where the file holds something else */
function tryLock(path: string): StoreLock | null {
  const holder = new Database(path, { timeout: 0 });
  try {
    holder.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    holder.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new StoreInUse({ code: 'site_runs', params: { file: path } }, error);
    }
    if (error instanceof Database.SqliteError && ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(error.code))
      return null;
    throw error;
  }
  return { release: () => holder.close() };
}
