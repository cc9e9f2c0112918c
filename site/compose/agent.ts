import { type AgentModule, createAgent } from '../../common/agent/create.ts';
import { createRuleSet } from '../../common/agent/rule-set/create.ts';
import type { RuleSet } from '../../common/agent/rule-set/rule-set.ts';
import { RemoteRules } from '../../common/agent/rule-set/source.ts';
import type { Core } from '../../common/core/core.ts';
import { readKeyText } from '../../common/http/signing/credentials.ts';
import type { SiteConfig } from '../config.ts';
import { createHttpClient } from '../http-client.ts';
import type { LibrarySearch } from '../policy/search.ts';
import { siteMessages } from '../site-messages.ts';
import type { SiteStore } from '../store/open.ts';
import type { NotificationHandover } from '../uplink/notification/sender.ts';
import type { Base } from './base.ts';
import { coreBase, coreSecrets } from './core.ts';

/** The rules of headquarters, where there is one, beside those registered here. */
export function createRules(base: Base): RuleSet {
  const { config, store, lifecycle } = base;
  const ruleSet = createRuleSet({
    stores: store,
    clock: base.clock,
    log: base.log,
    instance: config.instance,
    dataDir: config.dataDir,
    cacheFile: config.rulesCacheFile,
    remote: config.uplink && remoteRules(base, config.uplink),
    tenants: async () => config.agentTenants ?? (await tenantsOfCameras(store)),
  });
  lifecycle.onStop('rules', () => ruleSet.loop.stop());
  return ruleSet;
}

function remoteRules(
  { config, clock, lifecycle }: Base,
  { url, keyRef }: NonNullable<SiteConfig['uplink']>,
): RemoteRules {
  const client = createHttpClient();
  lifecycle.onStop('rules client', () => client.close());
  return new RemoteRules({
    client,
    url,
    key: () => readKeyText(keyRef, config.secrets),
    now: () => clock.now(),
  });
}

async function tenantsOfCameras({ keys }: SiteStore): Promise<string[]> {
  const nodes = await keys.list('node');
  return [...new Set(nodes.flatMap(({ tenantCode }) => tenantCode ?? []))];
}

/** The agent that carries out the rules on events of this site. */
export function createSiteAgent(
  base: Base,
  core: Core,
  ruleSet: RuleSet,
  { handover, library }: { handover: NotificationHandover | null; library: LibrarySearch },
): AgentModule {
  const { config } = base;
  const agent = createAgent({
    messages: siteMessages,
    base: coreBase(base),
    core,
    ruleSet,
    secrets: coreSecrets(base),
    createClient: createHttpClient,
    config: config.agent,
    tenants: config.agentTenants,
    steps: base.overrides.agentSteps,
    clauses: (tenantCode, about) => library.clauseFor(tenantCode, about),
    above: handover && { notify: () => handover.notify() },
  });
  base.lifecycle.onStop('agent', () => agent.stop());
  return agent;
}
