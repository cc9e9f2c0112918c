// What headquarters does to sites: it looks into them, sets what can be set, and upgrades them.
import { ReleaseKeys } from '../fleet/release/keys.ts';
import { pieceMetrics, PieceRoom } from '../fleet/release/pieces.ts';
import { releaseRoutes } from '../fleet/release/routes.ts';
import { ReleaseService } from '../fleet/release/service.ts';
import { requestRoutes } from '../fleet/request/routes.ts';
import { SiteRequests } from '../fleet/request/service.ts';
import { RolloutConductor } from '../fleet/rollout/conductor.ts';
import { rolloutRoutes } from '../fleet/rollout/routes.ts';
import { RolloutService } from '../fleet/rollout/service.ts';
import { settingsRoutes } from '../fleet/settings/routes.ts';
import { SettingsService } from '../fleet/settings/service.ts';
import type { OriginalTransfer } from '../policy/original/transfer.ts';
import type { Base, HubModule } from './base.ts';

/** Looking into sites. */
export function requestsOf({ store, clock, log, lifecycle }: Base): HubModule {
  const requests = new SiteRequests({ requests: store.siteRequests, clock, log });
  lifecycle.onStop('requests to sites', () => requests.loop.stop());
  const continued = async (instance: string) => (await store.sites.get(instance))?.continues ?? [];
  return {
    routes: requestRoutes({ requests, continued, now: () => clock.now() }),
    metrics: [],
    start: () => requests.loop.start(),
  };
}

/** What is set at sites from here. */
export function settingsOf({ store, clock }: Base): HubModule {
  const { siteSettings: settings, sites } = store;
  return { routes: settingsRoutes(new SettingsService({ settings, sites, clock })), metrics: [] };
}

/**
 * Releases and their packages, which lie with the originals of policy files.
 * @param batchesWaiting how much of what sites bring waits to be stored
 */
export function releasesOf(
  { config, store, clock }: Base,
  transfer: OriginalTransfer,
  batchesWaiting: () => number,
): HubModule {
  const keys = new ReleaseKeys(config.releaseKeys, () => clock.monotonic());
  const service = new ReleaseService({ releases: store.releases, transfer, keys, clock });
  const pieces = new PieceRoom({ batchesWaiting });
  return { routes: releaseRoutes(service, pieces), metrics: pieceMetrics(pieces) };
}

/** Rollouts of them in waves. */
export function rolloutsOf({ config, store, clock, log, lifecycle }: Base): HubModule {
  const { rollouts, alarms } = store;
  const conductor = new RolloutConductor({ rollouts, alarms, instance: config.instance, clock, log });
  lifecycle.onStop('rollouts', () => conductor.loop.stop());
  const service = new RolloutService({ rollouts, clock, changed: () => conductor.loop.kick() });
  return { routes: rolloutRoutes(service), metrics: [], start: () => conductor.loop.start() };
}
