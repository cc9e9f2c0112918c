import { and, asc, eq } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { auditChange, type Changed } from '../../store/adapter/audit.ts';
import type { Database } from '../../store/engine/database.ts';
import { unlessTaken } from '../../store/engine/errors.ts';
import type { RotaPort } from '../port.ts';
import { OPERATORS, type Rota } from '../rota/record.ts';
import { dutyRotas } from './schema.ts';

export class HubRotas implements RotaPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(tenantCode: string | null): Promise<Rota[]> {
    const own = tenantCode === null ? undefined : eq(dutyRotas.tenantCode, tenantCode);
    return this.#database.read((db) =>
      db.select().from(dutyRotas).where(own).orderBy(asc(dutyRotas.tenantCode), asc(dutyRotas.name)),
    );
  }

  get(id: string): Promise<Rota | null> {
    return this.#database.read(
      async (db) => (await db.select().from(dutyRotas).where(eq(dutyRotas.id, id)))[0] ?? null,
    );
  }

  async create(rota: Rota, actor: string, stamp: Stamp): Promise<boolean> {
    return unlessTaken(() =>
      this.#database.transaction(async (tx) => {
        await tx.db.insert(dutyRotas).values(rota);
        await auditChange(tx, changed(null, rota), actor, stamp);
      }),
    );
  }

  async change(rota: Rota, priorAt: number, actor: string, stamp: Stamp) {
    let stale = false;
    const free = await unlessTaken(() =>
      this.#database.transaction(async (tx) => {
        const own = and(eq(dutyRotas.id, rota.id), eq(dutyRotas.updatedAt, priorAt));
        const [before] = await tx.db.select().from(dutyRotas).where(own).for('update');
        stale = before === undefined;
        if (!before) return;
        await tx.db.update(dutyRotas).set(rota).where(eq(dutyRotas.id, rota.id));
        await auditChange(tx, changed(before, rota), actor, stamp);
      }),
    );
    return !free ? ('name_taken' as const) : stale ? ('changed' as const) : ('saved' as const);
  }

  remove(id: string, actor: string, stamp: Stamp): Promise<Rota | null> {
    return this.#database.transaction(async (tx) => {
      const [before] = await tx.db.delete(dutyRotas).where(eq(dutyRotas.id, id)).returning();
      if (before) await auditChange(tx, changed(before, null), actor, stamp);
      return before ?? null;
    });
  }
}

function changed(before: Rota | null, after: Rota | null): Changed<Rota> {
  const tenantCode = (after ?? before)?.tenantCode;
  const own = tenantCode === undefined || tenantCode === OPERATORS ? null : tenantCode;
  return { kind: 'rota', tenantCode: own, before, after };
}
