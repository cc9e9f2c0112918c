import type { EventEmitter } from 'node:events';
import Database from 'better-sqlite3';
import type { FaultKind } from './decide.ts';
import { faultKind } from './fault.ts';

/** Called before each statement; injected by tests that let the disk fail. */
export type BeforeStatement = (sql: string) => void;

/** `fault`: a statement failed because of the disk, or because SQLite could not read a page. */
export type StatementFaults = EventEmitter<{ fault: [error: Error, kind: FaultKind] }>;

interface Watch {
  before: BeforeStatement | undefined;
  faults: StatementFaults;
}

/**
 * A connection that tells of damage and of a disk that fails as soon as any statement meets it, be it of a
 * list, the uplink or a write: the slow reading of every row may be days away.
 */
export class StoreConnection extends Database {
  readonly #watch: Watch;

  constructor(file: string, options: Database.Options, watch: Watch) {
    super(file, options);
    this.#watch = watch;
  }

  override prepare<Values extends unknown[] | NonNullable<unknown> = unknown[], Row = unknown>(
    source: string,
  ): Database.Statement<Values, Row> {
    const statement = watching(this.#watch, null, () => super.prepare<unknown[], Row>(source));
    return watched(statement, this.#watch) as unknown as Database.Statement<Values, Row>;
  }

  override exec(source: string): this {
    return watching(this.#watch, source, () => super.exec(source));
  }

  override pragma(source: string, options?: Database.PragmaOptions): unknown {
    return watching(this.#watch, source, () => super.pragma(source, options));
  }
}

/** What the store and Drizzle use of a statement; another method of better-sqlite3's is to be added here. */
function watched<Row>(statement: Database.Statement<unknown[], Row>, watch: Watch) {
  const { source } = statement;
  const call = <T>(run: () => T): T => watching(watch, source, run);
  const whole = {
    source,
    run: (...values: unknown[]) => call(() => statement.run(...values)),
    get: (...values: unknown[]) => call(() => statement.get(...values)),
    all: (...values: unknown[]) => call(() => statement.all(...values)),
    *iterate(...values: unknown[]): IterableIterator<Row> {
      const rows = call(() => statement.iterate(...values));
      try {
        for (let row; !(row = call(() => rows.next())).done;) yield row.value;
      } finally {
        rows.return?.();
      }
    },
    pluck: (on = true) => (statement.pluck(on), whole),
    raw: (on = true) => (statement.raw(on), whole),
  };
  return whole;
}

/** @param sql null while it is only being prepared */
function watching<T>({ before, faults }: Watch, sql: string | null, run: () => T): T {
  try {
    if (sql !== null) before?.(sql);
    return run();
  } catch (error) {
    const fault = faultKind(error);
    if (fault !== null) faults.emit('fault', error as Error, fault);
    throw error;
  }
}
