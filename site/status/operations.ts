import type { Clock } from '../../common/clock.ts';
import type { Core } from '../../common/core/core.ts';
import type { Route } from '../../common/http/route.ts';
import type { Logger } from '../../common/log.ts';
import type { Loop } from '../../common/loop.ts';
import type { Metric } from '../../common/metrics.ts';
import { siteAddresses } from '../addresses.ts';
import type { SiteConfig } from '../config.ts';
import type { DiskKeeper } from '../retention/keeper.ts';
import type { Settings } from '../settings/settings.ts';
import type { SiteStore } from '../store/open.ts';
import type { ReportOrder } from '../uplink/report.ts';
import { eventsAfter, type StatusOptions } from '../uplink/status.ts';
import type { ClockWatch } from './clock.ts';
import { cameraFacts, type FactsOptions } from './facts.ts';
import { HistoryRecorder } from './history.ts';
import { diskMetrics } from './metrics.ts';
import { tellFault, tellOpened } from './opened.ts';
import { refusedFor } from './refused/decide.ts';
import { RefusedPosts } from './refused/watch.ts';
import { reportOf } from './report.ts';
import { siteStatusRoutes } from './routes.ts';
import { readWear } from './wear.ts';

const HOUR_MS = 3_600_000;
/** Requests that bring new data; they are refused while the disk is full. */
const EVENTS = 'POST /api/core/events';
const INTAKE = new Set([EVENTS, 'PUT /api/core/events/{id}/evidence/{name}']);

export interface OperationsParts {
  store: SiteStore;
  core: Core;
  clock: Clock;
  log: Logger;
  clockWatch: ClockWatch;
  runs: FactsOptions['runs'];
  disk: DiskKeeper;
  devices: FactsOptions['devices'];
  settings: Pick<Settings, 'shown'>;
}

/**
 * What runs on this machine beside the core: the disk keeper, the watch of the clock, the history, and what a
 * technician is shown of them.
 */
export class Operations {
  readonly disk: DiskKeeper;
  readonly metrics: Metric[];
  #facts: FactsOptions;
  #loops: Loop[];
  readonly #parts: OperationsParts;

  constructor(config: SiteConfig, parts: OperationsParts) {
    const { dataDir, instance } = config;
    this.#parts = parts;
    this.disk = parts.disk;
    const history = new HistoryRecorder({
      history: parts.store.history,
      backlog: () => (config.uplink === null ? Promise.resolve(0) : backlogOf(parts.store)),
      room: () => this.disk.budget?.room ?? null,
      clock: parts.clock,
      log: parts.log,
    });
    this.metrics = diskMetrics(this.disk, parts.store);
    this.#facts = {
      store: parts.store,
      stored: () => parts.core.events.counts.stored,
      disk: this.disk,
      clockWatch: parts.clockWatch,
      clock: parts.clock,
      runs: parts.runs,
      instance,
      dataDir,
      addresses: () => siteAddresses(config),
      startedAt: parts.clock.monotonic(),
      writtenAtStart: readWear(dataDir).bytesWritten ?? 0,
      get silentAfterMs() {
        return config.cameraSilentHours * HOUR_MS;
      },
      settings: () => parts.settings.shown(),
      remoteCare: config.remoteCare,
      devices: parts.devices,
    };
    this.#loops = [this.disk.loop, parts.clockWatch.loop, history.loop, this.#refusedPosts().loop];
  }

  routes(uplink: StatusOptions): Route[] {
    return siteStatusRoutes(this.#facts, uplink, this.disk);
  }

  /**
   * The given routes, of which those that bring new data are refused while the disk is full; what intake
   * refuses of a camera is noted with it.
   */
  guarded(routes: readonly Route[]): Route[] {
    return routes.map((one) => {
      const name = `${one.method} ${one.path}`;
      if (!INTAKE.has(name)) return one;
      const guarded: Route = {
        ...one,
        handle: (call) => {
          this.disk.admit();
          return one.handle(call);
        },
      };
      return name === EVENTS ? { ...guarded, heard: this.#heard } : guarded;
    });
  }

  #refusedPosts(): RefusedPosts {
    const { store, clock, instance } = this.#facts;
    const cameras = () => cameraFacts(this.#facts, clock.now());
    return new RefusedPosts({ cameras, alarms: store.alarms, self: instance, clock, log: this.#parts.log });
  }

  #heard: NonNullable<Route['heard']> = (keyId, error) => {
    if (error === null) return this.#facts.devices.heard(keyId, null);
    const reason = refusedFor(error);
    if (reason !== null)
      this.#facts.devices.heard(keyId, { reason, detail: error.message, at: this.#facts.clock.now() });
  };

  /** What headquarters is told of this machine, as JSON text. */
  report(uplink: StatusOptions, order: ReportOrder): Promise<string> {
    return reportOf(this.#facts, uplink, order);
  }

  async start(): Promise<void> {
    const { store, clock, instance } = this.#facts;
    await tellOpened({ store, clock, log: this.#parts.log }, instance);
    for (const loop of this.#loops) loop.start();
    store.startHealth((fault) => tellFault({ store, clock }, instance, fault));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }
}

async function backlogOf({ events, uplink }: SiteStore): Promise<number> {
  const { highWaterMark: head } = await events.bounds();
  return eventsAfter(uplink, uplink.channel('events').cursor, head);
}
