/**
 * Group commit. Operations queue up; a flush runs all of them in one
 * transaction on the main thread, then makes the WAL durable on the thread pool,
 * and only then settles their promises. While a sync is under way one more group
 * is committed when it is large enough, so that the main thread does not wait for
 * the disk; the next sync makes it durable. Invariants:
 *  - one sync is under way at most; it settles what was committed before it began;
 *  - a promise of `write` resolves only when what it wrote is durable;
 *  - an operation that throws takes back only what it wrote itself;
 *  - after a failed sync nothing is written any more: the kernel may have
 *    dropped the pages, so that nothing read back from here on can be trusted.
 */
import type Database from 'better-sqlite3';
import type { Logger } from '../../../common/log.ts';
import { asAppError, isDamage, isStorageFault, storeClosed, storeFailed } from '../health/fault.ts';
import type { SyncLayer } from './sync.ts';
import { Vigil } from './spin-window.ts';

/** Keeps state in memory beside the tables, and follows the transactions with it. */
export interface Participant {
  /** The transaction was committed; it is not durable yet. */
  committed(): void;
  /** Everything since the last `committed` is undone. */
  rolledBack(): void;
  /** A sync begins: what is committed now is what the next `durable` means. */
  syncing(): void;
  /** Everything that was committed when the last sync began is durable. */
  durable(): void;
}

interface Operation {
  run: () => unknown;
  /** Runs without a savepoint of its own. */
  bare: boolean;
  failed: boolean;
  value: unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export interface WriteOptions {
  /**
   * Spares the savepoint, for an operation that is not expected to throw. When it does, its group is run
   * again with savepoints.
   */
  bare?: boolean;
}

export interface GroupCounts {
  commits: number;
  syncs: number;
  operations: number;
}

/** A group ends after this long, so that the event loop turns; the rest waits for the next one. */
const GROUP_MS = 8;
/** A group is gathered for this long at most, and only while every turn of the event loop brings more. */
const GATHER_MS = 3;
/**
 * Operations that are worth a sync. Larger groups would leave the processor idle during it: nobody would be
 * left to prepare the next.
 */
const GATHER_MAX = 32;
/** A transaction is looked at for changes so long after the last one that had some, ms. */
const LOOK_MS = 500;
/** Operations that are worth a commit of their own while the disk is still busy with the group before. */
const AHEAD_MIN = 16;

export class GroupCommit {
  readonly sqlite: Database.Database;
  readonly counts: GroupCounts = { commits: 0, syncs: 0, operations: 0 };
  /** Resolves with the cause when a sync has failed; the process must then end without closing the store. */
  readonly failed: Promise<Error>;
  /** Called after each commit. */
  onCommit: () => void = () => undefined;
  #sync: SyncLayer;
  #walFd: number;
  #log: Logger;
  #monotonic: () => number;
  #queue: Operation[] = [];
  #participants: Participant[] = [];
  #scheduled = false;
  #gatheringSince = 0;
  #gathered = 0;
  #lastGroup = 0;
  #vigil = new Vigil();
  #syncing = false;
  /** Committed while a sync was under way; the next one is for them. */
  #ahead: Operation[] = [];
  #pauses = 0;
  #quiet: (() => void)[] = [];
  /** Monotonic ms of the last write that became durable; null after one that the disk did not take. */
  #durableAt: number | null = null;
  /**
   * Monotonic ms when a transaction was last seen to change something. One without a change leaves the disk
   * alone and shows nothing of it.
   */
  #changedAt = -Infinity;
  /** A change that was seen waits for the next sync. */
  #changed = false;
  #failure: Error | null = null;
  #closed = false;
  #tellFailed!: (cause: Error) => void;
  #statements: Record<'begin' | 'commit' | 'rollback' | 'savepoint' | 'release' | 'undo', Database.Statement>;
  #totalChanges: Database.Statement<[], number>;

  constructor(
    sqlite: Database.Database,
    options: { sync: SyncLayer; walFd: number; log: Logger; monotonic: () => number },
  ) {
    this.sqlite = sqlite;
    this.#sync = options.sync;
    this.#walFd = options.walFd;
    this.#log = options.log;
    this.#monotonic = options.monotonic;
    this.#totalChanges = sqlite.prepare<[], number>('SELECT total_changes()').pluck();
    this.failed = new Promise((resolve) => (this.#tellFailed = resolve));
    this.#statements = {
      begin: sqlite.prepare('BEGIN IMMEDIATE'),
      commit: sqlite.prepare('COMMIT'),
      rollback: sqlite.prepare('ROLLBACK'),
      savepoint: sqlite.prepare('SAVEPOINT operation'),
      release: sqlite.prepare('RELEASE operation'),
      undo: sqlite.prepare('ROLLBACK TO operation'),
    };
  }

  join(participant: Participant): void {
    this.#participants.push(participant);
  }

  /**
   * Runs `operation` in the next transaction. It must be synchronous, change nothing but the
   * database and what a participant takes back, and bear being run again.
   * @throws what it throws; AppError 507 when the disk is full; 503 when the store has failed or is closed
   */
  write<T>(operation: () => T, options: WriteOptions = {}): Promise<T> {
    if (this.#failure || this.#closed) return Promise.reject(this.#failure ?? storeClosed());
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        run: operation,
        bare: options.bare ?? false,
        failed: false,
        value: undefined,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#schedule();
    });
  }

  /** Holds commits back from when it resolves until `resume`; everything committed is durable then. */
  pause(): Promise<void> {
    this.#pauses += 1;
    if (!this.#syncing) return Promise.resolve();
    return new Promise((resolve) => this.#quiet.push(resolve));
  }

  resume(): void {
    this.#pauses -= 1;
    this.#schedule();
  }

  /** Everything committed so far becomes durable. @throws when the sync fails, and the store with it */
  async syncWal(): Promise<void> {
    try {
      this.counts.syncs += 1;
      await this.#sync.fdatasync(this.#walFd);
    } catch (error) {
      throw this.fail(error);
    }
  }

  /** Answers all that wait with an error, without trying. */
  rejectQueued(error: Error): void {
    for (const operation of this.#queue.splice(0)) operation.reject(error);
  }

  /** Marks the store failed for good. */
  fail(cause: unknown): Error {
    const error = storeFailed(cause);
    if (this.#failure === null) {
      this.#log.fatal(
        { err: cause },
        'a sync failed; the store takes no more writes and the process must end',
      );
      this.#failure = error;
      this.#tellFailed(cause instanceof Error ? cause : new Error(String(cause)));
    }
    this.rejectQueued(error);
    for (const operation of this.#ahead.splice(0)) operation.reject(error);
    for (const tell of this.#quiet.splice(0)) tell();
    return error;
  }

  /**
   * Whether the disk took a write within the last `ms` milliseconds, some seconds at least, and has refused
   * none since.
   */
  tookWithin(ms: number): boolean {
    return this.#failure === null && this.#durableAt !== null && this.#monotonic() - this.#durableAt < ms;
  }

  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** Refuses new operations and waits for those accepted. */
  async drain(): Promise<void> {
    if (this.#failure) return;
    const last = this.write(() => undefined);
    this.#closed = true;
    await last;
  }

  #schedule(): void {
    if (this.#scheduled || !this.#mayCommit()) return;
    this.#scheduled = true;
    this.#gathered = 0;
    this.#gatheringSince = this.#monotonic();
    // Who was alone the last time is not kept waiting for others; what comes during the sync shares the next
    // one.
    if (!this.#syncing && this.#lastGroup <= 1) queueMicrotask(() => this.#flush());
    else setImmediate(() => this.#gather());
  }

  #mayCommit(): boolean {
    if (this.#pauses > 0 || this.#queue.length === 0) return false;
    return !this.#syncing || (this.#ahead.length === 0 && this.#queue.length >= AHEAD_MIN);
  }

  /**
   * Flushes once the sockets that are ready have been read, so that their requests share
   * the transaction and the sync. It never waits for requests that are not there yet.
   */
  #gather(): void {
    const waiting = this.#queue.length;
    const more = waiting > this.#gathered && waiting < GATHER_MAX;
    if (more && this.#monotonic() - this.#gatheringSince < GATHER_MS) {
      this.#gathered = waiting;
      setImmediate(() => this.#gather());
      return;
    }
    this.#flush();
  }

  #flush(): void {
    this.#scheduled = false;
    if (!this.#mayCommit()) return;
    const group = this.#commit(this.#queue.splice(0));
    if (group.length === 0) {
      this.#schedule();
      return;
    }
    this.counts.commits += 1;
    this.counts.operations += group.length;
    this.#lastGroup = group.length;
    if (this.#syncing) this.#ahead = group;
    else this.#makeDurable(group);
    this.onCommit();
  }

  #makeDurable(group: Operation[]): void {
    this.#syncing = true;
    for (const participant of this.#participants) participant.syncing();
    const changed = this.#changed;
    this.#changed = false;
    const single = group.length === 1;
    if (single) this.#vigil.syncBegins();
    this.syncWal().then(
      () => {
        if (changed) this.#durableAt = this.#monotonic();
        if (single) this.#vigil.syncEnded();
        this.#settle(group);
      },
      (error: unknown) => {
        for (const operation of group) operation.reject(error);
      },
    );
  }

  #settle(group: Operation[]): void {
    for (const participant of this.#participants) participant.durable();
    this.#syncing = false;
    // Before the answers, so that the disk does not wait for them.
    if (this.#ahead.length > 0) this.#makeDurable(this.#ahead.splice(0));
    for (const operation of group) {
      if (!operation.failed) operation.resolve(operation.value);
    }
    if (!this.#syncing) for (const tell of this.#quiet.splice(0)) tell();
    this.#schedule();
  }

  /** @returns the operations that were committed */
  #commit(group: Operation[]): Operation[] {
    let bare = true;
    for (;;) {
      const outcome = this.#tryCommit(group, bare);
      if (outcome.kind === 'committed') {
        if (outcome.count === group.length) return group;
        this.#queue = [...group.slice(outcome.count), ...this.#queue];
        return group.slice(0, outcome.count);
      }
      if (outcome.kind === 'lost' || !bare) {
        for (const operation of group) operation.reject(asAppError(outcome.error));
        return [];
      }
      bare = false;
    }
  }

  #tryCommit(
    group: Operation[],
    bare: boolean,
  ): { kind: 'committed'; count: number } | { kind: 'lost' | 'again'; error: unknown } {
    let begun = false;
    try {
      this.#statements.begin.run();
      begun = true;
      const looks = this.#monotonic() - this.#changedAt >= LOOK_MS;
      const before = looks ? this.#totalChanges.get() : 0;
      const count = this.#runAll(group, bare);
      // Before the commit: after it nothing may fail any more.
      const changed = looks && this.#totalChanges.get() !== before;
      this.#statements.commit.run();
      if (changed) [this.#changed, this.#changedAt] = [true, this.#monotonic()];
      for (const participant of this.#participants) participant.committed();
      for (let i = 0; i < count; i += 1) {
        const operation = group[i];
        if (operation?.failed) operation.reject(operation.value);
      }
      return { kind: 'committed', count };
    } catch (error) {
      if (this.sqlite.inTransaction) this.#statements.rollback.run();
      for (const participant of this.#participants) participant.rolledBack();
      if (isStorageFault(error) || isDamage(error)) [this.#durableAt, this.#changedAt] = [null, -Infinity];
      return { kind: !begun || isStorageFault(error) ? 'lost' : 'again', error };
    }
  }

  #runAll(group: Operation[], bare: boolean): number {
    const end = this.#monotonic() + GROUP_MS;
    let count = 0;
    for (const operation of group) {
      operation.failed = false;
      if (bare && operation.bare) operation.value = operation.run();
      else this.#runApart(operation);
      count += 1;
      if (this.#monotonic() > end) break;
    }
    return count;
  }

  #runApart(operation: Operation): void {
    this.#statements.savepoint.run();
    try {
      operation.value = operation.run();
    } catch (error) {
      // SQLite may have given up the whole transaction, the savepoint with it.
      if (isStorageFault(error) || isDamage(error) || !this.sqlite.inTransaction) throw error;
      operation.failed = true;
      operation.value = error;
      this.#statements.undo.run();
    }
    this.#statements.release.run();
  }
}
