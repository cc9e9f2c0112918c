import type Database from 'better-sqlite3';
import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import { Loop } from '../../common/loop.ts';
import { formatTime } from '../../common/time.ts';
import { isDamage } from './fault.ts';

/** After a start there is enough to do. */
const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 7 * 86_400_000;
const SLICE = 100;
const PAUSE_MS = 50;

export interface IntegrityView {
  state: 'unchecked' | 'checking' | 'good' | 'damaged';
  /** When the last whole reading ended. */
  checkedAt: string | null;
  fault: string | null;
}

/**
 * Reads every row of the store, slowly, a few at a time on the store's own connection. A check by SQLite itself would hold one
 * snapshot for as long as it takes, which keeps the WAL from being restarted; and a worker costs 15 MB of memory.
 * What it finds, a reader or writer would find later: pages that SQLite cannot take apart, or that the disk does not give back.
 */
export class IntegrityCheck {
  readonly loop: Loop;
  #sqlite: Database.Database;
  #clock: Clock;
  #view: IntegrityView = { state: 'unchecked', checkedAt: null, fault: null };
  #onDamage: (error: Error) => void;
  #waited: boolean;
  #reading: Generator<void, void> | null = null;

  /** @param firstAfterMs for tests */
  constructor(parts: { sqlite: Database.Database; clock: Clock; log: Logger; onDamage: (error: Error) => void; firstAfterMs?: number }) {
    this.#sqlite = parts.sqlite;
    this.#clock = parts.clock;
    this.#onDamage = parts.onDamage;
    this.#waited = parts.firstAfterMs === 0;
    this.loop = new Loop({
      name: 'integrity', interval: EVERY_MS, log: parts.log, monotonic: () => parts.clock.monotonic(),
      round: async () => {
        if (!this.#waited) {
          this.#waited = true;
          return { again: false, pauseMs: parts.firstAfterMs ?? FIRST_AFTER_MS };
        }
        return this.round();
      },
    });
  }

  view(): IntegrityView {
    return this.#view;
  }

  /** Somebody else has come upon it. */
  found(error: Error): void {
    if (this.#view.state === 'damaged') return;
    this.#view = { state: 'damaged', checkedAt: formatTime(this.#clock.now()), fault: error.message };
    this.#onDamage(error);
  }

  /** One slice: a round over everything would look to the watchdog like one that hangs. */
  round(): { again: false; pauseMs?: number } {
    this.#view = { ...this.#view, state: 'checking' };
    this.#reading ??= this.#read();
    try {
      if (!this.#reading.next().done) return { again: false, pauseMs: PAUSE_MS };
      this.#view = { state: 'good', checkedAt: formatTime(this.#clock.now()), fault: null };
    } catch (error) {
      this.#reading = null;
      if (!isDamage(error)) throw error;
      this.found(error as Error);
    }
    this.#reading = null;
    return { again: false };
  }

  /** Every row, a slice at a time. */
  *#read(): Generator<void, void> {
    for (const { name, rowid } of tablesOf(this.#sqlite)) {
      const step = this.#sqlite.prepare<[{ at: number; limit: number }], unknown[]>(
        rowid ? `SELECT rowid, * FROM "${name}" WHERE rowid > @at ORDER BY rowid LIMIT @limit` : `SELECT * FROM "${name}" LIMIT @limit OFFSET @at`,
      ).raw();
      for (let at = rowid ? -1 : 0; ; ) {
        const rows = step.all({ at, limit: SLICE });
        if (rows.length < SLICE) break;
        at = rowid ? Number(rows.at(-1)?.[0]) : at + SLICE;
        yield;
      }
    }
  }
}

/** The tables of a store, and whether their rows have numbers. */
export function tablesOf(sqlite: Database.Database): { name: string; rowid: boolean }[] {
  const rows = sqlite.prepare<[], { name: string; wr: number }>("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  return rows.map(({ name, wr }) => ({ name, rowid: wr === 0 }));
}
