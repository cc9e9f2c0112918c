import { and, eq, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { CooldownKey } from '../../../../common/agent/act/record.ts';
import { agentCooldowns } from '../../schema/tables.ts';

type Cooldown = typeof agentCooldowns.$inferSelect;

const KEY = [
  agentCooldowns.tenantCode,
  agentCooldowns.camera,
  agentCooldowns.eventType,
  agentCooldowns.ruleName,
  agentCooldowns.isTest,
];

/** How long the agent stays silent on what it acted on. Everything happens within the open transaction. */
export class AgentCooldowns {
  #orm: BetterSQLite3Database;
  #find: ReturnType<typeof prepareFind>;

  constructor(orm: BetterSQLite3Database) {
    this.#orm = orm;
    this.#find = prepareFind(orm);
  }

  find({ tenantCode, camera, eventType, ruleName, isTest }: CooldownKey): Cooldown | null {
    return this.#find.get({ tenantCode, camera, eventType, ruleName, isTest: Number(isTest) }) ?? null;
  }

  /** Inserts the cooldown, or replaces it. */
  put(cooldown: Cooldown): void {
    this.#orm
      .insert(agentCooldowns)
      .values(cooldown)
      .onConflictDoUpdate({ target: KEY, set: cooldown })
      .run();
  }

  /** Deletes cooldowns that are over. @returns how many */
  sweep(steadyAt: number, limit: number): number {
    const over = sql`(tenant_code, camera, event_type, rule_name, is_test) IN (SELECT tenant_code, camera,
      event_type, rule_name, is_test FROM agent_cooldowns WHERE until <= ${steadyAt} LIMIT ${limit})`;
    return this.#orm.delete(agentCooldowns).where(over).run().changes;
  }
}

function prepareFind(orm: BetterSQLite3Database) {
  const { placeholder } = sql;
  return orm
    .select()
    .from(agentCooldowns)
    .where(
      and(
        eq(agentCooldowns.tenantCode, placeholder('tenantCode')),
        eq(agentCooldowns.camera, placeholder('camera')),
        eq(agentCooldowns.eventType, placeholder('eventType')),
        eq(agentCooldowns.ruleName, placeholder('ruleName')),
        // Bound as it is, not converted by the column: 0 or 1.
        eq(agentCooldowns.isTest, placeholder('isTest')),
      ),
    )
    .prepare();
}
