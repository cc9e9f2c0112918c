import { join } from 'node:path';
import type { CreateHttpClient } from '../http/client.ts';
import type { Networks } from '../http/address.ts';
import type { Clock } from '../clock.ts';
import type { Route } from '../http/route.ts';
import type { Logger } from '../log.ts';
import { counter, type Metric } from '../metrics.ts';
import type { SealedVault, SecretSources } from '../secret.ts';
import type { Watermark } from './event/watermark.ts';
import { EvidenceFiles, type FileSteps } from './evidence/files.ts';
import { evidenceRetentionHook } from './evidence/retention-hook.ts';
import { evidenceRoutes } from './evidence/routes.ts';
import { EvidenceOrphans } from './evidence/orphans.ts';
import { EvidenceService } from './evidence/service.ts';
import { EvidenceUploader } from './evidence/uploader.ts';
import { createPost } from './push/post.ts';
import { PushSender } from './push/sender.ts';
import type { RetentionHook } from './retention/port.ts';
import type { SecretResolver } from './secret/resolver.ts';
import type { Stores } from './stores.ts';

export interface ConsumerDeliveryOptions {
  stores: Stores;
  clock: Clock;
  log: Logger;
  instance: string;
  secrets: SecretSources;
  /** Opens what the API names. */
  secretResolver: SecretResolver;
  createClient: CreateHttpClient;
  /** Seals what is kept only for a while; `secrets` opens it. */
  sealing: SealedVault;
  watermark: Watermark;
  /** Where pushes, and the evidence that consumers ask for, may go. */
  pushNetworks: Networks;
  /** Evidence files lie under it. */
  dataDir: string;
  /** Bytes of evidence files at most. */
  evidenceLimit: number;
  fileSteps?: FileSteps | undefined;
}

/** Push to consumers, and the evidence that goes with it. */
export interface ConsumerDelivery {
  push: PushSender;
  uploader: EvidenceUploader;
  /** Removes the files of events that retention has deleted. */
  retentionHook: RetentionHook;
  routes: Route[];
  metrics: Metric[];
  start(): void;
  stop(): Promise<void>;
}

/** What leaves by itself: pushes to consumers and the evidence that they ask for. */
export function createConsumerDelivery(options: ConsumerDeliveryOptions): ConsumerDelivery {
  const { stores, clock, log, instance: self } = options;
  const { secrets, sealing: vault } = options;
  const client = options.createClient(options.pushNetworks);
  const push = new PushSender({
    push: stores.push,
    subscriptions: stores.subscriptions,
    events: stores.events,
    alarms: stores.alarms,
    watermark: options.watermark,
    vault,
    clock,
    log,
    self,
    post: createPost({
      client,
      secretResolver: options.secretResolver,
      clock,
      log,
      epoch: () => stores.epoch(),
      self,
    }),
  });
  const files = new EvidenceFiles(join(options.dataDir, 'evidence'), options.fileSteps);
  const uploader = new EvidenceUploader({
    jobs: stores.evidenceJobs,
    evidence: stores.evidence,
    events: stores.events,
    files,
    client,
    vault,
    secrets,
    clock,
    log,
  });
  const evidence = new EvidenceService({
    evidence: stores.evidence,
    events: stores.events,
    files,
    limit: options.evidenceLimit,
    clock,
    onStored: () => uploader.loop.kick(),
  });
  const orphans = new EvidenceOrphans({
    events: stores.events,
    evidence: stores.evidence,
    files,
    arriving: (eventId) => evidence.isArriving(eventId),
    fileTime: () => Date.now(),
    alarms: stores.alarms,
    self,
    now: () => clock.now(),
    log,
  });
  return {
    push,
    uploader,
    retentionHook: evidenceRetentionHook(stores.evidence, files),
    routes: evidenceRoutes(evidence, stores.evidenceJobs),
    metrics: metricsOf({ push, uploader, evidence, stores }),
    start: () => {
      const swept = files.sweep(Date.now());
      void files
        .present()
        .then(
          (there) =>
            there ||
            log.error(
              'the folder of the evidence files is not the one that they were stored in; evidence is ' +
                'refused until it is mounted again',
            ),
        );
      if (swept > 0) log.info({ files: swept }, 'evidence files that were left half received were removed');
      push.start();
      uploader.start();
      orphans.loop.start();
    },
    stop: async () => {
      await Promise.all([push.stop(), uploader.stop(), orphans.loop.stop()]);
      client.close();
    },
  };
}

function metricsOf({
  push,
  uploader,
  evidence,
  stores,
}: {
  push: PushSender;
  uploader: EvidenceUploader;
  evidence: EvidenceService;
  stores: Stores;
}): Metric[] {
  const gauge = (name: string, help: string, read: Metric['read']): Metric => ({
    name,
    help,
    type: 'gauge',
    read,
  });
  return [
    counter('fieldline_pushes_total', 'Pushes that a consumer took', () => push.counts.pushes),
    counter('fieldline_pushed_events_total', 'Events in them', () => push.counts.events),
    counter('fieldline_pushes_failed_total', 'Pushes that failed', () => push.counts.failed),
    counter(
      'fieldline_push_receipt_faults_total',
      'Entries of push receipts that could not be followed',
      () => push.counts.receiptFaults,
    ),
    gauge(
      'fieldline_pushes_failing',
      'Consumers whose last push failed',
      async () => (await stores.push.states()).filter((state) => state.failures > 0).length,
    ),
    counter('fieldline_evidence_stored_total', 'Evidence files stored', () => evidence.counts.stored),
    counter(
      'fieldline_evidence_refused_total',
      'Evidence files that were not what was announced',
      () => evidence.counts.refused,
    ),
    gauge('fieldline_evidence_bytes', 'Bytes of evidence files', () => stores.evidence.totalSize()),
    counter(
      'fieldline_evidence_uploads_done_total',
      'Files brought to the storage of a consumer',
      () => uploader.counts.done,
    ),
    counter('fieldline_evidence_uploads_failed_total', 'Tries that failed', () => uploader.counts.failed),
    gauge(
      'fieldline_evidence_jobs_pending',
      'Uploads that wait',
      async () => (await stores.evidenceJobs.counts()).pending,
    ),
    gauge(
      'fieldline_evidence_jobs_failed',
      'Uploads given up',
      async () => (await stores.evidenceJobs.counts()).failed,
    ),
  ];
}
