import type Database from 'better-sqlite3';
import { isDamage } from './fault.ts';

type Method = (...values: unknown[]) => unknown;

/**
 * Hears of damage from whoever comes upon it first, be it a list, the uplink or a write: the slow reading of every row may
 * be days away. To be made before the first statement that is to be watched.
 */
export class StatementWatch {
  /** Called with each error that says that a page cannot be taken apart. */
  onDamage: (error: Error) => void = () => undefined;

  constructor(sqlite: Database.Database) {
    const prepare = sqlite.prepare.bind(sqlite) as (source: string) => Database.Statement;
    Object.defineProperty(sqlite, 'prepare', { value: (source: string) => this.#watched(prepare(source)) });
  }

  #watched(statement: Database.Statement): Database.Statement {
    for (const name of ['get', 'all', 'run'] as const) {
      const call = statement[name].bind(statement) as Method;
      Object.defineProperty(statement, name, { value: (...values: unknown[]) => {
        try {
          return call(...values);
        } catch (error) {
          if (isDamage(error)) this.onDamage(error as Error);
          throw error;
        }
      } });
    }
    return statement;
  }
}
