// Statistics are read in one snapshot, so that all that one answer counts is of the same moment.
import type pg from 'pg';
import { statsTimeout } from '../../../common/core/stats/port.ts';
import type { Database } from '../engine/database.ts';
import { asAppError, sqlStateOf } from '../engine/errors.ts';

const CANCELLED = '57014';

export type Ask = <R extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<R[]>;

/**
 * Reads in one snapshot.
 * @param withinMs after this long the statement that runs is ended
 * @throws AppError 503 stats_timeout
 */
export async function atOneMoment<T>(
  database: Database,
  withinMs: number,
  read: (ask: Ask) => Promise<T>,
): Promise<T> {
  const until = performance.now() + withinMs;
  try {
    return await database.listing(async (client) => {
      await client.query('begin isolation level repeatable read read only');
      // Every statement here looks up a small part of large tables, for which reading a table as a whole
      // is never right.
      await client.query('set local random_page_cost = 1.1');
      // Tasks that are marked in great numbers are matched with their facts in memory, not in files beside.
      await client.query("set local work_mem = '32MB'");
      const result = await read(async (text, values) => {
        const left = Math.floor(until - performance.now());
        if (left < 1) throw statsTimeout();
        await client.query(`set local statement_timeout = ${left}`);
        return (await client.query(text, values)).rows;
      });
      await client.query('commit');
      return result;
    });
  } catch (error) {
    throw sqlStateOf(error) === CANCELLED ? statsTimeout(error) : asAppError(error);
  }
}
