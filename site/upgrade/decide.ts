// Whether a version that headquarters wants is taken, and how far it is. Pure.
import { type Message, translate } from '../../common/message.ts';
import type { UpgradeState } from '../../common/uplink/change/upgrade.ts';
import {
  compareVersions,
  type Manifest,
  manifestOf,
  type ReleasePackage,
} from '../../common/uplink/upgrade/manifest.ts';
import {
  ENDED_STEPS,
  type UpgradeHours,
  type UpgradeItem,
  type UpgradeStep,
} from '../../common/uplink/upgrade/record.ts';
import { upgradeMessages } from '../../common/uplink/upgrade/upgrade-messages.ts';
import type { InstallReport, KeptUpgrade, Running, ShownUpgrade } from './record.ts';

/** Times that a package is fetched whole at most. */
export const MOST_WRONG = 3;
const MEGABYTE = 1024 * 1024;
/**
 * A package takes so many times its size once it is unpacked; the version before is kept unpacked and packed
 * beside it, and the package itself lies with the daemon and with root.
 */
const UNPACKED = 4;
const MARGIN = 64 * MEGABYTE;

/** What the site finds of itself when it is told of a version. */
export interface Ground {
  runs: Running;
  /** Where keys are looked for, and how many there are. */
  keys: { folder: string; count: number };
  /** Whether one of them has signed the document. */
  signed: boolean;
  freeBytes: number;
  storeBytes: number;
}

/** Room that an upgrade takes, bytes: with a copy of the store, which a migration makes. */
export const roomFor = (packageBytes: number, storeBytes: number): number =>
  packageBytes * (2 + 2 * UNPACKED) + storeBytes + MARGIN;

export const packageOf = (manifest: Manifest, { architecture }: Running): ReleasePackage | null =>
  manifest.packages.find((one) => one.architecture === architecture) ?? null;

/** The package of an item that is wanted here; null: there is none. */
export function wantedPackage({ item, runs }: Pick<KeptUpgrade, 'item' | 'runs'>): ReleasePackage | null {
  const manifest = item.release && manifestOf(item.release);
  return manifest && packageOf(manifest, runs);
}

/** What headquarters told last is known here; it may lack what it was told of it. */
export const isKnownUpgrade = (kept: KeptUpgrade | null, { no }: UpgradeItem): boolean =>
  kept !== null && no <= (kept.next ?? kept.item).no;

/** From here on it goes through or back, whatever headquarters says. */
export const isUnderWay = (kept: KeptUpgrade | null): boolean =>
  kept !== null && (kept.step === 'installing' || kept.step === 'stuck');

/** Headquarters told of a version, or that it wants none any more. */
export function offeredUpgrade(
  kept: KeptUpgrade | null,
  item: UpgradeItem,
  ground: Ground,
  now: number,
): KeptUpgrade {
  if (kept && isUnderWay(kept)) return { ...kept, next: item };
  const manifest = item.release && manifestOf(item.release);
  const found = manifest && packageOf(manifest, ground.runs);
  const begun: KeptUpgrade = {
    ...{ item, next: null, since: now, runs: ground.runs, wrong: 0, reason: null },
    ...{ version: manifest?.version ?? null, fetched: 0, size: found?.size ?? 0, step: 'fetching' },
  };
  if (!item.release) return { ...begun, step: 'stopped' };
  const reason = refusalOf(item.release.key, manifest, ground);
  if (reason) return { ...begun, step: 'refused', reason };
  if (begun.version === ground.runs.version) return { ...begun, step: 'installed', fetched: begun.size };
  return begun;
}

function refusalOf(key: string, manifest: Manifest | null, ground: Ground): Message | null {
  const { runs, keys } = ground;
  if (runs.architecture === null) return { code: 'upgrade_no_package', params: {} };
  if (keys.count === 0) return { code: 'upgrade_no_keys', params: { folder: keys.folder } };
  if (!ground.signed) return { code: 'upgrade_signature', params: { key } };
  if (!manifest) return { code: 'upgrade_manifest', params: {} };
  const found = packageOf(manifest, runs);
  if (!found) return { code: 'upgrade_architecture', params: { architecture: runs.architecture } };
  const order = compareVersions(manifest.version, runs.version);
  if (order < 0) return { code: 'upgrade_older', params: { wanted: manifest.version, runs: runs.version } };
  return order === 0 ? null : shortOf(found, ground);
}

/** What the disk lacks for a package; null: it has room. */
export function shortOf(
  { size }: ReleasePackage,
  { freeBytes, storeBytes }: Pick<Ground, 'freeBytes' | 'storeBytes'>,
): Message | null {
  const needed = roomFor(size, storeBytes);
  if (freeBytes >= needed) return null;
  const megabytes = (bytes: number): number => Math.ceil(bytes / MEGABYTE);
  return { code: 'upgrade_no_room', params: { needed: megabytes(needed), free: megabytes(freeBytes) } };
}

/** It came to a step. */
export const cameTo = (
  kept: KeptUpgrade,
  step: UpgradeStep,
  now: number,
  reason: Message | null = null,
): KeptUpgrade => ({ ...kept, step, since: now, reason });

/** A package was here whole, and was not what was signed. */
export function wasWrong(kept: KeptUpgrade, now: number): KeptUpgrade {
  const wrong = kept.wrong + 1;
  const again = { ...kept, wrong, fetched: 0 };
  if (wrong < MOST_WRONG) return again;
  return cameTo(again, 'refused', now, { code: 'upgrade_bytes', params: { times: wrong } });
}

/**
 * Whoever installs says how it stands. @returns null: that is known, or of something else
 */
export function reported(kept: KeptUpgrade, report: InstallReport | null): KeptUpgrade | null {
  if (report?.no !== kept.item.no || report.step === kept.step) return null;
  // What was fetched is all that it could be of.
  if (kept.step === 'fetching' || kept.step === 'stopped') return null;
  const reason = report.reason as Message | null;
  return cameTo(kept, report.step, report.at, reason);
}

/** Whether it may be installed now. @param hour of the site's own clock */
export const isWithin = ({ from, until }: UpgradeHours, hour: number): boolean =>
  from === until || (from < until ? hour >= from && hour < until : hour >= from || hour < until);

export const hasEnded = ({ step }: KeptUpgrade): boolean => ENDED_STEPS.includes(step);

/** What a person at the site is shown of it; null: headquarters has wanted no version. */
export function shownUpgrade(kept: KeptUpgrade | null): ShownUpgrade | null {
  if (!kept || kept.step === 'stopped') return null;
  const { step, since, version, fetched, size, reason, item } = kept;
  return { step, since, version, fetched, size, reason, by: item.by };
}

/** How it goes up. */
export function upgradeStateOf(kept: KeptUpgrade, changeNo: number): UpgradeState {
  const { item, step, version, runs, fetched, size, since, reason } = kept;
  return {
    change_no: changeNo,
    kind: 'upgrade',
    ...{ no: item.no, step, version, fetched, size, at: since },
    runs: runs.version,
    architecture: runs.architecture,
    reason: reason && (translate(upgradeMessages, reason, 'en') ?? reason.code),
    told: reason,
  };
}
