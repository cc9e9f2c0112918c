// What PostgreSQL says of damage in what it holds, on whichever connection, whoever asked.
import type pg from 'pg';
import { isDamage } from './errors.ts';

/** Of different faults only so many are remembered. */
const MOST = 100;

/** Hears it, and passes on each fault once until it is told to forget. */
export class Damage {
  #known = new Set<string>();
  #tell: (fault: string) => void = () => undefined;

  /** @param tell what PostgreSQL said of a fault that was not heard before */
  onFault(tell: (fault: string) => void): void {
    this.#tell = tell;
  }

  hear(said: Error): void {
    if (!isDamage(said) || this.#known.has(said.message) || this.#known.size >= MOST) return;
    this.#known.add(said.message);
    this.#tell(said.message);
  }

  /** What is heard again is passed on again: somebody may have said that it was mended. */
  forget(): void {
    this.#known.clear();
  }
}

/** Tables that are larger are read by what works on them; bytes. */
const LARGEST = 64 * 1024 ** 2;

/**
 * Reads every page of the tables that nothing may read for months, so that damage in them is heard before
 * their rows are needed. What cannot be read is heard, and the rest is read.
 */
export async function readTables(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind = 'r' and nspname = current_schema() and pg_relation_size(pg_class.oid) <= $1
      order by relname`,
    [LARGEST],
  );
  for (const { name } of rows)
    try {
      await pool.query(`select count(*) from ${name}`);
    } catch (error) {
      // Whatever is wrong with it was heard; that the database is away ends the round.
      if (!isDamage(error)) throw error;
    }
}
