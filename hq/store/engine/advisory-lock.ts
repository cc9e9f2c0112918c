import type { Database, Tx } from './database.ts';

/** Waits until no other transaction holds the lock of this number, and holds it until this one ends. */
export async function lockNumber({ client }: Tx, number: number): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [number]);
}

/** The same for a lock named by a text. Two texts of one hash wait for each other, which does no harm. */
export async function lockName({ client }: Tx, name: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

/**
 * Runs `work` while no other process runs what it calls by this name. Outside a transaction, so that others
 * see at once what it writes. It holds a connection: not to be called side by side in one process.
 */
export async function aloneAmongHubs<T>(
  database: Database,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  return database.session(async (client) => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    try {
      return await work();
    } finally {
      await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]);
    }
  });
}
