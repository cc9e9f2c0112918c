import { AGENT } from '../../common/agent/act/decide.ts';
import { agentRetentionHook, timelineNotifications } from '../../common/agent/act/traces.ts';
import type { RuleSet } from '../../common/agent/rule-set/rule-set.ts';
import { createCore, type Core } from '../../common/core/core.ts';
import { adminKeyMethod } from '../../common/core/session/login.ts';
import { SealedVault } from '../../common/secret.ts';
import { createHttpClient } from '../http-client.ts';
import { siteMessages } from '../site-messages.ts';
import type { ClockWatch } from '../status/clock.ts';
import { KEY_CACHE_MS, type Base } from './base.ts';
import type { UplinkWork } from './uplink.ts';

/** The core event service on the store of this site. */
export function createSiteCore(
  base: Base,
  clockWatch: ClockWatch,
  ruleSet: RuleSet,
  uplinkWork: UplinkWork,
): Core {
  const { config, store, secrets, adminKeys, overrides } = base;
  const core = createCore({
    messages: siteMessages,
    stores: store,
    clock: base.clock,
    log: base.log,
    instance: config.instance,
    vault: secrets.vault,
    secretResolver: secrets.resolver,
    secrets: { ...config.secrets, masterKey: secrets.sealKey },
    sealing: new SealedVault(secrets.sealKey),
    feedbackNetworks: config.feedbackNetworks,
    pushNetworks: config.pushNetworks,
    dataDir: config.dataDir,
    evidenceLimit: config.evidenceLimit,
    retention: config.retention,
    retentionHooks: [agentRetentionHook(store.agent)],
    holdUnsent: config.uplink !== null,
    createClient: createHttpClient,
    notifications: timelineNotifications(store),
    fileSteps: overrides.fileSteps,
    keyCacheMs: KEY_CACHE_MS,
    adminKeys,
    ownConsumer: config.agent.enabled ? AGENT : null,
    onRule: () => ruleSet.registered(),
    tenantsOfSite: null,
    clockSuspect: () => clockWatch.suspect,
    login: adminKeyMethod(adminKeys, store.sessions),
    deviceSecret: Buffer.from(secrets.adminKey),
    trustedProxies: config.trustedProxies,
    onStored: () => uplinkWork.emit('waiting'),
    onChange: () => uplinkWork.emit('waiting'),
  });
  base.lifecycle.onStop('core', () => core.stop());
  return core;
}
