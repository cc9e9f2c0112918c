import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import type { Clock } from '../../../../common/clock.ts';
import type { KeyPort, KeyRecord } from '../../../../common/core/key/port.ts';
import type { KeyPurpose } from '../../../../common/http/access.ts';
import { conflict } from '../../../../common/http/error.ts';
import { Coalescer } from '../../engine/coalescer.ts';
import type { Database, Tx } from '../../engine/database.ts';
import { isUniqueViolation } from '../../engine/errors.ts';
import { keys } from '../../schema/access.ts';
import { appendAudit } from '../audit.ts';

/** Keys that are looked up by one statement. */
const MOST_AT_ONCE = 500;

export class HubKeys implements KeyPort {
  #database: Database;
  #clock: Clock;
  /** After a start all sites and devices call at once, each with a key that is not known yet. */
  #looking: Coalescer<string, KeyRecord | null>;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#looking = new Coalescer((keyIds) => keysOf(database, keyIds), MOST_AT_ONCE);
  }

  async add(key: KeyRecord, actor: string): Promise<void> {
    try {
      await this.#database.transaction(async (tx) => {
        await tx.db.insert(keys).values(key);
        await note(tx, this.#clock, {
          actor,
          now: key.createdAt,
          action: 'key.added',
          before: null,
          after: key,
        });
      });
    } catch (error) {
      if (isUniqueViolation(error))
        throw conflict(
          'key_exists',
          `The key id ${key.keyId} is taken, perhaps by a removed key. Choose another.`,
        );
      throw error;
    }
  }

  get(keyId: string): Promise<KeyRecord | null> {
    return this.#looking.add(keyId);
  }

  list(purpose: KeyPurpose): Promise<KeyRecord[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(keys)
        .where(and(eq(keys.purpose, purpose), isNull(keys.removedAt)))
        .orderBy(asc(keys.keyId)),
    );
  }

  rotate(
    keyId: string,
    secretRef: string,
    previousUntil: number,
    now: number,
    actor: string,
  ): Promise<boolean> {
    return this.#change(
      keyId,
      'key.rotated',
      (present) => ({ secretRef, previousRef: present.secretRef, previousUntil }),
      { actor, now },
    );
  }

  remove(keyId: string, now: number, actor: string): Promise<boolean> {
    return this.#change(keyId, 'key.removed', () => ({ removedAt: now }), { actor, now });
  }

  #change(
    keyId: string,
    action: string,
    set: (present: KeyRecord) => Partial<KeyRecord>,
    by: { actor: string; now: number },
  ): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const [before] = await tx.db
        .select()
        .from(keys)
        .where(and(eq(keys.keyId, keyId), isNull(keys.removedAt)))
        .for('update');
      if (!before) return false;
      const after = { ...before, ...set(before) };
      await tx.db.update(keys).set(after).where(eq(keys.keyId, keyId));
      await note(tx, this.#clock, { ...by, action, before, after });
      return true;
    });
  }
}

/** References to secrets are left out: a `sealed:` one holds the secret itself, encrypted. */
function traced(key: KeyRecord | null): unknown {
  if (!key) return null;
  const { secretRef: _live, previousRef: _previous, ...rest } = key;
  return rest;
}

async function note(
  tx: Tx,
  clock: Clock,
  what: { actor: string; now: number; action: string; before: KeyRecord | null; after: KeyRecord },
): Promise<void> {
  await appendAudit(tx, {
    id: clock.newId(),
    at: what.now,
    actor: what.actor,
    action: what.action,
    subject: `key:${what.after.keyId}`,
    tenantCode: what.after.tenantCode,
    before: traced(what.before),
    after: traced(what.after),
  });
}

async function keysOf(database: Database, keyIds: readonly string[]): Promise<(KeyRecord | null)[]> {
  const found = await database.read((db) =>
    db
      .select()
      .from(keys)
      .where(inArray(keys.keyId, [...new Set(keyIds)])),
  );
  const known = new Map(found.map((key) => [key.keyId, key]));
  return keyIds.map((keyId) => known.get(keyId) ?? null);
}
