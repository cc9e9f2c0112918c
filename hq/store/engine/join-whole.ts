import type pg from 'pg';
import type { Tx } from './database.ts';

/**
 * Runs a statement that joins sets as a whole, each side read once. Where the statistics are older than a
 * landing, or there are none, the planner takes a side of thousands of rows for one row and goes through the
 * other side again for each of them.
 */
export async function joinWhole<R extends pg.QueryResultRow>(
  { client }: Tx,
  text: string,
  values: unknown[],
): Promise<R[]> {
  await client.query('set local enable_nestloop = off');
  const { rows } = await client.query<R>(text, values);
  await client.query('set local enable_nestloop to default');
  return rows;
}
