import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

const SLOTS = 64;

export interface Slot {
  directory: string;
  release(): void;
}

/**
 * Claims a directory for the index files of one hub process. Several processes may share a data directory,
 * but none may write the file of another. The slot of a process that died is reused by the next.
 */
export function claimSlot(parent: string): Slot {
  for (let no = 0; no < SLOTS; no += 1) {
    const directory = join(parent, String(no));
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const lock = new Sqlite(join(directory, 'lock'), { timeout: 0 });
    try {
      lock.exec('begin exclusive');
      return { directory, release: () => lock.close() };
    } catch (error) {
      lock.close();
      if (!(error instanceof Sqlite.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    }
  }
  throw new Error(`all ${SLOTS} index directories under ${parent} are in use`);
}
