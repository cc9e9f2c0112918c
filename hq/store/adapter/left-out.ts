import { type SQL, sql } from 'drizzle-orm';
import { decideLeftOut, LONGEST_MS } from '../../../common/core/left-out/decide.ts';
import type { LeftOutPort } from '../../../common/core/left-out/port.ts';
import {
  type AgentWork,
  agentWorks,
  type LeftOut,
  type LeftOutRow,
} from '../../../common/core/left-out/record.ts';
import type { Database } from '../engine/database.ts';

/** In SQL: one statement that counts and picks. What takes many rows at once notes them by itself. */
export class HubLeftOut implements LeftOutPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async leftOut(): Promise<LeftOut[]> {
    const { rows } = await this.#database.read((_db, pool) =>
      pool.query<LeftOut>(
        `select work, tenant_code as "tenantCode", count(*)::integer as rows, min(row_id) as "rowId",
           (array_agg(reason order by row_id))[1] as reason
         from stepped_over group by work, tenant_code order by work, tenant_code`,
      ),
    );
    return rows;
  }

  leaveOut(row: LeftOutRow, reason: string, now: number): Promise<void> {
    return this.#database.transaction(async ({ client }) => {
      const key = [row.tenantCode, row.work, row.rowId];
      const {
        rows: [before],
      } = await client.query<{ firstAt: number }>(
        `select first_at as "firstAt" from stepped_over
         where tenant_code = $1 and work = $2 and row_id = $3 for update`,
        key,
      );
      const noted = decideLeftOut(row, reason, before?.firstAt ?? null, now);
      await client.query(
        `insert into stepped_over (tenant_code, work, row_id, reason, first_at, next_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (tenant_code, work, row_id) do update
           set reason = excluded.reason, next_at = excluded.next_at`,
        [...key, noted.reason, noted.firstAt, noted.nextAt],
      );
    });
  }

  async forgetGone(before: number): Promise<void> {
    await this.#database.transaction(({ client }) =>
      client.query('delete from stepped_over where work = any($1::text[]) and next_at < $2', [
        agentWorks,
        before,
      ]),
    );
  }

  async takenIn({ tenantCode, work, rowId }: LeftOutRow): Promise<void> {
    await this.#database.transaction(({ client }) =>
      client.query('delete from stepped_over where tenant_code = $1 and work = $2 and row_id = $3', [
        tenantCode,
        work,
        rowId,
      ]),
    );
  }
}

/**
 * Rows of a work that are left out at this moment: each a tenant and a number. None waits longer than it may,
 * also where the clock was set back.
 */
export const leftOutNow = (work: AgentWork, now: number): SQL =>
  sql`(select tenant_code, row_id from stepped_over where work = ${work}
    and next_at > ${now} and next_at <= ${now + LONGEST_MS})`;
