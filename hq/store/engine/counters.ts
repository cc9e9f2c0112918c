import type { CounterName } from '../schema/tables.ts';
import { prepared, type Tx } from './database.ts';

export interface Counter {
  /** The last number given out. */
  value: number;
  /** The time that went with it, epoch ms. */
  at: number;
}

/**
 * Locks a counter until the transaction ends. Numbers taken under the lock
 * become visible in their order (DESIGN.md, "Two stores"). What others committed before the
 * lock was granted is seen by statements after this one, not by this one.
 * Lock order everywhere: source, event rows in id order, counter.
 */
export async function lockCounter(tx: Tx, name: CounterName): Promise<Counter> {
  const { rows } = await prepared<Counter>(
    tx,
    'lock_counter',
    'select value, at from counters where name = $1 for update',
    [name],
  );
  const [counter] = rows;
  if (!counter) throw new Error(`the counter ${name} is missing`);
  return counter;
}

/** Neither the number nor the time ever falls. */
export async function advanceCounter(tx: Tx, name: CounterName, to: Counter): Promise<void> {
  await prepared(
    tx,
    'advance_counter',
    'update counters set value = $2, at = greatest(at, $3) where name = $1',
    [name, to.value, to.at],
  );
}
