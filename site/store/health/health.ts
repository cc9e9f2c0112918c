import fs from 'node:fs';
import path from 'node:path';
import type Database from 'better-sqlite3';
import type { Clock } from '../../../common/clock.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import { formatTime } from '../../../common/time.ts';
import type { ReadLayer } from '../engine/sync.ts';
import {
  decide,
  type FaultKind,
  type Health,
  type Observation,
  type Rules,
  SOUND,
  WHILE_RUNNING,
} from './decide.ts';
import { faultKind, isDiskFault } from './fault.ts';
import { markSuspect } from './marker.ts';
import { readBlocks, readRows, SLICE_BYTES } from './reader.ts';

/** After a start there is enough to do. */
const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 7 * 86_400_000;
/** Slices of blocks in one round: one over a large store would look to the watchdog like one that hangs. */
const ROUND_SLICES = 64;
const BETWEEN_BLOCKS_MS = 10;
const BETWEEN_ROWS_MS = 50;

export interface IntegrityView {
  state: 'unchecked' | 'checking' | 'good' | 'damaged';
  /** When the last whole reading ended. */
  checkedAt: string | null;
  fault: string | null;
}

/** A fault of the disk after which everything could be read and written again. */
export interface PassedFault {
  message: string;
  /** How many of them, since the store was opened. */
  count: number;
}

export interface StorageHealthParts {
  dir: string;
  sqlite: Database.Database;
  /** Open files of the store. To close another descriptor of them would drop SQLite's locks. */
  fds: readonly number[];
  reads: ReadLayer;
  /** Takes a write of its own, made durable. */
  write: () => Promise<unknown>;
  /** No more is written from now on, and the process must end. */
  giveUp: (error: Error) => void;
  clock: Clock;
  log: Logger;
  /** For tests. */
  firstAfterMs?: number | undefined;
  pausesMs?: readonly number[] | undefined;
}

/**
 * The health of the storage while the store is open. Every row is read through once a week; when the disk
 * fails a statement, every block of the files is read at once and a write is tried. What `decide` says is
 * done here: a fault that has passed is told, damage is noted for the next start and ends the process.
 */
export class StorageHealth {
  readonly loop: Loop;
  readonly #parts: StorageHealthParts;
  #onPassed: ((fault: PassedFault) => Promise<void>) | null = null;
  #rules: Rules;
  #health: Health = SOUND;
  #view: IntegrityView = { state: 'unchecked', checkedAt: null, fault: null };
  /** Monotonic ms when every row is to be read again. */
  #rowsDueAt: number;
  #rows: Generator<void, void> | null = null;
  #blocks: AsyncGenerator<void, void> | null = null;

  constructor(parts: StorageHealthParts) {
    this.#parts = parts;
    this.#rules = { ...WHILE_RUNNING, pausesMs: parts.pausesMs ?? WHILE_RUNNING.pausesMs };
    const monotonic = () => parts.clock.monotonic();
    this.#rowsDueAt = monotonic() + (parts.firstAfterMs ?? FIRST_AFTER_MS);
    this.loop = new Loop({
      name: 'storage health',
      interval: EVERY_MS,
      log: parts.log,
      monotonic,
      round: (signal) => this.round(signal),
    });
  }

  /** @param onPassed called when a fault has passed */
  start(onPassed?: (fault: PassedFault) => Promise<void>): void {
    this.#onPassed = onPassed ?? null;
    this.loop.start();
  }

  view(): IntegrityView {
    return this.#view;
  }

  /** A statement met a fault, whoever ran it. */
  statementFailed(error: Error, fault: FaultKind): void {
    const before = this.#health.state;
    this.#observe({ kind: 'statement failed', fault, message: error.message }, error);
    if (before !== 'sound' || this.#health.state !== 'suspect') return;
    this.#parts.log.error({ err: error }, 'the disk failed; the files of the store are looked at');
    this.loop.kick();
  }

  async round(signal: AbortSignal): Promise<RoundResult> {
    if (this.#health.state === 'damaged') return { again: false };
    if (this.#health.state === 'suspect') return this.#look(signal);
    const waitMs = this.#rowsDueAt - this.#parts.clock.monotonic();
    return waitMs > 0 ? { again: false, pauseMs: waitMs } : this.#readRows();
  }

  /** One slice of rows. */
  #readRows(): RoundResult {
    this.#view = { ...this.#view, state: 'checking' };
    this.#rows ??= readRows(this.#parts.sqlite);
    try {
      if (!this.#rows.next().done) return { again: false, pauseMs: BETWEEN_ROWS_MS };
      this.#view = { state: 'good', checkedAt: formatTime(this.#parts.clock.now()), fault: null };
      this.#rowsDueAt = this.#parts.clock.monotonic() + EVERY_MS;
    } catch (error) {
      this.#rows = null;
      // The connection has told of it; once that has passed the reading begins again.
      if (faultKind(error) === null) throw error;
      return { again: true };
    }
    this.#rows = null;
    return { again: false };
  }

  /** A stretch of the files, and at their end a write. */
  async #look(signal: AbortSignal): Promise<RoundResult> {
    const { fds, reads, log, dir } = this.#parts;
    const reason = this.#health.reason;
    try {
      this.#blocks ??= readBlocks(fds, reads);
      for (let slices = 0; !(await this.#blocks.next()).done;) {
        slices += 1;
        if (slices === ROUND_SLICES || signal.aborted) return { again: false, pauseMs: BETWEEN_BLOCKS_MS };
      }
      this.#blocks = null;
      await this.#tryWrite();
    } catch (error) {
      this.#blocks = null;
      const takesFiles = diskTakesFiles(dir);
      if (!takesFiles) log.error({ err: error }, 'the disk takes nothing at all; it is waited for');
      const { message } = error as Error;
      return this.#observe({ kind: 'look failed', fault: 'disk', message, takesFiles }, error as Error);
    }
    const next = this.#observe({ kind: 'look passed' });
    if (this.#health.state !== 'sound') return next;
    const passed = { message: reason ?? '', count: this.#health.cleared };
    log.warn({ ...passed }, 'the disk had failed, and everything can be read and written again');
    await this.#onPassed?.(passed);
    return next;
  }

  /** A disk without room, and a store that is closing, are no fault of the disk. */
  async #tryWrite(): Promise<void> {
    try {
      await this.#parts.write();
    } catch (error) {
      if (isDiskFault(error) || isDiskFault((error as Error).cause)) throw error;
    }
  }

  #observe(seen: Observation, error?: Error): RoundResult {
    const { health, next } = decide(this.#health, seen, this.#rules);
    this.#health = health;
    if (next.do === 'look') return { again: false, pauseMs: next.afterMs };
    if (next.do === 'give up') this.#giveUp(error ?? new Error(health.reason ?? ''));
    // What is due next, the state and the time say.
    return { again: health.state !== 'damaged' };
  }

  #giveUp(error: Error): void {
    const { dir, log, clock, giveUp } = this.#parts;
    this.#view = { state: 'damaged', checkedAt: formatTime(clock.now()), fault: error.message };
    const follows = 'the process ends, and the next start looks it through and saves what can be read';
    log.fatal({ err: error }, `the store seems to be damaged; ${follows}`);
    try {
      markSuspect(dir, error.message);
    } catch (fault) {
      log.error({ err: fault }, 'the damage could not be noted for the next start, which may find it later');
    }
    giveUp(error);
  }
}

/** Whether the disk takes a new file. */
function diskTakesFiles(dir: string): boolean {
  const file = path.join(dir, 'site.probe');
  try {
    fs.writeFileSync(file, Buffer.alloc(SLICE_BYTES / 16), { flush: true });
    fs.rmSync(file, { force: true });
    return true;
  } catch {
    // Whatever the error says, the file was not written.
    return false;
  }
}
