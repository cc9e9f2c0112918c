import { and, asc, eq, isNull } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { KeyPort, KeyRecord } from '../../../../common/core/key/port.ts';
import type { KeyPurpose } from '../../../../common/http/access.ts';
import { conflict } from '../../../../common/http/error.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import { keys } from '../../schema/tables.ts';
import type { SiteAudit } from '../audit.ts';

/** Signing keys. The audit shows what changed, never a reference to a secret. */
export class SiteKeys implements KeyPort {
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

  add(key: KeyRecord, actor: string): Promise<void> {
    return this.#group.write(() => {
      if (this.#read(key.keyId))
        throw conflict('key_exists', `The key id ${key.keyId} is taken; choose another one.`);
      this.#orm.insert(keys).values(key).run();
      this.#trace('key.added', { before: null, after: key }, key.createdAt, actor);
    });
  }

  async get(keyId: string): Promise<KeyRecord | null> {
    return this.#read(keyId);
  }

  async list(purpose: KeyPurpose): Promise<KeyRecord[]> {
    return this.#orm
      .select()
      .from(keys)
      .where(and(eq(keys.purpose, purpose), isNull(keys.removedAt)))
      .orderBy(asc(keys.keyId))
      .all();
  }

  rotate(
    keyId: string,
    secretRef: string,
    previousUntil: number,
    now: number,
    actor: string,
  ): Promise<boolean> {
    return this.#group.write(() => {
      const before = this.#live(keyId);
      if (!before) return false;
      const after: KeyRecord = { ...before, secretRef, previousRef: before.secretRef, previousUntil };
      this.#orm.update(keys).set(after).where(eq(keys.keyId, keyId)).run();
      this.#trace('key.rotated', { before, after }, now, actor);
      return true;
    });
  }

  remove(keyId: string, now: number, actor: string): Promise<boolean> {
    return this.#group.write(() => {
      const before = this.#live(keyId);
      if (!before) return false;
      const after: KeyRecord = { ...before, removedAt: now };
      this.#orm.update(keys).set(after).where(eq(keys.keyId, keyId)).run();
      this.#trace('key.removed', { before, after }, now, actor);
      return true;
    });
  }

  #read(keyId: string): KeyRecord | null {
    return this.#orm.select().from(keys).where(eq(keys.keyId, keyId)).get() ?? null;
  }

  #live(keyId: string): KeyRecord | null {
    const key = this.#read(keyId);
    return key && key.removedAt === null ? key : null;
  }

  #trace(
    action: string,
    states: { before: KeyRecord | null; after: KeyRecord },
    at: number,
    actor: string,
  ): void {
    const { keyId, tenantCode } = states.after;
    this.#audit.insert({
      id: this.#newId(),
      at,
      actor,
      action,
      subject: `key:${keyId}`,
      tenantCode,
      before: shown(states.before),
      after: shown(states.after),
    });
  }
}

function shown(key: KeyRecord | null): unknown {
  if (!key) return null;
  const { secretRef: _live, previousRef: _previous, ...rest } = key;
  return rest;
}
