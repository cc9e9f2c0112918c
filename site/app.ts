import { EventEmitter } from 'node:events';
import { watchBackups } from '../common/core/run/backup-age.ts';
import { redactUrl } from '../common/http/outbound/redact-url.ts';
import { Lifecycle } from '../common/lifecycle.ts';
import { createLogger } from '../common/log.ts';
import { version } from '../common/package.ts';
import { notifyServiceManager } from '../common/service-manager.ts';
import { createRules, createSiteAgent } from './compose/agent.ts';
import { type Base, openBase, type SiteOverrides } from './compose/base.ts';
import { createSiteCore } from './compose/core.ts';
import { createDeviceGround, createDevices } from './compose/devices.ts';
import { createDiskKeeper } from './compose/disk.ts';
import { createSiteApp, openToCallers } from './compose/http.ts';
import { createLibrarySearch } from './compose/library.ts';
import { createSecretWatch } from './compose/secrets.ts';
import { createNotificationHandover, createUplink, type UplinkWork } from './compose/uplink.ts';
import type { SiteConfig } from './config.ts';
import { createClockWatch } from './status/clock.ts';
import { headline } from './status/headline.ts';
import { Operations } from './status/operations.ts';
import type { SiteStore } from './store/open.ts';

export interface Site {
  url: string;
  store: SiteStore;
  /** Settles with the reason when the store can no longer be trusted; the process is then to end. */
  failed: Promise<Error>;
  stop(): Promise<void>;
}

/** Puts the site together and starts it; with `site/compose/` the only composition root of the program. */
export async function startSite(config: SiteConfig, overrides: SiteOverrides = {}): Promise<Site> {
  const log = overrides.log ?? createLogger('fieldline-site', config.logLevel);
  const lifecycle = new Lifecycle(log);
  try {
    const base = await openBase(config, { ...overrides, log }, lifecycle);
    const site = await compose(base);
    await base.settings.started();
    return site;
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}

async function compose(base: Base): Promise<Site> {
  const { config, clock, log, lifecycle, store } = base;
  const clockWatch = await createClockWatch({ store, instance: config.instance, clock, log });
  const ruleSet = createRules(base);
  const ground = createDeviceGround(base);
  const uplinkWork: UplinkWork = new EventEmitter();
  const core = createSiteCore(base, clockWatch, ruleSet, {
    uplinkWork,
    carryFeedback: ground.carryFeedback,
    neverComes: ground.neverComes,
  });
  const handover = createNotificationHandover(base);
  const library = createLibrarySearch(base);
  const agent = createSiteAgent(base, core, ruleSet, { handover, library: library.search });
  const disk = createDiskKeeper(base);
  const devices = createDevices(base, core, ground, { clockWatch, disk, ruleSet });
  const operations = new Operations(config, { ...base, core, clockWatch, disk, devices: devices.facts });
  lifecycle.onStop('operations', () => operations.stop());
  const uplink = createUplink(base, core, operations, uplinkWork, {
    notifications: handover,
    ground,
  });
  const app = createSiteApp(base, { core, agent, operations, uplink, devices, library: library.search });
  const secretWatch = createSecretWatch(base, core, devices);

  await agent.begin();
  // Before anything comes: how grave it is, a tenant's rules may say.
  await ruleSet.start();
  await devices.start();
  const { url } = await openToCallers(base, app);
  lifecycle.onStop('calls that wait', () => core.release());
  base.runs.begin(store.alarms, config.instance);
  watchBackups(base);
  await operations.start();
  core.start();
  secretWatch.loop.start();
  agent.start();
  uplink.start();
  library.index.loop.start();
  await notifyServiceManager(config, {
    store,
    lifecycle,
    log,
    status: () => headline(uplink, operations.disk.budget?.level === 'full'),
  });
  // A restart that headquarters asked for is answered once this process says that it is up.
  await uplink.care?.start();
  logReady(base, url);
  return { url, store, failed: store.failed, stop: () => lifecycle.stop() };
}

function logReady({ config, log }: Base, url: string): void {
  const { instance, dataDir } = config;
  const uplink = config.uplink && redactUrl(config.uplink.url);
  log.info({ url, instance, dataDir, uplink, version }, 'site is ready');
}
