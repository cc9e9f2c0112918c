import { AGENT } from '../../common/agent/act/record.ts';
import { agentRetentionHook, timelineNotifications } from '../../common/agent/act/traces.ts';
import type { RuleSet } from '../../common/agent/rule-set/rule-set.ts';
import { severityByRules } from '../../common/agent/rule-set/severity.ts';
import { noCameraNames } from '../../common/core/camera/record.ts';
import type { CoreBase, CoreSecrets } from '../../common/core/compose/part.ts';
import { type Core, createCore } from '../../common/core/core.ts';
import type { CarryFeedback } from '../../common/core/feedback/sender.ts';
import { byOwnName, noGroups } from '../../common/core/instance/record.ts';
import { createHttpClient } from '../http-client.ts';
import type { NeverComes } from '../intake/picture/keep.ts';
import { siteLoginMethod } from '../login/method.ts';
import { siteMessages } from '../site-messages.ts';
import type { ClockWatch } from '../status/clock.ts';
import { machineZone } from '../status/zone.ts';
import { type Base, KEY_CACHE_MS } from './base.ts';
import type { UplinkWork } from './uplink.ts';

export function coreBase({ store, clock, log, config }: Base): CoreBase {
  const zone = machineZone();
  const zones = () => Promise.resolve(() => zone);
  return {
    stores: store,
    clock,
    log,
    instance: config.instance,
    names: byOwnName,
    cameras: noCameraNames,
    zones,
    groups: noGroups,
  };
}

export function coreSecrets({ secrets }: Base): CoreSecrets {
  return {
    vault: secrets.vault,
    sources: secrets.sources,
    resolver: secrets.resolver,
    sealing: secrets.sealing,
  };
}

const evidenceOf = ({ evidenceFiles: files, config: { evidence: limits } }: Base) => ({ files, limits });

/** What the core calls of other rooms. */
export interface CoreLinks {
  uplinkWork: UplinkWork;
  carryFeedback: CarryFeedback;
  neverComes: NeverComes;
}

/** Of the connections of this program, beside those of cameras. */
const MOST_WAITING = 128;

/** The core event service on the store of this site. */
export function createSiteCore(
  base: Base,
  clockWatch: ClockWatch,
  ruleSet: RuleSet,
  { uplinkWork, carryFeedback, neverComes }: CoreLinks,
): Core {
  const { config, store, secrets, adminKeys } = base;
  const severityOf = severityByRules(ruleSet);
  const core = createCore({
    base: coreBase(base),
    secrets: coreSecrets(base),
    outbound: {
      createClient: createHttpClient,
      feedbackNetworks: config.feedbackNetworks,
      pushNetworks: config.pushNetworks,
    },
    access: {
      adminKeys,
      keyCacheMs: KEY_CACHE_MS,
      keyNews: null,
      login: siteLoginMethod(adminKeys, base.loginCodes, store.sessions),
      deviceSecret: Buffer.from(secrets.adminKey),
      trustedProxies: config.trustedProxies,
    },
    events: {
      mostWaiting: MOST_WAITING,
      clockSuspect: () => clockWatch.suspect,
      severityOf,
      onStored: () => uplinkWork.emit('waiting'),
      onChange: () => uplinkWork.emit('waiting'),
      carryFeedback,
    },
    disposition: { notifications: timelineNotifications(store) },
    consumers: { own: config.agent.enabled ? AGENT : null, mostWaiting: MOST_WAITING },
    evidence: {
      ...evidenceOf(base),
      onStored: () => uplinkWork.emit('evidence'),
      neverComes,
    },
    retention: {
      limits: config.retention,
      hooks: [agentRetentionHook(store.agent)],
      holdUnsent: config.uplink !== null,
    },
    administration: { messages: siteMessages, onRule: () => ruleSet.registered(), tenantsOfSite: null },
  });
  base.lifecycle.onStop('core', () => core.stop());
  return core;
}
