import { and, eq, gt, lt, type Placeholder, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { decideLeftOut, LONGEST_MS } from '../../../common/core/left-out/decide.ts';
import type { LeftOutPort } from '../../../common/core/left-out/port.ts';
import type { AgentWork, LeftOut, LeftOutRow } from '../../../common/core/left-out/record.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { steppedOver } from '../schema/tables.ts';

export class SiteLeftOut implements LeftOutPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;

  constructor(group: GroupCommit, orm: BetterSQLite3Database) {
    this.#group = group;
    this.#orm = orm;
  }

  async leftOut(): Promise<LeftOut[]> {
    const { work, tenantCode, rowId, reason } = steppedOver;
    // With min() SQLite takes the other columns of the row that has it.
    return this.#orm
      .select({
        work,
        tenantCode,
        rows: sql<number>`count(*)`,
        rowId: sql<number>`min(${rowId})`,
        reason,
      })
      .from(steppedOver)
      .groupBy(work, tenantCode)
      .orderBy(work, tenantCode)
      .all();
  }

  async leaveOut(row: LeftOutRow, reason: string, now: number): Promise<void> {
    await this.#group.write(() => {
      const before = this.#orm.select().from(steppedOver).where(isRow(row)).get();
      const noted = decideLeftOut(row, reason, before?.firstAt ?? null, now);
      this.#orm.delete(steppedOver).where(isRow(row)).run();
      this.#orm.insert(steppedOver).values(noted).run();
    });
  }

  async forgetGone(before: number): Promise<void> {
    const gone = lt(steppedOver.nextAt, before);
    if (this.#orm.select().from(steppedOver).where(gone).get() === undefined) return;
    await this.#group.write(() => this.#orm.delete(steppedOver).where(gone).run());
  }

  /** Writes nothing where nothing was noted, which is nearly always. */
  async takenIn(row: LeftOutRow): Promise<void> {
    if (this.#orm.select().from(steppedOver).where(isRow(row)).get() === undefined) return;
    await this.#group.write(() => this.#orm.delete(steppedOver).where(isRow(row)).run());
  }
}

const isRow = ({ work, tenantCode, rowId }: LeftOutRow) =>
  and(eq(steppedOver.tenantCode, tenantCode), eq(steppedOver.work, work), eq(steppedOver.rowId, rowId));

/**
 * Rows of a work that are left out at this moment: each a tenant and a number. None waits longer than it may,
 * also where the clock was set back.
 */
export const leftOutNow = (work: AgentWork, now: Placeholder) =>
  sql`(SELECT tenant_code, row_id FROM ${steppedOver} WHERE work = ${sql.raw(`'${work}'`)}
    AND ${gt(steppedOver.nextAt, now)} AND ${steppedOver.nextAt} <= ${now} + ${sql.raw(String(LONGEST_MS))})`;
