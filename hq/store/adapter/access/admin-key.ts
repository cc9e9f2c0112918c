import { and, asc, eq, isNotNull, isNull, lt, or } from 'drizzle-orm';
import type { Clock } from '../../../../common/clock.ts';
import {
  type AdminKeyPort,
  type AdminKeyRecord,
  configuredRow,
  traced,
} from '../../../../common/core/admin-key/port.ts';
import { CONFIGURED } from '../../../../common/http/access.ts';
import { conflict } from '../../../../common/http/error.ts';
import type { Database, Tx } from '../../engine/database.ts';
import { isUniqueViolation } from '../../engine/errors.ts';
import { adminKeys } from '../../schema/tables.ts';
import { appendAudit } from '../audit.ts';

export class HubAdminKeys implements AdminKeyPort {
  #database: Database;
  #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async add(key: AdminKeyRecord, actor: string): Promise<void> {
    try {
      await this.#database.transaction(async (tx) => {
        await tx.db.insert(adminKeys).values(key);
        await note(tx, this.#clock, {
          actor,
          now: key.createdAt,
          action: 'admin_key.added',
          before: null,
          after: key,
        });
      });
    } catch (error) {
      if (isUniqueViolation(error))
        throw conflict(
          'key_exists',
          `The name ${key.name} is taken, perhaps by a withdrawn key. Choose another.`,
        );
      throw error;
    }
  }

  byHash(hash: string): Promise<AdminKeyRecord | null> {
    return this.#database.read(async (db) => {
      const found = or(eq(adminKeys.secretHash, hash), eq(adminKeys.previousHash, hash));
      return (
        (
          await db
            .select()
            .from(adminKeys)
            .where(and(found, isNull(adminKeys.removedAt)))
        )[0] ?? null
      );
    });
  }

  list(): Promise<AdminKeyRecord[]> {
    return this.#database.read((db) =>
      db.select().from(adminKeys).where(isNull(adminKeys.removedAt)).orderBy(asc(adminKeys.name)),
    );
  }

  rotate(
    name: string,
    secretHash: string,
    previousUntil: number,
    now: number,
    actor: string,
  ): Promise<boolean> {
    return this.#change(
      name,
      'admin_key.rotated',
      (present) => ({ secretHash, previousHash: present.secretHash, previousUntil }),
      { actor, now },
    );
  }

  remove(name: string, now: number, actor: string): Promise<boolean> {
    return this.#change(name, 'admin_key.removed', () => ({ removedAt: now }), { actor, now });
  }

  used(name: string, now: number, from: string): Promise<void> {
    return this.#database.read(async (db) => {
      if (name === CONFIGURED)
        await db.insert(adminKeys).values(configuredRow(now, from)).onConflictDoNothing();
      const earlier = or(isNull(adminKeys.lastUsedAt), lt(adminKeys.lastUsedAt, now));
      await db
        .update(adminKeys)
        .set({ lastUsedAt: now, lastUsedFrom: from })
        .where(and(eq(adminKeys.name, name), earlier));
    });
  }

  #change(
    name: string,
    action: string,
    set: (present: AdminKeyRecord) => Partial<AdminKeyRecord>,
    by: { actor: string; now: number },
  ): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const live = and(
        eq(adminKeys.name, name),
        isNull(adminKeys.removedAt),
        isNotNull(adminKeys.secretHash),
      );
      const [before] = await tx.db.select().from(adminKeys).where(live).for('update');
      if (!before) return false;
      const after = { ...before, ...set(before) };
      await tx.db.update(adminKeys).set(after).where(eq(adminKeys.name, name));
      await note(tx, this.#clock, { ...by, action, before, after });
      return true;
    });
  }
}

async function note(
  tx: Tx,
  clock: Clock,
  what: { actor: string; now: number; action: string; before: AdminKeyRecord | null; after: AdminKeyRecord },
): Promise<void> {
  await appendAudit(tx, {
    id: clock.newId(),
    at: what.now,
    actor: what.actor,
    action: what.action,
    subject: `admin_key:${what.after.name}`,
    tenantCode: null,
    before: traced(what.before),
    after: traced(what.after),
  });
}
