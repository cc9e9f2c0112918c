import type Database from 'better-sqlite3';
import { isDamage, isDiskFault } from './fault.ts';

type Method = (...values: unknown[]) => unknown;

/** Called before each statement; injected by tests that let the disk fail. */
export type BeforeStatement = (sql: string) => void;

/**
 * Hears of damage, and of a disk that fails, from whoever comes upon it first, be it a list, the uplink or a write: the slow reading
 * of every row may be days away. To be made before the first statement that is to be watched.
 */
export class StatementWatch {
  /** Called with each error that says that a page cannot be taken apart. */
  onDamage: (error: Error) => void = () => undefined;
  /** Called with each error that says that the disk did not give or take a page. */
  onDiskFault: (error: Error) => void = () => undefined;
  #before: BeforeStatement | undefined;

  constructor(connections: readonly Database.Database[], before?: BeforeStatement) {
    this.#before = before;
    for (const sqlite of connections) {
      const prepare = sqlite.prepare.bind(sqlite) as (source: string) => Database.Statement;
      Object.defineProperty(sqlite, 'prepare', { value: (source: string) => this.#statement(prepare(source)) });
      this.#watch(sqlite, 'exec', null);
      this.#watch(sqlite, 'pragma', null);
    }
  }

  #statement(statement: Database.Statement): Database.Statement {
    for (const name of ['get', 'all', 'run'] as const) this.#watch(statement, name, statement.source);
    const iterate = statement.iterate.bind(statement) as (...values: unknown[]) => IterableIterator<unknown>;
    Object.defineProperty(statement, 'iterate', { value: (...values: unknown[]) => {
      const rows = iterate(...values);
      this.#watch(rows, 'next', statement.source);
      return rows;
    } });
    return statement;
  }

  /** @param sql null where it is the first value of the call */
  #watch(on: object, name: string, sql: string | null): void {
    const call = ((on as Record<string, Method>)[name] as Method).bind(on);
    Object.defineProperty(on, name, { value: (...values: unknown[]) => {
      try {
        this.#before?.(sql ?? String(values[0]));
        return call(...values);
      } catch (error) {
        if (isDamage(error)) this.onDamage(error as Error);
        else if (isDiskFault(error)) this.onDiskFault(error as Error);
        throw error;
      }
    } });
  }
}
