import path from 'node:path';
import type { Clock } from '../../clock.ts';
import type { Stores } from '../../core/stores.ts';
import type { Route } from '../../http/route.ts';
import type { Logger } from '../../log.ts';
import { RulesCache } from './cache.ts';
import { ruleSetRoutes } from './routes.ts';
import { RuleSet } from './rule-set.ts';
import type { RemoteRules } from './source.ts';

export interface CreateRuleSet {
  stores: Stores;
  clock: Clock;
  log: Logger;
  instance: string;
  /** null: rules are registered in this store only. */
  remote: RemoteRules | null;
  dataDir: string;
  /** RULES_CACHE_FILE; null: `off`. */
  cacheFile: string | null;
  /** Tenants that the agent serves; null: every one. */
  tenants: () => Promise<readonly string[] | null>;
  /** What the agent itself has to say of its work, for a tenant or for all. */
  facts: (tenantCode: string | null) => Promise<Record<string, unknown>>;
}

/** The agent's rules with their routes. */
export function createRuleSet(options: CreateRuleSet): { ruleSet: RuleSet; routes: Route[] } {
  const { stores, clock, log, instance, remote, tenants, facts } = options;
  const cache =
    options.cacheFile === null ? null : new RulesCache(path.resolve(options.dataDir, options.cacheFile));
  const ruleSet = new RuleSet({
    rules: stores.rules,
    alarms: stores.alarms,
    remote,
    cache,
    tenants,
    instance,
    clock,
    log,
  });
  return { ruleSet, routes: ruleSetRoutes({ ruleSet, events: stores.events, clock, facts }) };
}
