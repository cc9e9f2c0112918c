import { and, desc, eq, isNull, notInArray } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { permissionsOf } from '../../../common/http/access.ts';
import { users } from '../../auth/store/schema.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database } from '../../store/engine/database.ts';
import { type CallChoice, type Person, type PushDevice, STANDARD_CHOICE } from '../person/record.ts';
import type { PersonPort } from '../port.ts';
import { dutyDevices, dutyPeople } from './schema.ts';

export class HubPersons implements PersonPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  people(): Promise<Person[]> {
    return this.#people();
  }

  async person(name: string): Promise<Person | null> {
    return (await this.#people(name))[0] ?? null;
  }

  async #people(name?: string): Promise<Person[]> {
    const wanted = name === undefined ? undefined : eq(users.name, name);
    const [rows, devices] = await Promise.all([
      this.#database.read((db) =>
        db
          .select()
          .from(users)
          .leftJoin(dutyPeople, eq(dutyPeople.userName, users.name))
          .where(and(isNull(users.disabledAt), wanted))
          .orderBy(users.name),
      ),
      this.#database.read((db) =>
        db
          .select({ id: dutyDevices.id, userName: dutyDevices.userName })
          .from(dutyDevices)
          .where(name === undefined ? undefined : eq(dutyDevices.userName, name))
          .orderBy(dutyDevices.createdAt, dutyDevices.id),
      ),
    ]);
    const own = Map.groupBy(devices, ({ userName }) => userName);
    return rows.map(({ users: user, duty_people: chosen }) => {
      const held = permissionsOf(user.role, user.permissions);
      return {
        name: user.name,
        tenantCode: user.tenantCode,
        mayTake: held.includes('events.view') && held.includes('events.judge'),
        choice: { ...STANDARD_CHOICE, ...chosen?.choice },
        devices: (own.get(user.name) ?? []).map(({ id }) => id),
        consoleUrl: chosen?.consoleUrl ?? null,
      };
    });
  }

  choose(name: string, choice: CallChoice, consoleUrl: string | null, now: number): Promise<void> {
    const set = { choice, updatedAt: now, ...(consoleUrl === null ? {} : { consoleUrl }) };
    return this.#database.read(async (db) => {
      await db
        .insert(dutyPeople)
        .values({ userName: name, choice, consoleUrl, updatedAt: now })
        .onConflictDoUpdate({ target: dutyPeople.userName, set });
    });
  }

  devices(userName: string): Promise<PushDevice[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(dutyDevices)
        .where(eq(dutyDevices.userName, userName))
        .orderBy(desc(dutyDevices.createdAt), desc(dutyDevices.id)),
    );
  }

  device(id: string): Promise<PushDevice | null> {
    return this.#database.read(
      async (db) => (await db.select().from(dutyDevices).where(eq(dutyDevices.id, id)))[0] ?? null,
    );
  }

  addDevice(device: PushDevice, most: number, actor: string): Promise<void> {
    return this.#database.transaction(async (tx) => {
      await tx.db.delete(dutyDevices).where(eq(dutyDevices.endpointHash, device.endpointHash));
      await tx.db.insert(dutyDevices).values(device);
      const kept = tx.db
        .select({ id: dutyDevices.id })
        .from(dutyDevices)
        .where(eq(dutyDevices.userName, device.userName))
        .orderBy(desc(dutyDevices.createdAt), desc(dutyDevices.id))
        .limit(most);
      await tx.db
        .delete(dutyDevices)
        .where(and(eq(dutyDevices.userName, device.userName), notInArray(dutyDevices.id, kept)));
      await appendAudit(tx, {
        id: device.id,
        at: device.createdAt,
        actor,
        action: 'push_device.added',
        subject: `user:${device.userName}`,
        tenantCode: null,
        before: null,
        after: { id: device.id, host: device.host, label: device.label },
      });
    });
  }

  removeDevice(id: string, userName: string, actor: string, stamp: Stamp): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const own = and(eq(dutyDevices.id, id), eq(dutyDevices.userName, userName));
      const [gone] = await tx.db.delete(dutyDevices).where(own).returning();
      if (!gone) return false;
      await appendAudit(tx, {
        id: stamp.newId(),
        at: stamp.now,
        actor,
        action: 'push_device.removed',
        subject: `user:${userName}`,
        tenantCode: null,
        before: { id, host: gone.host, label: gone.label },
        after: null,
      });
      return true;
    });
  }

  dropDevice(id: string): Promise<void> {
    return this.#database.read(
      async (db) => void (await db.delete(dutyDevices).where(eq(dutyDevices.id, id))),
    );
  }

  deviceTried(id: string, error: string | null, now: number): Promise<void> {
    const set = error === null ? { lastSentAt: now, lastError: null } : { lastError: error };
    return this.#database.read(
      async (db) => void (await db.update(dutyDevices).set(set).where(eq(dutyDevices.id, id))),
    );
  }
}
