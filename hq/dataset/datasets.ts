// Datasets put together: the sources and what pulls them, and what is served of our own.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { SecretResolver } from '../../common/core/secret/resolver.ts';
import type { CallCounter } from '../../common/dataset/calls.ts';
import { DatasetService, type ServedDataset } from '../../common/dataset/service.ts';
import type { Networks } from '../../common/http/outbound/address.ts';
import type { Route } from '../../common/http/route.ts';
import type { Logger } from '../../common/log.ts';
import { Loop, type RoundResult } from '../../common/loop.ts';
import type { Metric } from '../../common/metrics.ts';
import { createHttpClient } from '../http-client.ts';
import { SourceReader } from './fetch.ts';
import { pullMetrics, servedMetrics } from './metrics.ts';
import type { PullPort, SourcePort } from './port.ts';
import { Puller } from './puller.ts';
import type { LandedShare } from './record.ts';
import { DatasetRoomAlarms } from './room.ts';
import { sourceRoutes } from './routes.ts';
import { PullScheduler } from './scheduler.ts';
import { serveRoutes } from './serve-routes.ts';
import { SourceService } from './service.ts';

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
  /** The most that what is pulled for a tenant may take. */
  most: LandedShare;
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
  const { sources, pulls, alarms, secretResolver, most, clock, log, instance } = options;
  const client = createHttpClient(options.networks);
  const puller = new Puller({
    port: pulls,
    reader: new SourceReader({ client, secretResolver, clock, log }),
    alarms,
    clock,
    self: instance,
    sleep,
    most,
  });
  const room = new DatasetRoomAlarms({ sources, alarms, most, self: instance, clock, log });
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
    metrics: [...pullMetrics(puller, { sources, most, clock }), ...servedMetrics(serving)],
    start: () => {
      scheduler.start();
      counting.start();
      room.loop.start();
    },
    stop: async () => {
      await Promise.all([scheduler.stop(), counting.stop(), room.loop.stop()]);
      client.close();
    },
  };
}
