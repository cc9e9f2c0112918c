import type Database from 'better-sqlite3';
import { asAppError, isDamage, isStorageFault } from '../health/fault.ts';

/** Keeps state in memory beside the tables, which changes within transactions. */
export interface TransactionParticipant {
  /** The transaction was committed; it is not durable yet. */
  committed(): void;
  /** Everything since the last `committed` is undone. */
  rolledBack(): void;
}

/** One operation of a group, and what came of it. */
export interface Operation {
  run: () => unknown;
  /** Runs without a savepoint of its own. */
  bare: boolean;
  failed: boolean;
  value: unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Of a group: what was committed, and what is left for the next transaction. */
export interface GroupOutcome {
  committed: Operation[];
  left: Operation[];
}

/** A transaction ends after this long, so that the event loop turns; the rest waits for the next one, ms. */
const TRANSACTION_MS = 8;
/** Changes are counted only when none was seen for this long, since counting costs a statement, ms. */
const COUNT_CHANGES_AFTER_MS = 500;

type Attempt = { kind: 'committed'; count: number } | { kind: 'lost' | 'again'; error: unknown };

/**
 * Runs a group of operations in one transaction. Invariants: an operation that throws undoes only what it
 * wrote itself; participants are told of every commit and rollback.
 */
export class GroupTransaction {
  readonly sqlite: Database.Database;
  #monotonic: () => number;
  #onRefused: () => void;
  #participants: TransactionParticipant[] = [];
  /**
   * Monotonic ms when a transaction was last seen to change something. One without a change does not write to
   * the disk, and says nothing about it.
   */
  #changedAt = -Infinity;
  /** A transaction has changed something since `takeChanged` was last called. */
  #changed = false;
  #statements: Record<'begin' | 'commit' | 'rollback' | 'savepoint' | 'release' | 'undo', Database.Statement>;
  #totalChanges: Database.Statement<[], number>;

  /** @param onRefused called when the disk refuses a transaction, or what it gives back cannot be read */
  constructor(sqlite: Database.Database, monotonic: () => number, onRefused: () => void) {
    this.sqlite = sqlite;
    this.#monotonic = monotonic;
    this.#onRefused = onRefused;
    this.#totalChanges = sqlite.prepare<[], number>('SELECT total_changes()').pluck();
    this.#statements = {
      begin: sqlite.prepare('BEGIN IMMEDIATE'),
      commit: sqlite.prepare('COMMIT'),
      rollback: sqlite.prepare('ROLLBACK'),
      savepoint: sqlite.prepare('SAVEPOINT operation'),
      release: sqlite.prepare('RELEASE operation'),
      undo: sqlite.prepare('ROLLBACK TO operation'),
    };
  }

  join(participant: TransactionParticipant): void {
    this.#participants.push(participant);
  }

  /** @returns whether a transaction was seen to change something since the last call */
  takeChanged(): boolean {
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  /**
   * Commits as much of the group as fits into the time of one transaction. Operations that failed are
   * rejected, those that were committed wait to be resolved.
   */
  run(group: Operation[]): GroupOutcome {
    let bare = true;
    for (;;) {
      const attempt = this.#attempt(group, bare);
      if (attempt.kind === 'committed')
        return { committed: group.slice(0, attempt.count), left: group.slice(attempt.count) };
      if (attempt.kind === 'lost' || !bare) {
        for (const operation of group) operation.reject(asAppError(attempt.error));
        return { committed: [], left: [] };
      }
      bare = false;
    }
  }

  /** @param bare honours the wish of operations to run without a savepoint */
  #attempt(group: Operation[], bare: boolean): Attempt {
    let begun = false;
    try {
      this.#statements.begin.run();
      begun = true;
      const counts = this.#monotonic() - this.#changedAt >= COUNT_CHANGES_AFTER_MS;
      const before = counts ? this.#totalChanges.get() : 0;
      const count = this.#runAll(group, bare);
      // Counted before the commit, since nothing may fail after it.
      const changed = counts && this.#totalChanges.get() !== before;
      this.#statements.commit.run();
      if (changed) [this.#changed, this.#changedAt] = [true, this.#monotonic()];
      for (const participant of this.#participants) participant.committed();
      for (let at = 0; at < count; at += 1) {
        const operation = group[at];
        if (operation?.failed) operation.reject(operation.value);
      }
      return { kind: 'committed', count };
    } catch (error) {
      if (this.sqlite.inTransaction) this.#statements.rollback.run();
      for (const participant of this.#participants) participant.rolledBack();
      if (isStorageFault(error) || isDamage(error)) {
        this.#changedAt = -Infinity;
        this.#onRefused();
      }
      return { kind: !begun || isStorageFault(error) ? 'lost' : 'again', error };
    }
  }

  /** @returns how many were run before the time of the transaction ended */
  #runAll(group: Operation[], bare: boolean): number {
    const end = this.#monotonic() + TRANSACTION_MS;
    let count = 0;
    for (const operation of group) {
      operation.failed = false;
      if (bare && operation.bare) operation.value = operation.run();
      else this.#runInSavepoint(operation);
      count += 1;
      if (this.#monotonic() > end) break;
    }
    return count;
  }

  #runInSavepoint(operation: Operation): void {
    this.#statements.savepoint.run();
    try {
      operation.value = operation.run();
    } catch (error) {
      // SQLite may have rolled back the whole transaction, the savepoint with it.
      if (isStorageFault(error) || isDamage(error) || !this.sqlite.inTransaction) throw error;
      operation.failed = true;
      operation.value = error;
      this.#statements.undo.run();
    }
    this.#statements.release.run();
  }
}
