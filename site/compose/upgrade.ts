import { statSync } from 'node:fs';
import { join } from 'node:path';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import { probeDisk } from '../../common/disk-space.ts';
import { readKeyText } from '../../common/http/signing/credentials.ts';
import { version } from '../../common/package.ts';
import { type Architecture, isSignedBy } from '../../common/uplink/upgrade/manifest.ts';
import type { SiteConfig } from '../config.ts';
import { createHttpClient } from '../http-client.ts';
import { siteMessages } from '../site-messages.ts';
import { DATABASE_FILE } from '../store/open.ts';
import type { Ground } from '../upgrade/decide.ts';
import { PackageFetch } from '../upgrade/fetch.ts';
import { UpgradeFiles } from '../upgrade/files.ts';
import { releaseKeys } from '../upgrade/keys.ts';
import type { KeptUpgrade, Running } from '../upgrade/record.ts';
import { Upgrades } from '../upgrade/upgrades.ts';
import type { EvidenceSender } from '../uplink/evidence/sender.ts';
import { HubCalls } from '../uplink/hub-calls.ts';
import type { Base } from './base.ts';

const CPU: Record<string, Architecture> = { x64: 'amd64', arm64: 'arm64' };
const ALARM = 'upgrade_failed';

/** The version that headquarters wants here: fetched beside the channels, by a connection of its own. */
export function createUpgrades(
  base: Base,
  uplink: NonNullable<SiteConfig['uplink']>,
  { evidence, onStep }: { evidence: EvidenceSender; onStep: () => void },
): Upgrades {
  const { config, store, clock, log, lifecycle, overrides } = base;
  const client = createHttpClient(null, { maxSockets: 1 });
  lifecycle.onStop('upgrade client', () => client.close());
  const key = () => readKeyText(uplink.keyRef, config.secrets);
  const files = config.upgrade && new UpgradeFiles(config.upgrade);
  const runs: Running = { version, architecture: config.upgrade ? (CPU[process.arch] ?? null) : null };
  const upgrades = new Upgrades({
    port: store.upgrade,
    files,
    fetch: new PackageFetch({
      files: files ?? NO_FILES,
      calls: new HubCalls({ client, key, url: uplink.url, clock }),
      pace: evidence.pace,
      free: () => evidence.free,
      clock,
      log,
    }),
    ground: ({ release }): Ground => {
      // 0 is root; a test has no other user than its own.
      const folders = config.upgrade?.keys ?? [];
      const keys = releaseKeys(folders, overrides.releaseKeyOwner ?? 0);
      return {
        runs,
        keys: { folder: folders.join(', '), count: keys.length },
        signed: release !== null && isSignedBy(release, keys),
        freeBytes: probeDisk(config.dataDir).freeBytes,
        storeBytes: statSync(join(config.dataDir, DATABASE_FILE)).size,
      };
    },
    onStep: async (kept) => {
      await tell(base, kept);
      onStep();
    },
    ...{ version, pid: process.pid, clock, log },
  });
  lifecycle.onStop('upgrade', () => upgrades.loop.stop());
  return upgrades;
}

const NO_FILES = { fetched: () => Promise.resolve(0), add: () => Promise.resolve() };

/** An upgrade that came to nothing good is an alarm until the next one is begun, or stopped. */
async function tell(
  { store, config, clock }: Base,
  { step, version: wanted, reason }: KeptUpgrade,
): Promise<void> {
  const { instance } = config;
  if (step !== 'taken_back' && step !== 'stuck') {
    await store.alarms.clear(ALARM, instance, clock.now());
    return;
  }
  const why = reason ?? { code: 'upgrade_unsaid', params: {} };
  const message = {
    code: `upgrade_${step}_alarm`,
    params: { wanted: wanted ?? '', runs: version, why },
  } as const;
  await store.alarms.raise(
    {
      ...{ key: ALARM, instance, tenantCode: null },
      severity: step === 'stuck' ? 'critical' : 'warning',
      ...alarmText(siteMessages, message, { wanted, step, reason }),
    },
    clock.now(),
  );
}
