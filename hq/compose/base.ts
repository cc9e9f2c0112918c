import { join } from 'node:path';
import { type Clock, systemClock } from '../../common/clock.ts';
import { ensureSecretFile } from '../../common/config.ts';
import { readAdminKey } from '../../common/core/admin-key/configured.ts';
import { AdminKeyService } from '../../common/core/admin-key/service.ts';
import type { CoreSecrets } from '../../common/core/compose/part.ts';
import { Runs } from '../../common/core/run/runs.ts';
import { SecretResolver } from '../../common/core/secret/resolver.ts';
import type { Resolve } from '../../common/http/outbound/address.ts';
import type { Route } from '../../common/http/route.ts';
import type { Lifecycle } from '../../common/lifecycle.ts';
import type { Logger } from '../../common/log.ts';
import type { Metric } from '../../common/metrics.ts';
import { dataFolder, restrictToOwner } from '../../common/secret/private-files.ts';
import { newSecret, readSecret, SealedVault } from '../../common/secret/secret.ts';
import { PasswordHasher } from '../auth/password.ts';
import type { HubConfig } from '../config.ts';
import type { DeliveryStep } from '../integration/sender.ts';
import { agreeOnMasterKey, masterKeyOf } from '../store/agreement.ts';
import { type HubStore, openHubStore } from '../stores.ts';

/** Keys that other processes changed are believed at most this long, ms. */
export const KEY_CACHE_MS = 2_000;

/** Parts that a test may replace. */
export interface HubOverrides {
  clock?: Clock;
  log?: Logger;
  hasher?: PasswordHasher;
  /** Looks up the hosts of webhooks. */
  resolve?: Resolve;
  onDeliveryStep?: (step: DeliveryStep) => void;
  /** Longest attempt to deliver to a webhook, ms. */
  deliveryMs?: number;
  /** Where the built console lies. */
  consoleFolder?: string;
}

/** What every part of the hub is made from. */
export interface Base {
  config: HubConfig;
  overrides: HubOverrides;
  clock: Clock;
  log: Logger;
  lifecycle: Lifecycle;
  runs: Runs;
  /** Address of the database in use, postgresql://. */
  databaseUrl: string;
  store: HubStore;
  secrets: HubSecrets;
  adminKeys: AdminKeyService;
  hasher: PasswordHasher;
}

/** A part of the hub. One with background work is stopped by the lifecycle. */
export interface HubModule {
  routes: Route[];
  metrics: Metric[];
  start?(): void;
  /** Answers what waits for something, before the listener closes. */
  release?(): void;
}

export interface HubSecrets {
  /** Seals what the store keeps in a form that must be recoverable. */
  masterKey: Buffer;
  core: CoreSecrets;
}

/**
 * The data directory, the database, and the keys that open things.
 * @throws Error when one cannot be opened, or does not go together with the database
 */
export async function openBase(
  config: HubConfig,
  overrides: HubOverrides & { log: Logger },
  lifecycle: Lifecycle,
): Promise<Base> {
  const { clock = systemClock, log, hasher = new PasswordHasher() } = overrides;
  dataFolder(config.dataDir, 0o755);
  restrictToOwner(config.dataDir, ['postgres']);
  const runs = new Runs({ dir: config.dataDir, clock, log });
  lifecycle.onStop('record of runs', () => runs.end());
  const secretsDir = join(config.dataDir, 'secrets');
  const adminKey = readAdminKey(config, secretsDir);
  const masterKey = readMasterKey(config, secretsDir);
  const databaseUrl = config.databaseUrl ?? (await startDatabase(config, log, lifecycle));
  const store = await openHubStore({
    ...{ url: databaseUrl, readUrl: config.databaseReadUrl, poolSize: config.databasePool },
    ...{ clock, log },
  });
  lifecycle.onStop('store', () => store.close());
  await agreeOnMasterKey(store, masterKey);
  store.news.start();
  lifecycle.onStop('news of other processes', () => store.news.stop());
  return baseOf(
    config,
    { overrides, clock, log, lifecycle, runs, databaseUrl, store, hasher },
    { adminKey, masterKey },
  );
}

/** The same for a store and keys that are at hand. */
export function baseOf(
  config: HubConfig,
  parts: Omit<Base, 'config' | 'secrets' | 'adminKeys'>,
  { adminKey, masterKey }: { adminKey: string; masterKey: Buffer },
): Base {
  const { store, clock, log } = parts;
  const vault = new SealedVault(masterKey);
  const secrets: CoreSecrets = {
    vault,
    sources: { ...config.secrets, masterKey },
    resolver: new SecretResolver({ secrets: store.secrets, directory: config.secretsDir, masterKey }),
    sealing: vault,
  };
  const adminKeys = new AdminKeyService({
    adminKeys: store.adminKeys,
    configured: adminKey,
    clock,
    log,
    cacheMs: KEY_CACHE_MS,
  });
  return { ...parts, config, secrets: { masterKey, core: secrets }, adminKeys };
}

/** One that is not configured is made at the first start. */
function readMasterKey(config: HubConfig, secretsDir: string): Buffer {
  const reference =
    config.masterKeyRef ?? ensureSecretFile(join(secretsDir, 'master-key'), () => newSecret('flm_'));
  return masterKeyOf(readSecret(reference, config.secrets));
}

/** Starts the embedded server, whose code is loaded only here. @returns its address */
async function startDatabase(config: HubConfig, log: Logger, lifecycle: Lifecycle): Promise<string> {
  const { startEmbeddedPostgres } = await import('../store/embedded/server.ts');
  const server = await startEmbeddedPostgres({
    dir: config.dataDir,
    log: { info: (text) => log.info(text), warn: (text) => log.warn(text) },
  });
  lifecycle.onStop('embedded postgres', () => server.stop());
  return server.url;
}
