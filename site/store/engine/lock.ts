import Database from 'better-sqlite3';
import { say } from '../../../common/message.ts';
import { storeMessages, type StoreFault } from '../store-messages.ts';

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
  const holder = new Database(path, { timeout: 0 });
  try {
    holder.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    holder.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new StoreInUse({ code: 'site_runs', params: { file: path } }, error);
    }
    throw error;
  }
  return { release: () => holder.close() };
}
