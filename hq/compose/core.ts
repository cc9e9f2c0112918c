import { AGENT } from '../../common/agent/act/record.ts';
import { agentRetentionHook, timelineNotifications } from '../../common/agent/act/traces.ts';
import { type AgentModule, createAgent } from '../../common/agent/create.ts';
import { createRuleSet } from '../../common/agent/rule-set/create.ts';
import type { RuleSet } from '../../common/agent/rule-set/rule-set.ts';
import { severityByRules } from '../../common/agent/rule-set/severity.ts';
import type { FindPolicies } from '../../common/agent/summary/summarizer.ts';
import type { CoreBase } from '../../common/core/compose/part.ts';
import { type Core, createCore } from '../../common/core/core.ts';
import { cameraNames } from '../camera/names.ts';
import { dutyRetentionHook } from '../duty/module.ts';
import { createSiteEvidence, type EvidenceModule } from '../evidence/create.ts';
import { createHttpClient } from '../http-client.ts';
import { hubMessages } from '../hub-messages.ts';
import { integrationRetentionHook } from '../integration/module.ts';
import { siteNames, siteZones } from '../receiver/site-names.ts';
import { isDamage } from '../store/engine/errors.ts';
import { type Base, KEY_CACHE_MS } from './base.ts';
import { passwordsOf } from './sign-in.ts';

/** The rules registered in this store. */
export function createRules({ config, store, clock, log, lifecycle }: Base): RuleSet {
  const ruleSet = createRuleSet({
    stores: store,
    clock,
    log,
    instance: config.instance,
    remote: null,
    dataDir: config.dataDir,
    cacheFile: null,
    tenants: () => Promise.resolve(config.agentTenants),
    cameras: cameraNames(store.cameraNames, config.instance, clock),
    isDamage,
  });
  lifecycle.onStop('rules', () => ruleSet.loop.stop());
  return ruleSet;
}

/** Evidence that stays at its site until it is wanted here. */
export function createEvidence({ store, config, secrets, clock, log, lifecycle }: Base): EvidenceModule {
  const sources = secrets.core.sources;
  const evidence = createSiteEvidence({ store, config, secrets: sources, clock, log });
  lifecycle.onStop('evidence of sites', () => evidence.stop());
  return evidence;
}

/** Of the connections of this program, beside those of sites and of people. */
const MOST_WAITING = 2_048;

/** The core event service on the store of headquarters. The caller must register its stop. */
export function createHubCore(base: Base, ruleSet: RuleSet, evidence: EvidenceModule): Core {
  const { config, store, secrets } = base;
  return createCore({
    base: coreBaseOf(base),
    secrets: secrets.core,
    outbound: {
      createClient: createHttpClient,
      feedbackNetworks: config.feedbackNetworks,
      pushNetworks: config.pushNetworks,
    },
    access: {
      adminKeys: base.adminKeys,
      keyCacheMs: KEY_CACHE_MS,
      keyNews: store.news,
      login: passwordsOf(base),
      deviceSecret: secrets.masterKey,
      trustedProxies: config.trustedProxies,
    },
    events: { mostWaiting: MOST_WAITING, severityOf: severityByRules(ruleSet), decisions: store.decisions },
    disposition: {
      notifications: timelineNotifications(store),
      knowledge: store.knowledge,
      decisions: store.decisions,
      calls: store.duty.timeline,
    },
    consumers: { own: config.agent.enabled ? AGENT : null, mostWaiting: MOST_WAITING },
    evidence: {
      files: evidence.files,
      limits: config.evidence,
      far: evidence.service,
      small: evidence.small,
    },
    retention: {
      limits: config.retention,
      hooks: [
        agentRetentionHook(store.agent),
        integrationRetentionHook(store.integration.deliveries),
        dutyRetentionHook(store.duty.calls),
        evidence.service.retentionHook,
      ],
      holdUnsent: false,
    },
    administration: {
      messages: hubMessages,
      onRule: () => ruleSet.registered(),
      tenantsOfSite: async (instance) => (await store.sites.get(instance))?.tenants ?? [],
    },
  });
}

/** The agent that carries out the rules on events of every site. */
export function createHubAgent(
  base: Base,
  core: Core,
  ruleSet: RuleSet,
  policies: FindPolicies,
): AgentModule {
  const { config, secrets, lifecycle } = base;
  const agent = createAgent({
    messages: hubMessages,
    base: coreBaseOf(base),
    core,
    ruleSet,
    secrets: secrets.core,
    createClient: createHttpClient,
    config: config.agent,
    tenants: config.agentTenants,
    policies,
  });
  lifecycle.onStop('agent', () => agent.stop());
  return agent;
}

const coreBaseOf = ({ config, store, clock, log }: Base): CoreBase => ({
  stores: store,
  clock,
  log,
  instance: config.instance,
  names: siteNames(store.sites, clock),
  cameras: cameraNames(store.cameraNames, config.instance, clock),
  zones: siteZones(store.sites, clock),
  groups: (name, reader) => store.siteGroups.sitesOf(name, reader),
});
