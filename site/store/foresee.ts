// What the next start makes of the store in a folder, found out without changing anything there.
import path from 'node:path';
import Database from 'better-sqlite3';
import { holdsPages } from '../salvage/wal.ts';
import { DATABASE_FILE } from './engine/folder.ts';
import { isUnopenable, oddFile } from './engine/refused.ts';
import { hasStore, isLost } from './engine/store-note.ts';
import { readMigrations, strangeSchema } from './migrate.ts';
import type { StoreFault } from './store-messages.ts';

export { DATABASE_FILE } from './engine/folder.ts';

/**
 * `none`: it begins one; `lost`: it begins one in the place of a store that is gone; `refused`: it does not
 * start; `damaged`: it saves what can be read; `sound`: it goes on with it.
 */
export type Outlook =
  | { kind: 'none' | 'lost' | 'sound' }
  | { kind: 'refused'; fault: StoreFault }
  | { kind: 'damaged'; reason: string };

/** @param dir the folder of the data, which is there */
export function foresee(dir: string): Outlook {
  const odd = oddFile(dir);
  if (odd !== null) return { kind: 'refused', fault: odd };
  const file = path.join(dir, DATABASE_FILE);
  if (hasStore(dir)) return ofFile(file);
  if (holdsPages(`${file}-wal`)) return { kind: 'damaged', reason: `${file} is empty, and its log is not` };
  return { kind: isLost(dir) ? 'lost' : 'none' };
}

function ofFile(file: string): Outlook {
  try {
    const db = new Database(file, { readonly: true });
    try {
      const strange = strangeSchema(db, readMigrations());
      if (strange !== null) return { kind: 'refused', fault: strange };
      const fault = db.pragma('quick_check(1)', { simple: true }) as string;
      return fault === 'ok' ? { kind: 'sound' } : { kind: 'damaged', reason: fault };
    } finally {
      db.close();
    }
  } catch (error) {
    if (isUnopenable(error)) return { kind: 'refused', fault: { code: 'not_openable', params: { file } } };
    return { kind: 'damaged', reason: (error as Error).message };
  }
}
