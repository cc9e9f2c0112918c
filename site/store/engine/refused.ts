import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { say } from '../../../common/message.ts';
import { type StoreFault, storeMessages } from '../store-messages.ts';
import { DATABASE_FILE } from './folder.ts';

/** A store that cannot or must not be opened, and is left as it is. Its message is the fault in English. */
export class StoreRefused extends Error {
  readonly forPeople = true;
  constructor(fault: StoreFault, cause?: unknown) {
    super(say(storeMessages, fault, 'en'), { cause });
  }
}

const QUIETLY = { throwIfNoEntry: false } as const;
/** What is opened as a file of the store, or read before it. */
const FILES = ['site.lock', DATABASE_FILE, 'site.db-wal', 'site.db-shm', 'site.health', 'site.lost'];

/** Something else than a file under the name of one: nobody could say what it is. null: there is none. */
export function oddFile(dir: string): StoreFault | null {
  for (const name of FILES) {
    const file = path.join(dir, name);
    // A store that is a link to nothing is odd too: what it led to may be on a disk that is not mounted.
    const link = name === DATABASE_FILE ? fs.lstatSync(file, QUIETLY) : undefined;
    const found = fs.statSync(file, QUIETLY) ?? link;
    if (found !== undefined && !found.isFile()) return { code: 'not_openable', params: { file } };
  }
  return null;
}

/** @throws StoreRefused for such a file */
export function refuseOddFiles(dir: string): void {
  const fault = oddFile(dir);
  if (fault !== null) throw new StoreRefused(fault);
}

/** SQLite is not given the file by the system; what is in it does not come into that. */
export const isUnopenable = (error: unknown): boolean =>
  error instanceof Database.SqliteError && ['SQLITE_CANTOPEN', 'SQLITE_PERM'].includes(error.code);
