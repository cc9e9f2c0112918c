import { and, asc, eq } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
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
        await note(tx, { before: null, after: rota }, actor, stamp);
      }),
    );
  }

  async change(rota: Rota, priorAt: number, actor: string, stamp: Stamp) {
    let changed = false;
    const free = await unlessTaken(() =>
      this.#database.transaction(async (tx) => {
        const own = and(eq(dutyRotas.id, rota.id), eq(dutyRotas.updatedAt, priorAt));
        const [before] = await tx.db.select().from(dutyRotas).where(own).for('update');
        changed = before === undefined;
        if (!before) return;
        await tx.db.update(dutyRotas).set(rota).where(eq(dutyRotas.id, rota.id));
        await note(tx, { before, after: rota }, actor, stamp);
      }),
    );
    return !free ? ('name_taken' as const) : changed ? ('changed' as const) : ('saved' as const);
  }

  remove(id: string, actor: string, stamp: Stamp): Promise<Rota | null> {
    return this.#database.transaction(async (tx) => {
      const [before] = await tx.db.delete(dutyRotas).where(eq(dutyRotas.id, id)).returning();
      if (before) await note(tx, { before, after: null }, actor, stamp);
      return before ?? null;
    });
  }
}

async function note(
  tx: Tx,
  { before, after }: { before: Rota | null; after: Rota | null },
  actor: string,
  stamp: Stamp,
): Promise<void> {
  const rota = after ?? before;
  if (!rota) return;
  await appendAudit(tx, {
    id: stamp.newId(),
    at: stamp.now,
    actor,
    action: before === null ? 'rota.created' : after === null ? 'rota.removed' : 'rota.changed',
    subject: `rota:${rota.id}`,
    tenantCode: rota.tenantCode === OPERATORS ? null : rota.tenantCode,
    before,
    after,
  });
}
