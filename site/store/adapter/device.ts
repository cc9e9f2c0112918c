import { and, asc, eq, isNotNull, isNull, lt, or } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Stamp } from '../../../common/clock.ts';
import type { DevicePort } from '../../intake/port.ts';
import type { Device, DeviceRecord, Episode, Refusal } from '../../intake/record.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { deviceEpisodes, deviceRefusals, devices, keys } from '../schema/tables.ts';
import type { SiteAudit } from './audit.ts';

/** Devices that cannot sign. The audit shows what changed, never a token or a reference to a secret. */
export class SiteDevices implements DevicePort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #audit: SiteAudit;

  constructor(group: GroupCommit, orm: BetterSQLite3Database, audit: SiteAudit) {
    this.#group = group;
    this.#orm = orm;
    this.#audit = audit;
  }

  add(device: DeviceRecord, actor: string, stamp: Stamp): Promise<void> {
    return this.#group.write(() => {
      this.#orm.insert(devices).values(device).run();
      this.#trace('device.added', { before: null, after: device }, actor, stamp);
    });
  }

  async list(): Promise<Device[]> {
    const rows = this.#orm
      .select({ device: devices, tenantCode: keys.tenantCode, name: keys.subject })
      .from(devices)
      .innerJoin(keys, eq(keys.keyId, devices.keyId))
      .where(and(isNull(keys.removedAt), isNotNull(keys.tenantCode)))
      .orderBy(asc(devices.keyId))
      .all();
    return rows.map(({ device, tenantCode, name }) => ({ ...device, tenantCode: tenantCode ?? '', name }));
  }

  change(
    keyId: string,
    change: Partial<Pick<DeviceRecord, 'tokenHash' | 'secretRef' | 'config'>>,
    actor: string,
    stamp: Stamp,
  ): Promise<boolean> {
    return this.#group.write(() => {
      const before = this.#read(keyId);
      if (!before) return false;
      const after = { ...before, ...change };
      this.#orm.update(devices).set(after).where(eq(devices.keyId, keyId)).run();
      this.#trace('device.changed', { before, after }, actor, stamp);
      return true;
    });
  }

  remove(keyId: string, actor: string, stamp: Stamp): Promise<boolean> {
    return this.#group.write(() => {
      const before = this.#read(keyId);
      if (!before) return false;
      this.#orm.delete(devices).where(eq(devices.keyId, keyId)).run();
      this.#orm.delete(deviceEpisodes).where(eq(deviceEpisodes.keyId, keyId)).run();
      this.#orm.delete(deviceRefusals).where(eq(deviceRefusals.keyId, keyId)).run();
      this.#trace('device.removed', { before, after: null }, actor, stamp);
      return true;
    });
  }

  async refusal(keyId: string): Promise<Refusal | null> {
    return this.#orm.select().from(deviceRefusals).where(eq(deviceRefusals.keyId, keyId)).get() ?? null;
  }

  refused(row: Refusal): Promise<void> {
    return this.#group.write(() => {
      this.#orm
        .insert(deviceRefusals)
        .values(row)
        .onConflictDoUpdate({ target: deviceRefusals.keyId, set: row })
        .run();
    });
  }

  admitted(keyId: string): Promise<void> {
    return this.#group.write(() => {
      this.#orm.delete(deviceRefusals).where(eq(deviceRefusals.keyId, keyId)).run();
    });
  }

  async unsettled(): Promise<Episode[]> {
    return this.#orm
      .select()
      .from(deviceEpisodes)
      .where(or(isNull(deviceEpisodes.closedAt), isNotNull(deviceEpisodes.pending)))
      .all();
  }

  async episode(keyId: string, alarm: string): Promise<Episode | null> {
    const where = and(eq(deviceEpisodes.keyId, keyId), eq(deviceEpisodes.alarm, alarm));
    return this.#orm.select().from(deviceEpisodes).where(where).get() ?? null;
  }

  save(episodes: readonly Episode[]): Promise<void> {
    return this.#group.write(() => {
      for (const row of episodes)
        this.#orm
          .insert(deviceEpisodes)
          .values(row)
          .onConflictDoUpdate({ target: [deviceEpisodes.keyId, deviceEpisodes.alarm], set: row })
          .run();
    });
  }

  prune(before: number): Promise<void> {
    return this.#group.write(() => {
      const old = and(lt(deviceEpisodes.closedAt, before), isNull(deviceEpisodes.pending));
      this.#orm.delete(deviceEpisodes).where(old).run();
    });
  }

  #read(keyId: string): DeviceRecord | null {
    return this.#orm.select().from(devices).where(eq(devices.keyId, keyId)).get() ?? null;
  }

  #trace(
    action: string,
    { before, after }: { before: DeviceRecord | null; after: DeviceRecord | null },
    actor: string,
    { now, newId }: Stamp,
  ): void {
    const keyId = (after ?? before)?.keyId ?? '';
    const key = this.#orm.select().from(keys).where(eq(keys.keyId, keyId)).get();
    this.#audit.insert({
      id: newId(),
      at: now,
      actor,
      action,
      subject: `device:${keyId}`,
      tenantCode: key?.tenantCode ?? null,
      before: shown(before),
      after: shown(after),
    });
  }
}

function shown(device: DeviceRecord | null): unknown {
  if (!device) return null;
  const { tokenHash: _token, secretRef: _secret, ...rest } = device;
  return rest;
}
