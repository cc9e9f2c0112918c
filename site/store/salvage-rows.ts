import Database from 'better-sqlite3';
import { isDamage, isDiskFault } from './fault.ts';

const BATCH = 500;
/** Rows beyond the first fault that are looked for when the last row of a table cannot be found. */
const MAX_BEYOND = 20_000;
/** Readings that fail in one table, after which the rest between two faults is given up; they take about ten seconds. */
const MAX_FAILURES = 500_000;
/** The same for a disk that takes its time with each, ms. */
const MAX_BETWEEN_MS = 300_000;
/** Tries of one reading where the disk fails, and the pause between them, ms. Nothing else runs yet. */
const READ_TRIES = 3;
const READ_PAUSE_MS = 20;

export interface Reading {
  damaged: Database.Database;
  name: string;
  /** Columns, as SQL. */
  list: string;
  save: (rows: unknown[][]) => void;
  /** Largest number that a row is known to have had; 0 when unknown. */
  last: number;
}

/** Newest down to the first fault, oldest up to it, then what can be read between them. @returns whether all could be read */
export function saveByRowid(reading: Reading): boolean {
  const down = walk(reading, 'DESC');
  if (down.whole) return true;
  const up = walk(reading, 'ASC');
  saveBetween(reading, up.last, Math.min(down.last - 1, Math.max(up.last + MAX_BEYOND, reading.last)));
  return false;
}

/** @returns whether the end was reached, and the last number that was read */
function walk({ damaged, name, list, save }: Reading, direction: 'ASC' | 'DESC'): { whole: boolean; last: number } {
  const up = direction === 'ASC';
  const step = attempt(() => damaged.prepare<[number, number], unknown[]>(`SELECT rowid, ${list} FROM "${name}" WHERE rowid ${up ? '>' : '<'} ? ORDER BY rowid ${direction} LIMIT ?`).raw());
  let last = up ? -1 : Number.MAX_SAFE_INTEGER;
  if (step === null) return { whole: false, last };
  for (let size = BATCH; ; ) {
    const rows = attempt(() => step.all(last, size));
    if (rows === null) {
      if (size === 1) return { whole: false, last };
      size = 1;
      continue;
    }
    if (rows.length === 0) return { whole: true, last };
    save(rows.map((row) => row.slice(1)));
    const next = Number(rows.at(-1)?.[0]);
    // A damaged page may lead back to where the walk was.
    if (up ? next <= last : next >= last) return { whole: false, last };
    last = next;
  }
}

/** Halves a stretch until what cannot be read is single rows; the newer half first. @param after exclusive @param upto inclusive */
function saveBetween({ damaged, name, list, save }: Reading, after: number, upto: number): void {
  const step = attempt(() => damaged.prepare<[number, number, number], unknown[]>(`SELECT rowid, ${list} FROM "${name}" WHERE rowid > ? AND rowid <= ? ORDER BY rowid DESC LIMIT ?`).raw());
  if (step === null) return;
  const stretches: [number, number][] = [[after, upto]];
  const end = performance.now() + MAX_BETWEEN_MS;
  for (let failures = 0; failures < MAX_FAILURES && performance.now() < end; ) {
    const [from, to] = stretches.pop() ?? [0, 0];
    if (to <= from) {
      if (stretches.length === 0) return;
      continue;
    }
    const rows = attempt(() => step.all(from, to, BATCH));
    if (rows !== null) {
      save(rows.map((row) => row.slice(1)));
      const lowest = Number(rows.at(-1)?.[0]);
      if (rows.length === BATCH && lowest <= to) stretches.push([from, lowest - 1]);
      continue;
    }
    failures += 1;
    if (to - from === 1) continue;
    const middle = from + Math.floor((to - from) / 2);
    stretches.push([from, middle], [middle, to]);
  }
}

/** Tables whose rows have no numbers are small: up to the first fault. @returns whether all could be read */
export function saveInOrder({ damaged, name, list, save }: Reading): boolean {
  const rows: unknown[][] = [];
  const read = attempt(() => {
    for (const row of damaged.prepare<[], unknown[]>(`SELECT ${list} FROM "${name}"`).raw().iterate()) {
      rows.push(row);
      if (rows.length === BATCH) save(rows.splice(0));
    }
    return true;
  });
  save(rows);
  return read === true;
}

/** null: the file does not give it back, also when a disk that fails is asked again. */
export function attempt<T>(read: () => T): T | null {
  for (let tries = 1; ; tries += 1) {
    try {
      return read();
    } catch (error) {
      if (isDiskFault(error) && tries < READ_TRIES) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, READ_PAUSE_MS);
        continue;
      }
      if (isDamage(error) || isDiskFault(error) || (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_ERROR'))) return null;
      throw error;
    }
  }
}
