import { join } from 'node:path';
import type { Clock } from '../../common/clock.ts';
import { EvidenceFiles } from '../../common/core/evidence/files.ts';
import type { Stores } from '../../common/core/stores.ts';
import type { Route } from '../../common/http/route.ts';
import type { Logger } from '../../common/log.ts';
import { Loop } from '../../common/loop.ts';
import type { Metric } from '../../common/metrics.ts';
import type { SecretSources } from '../../common/secret/secret.ts';
import type { HubConfig } from '../config.ts';
import type { SitePort } from '../receiver/port.ts';
import { siteEvidenceMetrics } from './metrics.ts';
import { PartFiles } from './parts.ts';
import { PieceReceiver } from './pieces.ts';
import type { WantPort } from './port.ts';
import { siteEvidenceRoutes } from './routes.ts';
import { HubEvidence } from './service.ts';
import { SiteStates } from './site-states.ts';
import { SmallPictures } from './small/pictures.ts';

const SWEEP_EVERY_MS = 6 * 3_600_000;

export interface EvidenceModuleOptions {
  store: Stores & { evidenceWants: WantPort; sites: Pick<SitePort, 'get'> };
  config: Pick<HubConfig, 'dataDir' | 'evidence'>;
  secrets: SecretSources;
  clock: Clock;
  log: Logger;
}

/** Evidence of sites at headquarters. */
export interface EvidenceModule {
  files: EvidenceFiles;
  service: HubEvidence;
  small: SmallPictures;
  routes: Route[];
  metrics: Metric[];
  start(): void;
  stop(): Promise<void>;
}

export function createSiteEvidence(options: EvidenceModuleOptions): EvidenceModule {
  const { store, config, secrets, clock, log } = options;
  const files = new EvidenceFiles(join(config.dataDir, 'evidence'));
  const { evidenceWants: wants, evidence, events, evidenceJobs: jobs } = store;
  const parts = new PartFiles(files);
  const service = new HubEvidence({ wants, jobs, parts, secrets, clock });
  const states = new SiteStates({ wants, events, evidence, jobs, clock, log });
  const pieces = new PieceReceiver({ wants, evidence, files, parts, limits: config.evidence, clock });
  const small = new SmallPictures(log);
  const sweeping = new Loop({
    name: 'evidence of sites',
    interval: SWEEP_EVERY_MS,
    log,
    monotonic: () => clock.monotonic(),
    round: async () => void (await service.sweep()),
  });
  return {
    files,
    service,
    small,
    routes: siteEvidenceRoutes({
      states,
      pieces,
      continued: async (instance) => (await store.sites.get(instance))?.continues ?? [],
      epoch: () => store.epoch(),
    }),
    metrics: siteEvidenceMetrics({ pieces, states, wants }),
    start: () => sweeping.start(),
    stop: async () => {
      small.stop();
      await sweeping.stop();
    },
  };
}
