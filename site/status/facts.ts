import { statSync } from 'node:fs';
import type { Clock } from '../../common/clock.ts';
import { readAlarmText } from '../../common/core/alarm/alarm-text.ts';
import { readLastBackup } from '../../common/core/run/last-backup.ts';
import type { Runs } from '../../common/core/run/runs.ts';
import { commit, version } from '../../common/package.ts';
import { formatTime, formatTimeOrNull } from '../../common/time.ts';
import type { RefusalReason } from '../intake/device/state.ts';
import type { ConnectionView } from '../intake/schema.ts';
import type { DiskKeeper } from '../retention/keeper.ts';
import { asideFiles } from '../retention/measure.ts';
import type { ShownSettings } from '../settings/record.ts';
import { siteMessages } from '../site-messages.ts';
import { isStorageFault } from '../store/health/fault.ts';
import type { SiteStore } from '../store/open.ts';
import { type StatusOptions, uplinkStatus } from '../uplink/status.ts';
import type { ClockWatch } from './clock.ts';
import { BUCKET_MS } from './history.ts';
import { judge } from './judge.ts';
import type { SiteFacts } from './schema.ts';
import { readWear } from './wear.ts';

const DAY_MS = 86_400_000;
const MAX_ALARMS = 50;
/** No rate is told before the process has run so long, ms: its first writes would distort it. */
const RATE_AFTER_MS = 600_000;

export interface FactsOptions {
  store: SiteStore;
  /** Written by this process before it served, bytes. */
  writtenAtStart: number;
  /** Events stored since start. */
  stored: () => number;
  disk: DiskKeeper;
  clockWatch: ClockWatch;
  clock: Clock;
  runs: Pick<Runs, 'view'>;
  instance: string;
  dataDir: string;
  /** Of this site in its network, read anew each time. */
  addresses: () => string[];
  /** Monotonic ms at start. */
  startedAt: number;
  /** Nothing heard of a camera for longer than this, ms: it is silent. */
  silentAfterMs: number;
  devices: DeviceFacts;
  /** As headquarters has set them; null: it has set nothing. */
  settings: () => ShownSettings | null;
  /** Whether headquarters may look in. */
  remoteCare: boolean;
}

/** What is known of cameras that cannot sign, by their keys. */
export interface DeviceFacts {
  /** When it was heard since the start, heartbeats too, epoch ms. */
  heardAt: (keyId: string) => number | null;
  kindOf: (keyId: string) => string | null;
  /** How it stands with one that the site connects to; null for one that sends by itself. */
  connectionOf: (keyId: string) => ConnectionView | null;
  /** The messages that were refused since one was taken. */
  refusalOf: (keyId: string) => { reason: RefusalReason; at: number; since: number; count: number } | null;
  /** A message of a camera that signs was taken, or refused for this reason. */
  heard: (keyId: string, refused: { reason: RefusalReason; detail: string; at: number } | null) => void;
}

/**
 * Everything that a technician wants to know, read at this moment. Works, but for `storing`, also when
 * nothing can be written.
 */
export async function readFacts(options: FactsOptions, link: StatusOptions): Promise<SiteFacts> {
  const { store, clock, instance, dataDir } = options;
  const now = clock.now();
  const uplink = await uplinkStatus(link);
  const alarms = await store.alarms.list({ tenantCode: null, includeCleared: false }, MAX_ALARMS, 'worst');
  const facts = {
    instance,
    version,
    commit,
    epoch: store.epoch(),
    now: formatTime(now),
    uptimeSeconds: Math.round((clock.monotonic() - options.startedAt) / 1000),
    dataDir,
    addresses: options.addresses(),
    storing: { ...(await storing(options)), events: store.eventIndex.count() },
    uplink,
    disk: diskFacts(options),
    wear: wearFacts(options),
    clock: clockFacts(options),
    cameras: await cameraFacts(options, now),
    settings: settingsFacts(options),
    integrity: store.integrity(),
    unplannedEnds: options.runs.view(),
    lastBackup: readLastBackup(dataDir),
    alarms: alarms.map(({ key, severity, message, details, raisedAt, count }) => ({
      key,
      severity,
      message,
      ...readAlarmText(siteMessages, details),
      count,
      raisedAt: formatTime(raisedAt),
    })),
    history: {
      stepSeconds: BUCKET_MS / 1000,
      steps: store.history.since(now - DAY_MS).map(({ at, ...rest }) => ({ at: formatTime(at), ...rest })),
    },
  };
  return { ...facts, state: judge(facts) };
}

async function storing({ store, disk }: FactsOptions): Promise<Omit<SiteFacts['storing'], 'events'>> {
  if (disk.budget?.level === 'full') return { ok: false, reason: 'disk_full' };
  try {
    await store.seemsWritable();
    return { ok: true, reason: null };
  } catch (error) {
    const full = isStorageFault(error) || (error as { status?: number }).status === 507;
    return { ok: false, reason: full ? 'disk_full' : 'store_failed' };
  }
}

function diskFacts({ disk, store, dataDir }: FactsOptions): SiteFacts['disk'] {
  // Not as of the last round: something else may have filled the disk since.
  const budget = disk.budget && disk.now();
  const { dbBytes, walBytes } = store.facts();
  const aside = asideFiles(dataDir).map(({ name, bytes, at }) => ({ name, bytes, at: formatTime(at) }));
  const { counts, guardSince } = store.eviction.state();
  return {
    level: budget?.level ?? 'ok',
    capacityBytes: budget?.capacity ?? null,
    usedBytes: budget?.used ?? null,
    roomBytes: budget?.room ?? null,
    reserveBytes: budget?.reserve ?? null,
    dbBytes,
    walBytes,
    shed: counts,
    refused: disk.refused,
    guardSince: formatTimeOrNull(guardSince),
    aside,
  };
}

function wearFacts({
  store,
  stored,
  dataDir,
  writtenAtStart,
  clock,
  startedAt,
}: FactsOptions): SiteFacts['wear'] {
  const { syncs, walBytesWritten } = store.facts();
  const events = stored();
  const wear = readWear(dataDir);
  const each = (total: number | null): number | null =>
    events === 0 || total === null ? null : Math.round((total / events) * 100) / 100;
  const written = wear.bytesWritten === null ? walBytesWritten : wear.bytesWritten - writtenAtStart;
  const ranMs = clock.monotonic() - startedAt;
  return {
    ...wear,
    events,
    syncs,
    walBytesWritten,
    bytesPerEvent: each(written),
    syncsPerEvent: each(syncs),
    bytesPerDay: ranMs < RATE_AFTER_MS ? null : Math.round((written / ranMs) * DAY_MS),
  };
}

function clockFacts({ clockWatch }: FactsOptions): SiteFacts['clock'] {
  const { suspect, lastStep } = clockWatch.view();
  // Kept by systemd-timesyncd while it runs; other time services leave none.
  const synchronized =
    statSync('/run/systemd/timesync/synchronized', { throwIfNoEntry: false }) !== undefined;
  return {
    suspect,
    synchronized: synchronized ? true : null,
    lastStep: lastStep && { ...lastStep, at: formatTime(lastStep.at) },
  };
}

function settingsFacts(options: FactsOptions): SiteFacts['settings'] {
  const shown = options.settings();
  return shown && { ...shown, since: formatTime(shown.since) };
}

/** The cameras of the site, and how each is heard. */
export async function cameraFacts(
  { store, silentAfterMs, devices }: Pick<FactsOptions, 'store' | 'silentAfterMs' | 'devices'>,
  now: number,
): Promise<SiteFacts['cameras']> {
  const heard = new Map(store.history.nodes().map((node) => [node.keyId, node]));
  const named = Map.groupBy(store.history.cameras(), ({ keyId }) => keyId);
  const nodes = await store.keys.list('node');
  return nodes.map(({ keyId, subject, tenantCode, createdAt }) => {
    const node = heard.get(keyId);
    const heardAt = Math.max(node?.lastAt ?? 0, devices.heardAt(keyId) ?? 0);
    const quietMs = now - Math.max(heardAt, createdAt);
    const refusal = devices.refusalOf(keyId);
    return {
      keyId,
      name: subject,
      tenantCode,
      lastEventAt: formatTimeOrNull(node?.lastAt ?? null),
      events: node?.events ?? 0,
      silent: quietMs > silentAfterMs,
      connection: devices.connectionOf(keyId),
      kind: devices.kindOf(keyId),
      refused: refusal && { ...refusal, at: formatTime(refusal.at), since: formatTime(refusal.since) },
      refs: (named.get(keyId) ?? []).map(({ cameraRef, lastAt, events }) => ({
        ref: cameraRef,
        lastEventAt: formatTime(lastAt),
        events,
      })),
    };
  });
}
