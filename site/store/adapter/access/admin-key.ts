import { and, asc, eq, isNotNull, isNull, lt, or } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import {
  type AdminKeyPort,
  type AdminKeyRecord,
  configuredRow,
  traced,
} from '../../../../common/core/admin-key/port.ts';
import { CONFIGURED } from '../../../../common/http/access.ts';
import { conflict } from '../../../../common/http/error.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import { adminKeys } from '../../schema/tables.ts';
import type { SiteAudit } from '../audit.ts';

export class SiteAdminKeys implements AdminKeyPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #audit: SiteAudit;
  #newId: () => string;

  constructor(group: GroupCommit, orm: BetterSQLite3Database, audit: SiteAudit, newId: () => string) {
    this.#group = group;
    this.#orm = orm;
    this.#audit = audit;
    this.#newId = newId;
  }

  add(key: AdminKeyRecord, actor: string): Promise<void> {
    return this.#group.write(() => {
      const taken = this.#orm.select().from(adminKeys).where(eq(adminKeys.name, key.name)).get();
      if (taken)
        throw conflict(
          'key_exists',
          `The name ${key.name} is taken, perhaps by a withdrawn key. Choose another.`,
        );
      this.#orm.insert(adminKeys).values(key).run();
      this.#trace('admin_key.added', { before: null, after: key }, key.createdAt, actor);
    });
  }

  async byHash(hash: string): Promise<AdminKeyRecord | null> {
    const found = or(eq(adminKeys.secretHash, hash), eq(adminKeys.previousHash, hash));
    return (
      this.#orm
        .select()
        .from(adminKeys)
        .where(and(found, isNull(adminKeys.removedAt)))
        .get() ?? null
    );
  }

  async list(): Promise<AdminKeyRecord[]> {
    return this.#orm
      .select()
      .from(adminKeys)
      .where(isNull(adminKeys.removedAt))
      .orderBy(asc(adminKeys.name))
      .all();
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
      { now, actor },
    );
  }

  remove(name: string, now: number, actor: string): Promise<boolean> {
    return this.#change(name, 'admin_key.removed', () => ({ removedAt: now }), { now, actor });
  }

  used(name: string, now: number, from: string): Promise<void> {
    return this.#group.write(() => {
      if (name === CONFIGURED)
        this.#orm.insert(adminKeys).values(configuredRow(now, from)).onConflictDoNothing().run();
      const earlier = or(isNull(adminKeys.lastUsedAt), lt(adminKeys.lastUsedAt, now));
      this.#orm
        .update(adminKeys)
        .set({ lastUsedAt: now, lastUsedFrom: from })
        .where(and(eq(adminKeys.name, name), earlier))
        .run();
    });
  }

  #change(
    name: string,
    action: string,
    set: (present: AdminKeyRecord) => Partial<AdminKeyRecord>,
    by: { now: number; actor: string },
  ): Promise<boolean> {
    return this.#group.write(() => {
      const live = and(
        eq(adminKeys.name, name),
        isNull(adminKeys.removedAt),
        isNotNull(adminKeys.secretHash),
      );
      const before = this.#orm.select().from(adminKeys).where(live).get();
      if (!before) return false;
      const after: AdminKeyRecord = { ...before, ...set(before) };
      this.#orm.update(adminKeys).set(after).where(eq(adminKeys.name, name)).run();
      this.#trace(action, { before, after }, by.now, by.actor);
      return true;
    });
  }

  #trace(
    action: string,
    { before, after }: { before: AdminKeyRecord | null; after: AdminKeyRecord },
    at: number,
    actor: string,
  ): void {
    this.#audit.insert({
      id: this.#newId(),
      at,
      actor,
      action,
      subject: `admin_key:${after.name}`,
      tenantCode: null,
      before: traced(before),
      after: traced(after),
    });
  }
}
