import Database from 'better-sqlite3';
import type { FaultKind } from './decide.ts';
import { faultKind } from './fault.ts';

/** Called before each statement; injected by tests that let the disk fail. */
export type BeforeStatement = (sql: string) => void;

/** Who hears of statements that fail, on whichever connection of the store. */
export interface StatementReports {
  before: BeforeStatement | undefined;
  /** Called with each error that says that the disk failed, or that a page cannot be taken apart. */
  failed: (error: Error, fault: FaultKind) => void;
}

/**
 * A connection that tells of damage and of a disk that fails, whoever comes upon it first, be it a list, the
 * uplink or a write: the slow reading of every row may be days away.
 */
export class StoreConnection extends Database {
  readonly #reports: StatementReports;

  constructor(file: string, options: Database.Options, reports: StatementReports) {
    super(file, options);
    this.#reports = reports;
  }

  override prepare<Values extends unknown[] | NonNullable<unknown> = unknown[], Row = unknown>(
    source: string,
  ): Database.Statement<Values, Row> {
    const statement = report(this.#reports, null, () => super.prepare<unknown[], Row>(source));
    return reporting(statement, this.#reports) as unknown as Database.Statement<Values, Row>;
  }

  override exec(source: string): this {
    return report(this.#reports, source, () => super.exec(source));
  }

  override pragma(source: string, options?: Database.PragmaOptions): unknown {
    return report(this.#reports, source, () => super.pragma(source, options));
  }
}

/** What the store and Drizzle use of a statement; another method of better-sqlite3's is to be added here. */
function reporting<Row>(statement: Database.Statement<unknown[], Row>, reports: StatementReports) {
  const { source } = statement;
  const call = <T>(run: () => T): T => report(reports, source, run);
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
function report<T>({ before, failed }: StatementReports, sql: string | null, run: () => T): T {
  try {
    if (sql !== null) before?.(sql);
    return run();
  } catch (error) {
    const fault = faultKind(error);
    if (fault !== null) failed(error as Error, fault);
    throw error;
  }
}
