import { agentRetentionHook } from '../../common/agent/act/traces.ts';
import { incidentRetentionHook } from '../../common/core/incident/retention-hook.ts';
import { probeDisk } from '../../common/disk-space.ts';
import { DiskKeeper } from '../retention/keeper.ts';
import type { Base } from './base.ts';

/** What holds the disk to its limit. It needs the store alone, and is asked before anything is taken in. */
export function createDiskKeeper({ config, overrides, store, clock, log }: Base): DiskKeeper {
  const { dataDir, instance, uplink, storageLimit: limit } = config;
  return new DiskKeeper({
    eviction: store.eviction,
    retention: store.retention,
    retentionHooks: [incidentRetentionHook(store.incidents), agentRetentionHook(store.agent)],
    alarms: store.alarms,
    evidence: store.evidence,
    facts: () => store.facts(),
    uplinked: uplink !== null,
    sendsEvidence: uplink !== null && uplink.evidence !== 'none',
    limit,
    dataDir,
    instance,
    clock,
    log,
    probe: overrides.probe ?? probeDisk,
  });
}
