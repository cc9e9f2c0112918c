import { and, asc, count, eq } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database } from '../../store/engine/database.ts';
import { type CameraName, type CameraNamePort, MOST_NAMES } from '../port.ts';
import { cameraNames } from './schema.ts';

export class HubCameraNames implements CameraNamePort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(tenantCode: string | null): Promise<CameraName[]> {
    const wanted = tenantCode === null ? undefined : eq(cameraNames.tenantCode, tenantCode);
    const { tenantCode: tenant, instance, cameraRef } = cameraNames;
    return this.#database.read((db) =>
      db.select().from(cameraNames).where(wanted).orderBy(asc(tenant), asc(instance), asc(cameraRef)),
    );
  }

  give(
    { name, ...camera }: Omit<CameraName, 'name'> & { name: string | null },
    actor: string,
    { now, newId }: Stamp,
  ): Promise<boolean> {
    const { tenantCode, instance, cameraRef } = camera;
    const there = and(eq(cameraNames.tenantCode, tenantCode), eq(cameraNames.instance, instance));
    const own = and(there, eq(cameraNames.cameraRef, cameraRef));
    return this.#database.transaction(async (tx) => {
      const { db } = tx;
      const [before] = await db.select().from(cameraNames).where(own).for('update');
      if ((before?.name ?? null) === name) return true;
      if (name === null) await db.delete(cameraNames).where(own);
      else {
        const [named] = await db.select({ count: count() }).from(cameraNames).where(there);
        if (!before && (named?.count ?? 0) >= MOST_NAMES) return false;
        const { tenantCode: tenant, instance: at, cameraRef: ref } = cameraNames;
        await db
          .insert(cameraNames)
          .values({ ...camera, name })
          .onConflictDoUpdate({ target: [tenant, at, ref], set: { name } });
      }
      await appendAudit(tx, {
        ...{ id: newId(), at: now, actor, tenantCode },
        ...{ action: 'camera.named', subject: `camera:${instance}/${cameraRef}` },
        before: before ? { name: before.name } : null,
        after: name === null ? null : { name },
      });
      return true;
    });
  }
}
