import { join } from 'node:path';
import type { Clock } from '../../common/clock.ts';
import { EvidenceFiles } from '../../common/core/evidence/files.ts';
import { type SmallPictureBounds, SmallPictures } from '../../common/core/evidence/small/pictures.ts';
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
import { PreviewReceiver } from './previews.ts';
import { siteEvidenceRoutes } from './routes.ts';
import { HubEvidence } from './service.ts';
import { SiteStates } from './site-states.ts';

/** Of pictures in lists. A camera of 8K has 33 million pixels; decoded these take 200 MB. */
const SMALL: SmallPictureBounds = {
  side: 320,
  bytes: null,
  most: { pixels: 50_000_000, progressive: 50_000_000 },
  fileBytes: 32 * 1024 * 1024,
  withinMs: 20_000,
  memoryMb: 1_024,
  idleMs: 60_000,
};
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
  const previews = new PreviewReceiver({ events, evidence, files, limits: config.evidence, clock });
  const small = new SmallPictures(SMALL, log);
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
      previews,
      continued: async (instance) => (await store.sites.get(instance))?.continues ?? [],
      epoch: () => store.epoch(),
    }),
    metrics: siteEvidenceMetrics({ pieces, previews, states, wants }),
    start: () => sweeping.start(),
    stop: async () => {
      small.stop();
      await sweeping.stop();
    },
  };
}
