import { join } from 'node:path';
import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { AuditPort } from '../../common/core/audit/port.ts';
import type { Route } from '../../common/http/route.ts';
import type { Logger } from '../../common/log.ts';
import type { Metric } from '../../common/metrics.ts';
import { chunkRoutes } from './chunk-routes.ts';
import { clearanceRoutes } from './clearance-routes.ts';
import { DeletionService } from './deletion.ts';
import { deletionRoutes, retentionScopeRoutes } from './deletion-routes.ts';
import { formRoute } from './document/form-route.ts';
import { documentRoutes } from './document/routes.ts';
import { DocumentService } from './document/service.ts';
import { readDocument } from './ingest/document.ts';
import { Origins } from './origin.ts';
import type { OriginalStorage } from './original/original.ts';
import { OriginalTransfer } from './original/transfer.ts';
import type { PolicyStore } from './port.ts';
import { PolicySchedule } from './promotion/schedule.ts';
import { QaLogRetention } from './qa-log/retention.ts';
import { qaLogRoutes } from './qa-log/routes.ts';
import { QaLogService } from './qa-log/service.ts';
import { PolicyReader } from './reading/reader.ts';
import { readingRoutes } from './reading/routes.ts';
import { tenantsRoute } from './tenants-route.ts';

export interface LibraryOptions {
  policy: PolicyStore;
  audit: AuditPort;
  alarms: AlarmPort;
  instance: string;
  storage: OriginalStorage;
  /** Where bytes on their way are kept; disposable. */
  dataDir: string;
  consoleTenants: readonly string[];
  /** Whether this hub reads uploaded files into clauses. */
  reads: boolean;
  clock: Clock;
  log: Logger;
}

/** The policy library without its search. */
export interface Library {
  origins: Origins;
  documents: DocumentService;
  deletion: DeletionService;
  retention: QaLogRetention;
  schedule: PolicySchedule;
  reader: PolicyReader;
  /** Brings whatever lies in the place of the originals there. */
  transfer: OriginalTransfer;
  routes: Route[];
  metrics: Metric[];
  start(): void;
  stop(): Promise<void>;
}

export function createLibrary(options: LibraryOptions): Library {
  const { policy, storage, clock, log } = options;
  const transfer = new OriginalTransfer(storage, join(options.dataDir, 'originals-incoming'));
  const origins = new Origins({
    consoleTenants: options.consoleTenants,
    clearance: policy.clearance,
    audit: options.audit,
    clock,
  });
  const documents = new DocumentService({ documents: policy.documents, transfer, clock });
  const answers = new QaLogService({ log: policy.qaLog, contents: policy.contents, clock });
  const deletion = new DeletionService({ deletion: policy.deletion, storage, clock, log });
  const retention = new QaLogRetention(policy.retentionScopes, clock, log);
  const schedule = new PolicySchedule({ ...options, documents: policy.documents });
  const reader = new PolicyReader({ readings: policy.readings, transfer, read: readDocument, clock, log });
  const services = { deletion, retention, schedule, reader };
  return {
    ...{ origins, documents, transfer },
    ...services,
    routes: [
      ...documentRoutes(documents, origins, () => clock.now()),
      tenantsRoute(origins),
      // What a person uploads is read at once.
      formRoute(documents, origins, options.reads ? (of) => reader.ask(of) : null),
      ...readingRoutes(policy.readings, origins, reader),
      ...chunkRoutes(documents, origins),
      ...clearanceRoutes(policy.clearance, origins, clock),
      ...qaLogRoutes(answers, origins),
      ...deletionRoutes(deletion),
      ...retentionScopeRoutes(policy.retentionScopes, origins, clock),
    ],
    metrics: metricsOf(documents, answers, { ...services, policy }),
    start: () => {
      // Files are as old as their own clock says, whatever the injected one.
      transfer.sweep(Date.now());
      for (const { loop } of [deletion, retention, schedule]) loop.start();
      if (options.reads) reader.loop.start();
    },
    stop: async () => {
      await Promise.all(Object.values(services).map(({ loop }) => loop.stop()));
      storage.close();
    },
  };
}

type Counter = (name: string, help: string, read: () => number) => Metric;

const readerMetrics = ({ counts }: PolicyReader, counter: Counter): Metric[] => [
  counter('read', 'Files that headquarters read into clauses', () => counts.read),
  counter('unreadable', 'Files that headquarters could not read', () => counts.failed),
  counter('read_again', 'Readings that were broken off, to be tried again', () => counts.again),
];

function metricsOf(
  documents: DocumentService,
  answers: QaLogService,
  {
    deletion,
    retention,
    schedule,
    reader,
    policy,
  }: Pick<Library, 'deletion' | 'retention' | 'schedule' | 'reader'> & { policy: PolicyStore },
): Metric[] {
  const counter: Counter = (name, help, read) => ({
    name: `fieldline_policy_${name}_total`,
    help,
    type: 'counter',
    read,
  });
  return [
    counter('registered', 'Policy files registered', () => documents.counts.registered),
    counter('uploaded', 'Originals stored', () => documents.counts.uploaded),
    counter(
      'uploads_refused',
      'Originals refused: another size or digest, broken off, or no room',
      () => documents.counts.refused,
    ),
    counter('chunk_sets', 'Chunk sets submitted', () => documents.counts.submitted),
    ...readerMetrics(reader, counter),
    counter('vectors', 'Vectors submitted', () => documents.counts.embedded),
    counter('effective', 'Files that became effective', () => documents.counts.effective),
    counter('scheduled', 'Files that wait for their day', () => documents.counts.scheduled),
    counter('promoted', 'Files that came into force on their day', () => schedule.counts.promoted),
    counter('superseded', 'Files that were superseded', () => documents.counts.superseded),
    counter('withdrawn', 'Files that were withdrawn', () => documents.counts.withdrawn),
    counter('conflicts', 'State changes and chunk sets refused with 409', () => documents.counts.conflicts),
    counter('answers', 'Answers logged', () => answers.counts.answers),
    counter('refusals', 'Refusals logged', () => answers.counts.refusals),
    counter('feedback_useful', 'Answers that were marked useful', () => answers.counts.useful),
    counter('feedback_wrong', 'Answers that were marked wrong', () => answers.counts.wrong),
    counter('tenants_deleted', 'Targeted deletions', () => deletion.counts.tenants),
    counter('originals_deleted', 'Originals deleted with their tenants', () => deletion.counts.originals),
    counter('answers_deleted', 'Log entries deleted by age', () => retention.counts.deleted),
    {
      name: 'fieldline_policy_documents',
      help: 'Policy files kept, by state',
      type: 'gauge',
      read: async () =>
        (await policy.documents.counts()).map(({ status, count }) => ({ labels: { status }, value: count })),
    },
  ];
}
