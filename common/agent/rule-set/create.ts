import path from 'node:path';
import type { Clock } from '../../clock.ts';
import { type CameraNames, noCameraNames } from '../../core/camera/record.ts';
import type { Stores } from '../../core/stores.ts';
import type { Logger } from '../../log.ts';
import { RulesCache } from './cache.ts';
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
  /** What people call cameras; left out: nobody gives them names. */
  cameras?: CameraNames;
  /** As `RuleSetOptions.isDamage`; a site ends itself instead, and salvages its store. */
  isDamage?: (error: unknown) => boolean;
}

/** The agent's rules, with a cache on the disk. */
export function createRuleSet(options: CreateRuleSet): RuleSet {
  const { stores, clock, log, instance, remote, tenants, isDamage = () => false } = options;
  const { cameras = noCameraNames } = options;
  const cache =
    options.cacheFile === null ? null : new RulesCache(path.resolve(options.dataDir, options.cacheFile));
  return new RuleSet({
    rules: stores.rules,
    alarms: stores.alarms,
    remote,
    cache,
    tenants,
    cameras,
    instance,
    isDamage,
    clock,
    log,
  });
}
