import { and, asc, count, eq } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { auditChange, type Changed } from '../../store/adapter/audit.ts';
import type { Database } from '../../store/engine/database.ts';
import { unlessTaken } from '../../store/engine/errors.ts';
import type { PlanFilter, PlanPort } from '../port.ts';
import { MOST_PLANS, type Plan } from '../record.ts';
import { planPictures, plans } from './schema.ts';

export class HubPlans implements PlanPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list({ tenantCode, instance }: PlanFilter): Promise<Plan[]> {
    const wanted = and(
      tenantCode === null ? undefined : eq(plans.tenantCode, tenantCode),
      instance === null ? undefined : eq(plans.instance, instance),
    );
    return this.#database.read((db) =>
      db
        .select()
        .from(plans)
        .where(wanted)
        .orderBy(asc(plans.instance), asc(plans.name), asc(plans.tenantCode)),
    );
  }

  get(id: string, tenantCode: string | null): Promise<Plan | null> {
    const own = tenantCode === null ? undefined : eq(plans.tenantCode, tenantCode);
    return this.#database.read(
      async (db) =>
        (
          await db
            .select()
            .from(plans)
            .where(and(own, eq(plans.id, id)))
        )[0] ?? null,
    );
  }

  async bytes(id: string, tenantCode: string | null): Promise<Buffer | null> {
    const own = tenantCode === null ? undefined : eq(planPictures.tenantCode, tenantCode);
    const [found] = await this.#database.read((db) =>
      db
        .select({ content: planPictures.content })
        .from(planPictures)
        .where(and(own, eq(planPictures.planId, id))),
    );
    return found?.content ?? null;
  }

  async create(plan: Plan, bytes: Buffer, actor: string, stamp: Stamp) {
    const { tenantCode, instance, id } = plan;
    let many = false;
    const free = await unlessTaken(() =>
      this.#database.transaction(async (tx) => {
        const ofSite = and(eq(plans.tenantCode, tenantCode), eq(plans.instance, instance));
        const [there] = await tx.db.select({ count: count() }).from(plans).where(ofSite);
        many = (there?.count ?? 0) >= MOST_PLANS;
        if (many) return;
        await tx.db.insert(plans).values(plan);
        await tx.db.insert(planPictures).values({ tenantCode, planId: id, content: bytes });
        await auditChange(tx, changed(null, plan), actor, stamp);
      }),
    );
    return !free ? ('name_taken' as const) : many ? ('too_many' as const) : ('created' as const);
  }

  async change(plan: Plan, bytes: Buffer | null, priorAt: number, actor: string, stamp: Stamp) {
    const { tenantCode, id } = plan;
    const own = and(eq(plans.tenantCode, tenantCode), eq(plans.id, id));
    let stale = false;
    const free = await unlessTaken(() =>
      this.#database.transaction(async (tx) => {
        const asRead = and(own, eq(plans.updatedAt, priorAt));
        const [before] = await tx.db.select().from(plans).where(asRead).for('update');
        stale = before === undefined;
        if (!before) return;
        await tx.db.update(plans).set(plan).where(own);
        if (bytes)
          await tx.db
            .update(planPictures)
            .set({ content: bytes })
            .where(and(eq(planPictures.tenantCode, tenantCode), eq(planPictures.planId, id)));
        await auditChange(tx, changed(before, plan), actor, stamp);
      }),
    );
    return !free ? ('name_taken' as const) : stale ? ('changed' as const) : ('saved' as const);
  }

  remove(id: string, tenantCode: string, actor: string, stamp: Stamp): Promise<Plan | null> {
    return this.#database.transaction(async (tx) => {
      const own = and(eq(plans.tenantCode, tenantCode), eq(plans.id, id));
      const [before] = await tx.db.delete(plans).where(own).returning();
      if (before) await auditChange(tx, changed(before, null), actor, stamp);
      return before ?? null;
    });
  }
}

const changed = (before: Plan | null, after: Plan | null): Changed<Plan> => ({
  kind: 'plan',
  tenantCode: (after ?? before)?.tenantCode ?? null,
  before,
  after,
});
