// The one way in which background work takes rows of all tenants in one statement: a row that it cannot
// take is found by halves, noted, and left out, so that the others go on. Noted rows are tried again by
// themselves.
import type { StatementWork } from '../../../common/core/left-out/record.ts';
import type { Tx } from './database.ts';
import { asAppError, concernsStore, sqlStateOf } from './errors.ts';
import { steppingOver } from './step-over.ts';

/** A noted row is tried again after this long, ms, so many at a time. */
const AGAIN_MS = 3_600_000;
const AGAIN_AT_ONCE = 50;
const MAX_REASON = 500;
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** Work on rows that have ids. */
export interface Work {
  name: StatementWork;
  /** SQL of the tenant of a row by its id, `$1`. */
  tenantOf: string;
  /** Takes rows in one go. */
  take: (ids: readonly number[]) => Promise<void>;
}

/** Takes all rows but those that cannot be taken, in the open transaction. */
export function takeAll(tx: Tx, work: Work, ids: readonly number[]): Promise<void> {
  return steppingOver(ids, {
    work: (part) => inSavepoint(tx, () => work.take(part)),
    isOfRow,
    over: (id, error) => note(tx, work, id, error),
  });
}

/** Tries noted rows again whose time has come. */
export async function takeAgain(tx: Tx, work: Work): Promise<void> {
  const { rows } = await tx.client.query<{ id: number }>(
    `update stepped_over s set next_at = ${NOW} + ${AGAIN_MS} from (
       select work, row_id, tenant_code from stepped_over where work = $1 and next_at <= ${NOW}
       order by next_at limit ${AGAIN_AT_ONCE} for update skip locked) d
     where s.work = d.work and s.row_id = d.row_id and s.tenant_code = d.tenant_code
     returning s.row_id as id`,
    [work.name],
  );
  for (const { id } of rows) {
    const again: Work = {
      ...work,
      take: async (ids) => {
        await work.take(ids);
        await forgetNoted(tx, [work.name], ids);
      },
    };
    await takeAll(tx, again, [id]);
  }
}

/** Rows are about to be deleted, or are taken. */
export async function forgetNoted(
  tx: Tx,
  names: readonly StatementWork[],
  ids: readonly number[],
): Promise<void> {
  await tx.client.query('delete from stepped_over where work = any($1::text[]) and row_id = any($2)', [
    names,
    ids,
  ]);
}

/**
 * Neither the database as a whole nor the statement itself: another row may well be taken. Postgres says so
 * of statements by the class 42.
 */
const isOfRow = (error: unknown): boolean =>
  !concernsStore(asAppError(error)) && sqlStateOf(error)?.startsWith('42') !== true;

async function inSavepoint(tx: Tx, body: () => Promise<void>): Promise<void> {
  await tx.client.query('savepoint stepping');
  try {
    await body();
  } catch (error) {
    await tx.client.query('rollback to savepoint stepping');
    throw error;
  }
  await tx.client.query('release savepoint stepping');
}

async function note(tx: Tx, { name, tenantOf }: Work, id: number, error: unknown): Promise<void> {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON);
  const {
    rows: [row],
  } = await tx.client.query<{ tenant: string }>(`${tenantOf} limit 1`, [id]);
  await tx.client.query(
    `insert into stepped_over (work, tenant_code, row_id, reason, first_at, next_at)
     values ($1, $2, $3, $4, ${NOW}, ${NOW} + ${AGAIN_MS})
     on conflict (tenant_code, work, row_id) do update
       set reason = excluded.reason, next_at = excluded.next_at`,
    [name, row?.tenant ?? '', id, reason.toWellFormed().replaceAll('\u0000', '')],
  );
}
