import Database from 'better-sqlite3';

export interface StoreLock {
  release(): void;
}

/** Another process has the store. */
class StoreInUse extends Error {
  readonly forPeople = true;
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
      throw new StoreInUse(`the store is in use by another process, which holds ${path}: fieldline-site is running. Stop it first: systemctl stop fieldline-site`, { cause: error });
    }
    throw error;
  }
  return { release: () => holder.close() };
}
