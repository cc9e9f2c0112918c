import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { AgentSteps } from '../../common/agent/act/agent.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import { ensureSecretFile } from '../../common/config.ts';
import { readAdminKey } from '../../common/core/admin-key/configured.ts';
import { AdminKeyService } from '../../common/core/admin-key/service.ts';
import type { Severity } from '../../common/core/event/schema.ts';
import { EvidenceFiles, type FileSteps } from '../../common/core/evidence/files.ts';
import { Runs } from '../../common/core/run/runs.ts';
import { SecretResolver } from '../../common/core/secret/resolver.ts';
import type { DiskProbe } from '../../common/disk-space.ts';
import type { Lifecycle } from '../../common/lifecycle.ts';
import type { Logger } from '../../common/log.ts';
import { dataFolder, restrictToOwner } from '../../common/secret/private-files.ts';
import {
  FileVault,
  newSecret,
  readSecret,
  SealedVault,
  type SecretSources,
} from '../../common/secret/secret.ts';
import type { SiteConfig } from '../config.ts';
import { LoginCodes } from '../login/codes.ts';
import { Settings } from '../settings/settings.ts';
import type { SyncLayer } from '../store/engine/sync.ts';
import { openSiteStore, type SiteStore } from '../store/open.ts';

/** How long a looked-up key is believed, ms. No other process changes keys of this store. */
export const KEY_CACHE_MS = 60_000;

/** Parts that a test may replace. */
export interface SiteOverrides {
  clock?: Clock;
  log?: Logger;
  sync?: SyncLayer;
  fileSteps?: FileSteps;
  agentSteps?: AgentSteps;
  probe?: DiskProbe;
  /** Ends the process, which something starts again. */
  restart?: () => void;
  /** User id that keys of releases must be of; that of root unless given. */
  releaseKeyOwner?: number;
}

/** What every part of a site is made from. */
export interface Base {
  /** What is in use: what headquarters may set of it changes while the site runs. */
  config: SiteConfig;
  settings: Settings;
  overrides: SiteOverrides;
  clock: Clock;
  log: Logger;
  lifecycle: Lifecycle;
  runs: Runs;
  store: SiteStore;
  evidenceFiles: EvidenceFiles;
  secrets: SiteSecrets;
  adminKeys: AdminKeyService;
  loginCodes: LoginCodes;
}

export interface SiteSecrets {
  adminKey: string;
  /** Seals what the store keeps in a form that must be recoverable. */
  sealKey: Buffer;
  vault: FileVault;
  /** Opens references of the configuration and of the store. */
  sources: SecretSources;
  /** Seals with `sealKey` what is kept only for a while. */
  sealing: SealedVault;
  /** Opens what callers of the API name. */
  resolver: SecretResolver;
}

/**
 * The data directory, the store in it, and the keys that open things.
 * @throws Error when one cannot be opened
 */
export async function openBase(
  config: SiteConfig,
  overrides: SiteOverrides & { log: Logger },
  lifecycle: Lifecycle,
): Promise<Base> {
  const { clock = systemClock, log, sync, probe } = overrides;
  dataFolder(config.dataDir, 0o750);
  restrictToOwner(config.dataDir);
  const runs = new Runs({ dir: config.dataDir, clock, log });
  lifecycle.onStop('record of runs', () => runs.end());
  const keys = readKeys(config);
  const evidenceFiles = new EvidenceFiles(join(config.dataDir, 'evidence'), overrides.fileSteps);
  const store = await openSiteStore({
    dir: config.dataDir,
    clock,
    log,
    ...(sync ? { sync } : {}),
    ...(probe ? { probe } : {}),
    offerEvidenceFrom: offeredFrom(config.uplink),
    previews: config.uplink !== null && config.uplink.evidence !== 'none',
  });
  lifecycle.onStop('store', () => store.close());
  const settings = await openSettings(config, overrides, store, clock);
  lifecycle.onStop('settings', () => settings.loop.stop());
  const resolver = new SecretResolver({
    secrets: store.secrets,
    directory: config.secretsDir,
    masterKey: keys.sealKey,
  });
  const adminKeys = new AdminKeyService({
    adminKeys: store.adminKeys,
    configured: keys.adminKey,
    clock,
    log,
    cacheMs: KEY_CACHE_MS,
  });
  const secrets = { ...keys, resolver, sealing: new SealedVault(keys.sealKey) };
  return {
    config: settings.config,
    settings,
    ...{ overrides, clock, log, lifecycle, runs },
    ...{ store, evidenceFiles, secrets, adminKeys },
    loginCodes: new LoginCodes(clock),
  };
}

/** What headquarters has set lies in the store, under what the environment says. */
async function openSettings(
  config: SiteConfig,
  { log }: { log: Logger },
  { settings: port }: SiteStore,
  clock: Clock,
): Promise<Settings> {
  const onLogLevel = (level: string): void => {
    if (log.level !== 'silent') log.level = level;
  };
  const settings = new Settings({ port, config, onLogLevel, clock, log });
  await settings.begin();
  return settings;
}

/** From which severity on files go to headquarters by themselves; null: none do. */
function offeredFrom(uplink: SiteConfig['uplink']): Severity | null {
  const mode = uplink?.evidence ?? 'none';
  return mode === 'none' || mode === 'on_demand' ? null : mode;
}

/** Keys that are not configured are made at the first start. */
function readKeys(config: SiteConfig): Omit<SiteSecrets, 'resolver' | 'sealing'> {
  const directory = join(config.dataDir, 'secrets');
  const vault = new FileVault(directory);
  const adminKey = readAdminKey(config, directory);
  const sealKeyFile = ensureSecretFile(join(directory, 'seal-key'), () => newSecret('flm_'));
  const sealKey = hash('sha256', readSecret(sealKeyFile, config.secrets), 'buffer');
  const sources = { ...config.secrets, masterKey: sealKey, vaultDirectory: directory };
  return { adminKey, sealKey, vault, sources };
}
