import { type Clock, type Stamp, stampOf } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import { Loop, type RoundResult } from '../../common/loop.ts';
import type { ReleasePackage } from '../../common/uplink/upgrade/manifest.ts';
import type { UpgradeItem } from '../../common/uplink/upgrade/record.ts';
import type { Carried } from '../uplink/inbox/port.ts';
import { Mutex } from '../uplink/mutex.ts';
import {
  cameTo,
  type Ground,
  hasEnded,
  isKnownUpgrade,
  isUnderWay,
  isWithin,
  offeredUpgrade,
  reported,
  shortOf,
  shownUpgrade,
  wantedPackage,
  wasWrong,
} from './decide.ts';
import type { PackageFetch } from './fetch.ts';
import type { UpgradeFiles } from './files.ts';
import type { UpgradePort } from './port.ts';
import { type InstallReport, installReport, type KeptUpgrade, type ShownUpgrade } from './record.ts';

const MINUTE_MS = 60_000;
/** Between rounds that nothing triggers, and while events go first, ms. */
const INTERVAL_MS = 3_000;
const BUSY_LOOK_MS = 250;
/** Whoever installs is told once more after so long without a word, and given up after so long, ms. */
const TELL_AGAIN_MS = MINUTE_MS;
const NOBODY_MS = 15 * MINUTE_MS;
/** What was fetched of a package that is wanted no more is kept for so long, ms. */
const STOPPED_MS = 14 * 24 * 60 * MINUTE_MS;
/** Headquarters is told with each of so many parts of a package. */
const PARTS = 10;

export interface UpgradesOptions {
  port: UpgradePort;
  /** null: this program did not come as a package. */
  files: UpgradeFiles | null;
  fetch: PackageFetch;
  /** What the site finds of itself, and of a document that came. */
  ground: (item: UpgradeItem) => Ground;
  /** Told of each step. */
  onStep: (kept: KeptUpgrade) => Promise<void>;
  version: string;
  pid: number;
  clock: Clock;
  log: Logger;
}

/**
 * The version that headquarters wants here: checked, fetched, and handed over to the part of the system that
 * installs, which alone may. This program gains no right by it.
 */
export class Upgrades {
  readonly loop: Loop;
  readonly #options: UpgradesOptions;
  readonly #mutex = new Mutex();
  #kept: KeptUpgrade | null;
  /** Monotonic ms when whoever installs was told last, and first since the start. */
  #told: { first: number; last: number } | null = null;
  #reached = false;
  #aliveTold = '';

  constructor(options: UpgradesOptions) {
    this.#options = options;
    const kept = options.port.read();
    // It was kept by the version before where this one has just been installed.
    this.#kept = kept && { ...kept, runs: { ...kept.runs, version: options.version } };
    this.loop = new Loop({
      name: 'upgrade',
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  shown(): ShownUpgrade | null {
    return shownUpgrade(this.#kept);
  }

  /** Headquarters answered a call well. */
  answered(): void {
    if (this.#reached) return;
    this.#reached = true;
    if (isUnderWay(this.#kept)) this.loop.kick();
  }

  /** Takes a version that headquarters wants, or that it wants none any more. */
  take(item: UpgradeItem): Promise<Carried> {
    return this.#mutex.run(async () => {
      const { ground } = this.#options;
      if (this.#kept && isKnownUpgrade(this.#kept, item)) {
        // Headquarters may lack what it was told: it names it again.
        await this.#keep(this.#kept, null);
        return 'answered';
      }
      const next = offeredUpgrade(this.#kept, item, ground(item), this.#now());
      await this.#keep(next, `headquarters (${item.by})`);
      if (next.step === 'fetching') await this.#options.files?.keepOnly(wantedPackage(next)?.sha256 ?? null);
      this.loop.kick();
      return next.step === 'refused' && !next.next ? 'refused' : 'carried_out';
    });
  }

  /** Takes one step. */
  round(signal: AbortSignal): Promise<RoundResult> {
    return this.#mutex.run(() => this.#round(signal));
  }

  async #round(signal: AbortSignal): Promise<RoundResult> {
    const { files } = this.#options;
    if (!this.#kept || !files) return { again: false };
    await this.#tellAlive(files);
    const report = installReport.safeParse(await files.report()).data ?? null;
    const heard = reported(this.#kept, report);
    if (heard) await this.#keep(heard, 'system');
    const kept = this.#kept;
    if (hasEnded(kept)) return this.#end(kept, files);
    const wanted = wantedPackage(kept);
    if (!wanted) return { again: false };
    if (kept.step === 'fetching') return this.#fetch(kept, wanted, files, signal);
    if (kept.step === 'fetched') return this.#handOver(kept, wanted, files);
    return this.#await(kept, wanted, files, report);
  }

  /** Of what was done nothing stays but what headquarters has told since. */
  async #end(kept: KeptUpgrade, files: UpgradeFiles): Promise<RoundResult> {
    const { next, item, step, since } = kept;
    this.#told = null;
    // What was stopped is often wanted again.
    if (step !== 'stopped' || this.#now() - since > STOPPED_MS) await files.remove();
    if (!next) return { again: false };
    // What was stopped too late to be stopped is told under the number of that.
    if (!next.release) {
      await this.#keep({ ...kept, item: { ...item, no: next.no }, next: null }, null);
      return { again: false };
    }
    const begun = offeredUpgrade(null, next, this.#options.ground(next), this.#now());
    await this.#keep(begun, `headquarters (${item.by})`);
    return { again: true };
  }

  async #fetch(
    kept: KeptUpgrade,
    wanted: ReleasePackage,
    files: UpgradeFiles,
    signal: AbortSignal,
  ): Promise<RoundResult> {
    const { fetch, ground } = this.#options;
    const wait = fetch.wait(BUSY_LOOK_MS);
    if (wait > 0) return { again: false, pauseMs: Math.min(wait, INTERVAL_MS) };
    const short = kept.fetched === 0 ? shortOf(wanted, ground(kept.item)) : null;
    if (short) return this.#came(cameTo(kept, 'refused', this.#now(), short));
    const there = await fetch.piece(wanted, signal);
    if (there === null) return { again: false };
    if (there < wanted.size) {
      const part = (bytes: number): number => Math.floor((bytes / wanted.size) * PARTS);
      if (part(there) > part(kept.fetched)) await this.#keep({ ...kept, fetched: there }, null);
      return { again: !signal.aborted };
    }
    if (there > wanted.size || !(await files.isRight(wanted.sha256))) {
      this.#options.log.error({ version: kept.version }, 'the package is not what was signed');
      await files.remove();
      return this.#came(wasWrong(kept, this.#now()));
    }
    return this.#came(cameTo({ ...kept, fetched: there }, 'fetched', this.#now()));
  }

  /** In the hours that headquarters has named, by the clock of the site. */
  async #handOver(kept: KeptUpgrade, wanted: ReleasePackage, files: UpgradeFiles): Promise<RoundResult> {
    const { ground, clock } = this.#options;
    if (!isWithin(kept.item.hours, new Date(clock.now()).getHours())) return { again: false };
    const { freeBytes, storeBytes } = ground(kept.item);
    // The package itself lies there already.
    const short = shortOf(wanted, { storeBytes, freeBytes: freeBytes + wanted.size });
    if (short) return this.#came(cameTo(kept, 'refused', this.#now(), short));
    // Durable before it is handed over: the next start may be that of the new version.
    await this.#came(cameTo(kept, 'installing', this.#now()));
    await this.#tell(kept, wanted, files);
    return { again: false };
  }

  /** Whoever installs says nothing yet: it is told again, and given up at last. */
  async #await(
    kept: KeptUpgrade,
    wanted: ReleasePackage,
    files: UpgradeFiles,
    report: InstallReport | null,
  ): Promise<RoundResult> {
    if (report?.no === kept.item.no || kept.step === 'stuck') return { again: false };
    const now = this.#options.clock.monotonic();
    this.#told ??= { first: now, last: -Infinity };
    if (now - this.#told.first > NOBODY_MS) {
      const minutes = NOBODY_MS / MINUTE_MS;
      return this.#came(
        cameTo(kept, 'refused', this.#now(), { code: 'upgrade_nobody', params: { minutes } }),
      );
    }
    if (now - this.#told.last > TELL_AGAIN_MS) await this.#tell(kept, wanted, files);
    return { again: false };
  }

  async #tell({ item }: KeptUpgrade, { sha256 }: ReleasePackage, files: UpgradeFiles): Promise<void> {
    const now = this.#options.clock.monotonic();
    this.#told = { first: this.#told?.first ?? now, last: now };
    if (item.release) await files.handOver(sha256, item.release, { no: item.no, at: this.#now() });
  }

  /** While an upgrade is under way: that this program runs, writes, and reaches headquarters. */
  async #tellAlive(files: UpgradeFiles): Promise<void> {
    if (!this.#kept || !isUnderWay(this.#kept)) return;
    const { version, pid } = this.#options;
    const alive = { version, pid, wrote: true, reached: this.#reached };
    const text = JSON.stringify(alive);
    if (text === this.#aliveTold) return;
    // This is the write, and it has to be durable.
    await this.#keep(this.#kept, null);
    await files.tell(alive);
    this.#aliveTold = text;
  }

  async #came(next: KeptUpgrade): Promise<RoundResult> {
    await this.#keep(next, 'system');
    return { again: true };
  }

  /** @param actor null: nothing that is to stand in the audit */
  async #keep(next: KeptUpgrade, actor: string | null): Promise<void> {
    const { port, clock, log, onStep } = this.#options;
    const stamp = stampOf(clock);
    await port.keep(next, actor === null ? null : this.#trace(next, actor, stamp), stamp.now);
    const stepped = next.step !== this.#kept?.step || next.item.no !== this.#kept.item.no;
    this.#kept = next;
    if (stepped) log.info({ version: next.version, step: next.step, reason: next.reason }, 'upgrade');
    if (stepped || actor !== null) await onStep(next);
  }

  #trace(next: KeptUpgrade, actor: string, { newId, now }: Stamp) {
    const shown = ({ item, version, step, reason }: KeptUpgrade) => ({ no: item.no, version, step, reason });
    const before = this.#kept && shown(this.#kept);
    return { id: newId(), at: now, actor, action: `upgrade.${next.step}`, before, after: shown(next) };
  }

  #now(): number {
    return this.#options.clock.now();
  }
}
