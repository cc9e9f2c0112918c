import type { Clock } from '../../common/clock.ts';
import { agentRetentionHook } from '../../common/agent/act/traces.ts';
import type { Core } from '../../common/core/core.ts';
import { incidentRetentionHook } from '../../common/core/incident/retention-hook.ts';
import type { Route } from '../../common/http/route.ts';
import type { Logger } from '../../common/log.ts';
import type { Metric } from '../../common/metrics.ts';
import type { SiteConfig } from '../config.ts';
import { DiskKeeper } from '../retention/keeper.ts';
import { probeDisk, type DiskProbe } from '../retention/measure.ts';
import type { SiteStore } from '../store/open.ts';
import { waitingOf, type StatusOptions } from '../uplink/status.ts';
import { ClockWatch } from './clock.ts';
import type { FactsOptions } from './facts.ts';
import { HistoryRecorder } from './history.ts';
import { diskMetrics } from './metrics.ts';
import { reportOf } from './report.ts';
import { tellFault, tellOpened } from './opened.ts';
import { siteStatusRoutes } from './routes.ts';
import { readWear } from './wear.ts';

const HOUR_MS = 3_600_000;
/** Requests that bring new things, refused while the disk is full. */
const BRINGS = new Set(['POST /api/core/events', 'PUT /api/core/events/{id}/evidence/{name}']);

export interface Operations {
  routes: Route[];
  metrics: Metric[];
  disk: DiskKeeper;
  /** The given routes, of which those that bring new things are refused while the disk is full. */
  guarded(routes: readonly Route[]): Route[];
  /** What headquarters is told of this machine, as JSON text. */
  report(): Promise<string>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface OperationsParts {
  store: SiteStore;
  core: Core;
  uplink: StatusOptions;
  clock: Clock;
  log: Logger;
  clockWatch: ClockWatch;
  probe?: DiskProbe | undefined;
}

export async function createClockWatch({
  store,
  instance,
  clock,
  log,
}: {
  store: SiteStore;
  instance: string;
  clock: Clock;
  log: Logger;
}): Promise<ClockWatch> {
  const { highWaterMark: head } = await store.events.bounds();
  const { newest } = await store.retention.survey(0, false);
  return new ClockWatch({
    clock,
    marks: store.clockMarks,
    head,
    newestKnown: newest?.receivedAt ?? 0,
    alarms: store.alarms,
    instance,
    log,
  });
}

/** The site as its technician sees it, and the disk that it lives on. */
export function createOperations(config: SiteConfig, parts: OperationsParts): Operations {
  const { store, core, uplink, clock, log, clockWatch } = parts;
  const { dataDir, instance } = config;
  const disk = new DiskKeeper({
    shed: store.shed,
    retention: store.retention,
    retentionHooks: [incidentRetentionHook(store.incidents), agentRetentionHook(store.agent)],
    alarms: store.alarms,
    evidence: store.evidence,
    facts: () => store.facts(),
    uplinked: config.uplink !== null,
    limit: config.storageLimit,
    dataDir,
    instance,
    clock,
    log,
    probe: parts.probe ?? probeDisk,
  });
  const backlog = async (): Promise<number> => {
    const { highWaterMark: head } = await store.events.bounds();
    return config.uplink === null
      ? 0
      : waitingOf(store.uplink, 'events', store.uplink.channel('events').cursor, head);
  };
  const history = new HistoryRecorder({
    history: store.history,
    backlog,
    room: () => disk.budget?.room ?? null,
    clock,
    log,
  });
  const facts: FactsOptions = {
    uplink,
    store,
    stored: () => core.events.counts.stored,
    disk,
    clockWatch,
    clock,
    instance,
    dataDir,
    startedAt: clock.monotonic(),
    writtenAtStart: readWear(dataDir).bytesWritten ?? 0,
    silentAfterMs: config.cameraSilentHours * HOUR_MS,
  };
  const loops = [disk.loop, clockWatch.loop, history.loop];
  return {
    disk,
    routes: siteStatusRoutes(facts, disk),
    metrics: diskMetrics(disk, store),
    guarded: (routes) =>
      routes.map((one) =>
        BRINGS.has(`${one.method} ${one.path}`)
          ? {
              ...one,
              handle: (call) => {
                disk.admit();
                return one.handle(call);
              },
            }
          : one,
      ),
    report: () => reportOf(facts),
    start: async () => {
      await tellOpened(parts, instance);
      for (const loop of loops) loop.start();
      store.startHealth((fault) => tellFault(parts, instance, fault));
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
