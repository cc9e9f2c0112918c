import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { isDamage, isDiskFault, isStorageFault, type FaultLook } from './fault.ts';
import { DATABASE_FILE } from './folder.ts';

/** Pauses between looks at a disk that does not give the files back, ms. */
const PAUSES_MS = [1_000, 3_000, 6_000];
const SLICE_BYTES = 1024 ** 2;

export const faultLook: FaultLook = { readFile: readThrough, pausesMs: PAUSES_MS };

/**
 * Whether a store in which damage was found is damaged still. SQLite says "malformed" of a page that the disk did not give it for a
 * moment (SQLITE_IOERR_CORRUPTFS becomes SQLITE_CORRUPT), so that what it says once proves nothing. No connection may be open.
 * @returns what is wrong, null when the disk gives everything back and SQLite finds no fault
 */
export async function lastingFault(dir: string, look: FaultLook): Promise<string | null> {
  for (const pauseMs of [...look.pausesMs, null]) {
    const fault = readFault(dir, look) ?? structureFault(path.join(dir, DATABASE_FILE));
    if (fault === null) return null;
    if (!fault.ofDisk || pauseMs === null) return fault.message;
    await pause(pauseMs);
  }
  return null;
}

interface Fault {
  message: string;
  /** The disk may give it back later; what SQLite cannot take apart stays so. */
  ofDisk: boolean;
}

function readFault(dir: string, look: FaultLook): Fault | null {
  try {
    for (const suffix of ['', '-wal']) look.readFile(path.join(dir, `${DATABASE_FILE}${suffix}`));
    return null;
  } catch (error) {
    return { message: (error as Error).message, ofDisk: true };
  }
}

function structureFault(file: string): Fault | null {
  let db: Database.Database | null = null;
  try {
    db = new Database(file, { readonly: true });
    const found = db.pragma('quick_check(1)', { simple: true }) as string;
    return found === 'ok' ? null : { message: found, ofDisk: false };
  } catch (error) {
    if (!isDamage(error) && !isStorageFault(error)) throw error;
    return { message: (error as Error).message, ofDisk: isDiskFault(error) };
  } finally {
    db?.close();
  }
}

function readThrough(file: string): void {
  if (!fs.existsSync(file)) return;
  const fd = fs.openSync(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(SLICE_BYTES);
    for (let at = 0, bytes = 1; bytes > 0; at += bytes) bytes = fs.readSync(fd, buffer, 0, buffer.length, at);
  } finally {
    fs.closeSync(fd);
  }
}
