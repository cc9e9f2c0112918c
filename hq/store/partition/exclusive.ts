import type { Tx } from '../engine/database.ts';
import { sqlStateOf } from '../engine/errors.ts';
import { LOCK_WITHIN } from './parts.ts';

/** Readers that hold a part back, such as a backup, are waited for this often, a second apart. */
const TRIES = 5;
const BUSY = '55P03';

/** A part that readers hold is as it was. */
export class PartBusy extends Error {}

/**
 * Runs what needs a part for itself. Everything waits behind such a lock, so that each try is short.
 * @param what it is about, for the error
 * @throws PartBusy while others read it
 */
export async function runExclusively(tx: Tx, statement: string, what: string): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    if (attempt > 1) await tx.client.query('select pg_sleep(1)');
    if (await ranNow(tx, statement)) return;
  }
  throw new PartBusy(`${what}: others read it`);
}

async function ranNow(tx: Tx, statement: string): Promise<boolean> {
  await tx.client.query(`savepoint busy; set local lock_timeout = '${LOCK_WITHIN}'`);
  try {
    await tx.client.query(statement);
  } catch (error) {
    if (sqlStateOf(error) !== BUSY) throw error;
    await tx.client.query('rollback to savepoint busy; release savepoint busy');
    return false;
  }
  await tx.client.query('release savepoint busy; set local lock_timeout = 0');
  return true;
}
