import type { Clock } from '../../clock.ts';
import { AppError } from '../../http/error.ts';
import type { Logger } from '../../log.ts';
import type { LeftOutPort } from './port.ts';
import type { AgentWork } from './record.ts';

export interface RowByRowOptions {
  work: AgentWork;
  port: LeftOutPort;
  clock: Clock;
  log: Logger;
  /** Whether an error says something about the work as a whole, beside those of the store. */
  isOfWork?: (error: unknown) => boolean;
}

/**
 * Background work that takes rows of all tenants one after another: one that fails is noted and left out, and
 * the next is taken.
 */
export class RowByRow {
  /** Rows that failed, each time counted. */
  failed = 0;
  readonly #options: RowByRowOptions;

  constructor(options: RowByRowOptions) {
    this.#options = options;
  }

  /**
   * Takes one row.
   * @throws what concerns no single row, as a store that takes nothing
   */
  async take(row: { tenantCode: string; rowId: number }, body: () => Promise<void>): Promise<void> {
    const { work, port, clock, log, isOfWork } = this.#options;
    const { tenantCode, rowId } = row;
    try {
      await body();
    } catch (error) {
      if (isOfStore(error) || isOfWork?.(error)) throw error;
      this.failed += 1;
      log.error({ err: error, work, tenant: tenantCode, row: rowId }, 'a row was left out');
      const reason = error instanceof Error ? error.message : String(error);
      await port.leaveOut({ work, tenantCode, rowId }, reason, clock.now());
      return;
    }
    await port.takenIn({ work, tenantCode, rowId });
  }
}

/**
 * Work on rows that come again by themselves: the others are taken although one fails, and then the first
 * failure is thrown, so that the loop tells of it.
 * @throws at once what concerns no single row
 */
export async function takeEach<R>(rows: Iterable<R>, body: (row: R) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const row of rows) {
    try {
      await body(row);
    } catch (error) {
      if (isOfStore(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** A store that is full, away or busy: the next row would fail alike. */
export const isOfStore = (error: unknown): boolean =>
  error instanceof AppError && (error.status >= 500 || error.code === 'write_contention');
