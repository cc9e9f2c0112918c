// Datasets put together: the sources and what pulls them, and what is served of our own.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../common/clock.ts';
import type { CallCounter } from '../../common/dataset/calls.ts';
import { DatasetService, type ServedDataset } from '../../common/dataset/service.ts';
import { Loop, type RoundResult } from '../../common/loop.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { Networks } from '../../common/http/outbound/address.ts';
import type { Route } from '../../common/http/route.ts';
import type { Logger } from '../../common/log.ts';
import { counter, type Metric } from '../../common/metrics.ts';
import type { SecretResolver } from '../../common/core/secret/resolver.ts';
import { createHttpClient } from '../http-client.ts';
import { SourceReader } from './fetch.ts';
import { Puller } from './puller.ts';
import type { PullPort, SourcePort } from './port.ts';
import { sourceRoutes } from './routes.ts';
import { serveRoutes } from './serve-routes.ts';
import { PullScheduler } from './scheduler.ts';
import { lagOf, SourceService } from './service.ts';

export interface DatasetsOptions {
  sources: SourcePort;
  pulls: PullPort;
  /** Datasets of our own, and where the calls for them are counted. */
  served: { datasets: readonly ServedDataset[]; calls: CallCounter };
  /** Keeps the counts of events up; its rounds are repeated. */
  counting(now: number): Promise<RoundResult>;
  alarms: AlarmPort;
  /** Opens what sources name. */
  secretResolver: SecretResolver;
  /** Where pulls may go. */
  networks: Networks;
  clock: Clock;
  log: Logger;
  /** Name of this instance. */
  instance: string;
}

/** Longer than any transaction here, with its tries. */
const SERVED_LAG_MS = 60_000;
const COUNT_EVERY_MS = 10_000;

export interface Datasets {
  scheduler: PullScheduler;
  routes: Route[];
  metrics: Metric[];
  start(): void;
  stop(): Promise<void>;
}

/** @throws nothing; a sleep that is broken off ends quietly, and whoever slept looks at the signal */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

export function createDatasets(options: DatasetsOptions): Datasets {
  const { sources, pulls, alarms, secretResolver, clock, log, instance } = options;
  const client = createHttpClient(options.networks);
  const puller = new Puller({
    port: pulls,
    reader: new SourceReader({ client, secretResolver, clock, log }),
    alarms,
    clock,
    self: instance,
    sleep,
  });
  const scheduler = new PullScheduler({ port: pulls, puller, clock, log });
  const serving = new DatasetService({ ...options.served, clock, lagMs: SERVED_LAG_MS });
  const counting = new Loop({
    name: 'dataset counts',
    interval: COUNT_EVERY_MS,
    log,
    monotonic: () => clock.monotonic(),
    round: () => options.counting(clock.now()),
  });
  const service = new SourceService({
    sources,
    alarms,
    secretResolver,
    clock,
    onDue: () => scheduler.loop.kick(),
  });
  return {
    scheduler,
    routes: [...sourceRoutes(service, () => clock.now()), ...serveRoutes(serving)],
    metrics: [...metricsOf(puller, sources, clock), ...servedMetrics(serving)],
    start: () => {
      scheduler.start();
      counting.start();
    },
    stop: async () => {
      await Promise.all([scheduler.stop(), counting.stop()]);
      client.close();
    },
  };
}

function metricsOf(puller: Puller, sources: SourcePort, clock: Clock): Metric[] {
  return [
    counter('fieldline_dataset_pages_total', 'Pages of datasets landed', () => puller.counts.pages),
    counter('fieldline_dataset_rows_total', 'Rows in them', () => puller.counts.rows),
    counter(
      'fieldline_dataset_rows_changed_total',
      'Rows that were new or newer, and were processed',
      () => puller.counts.changed,
    ),
    counter(
      'fieldline_dataset_rows_known_total',
      'Rows that were known already',
      () => puller.counts.duplicates,
    ),
    counter(
      'fieldline_dataset_refused_total',
      'Runs of a dataset that did not keep the contract',
      () => puller.counts.refused,
    ),
    counter(
      'fieldline_dataset_failed_total',
      'Runs of a dataset that failed otherwise',
      () => puller.counts.failed,
    ),
    {
      name: 'fieldline_dataset_lag_seconds',
      help: 'How far what has landed is behind the present',
      type: 'gauge',
      read: async () =>
        (await sources.list(null)).flatMap((source) =>
          source.datasets.flatMap((state) => {
            const lag = lagOf(state, clock.now());
            return lag === null
              ? []
              : [
                  {
                    labels: { source: source.name, tenant: source.tenantCode, dataset: state.dataset },
                    value: lag,
                  },
                ];
          }),
        ),
    },
    {
      name: 'fieldline_dataset_failures',
      help: 'Runs in a row that failed',
      type: 'gauge',
      read: async () =>
        (await sources.list(null)).flatMap((source) =>
          source.datasets.map(({ dataset, failures }) => ({
            labels: { source: source.name, tenant: source.tenantCode, dataset },
            value: failures,
          })),
        ),
    },
  ];
}

function servedMetrics({ counts }: DatasetService): Metric[] {
  return [
    counter('fieldline_dataset_served_pages_total', 'Pages of datasets served', () => counts.pages),
    counter('fieldline_dataset_served_rows_total', 'Rows in them', () => counts.rows),
    counter('fieldline_dataset_calls_limited_total', 'Calls refused for their rate', () => counts.limited),
    counter('fieldline_dataset_queries_overdue_total', 'Queries given up after 10 s', () => counts.overdue),
  ];
}
