import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { ModelCallDay, ModelCallPort } from '../../../common/core/model-call/port.ts';
import type { ModelCallKind, ModelCalls } from '../../../common/core/model-call/record.ts';
import type { Database } from '../engine/database.ts';
import { modelCalls } from '../schema/tables.ts';

export class HubModelCalls implements ModelCallPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** One statement: of two hubs that take the last call one has it. */
  take(of: ModelCallDay, most: number): Promise<number | null> {
    return this.#database.transaction(async ({ db }) => {
      const [taken] = await db
        .insert(modelCalls)
        .values({ ...of, calls: 1, tokens: 0, most })
        .onConflictDoUpdate({
          target: [modelCalls.tenantCode, modelCalls.day, modelCalls.kind],
          set: { calls: sql`${modelCalls.calls} + 1`, most },
          setWhere: lt(modelCalls.calls, most),
        })
        .returning({ calls: modelCalls.calls });
      return taken?.calls ?? null;
    });
  }

  async addTokens(of: ModelCallDay, tokens: number): Promise<void> {
    await this.#database.transaction(({ db }) =>
      db
        .update(modelCalls)
        .set({ tokens: sql`${modelCalls.tokens} + ${tokens}` })
        .where(
          and(
            eq(modelCalls.tenantCode, of.tenantCode),
            eq(modelCalls.day, of.day),
            eq(modelCalls.kind, of.kind),
          ),
        ),
    );
  }

  list(tenantCode: string | null, since: string, kind?: ModelCallKind): Promise<ModelCalls[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(modelCalls)
        .where(
          and(
            gte(modelCalls.day, since),
            tenantCode === null ? undefined : eq(modelCalls.tenantCode, tenantCode),
            kind === undefined ? undefined : eq(modelCalls.kind, kind),
          ),
        )
        .orderBy(desc(modelCalls.day), asc(modelCalls.tenantCode), asc(modelCalls.kind)),
    );
  }

  async forgetBefore(day: string): Promise<void> {
    await this.#database.transaction(({ db }) => db.delete(modelCalls).where(lt(modelCalls.day, day)));
  }
}
