import type { Clock } from '../../common/clock.ts';
import { agentFollower } from '../../common/agent/act/traces.ts';
import type { Core } from '../../common/core/core.ts';
import { incidentFollower } from '../../common/core/incident/follower.ts';
import type { Route } from '../../common/http/route.ts';
import type { Logger } from '../../common/log.ts';
import type { Metric } from '../../common/metrics.ts';
import type { SiteConfig } from '../config.ts';
import { DiskKeeper } from '../retention/keeper.ts';
import { probeDisk, type DiskProbe } from '../retention/measure.ts';
import type { PassedFault } from '../store/doubt.ts';
import type { SiteStore } from '../store/open.ts';
import { waitingOf, type StatusOptions } from '../uplink/status.ts';
import { ClockWatch } from './clock.ts';
import type { FactsOptions } from './facts.ts';
import { HistoryRecorder } from './history.ts';
import { diskMetrics } from './metrics.ts';
import { reportOf } from './report.ts';
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

export async function createClockWatch({ store, instance, clock, log }: { store: SiteStore; instance: string; clock: Clock; log: Logger }): Promise<ClockWatch> {
  const { head } = await store.events.bounds();
  const { newest } = await store.retention.survey(0, false);
  return new ClockWatch({ clock, marks: store.clockMarks, head, newestKnown: newest?.receivedAt ?? 0, alarms: store.alarms, instance, log });
}

/** The site as its technician sees it, and the disk that it lives on. */
export function createOperations(config: SiteConfig, parts: OperationsParts): Operations {
  const { store, core, uplink, clock, log, clockWatch } = parts;
  const { dataDir, instance } = config;
  const disk = new DiskKeeper({
    shed: store.shed, retention: store.retention, followers: [incidentFollower(store.incidents), agentFollower(store.agent)], alarms: store.alarms, evidence: store.evidence, facts: () => store.facts(),
    uplinked: config.uplink !== null, limit: config.storageLimit, dataDir, instance, clock, log, probe: parts.probe ?? probeDisk,
  });
  const backlog = async (): Promise<number> => {
    const { head } = await store.events.bounds();
    return config.uplink === null ? 0 : waitingOf(store.uplink, 'events', store.uplink.channel('events').cursor, head);
  };
  const history = new HistoryRecorder({ history: store.history, backlog, room: () => disk.budget?.room ?? null, clock, log });
  const facts: FactsOptions = {
    uplink, store, stored: () => core.events.counts.stored, disk, clockWatch, clock, instance, dataDir, startedAt: clock.monotonic(), writtenAtStart: readWear(dataDir).bytesWritten ?? 0,
    silentAfterMs: config.cameraSilentHours * HOUR_MS,
  };
  const loops = [disk.loop, clockWatch.loop, history.loop];
  return {
    disk, routes: siteStatusRoutes(facts, disk), metrics: diskMetrics(disk, store),
    guarded: (routes) => routes.map((one) => (BRINGS.has(`${one.method} ${one.path}`) ? { ...one, handle: (call) => {
      disk.admit();
      return one.handle(call);
    } } : one)),
    report: () => reportOf(facts),
    start: async () => {
      await tellOpened(parts, instance);
      for (const loop of loops) loop.start();
      store.startIntegrity((fault) => tellFault(parts, instance, fault));
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** A disk that fails and works again is on its way out. */
async function tellFault({ store, clock }: Pick<OperationsParts, 'store' | 'clock'>, instance: string, { message, count }: PassedFault): Promise<void> {
  await store.alarms.raise({
    key: 'disk_fault', instance, tenantCode: null, severity: 'warning', details: { message, count },
    message: `The disk failed for a moment (${message}) and worked again; nothing was lost. It may fail for good: make a backup, and replace it if this comes again.`,
  }, clock.now());
}

/** What had to be done to open the store, where a person must know of it. */
async function tellOpened({ store, clock, log }: OperationsParts, instance: string): Promise<void> {
  const { salvaged, passed, upgrade } = store.opened;
  try {
    if (passed !== null) await tellFault({ store, clock }, instance, { message: passed, count: 1 });
    if (salvaged !== null) {
      const rows = salvaged.saved.events ?? 0;
      await store.alarms.raise({
        key: 'store_salvaged', instance, tenantCode: null, severity: 'critical', details: salvaged,
        message: `The store was damaged (${salvaged.reason.replace('*** in database main ***', '').replace(/\s+/g, ' ').trim()}). It was set aside as ${salvaged.aside}; ${rows} events could be saved${salvaged.incomplete.length > 0 ? ', not all' : ''}. ` +
          `${salvaged.incomplete.some((table) => table === 'keys' || table === '*') ? 'Keys of cameras may be lost: compare fieldline-site node list, and add or restore what is missing. ' : ''}` +
          'Check the disk. When nothing more is wanted of the file, delete it and run: fieldline-site alarms clear store_salvaged --by NAME.',
      }, clock.now());
    }
    if (upgrade !== null && upgrade.copy === null) {
      await store.alarms.raise({
        key: 'upgrade_without_copy', instance, tenantCode: null, severity: 'warning', details: { from: upgrade.from, to: upgrade.to },
        message: `The store was brought from schema ${upgrade.from} to ${upgrade.to}; there was no room for a copy of it from before.`,
      }, clock.now());
    }
  } catch (error) {
    log.warn({ err: error }, 'an alarm about the opening of the store could not be written');
  }
}
