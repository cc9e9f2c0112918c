import { hash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { hashKey } from './hash.ts';

/**
 * Idempotency keys of events that retention has deleted. The key index leads to
 * the ids; a digest of the key stands here instead of the event, 30 bytes for
 * each, written in the order of ids.
 */
export class ForgottenKeys {
  #sql: ReturnType<typeof prepare>;

  constructor(sqlite: Database.Database) {
    this.#sql = prepare(sqlite);
  }

  /** To be called in the transaction that deletes the event. */
  add(id: number, tenantCode: string, idempotencyKey: string): void {
    this.#sql.add.run(id, hashKey(tenantCode, idempotencyKey), digestOf(tenantCode, idempotencyKey));
  }

  /** Whether the deleted event of this id had this key. */
  holds(id: number, tenantCode: string, idempotencyKey: string): boolean {
    return this.#sql.digest.get(id)?.equals(digestOf(tenantCode, idempotencyKey)) ?? false;
  }

  /** Ids of deleted events, ascending. */
  after(id: number, limit: number): number[] {
    return this.#sql.after.all(id, limit);
  }

  /** Id and key hash of the deleted events with larger ids. */
  hashesAfter(id: number): IterableIterator<[number, number]> {
    return this.#sql.hashes.iterate(id);
  }
}

/** 128 bits. The two parts cannot run into each other: tenant codes hold no control characters. */
function digestOf(tenantCode: string, idempotencyKey: string): Buffer {
  return hash('sha256', `${tenantCode}\u0000${idempotencyKey}`, 'buffer').subarray(0, 16);
}

function prepare(sqlite: Database.Database) {
  return {
    add: sqlite.prepare<[number, number, Buffer]>(
      'INSERT INTO forgotten_keys (event_id, hash, digest) VALUES (?, ?, ?)',
    ),
    digest: sqlite.prepare<[number], Buffer>('SELECT digest FROM forgotten_keys WHERE event_id = ?').pluck(),
    after: sqlite
      .prepare<[number, number], number>(
        'SELECT event_id FROM forgotten_keys WHERE event_id > ? ORDER BY event_id LIMIT ?',
      )
      .pluck(),
    hashes: sqlite
      .prepare<[number], [number, number]>('SELECT event_id, hash FROM forgotten_keys WHERE event_id > ?')
      .raw(),
  };
}
