import type { Tx } from './database.ts';

/** Waits until no other transaction holds the lock of this number, and holds it until this one ends. */
export async function lockNumber({ client }: Tx, number: number): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [number]);
}

/** The same for a lock named by a text. Two texts of one hash wait for each other, which does no harm. */
export async function lockName({ client }: Tx, name: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
