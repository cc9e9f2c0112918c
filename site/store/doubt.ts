import fs from 'node:fs';
import path from 'node:path';
import type { Logger } from '../../common/log.ts';
import { Loop, type RoundResult } from '../../common/loop.ts';
import { isDiskFault } from './fault.ts';
import type { ReadLayer } from './sync.ts';

/** Pauses before the next look at a disk that still fails, ms; after the last one the store counts as damaged. A disk that takes nothing is asked again at the last one. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];
const SLICE_BYTES = 1024 ** 2;
/** Read in one round, bytes: a round over a large store would look to the watchdog like one that hangs. */
const ROUND_BYTES = 64 * SLICE_BYTES;
const BETWEEN_MS = 10;

/** A fault of the disk after which everything could be read and written again. */
export interface PassedFault {
  message: string;
  /** How many of them, since the store was opened. */
  count: number;
}

export interface DoubtParts {
  dir: string;
  /** Open files of the store. Another descriptor must not be closed here: that would drop SQLite's locks. */
  fds: readonly number[];
  reads: ReadLayer;
  /** Takes a write of its own, made durable. */
  write: () => Promise<unknown>;
  onDamage: (error: Error) => void;
  log: Logger;
  monotonic: () => number;
  /** For tests. */
  pausesMs?: readonly number[] | undefined;
}

/**
 * What to think of a store whose disk has failed to give or take a page. The files are read through and a write is tried: when both
 * work the fault has passed and nothing is touched; when they fail again and again while the disk takes other files, the store is
 * damaged; while the disk takes nothing at all it is the disk that is gone, and that is waited for.
 */
export class Doubt {
  readonly loop: Loop;
  /** Called when a fault has passed. */
  onPassed: (fault: PassedFault) => Promise<void> = async () => undefined;
  #parts: DoubtParts;
  #pauses: readonly number[];
  #fault: Error | null = null;
  #passed = 0;
  #failures = 0;
  #at = { file: 0, byte: 0 };
  #buffer: Buffer | null = null;

  constructor(parts: DoubtParts) {
    this.#parts = parts;
    this.#pauses = parts.pausesMs ?? PAUSES_MS;
    this.loop = new Loop({ name: 'disk fault', interval: 86_400_000, log: parts.log, monotonic: parts.monotonic, round: () => this.round() });
  }

  /** Somebody has come upon a fault. */
  raised(error: Error): void {
    if (this.#fault !== null) return;
    this.#fault = error;
    this.#parts.log.error({ err: error }, 'the disk failed; the files of the store are looked at');
    this.loop.kick();
  }

  async round(): Promise<RoundResult> {
    const fault = this.#fault;
    if (fault === null) return { again: false };
    try {
      if (!(await this.#readOn())) return { again: false, pauseMs: BETWEEN_MS };
      await this.#tryWrite();
    } catch (error) {
      return this.#failed(error as Error);
    }
    this.#settle();
    this.#passed += 1;
    this.#parts.log.warn({ err: fault, count: this.#passed }, 'the disk had failed, and everything can be read and written again');
    await this.onPassed({ message: fault.message, count: this.#passed });
    return { again: false };
  }

  #failed(error: Error): RoundResult {
    const { log, onDamage, dir } = this.#parts;
    this.#at = { file: 0, byte: 0 };
    if (!takesWrites(dir)) {
      this.#failures = 0;
      log.error({ err: error }, 'the disk takes nothing at all; it is waited for');
      return { again: false, pauseMs: this.#pauses.at(-1) ?? 0 };
    }
    const pauseMs = this.#pauses[this.#failures];
    this.#failures += 1;
    if (pauseMs !== undefined) return { again: false, pauseMs };
    this.#settle();
    onDamage(error);
    return { again: false };
  }

  #settle(): void {
    this.#fault = null;
    this.#failures = 0;
    this.#at = { file: 0, byte: 0 };
    this.#buffer = null;
  }

  /** A stretch of the files. @returns whether their end was reached @throws what the disk says */
  async #readOn(): Promise<boolean> {
    const { fds, reads } = this.#parts;
    this.#buffer ??= Buffer.allocUnsafe(SLICE_BYTES);
    for (let read = 0; read < ROUND_BYTES; ) {
      const fd = fds[this.#at.file];
      if (fd === undefined) return true;
      const bytes = await reads.read(fd, this.#buffer, this.#at.byte);
      this.#at = bytes === 0 ? { file: this.#at.file + 1, byte: 0 } : { file: this.#at.file, byte: this.#at.byte + bytes };
      read += bytes;
    }
    return false;
  }

  /** A disk without room, and a store that is closing, are no fault of the disk. */
  async #tryWrite(): Promise<void> {
    try {
      await this.#parts.write();
    } catch (error) {
      if (isDiskFault(error) || isDiskFault((error as Error).cause)) throw error;
    }
  }
}

/** Whether the disk takes a new file. */
function takesWrites(dir: string): boolean {
  const file = path.join(dir, 'site.probe');
  try {
    fs.writeFileSync(file, Buffer.alloc(SLICE_BYTES / 16), { flush: true });
    fs.rmSync(file, { force: true });
    return true;
  } catch {
    // Whatever it says, it took nothing.
    return false;
  }
}
