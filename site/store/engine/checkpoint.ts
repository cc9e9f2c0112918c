/**
 * Moves the WAL into the database file without ever syncing on the main thread.
 *
 * One backfill: (1) a second connection begins to read: the pin; (2) the WAL is
 * made durable; (3) SQLite copies pages into the database file with its own
 * syncs off, up to the pin's mark and no further; (4) the database file is made
 * durable; (5) the pin is released.
 *
 * Why this survives power loss: a page reaches the database file only after (2)
 * made its frame durable, since the pin was taken before (2) and the copy stops
 * at the pin. Until (4) is done the WAL still holds every frame, because SQLite
 * restarts a WAL only when no connection reads from it, and the pin does. So
 * whatever part of the copied pages is lost or torn, recovery replays it from
 * the WAL. When the WAL does restart, SQLite itself syncs the new header before
 * it writes a frame (synchronous is NORMAL again by then); the frames of the
 * round before no longer match the header's salt and count for nothing.
 *
 * Backfills run while commits go on, each before the next gets long. A round
 * ends with one while commits are held back, after which the WAL restarts.
 */
import type Database from 'better-sqlite3';
import type { Logger } from '../../../common/log.ts';
import { asAppError, isStorageFault } from '../health/fault.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SyncLayer } from './sync.ts';

export interface CheckpointLimits {
  /**
   * WAL bytes not yet copied at which a backfill begins; it bounds how long one copy keeps the event loop.
   */
  passBytes: number;
  /** WAL bytes at which a round begins. */
  triggerBytes: number;
  /** WAL bytes at which writers wait for the round. */
  capBytes: number;
  /** What may be left for the part of a round that holds commits back. */
  restBytes: number;
  /** The WAL size is looked up this often, counted in commits. */
  lookEvery: number;
}

export const defaultLimits: CheckpointLimits = {
  passBytes: 2 * 1024 * 1024,
  triggerBytes: 8 * 1024 * 1024,
  capBytes: 64 * 1024 * 1024,
  restBytes: 512 * 1024,
  lookEvery: 8,
};

const FRAME_BYTES = 4096 + 24;
const MAX_PASSES = 4;
/** Pause after a round that failed or was held up by a foreign reader, milliseconds. */
const RETRY_MS = 1_000;

export interface CheckpointParts {
  group: GroupCommit;
  /** Connection of its own; it keeps the WAL from restarting. */
  pin: Database.Database;
  sync: SyncLayer;
  dbFd: number;
  limits: CheckpointLimits;
  log: Logger;
  /** Milliseconds that never step. */
  monotonic: () => number;
}

export class Checkpointer {
  rounds = 0;
  readonly #parts: CheckpointParts;
  #running: Promise<void> | null = null;
  #commits = 0;
  #walFrames = 0;
  #framesSeen = 0;
  #framesWritten = 0;
  #retryAt = -Infinity;
  #capped = false;
  /** Why the database file takes no more; null while it does. */
  #refused: unknown = null;
  #status: Database.Statement<[], [number, number, number]>;
  #backfill: Database.Statement<[], [number, number, number]>;
  #pinBegin: Database.Statement;
  #pinRead: Database.Statement;
  #pinEnd: Database.Statement;

  constructor(parts: CheckpointParts) {
    this.#parts = parts;
    const { sqlite } = parts.group;
    this.#status = sqlite.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(NOOP)').raw();
    this.#backfill = sqlite.prepare<[], [number, number, number]>('PRAGMA wal_checkpoint(PASSIVE)').raw();
    this.#pinBegin = parts.pin.prepare('BEGIN');
    this.#pinRead = parts.pin.prepare('SELECT 1 FROM meta LIMIT 1').pluck();
    this.#pinEnd = parts.pin.prepare('COMMIT');
    parts.group.afterCommit(() => {
      this.#commits += 1;
      if (this.#commits % parts.limits.lookEvery === 0) this.look();
    });
  }

  /** Bytes of WAL that are in use; the file itself may be longer. */
  get walBytes(): number {
    this.#measure();
    return this.#walFrames * FRAME_BYTES;
  }

  /**
   * Bytes written to the WAL since the store was opened; a few commits at each restart of the WAL may be
   * missing.
   */
  get walBytesWritten(): number {
    return this.#framesWritten * FRAME_BYTES;
  }

  /** Starts a backfill or a round when the WAL has grown enough. */
  look(): void {
    const { limits, group, log, monotonic } = this.#parts;
    const left = this.#measure() * FRAME_BYTES;
    const walBytes = this.#walFrames * FRAME_BYTES;
    const whole = walBytes >= limits.triggerBytes;
    if ((!whole && left < limits.passBytes) || group.hasFailed) return;
    if (walBytes >= limits.capBytes && !this.#capped) this.#holdWriters();
    if (this.#running || (!this.#capped && monotonic() < this.#retryAt)) return;
    this.#running = (whole ? this.round() : this.#pass().then(() => undefined))
      .catch((error: unknown) => {
        this.#retryAt = monotonic() + RETRY_MS;
        log.warn({ err: error }, 'checkpoint failed');
      })
      .finally(() => {
        this.#running = null;
        if (this.#capped) this.#releaseWriters();
      });
  }

  /**
   * One whole round; afterwards the next commit restarts the WAL, unless a foreign reader stands in the way.
   */
  async round(): Promise<void> {
    const { group, limits, log, monotonic } = this.#parts;
    this.#retryAt = monotonic() + RETRY_MS;
    this.#refused = null;
    try {
      for (let pass = 0; pass < MAX_PASSES; pass += 1) {
        if ((await this.#pass()) * FRAME_BYTES <= limits.restBytes) break;
      }
      await group.pause();
      try {
        if ((await this.#pass()) === 0) this.#retryAt = -Infinity;
        else
          log.warn({ walBytes: this.walBytes }, 'a reader of the store keeps the WAL from being restarted');
      } finally {
        group.resume();
      }
      this.rounds += 1;
    } catch (error) {
      this.#refused = isStorageFault(error) ? asAppError(error) : null;
      throw error;
    }
  }

  /** Waits for a round under way. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** @returns frames that are not yet in the database file */
  async #pass(): Promise<number> {
    const { group, sync, dbFd } = this.#parts;
    if (group.hasFailed) throw new Error('the store has failed');
    this.#pinBegin.run();
    this.#pinRead.get();
    // A failed sync leaves the pin in place: nothing may restart the WAL any more.
    await group.syncWal();
    try {
      this.#copy();
    } catch (error) {
      this.#pinEnd.run();
      throw error;
    }
    try {
      await sync.fdatasync(dbFd);
    } catch (error) {
      throw group.fail(error);
    }
    this.#pinEnd.run();
    return this.#measure();
  }

  #copy(): void {
    const { sqlite } = this.#parts.group;
    sqlite.exec('PRAGMA synchronous = OFF');
    try {
      this.#backfill.get();
    } finally {
      sqlite.exec('PRAGMA synchronous = NORMAL');
    }
  }

  #measure(): number {
    const [, frames, done] = this.#status.get() ?? [0, 0, 0];
    this.#framesWritten += frames >= this.#framesSeen ? frames - this.#framesSeen : frames;
    this.#framesSeen = frames;
    // Once all is copied the next commit begins the WAL anew.
    this.#walFrames = frames === done ? 0 : frames;
    return frames - done;
  }

  #holdWriters(): void {
    this.#capped = true;
    void this.#parts.group.pause();
  }

  #releaseWriters(): void {
    this.#capped = false;
    // Without room for the database file the WAL must not go on growing either.
    if (this.#refused !== null) this.#parts.group.rejectQueued(this.#refused as Error);
    this.#parts.group.resume();
  }
}
