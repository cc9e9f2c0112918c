/**
 * Group commit. Operations queue up; a flush runs all of them in one transaction on the main thread, then
 * makes the WAL durable on the thread pool, and only then settles their promises. While a sync is under way
 * one more group is committed when it is large enough, so that the main thread does not wait for the disk;
 * the next sync makes it durable. Invariants:
 *  - one sync is under way at most; it settles what was committed before it began;
 *  - a promise of `write` resolves only when what it wrote is durable;
 *  - after a failed sync nothing is written any more: the kernel may have dropped the pages, so that nothing
 *    read back from here on can be trusted.
 */
import type Database from 'better-sqlite3';
import type { Logger } from '../../../common/log.ts';
import { storeClosed, storeFailed } from '../health/fault.ts';
import { SpinWindow } from './spin-window.ts';
import type { DurabilityParticipant, SyncLayer } from './sync.ts';
import { GroupTransaction, type Operation, type TransactionParticipant } from './transaction.ts';

/** A group is gathered for this long at most, and only while every turn of the event loop brings more. */
const GATHER_MS = 3;
/**
 * Operations that are enough for a sync. With larger groups the processor would be idle during the sync,
 * because no operation would be left to prepare.
 */
const GATHER_MAX = 32;
/** Operations that are enough for a commit of their own while the disk is busy with the group before. */
const AHEAD_MIN = 16;

export class GroupCommit {
  readonly sqlite: Database.Database;
  readonly counts = { commits: 0, syncs: 0, operations: 0 };
  /** Resolves with the cause when a sync has failed; the process must then end without closing the store. */
  readonly failed: Promise<Error>;
  #sync: SyncLayer;
  #walFd: number;
  #log: Logger;
  #monotonic: () => number;
  #queue: Operation[] = [];
  #transaction: GroupTransaction;
  #durabilityParticipants: DurabilityParticipant[] = [];
  #commitListeners: (() => void)[] = [];
  #scheduled = false;
  #gatheringSince = 0;
  #gathered = 0;
  #lastGroup = 0;
  #spin = new SpinWindow();
  #syncing = false;
  /** Operations committed while a sync was under way; the next sync makes them durable. */
  #ahead: Operation[] = [];
  #pauses = 0;
  /** Those who wait in `pause` for the end of the sync. */
  #pausing: (() => void)[] = [];
  /** Monotonic ms of the last write that became durable; null after one that the disk did not take. */
  #durableAt: number | null = null;
  #failure: Error | null = null;
  #tellFailed: (cause: Error) => void;
  #closed = false;

  constructor(
    sqlite: Database.Database,
    options: { sync: SyncLayer; walFd: number; log: Logger; monotonic: () => number },
  ) {
    this.sqlite = sqlite;
    this.#sync = options.sync;
    this.#walFd = options.walFd;
    this.#log = options.log;
    this.#monotonic = options.monotonic;
    this.#transaction = new GroupTransaction(sqlite, options.monotonic, () => (this.#durableAt = null));
    const { promise, resolve } = Promise.withResolvers<Error>();
    this.failed = promise;
    this.#tellFailed = resolve;
  }

  /** To be told of each commit and rollback, in the order of joining. */
  joinTransactions(participant: TransactionParticipant): void {
    this.#transaction.join(participant);
  }

  /** To be told of what becomes durable, in the order of joining. */
  joinSyncs(participant: DurabilityParticipant): void {
    this.#durabilityParticipants.push(participant);
  }

  /** @param listener called after each commit */
  afterCommit(listener: () => void): void {
    this.#commitListeners.push(listener);
  }

  /**
   * Runs `operation` in the next transaction. It must be synchronous, change nothing but the
   * database and what a participant undoes, and give the same result when it is run again.
   * @param options `bare`: without a savepoint, for an operation that is not expected to throw. When it does,
   *   its group is run again with savepoints
   * @throws what it throws; AppError 507 when the disk is full; 503 when the store has failed or is closed
   */
  write<T>(operation: () => T, { bare = false }: { bare?: boolean } = {}): Promise<T> {
    if (this.#failure || this.#closed) return Promise.reject(this.#failure ?? storeClosed());
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        run: operation,
        bare,
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
    return new Promise((resolve) => this.#pausing.push(resolve));
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

  /** Rejects all queued operations without running them. */
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
    for (const tell of this.#pausing.splice(0)) tell();
    return error;
  }

  /**
   * Whether a write became durable within the last `ms` milliseconds and none was refused since. Meant for
   * spans of seconds: changes are looked for only now and then.
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
    // A caller who was alone the last time does not wait for others.
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
    const { committed: group, left } = this.#transaction.run(this.#queue.splice(0));
    if (left.length > 0) this.#queue = [...left, ...this.#queue];
    if (group.length === 0) {
      this.#schedule();
      return;
    }
    this.counts.commits += 1;
    this.counts.operations += group.length;
    this.#lastGroup = group.length;
    if (this.#syncing) this.#ahead = group;
    else this.#makeDurable(group);
    for (const listener of this.#commitListeners) listener();
  }

  #makeDurable(group: Operation[]): void {
    this.#syncing = true;
    const nowDurable = this.#durabilityParticipants.map((participant) => participant.syncBegins());
    const changed = this.#transaction.takeChanged();
    const single = group.length === 1;
    if (single) this.#spin.syncBegins();
    this.syncWal().then(
      () => {
        if (changed) this.#durableAt = this.#monotonic();
        if (single) this.#spin.syncEnded();
        for (const tell of nowDurable) tell();
        this.#settle(group);
      },
      (error: unknown) => {
        for (const operation of group) operation.reject(error);
      },
    );
  }

  #settle(group: Operation[]): void {
    this.#syncing = false;
    // The next sync begins before the answers, so that the disk does not wait for them.
    if (this.#ahead.length > 0) this.#makeDurable(this.#ahead.splice(0));
    for (const operation of group) {
      if (!operation.failed) operation.resolve(operation.value);
    }
    if (!this.#syncing) for (const tell of this.#pausing.splice(0)) tell();
    this.#schedule();
  }
}
