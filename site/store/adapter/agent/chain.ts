import type Database from 'better-sqlite3';
import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { ChainKey } from '../../../../common/agent/grouping/decide.ts';
import type { ChainRecord } from '../../../../common/agent/grouping/record.ts';
import { prepareInsert } from '../../engine/insert.ts';
import { agentChains } from '../../schema/tables.ts';
import { leftOutNow } from '../left-out.ts';

type ChainId = Pick<ChainRecord, 'tenantCode' | 'sourceKey'>;

/** Chains with one key that an event is compared with: the newest. */
const CHAINS_COMPARED = 3;
// Written out, not bound: a partial index serves only a condition that names its own.
const unwritten = sql`${agentChains.ripe} = 1 AND ${agentChains.pending} <> '[]'`;

/**
 * The chains of events of which the agent makes incident groups. Everything happens within the open
 * transaction.
 */
export class AgentChains {
  #orm: BetterSQLite3Database;
  #sql: ReturnType<typeof prepare>;

  constructor(sqlite: Database.Database, orm: BetterSQLite3Database) {
    this.#orm = orm;
    this.#sql = prepare(sqlite, orm);
  }

  newest({ tenantCode, layer, chainKey }: ChainKey): ChainRecord[] {
    return this.#sql.chains.all({ tenantCode, layer, chainKey });
  }

  unwritten(now: number, limit: number): ChainRecord[] {
    return this.#sql.unwritten.all({ now, limit });
  }

  /** Inserts the chain, or replaces it. */
  put(chain: ChainRecord): void {
    this.#orm.delete(agentChains).where(isChain(chain)).run();
    this.#sql.add(chain);
  }

  /** These events of the chain are in an incident group now. */
  written(id: ChainId, eventIds: readonly number[]): void {
    const chain = this.#orm.select().from(agentChains).where(isChain(id)).get();
    if (!chain) return;
    const pending = chain.pending.filter((eventId) => !eventIds.includes(eventId));
    this.#orm.update(agentChains).set({ pending }).where(isChain(id)).run();
  }

  /** Deletes chains that are written and that no event has joined since. @returns how many */
  sweep(touchedBefore: number, limit: number): number {
    const idle = sql`(tenant_code, source_key) IN (SELECT tenant_code, source_key FROM agent_chains
      WHERE touched_at < ${touchedBefore} AND NOT (ripe = 1 AND pending <> '[]') LIMIT ${limit})`;
    return this.#orm.delete(agentChains).where(idle).run().changes;
  }
}

const isChain = ({ tenantCode, sourceKey }: ChainId) =>
  and(eq(agentChains.tenantCode, tenantCode), eq(agentChains.sourceKey, sourceKey));

function prepare(sqlite: Database.Database, orm: BetterSQLite3Database) {
  const { placeholder } = sql;
  return {
    add: prepareInsert(sqlite, agentChains),
    unwritten: orm
      .select()
      .from(agentChains)
      .where(
        sql`${unwritten} AND (${agentChains.tenantCode}, ${agentChains.pending} ->> 0)
          NOT IN ${leftOutNow('incident groups', placeholder('now'))}`,
      )
      .orderBy(asc(agentChains.touchedAt))
      .limit(placeholder('limit'))
      .prepare(),
    chains: orm
      .select()
      .from(agentChains)
      .where(
        and(
          eq(agentChains.tenantCode, placeholder('tenantCode')),
          eq(agentChains.layer, placeholder('layer')),
          eq(agentChains.chainKey, placeholder('chainKey')),
        ),
      )
      .orderBy(desc(agentChains.lastAt), desc(agentChains.sourceKey))
      .limit(CHAINS_COMPARED)
      .prepare(),
  };
}
