import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { ModelCallDay, ModelCallPort } from '../../../common/core/model-call/port.ts';
import type { ModelCallKind, ModelCalls } from '../../../common/core/model-call/record.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { modelCalls } from '../schema/tables.ts';

export class SiteModelCalls implements ModelCallPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;

  constructor(group: GroupCommit, orm: BetterSQLite3Database) {
    this.#group = group;
    this.#orm = orm;
  }

  take(of: ModelCallDay, most: number): Promise<number | null> {
    return this.#group.write(
      () =>
        this.#orm
          .insert(modelCalls)
          .values({ ...of, calls: 1, tokens: 0, most })
          .onConflictDoUpdate({
            target: [modelCalls.tenantCode, modelCalls.day, modelCalls.kind],
            set: { calls: sql`${modelCalls.calls} + 1`, most },
            setWhere: lt(modelCalls.calls, most),
          })
          .returning({ calls: modelCalls.calls })
          .get()?.calls ?? null,
    );
  }

  async addTokens(of: ModelCallDay, tokens: number): Promise<void> {
    await this.#group.write(() =>
      this.#orm
        .update(modelCalls)
        .set({ tokens: sql`${modelCalls.tokens} + ${tokens}` })
        .where(
          and(
            eq(modelCalls.tenantCode, of.tenantCode),
            eq(modelCalls.day, of.day),
            eq(modelCalls.kind, of.kind),
          ),
        )
        .run(),
    );
  }

  async list(tenantCode: string | null, since: string, kind?: ModelCallKind): Promise<ModelCalls[]> {
    return this.#orm
      .select()
      .from(modelCalls)
      .where(
        and(
          gte(modelCalls.day, since),
          tenantCode === null ? undefined : eq(modelCalls.tenantCode, tenantCode),
          kind === undefined ? undefined : eq(modelCalls.kind, kind),
        ),
      )
      .orderBy(desc(modelCalls.day), asc(modelCalls.tenantCode), asc(modelCalls.kind))
      .all();
  }

  async forgetBefore(day: string): Promise<void> {
    const gone = lt(modelCalls.day, day);
    if (this.#orm.select().from(modelCalls).where(gone).get() === undefined) return;
    await this.#group.write(() => this.#orm.delete(modelCalls).where(gone).run());
  }
}
