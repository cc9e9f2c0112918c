import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stampOf, type Clock } from '../../common/clock.ts';
import type { DiskProbe } from '../../common/disk-space.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { EvidenceFiles } from '../../common/core/evidence/files.ts';
import type { RetentionHook, RetentionPort } from '../../common/core/retention/port.ts';
import { conflict, storageFull } from '../../common/http/error.ts';
import type { Logger } from '../../common/log.ts';
import { Loop } from '../../common/loop.ts';
import { DiskAlarms } from './alarms.ts';
import { allowance, budgetOf, type Budget } from './budget.ts';
import { asideFiles, measureSizes, type MeasureParts } from './measure.ts';
import type { ShedPort } from './port.ts';

const CALM_EVERY_MS = 15_000;
const SHORT_EVERY_MS = 2_000;
/** Between two looks that intake takes. */
const LOOK_EVERY_MS = 250;
/** With less room than this, bytes, a burst could use it up within that time. */
const NEAR_BYTES = 128 * 1024 ** 2;
const LOOK_NEAR_MS = 5;
const SLICE = 500;
/** Between slices intake and pulls go first. */
const PAUSE_MS = 20;
/**
 * After a pass over everything the next one begins with what came since; over everything again after this
 * long, ms.
 */
const AGAIN_MS = 600_000;
/** A copy from before an upgrade is worth this long, ms; then it goes first when the disk is short. */
const COPY_KEPT_MS = 7 * 86_400_000;

export interface DiskKeeperOptions extends Omit<MeasureParts, 'probe'> {
  shed: ShedPort;
  retention: RetentionPort;
  /** Told at once of events that are deleted from among others that stay. */
  retentionHooks: readonly RetentionHook[];
  alarms: AlarmPort;
  /** Whether headquarters is configured. Without it nothing is shed: this store is then the only one. */
  uplinked: boolean;
  instance: string;
  clock: Clock;
  log: Logger;
  probe: DiskProbe;
}

/**
 * Watches the room on the disk (spec 2, "Resource limits"). Short: what headquarters holds is shed, oldest
 * first, in the order evidence, observations, events. Full: intake is refused with 507, while verdicts,
 * status and uplink go on in the reserve.
 */
export class DiskKeeper {
  readonly loop: Loop;
  /** Requests that were refused for want of room, since start. */
  refused = 0;
  budget: Budget | null = null;
  #options: DiskKeeperOptions;
  #files: EvidenceFiles;
  #evidenceBytes = 0;
  /** Monotonic ms. */
  #measuredAt = -Infinity;
  #alarms: DiskAlarms;
  /** Where the search among events that stay goes on, and since when, monotonic ms. */
  #searched = { observations: { upto: 0, since: -Infinity }, all: { upto: 0, since: -Infinity } };

  constructor(options: DiskKeeperOptions) {
    const { clock, log, dataDir } = options;
    this.#options = options;
    this.#alarms = new DiskAlarms(options);
    this.#files = new EvidenceFiles(path.join(dataDir, 'evidence'));
    this.loop = new Loop({
      name: 'disk',
      interval: CALM_EVERY_MS,
      log,
      monotonic: () => clock.monotonic(),
      backoff: { first: SHORT_EVERY_MS, cap: 60_000, jitter: 0.2 },
      round: async (signal) => {
        const { room, high } = await this.round(signal);
        return { again: false, pauseMs: room < 2 * high ? SHORT_EVERY_MS : CALM_EVERY_MS };
      },
    });
  }

  /** @throws AppError 507 while the disk is full */
  admit(): void {
    const now = this.#options.clock.monotonic();
    if (now - this.#measuredAt > ((this.budget?.room ?? 0) < NEAR_BYTES ? LOOK_NEAR_MS : LOOK_EVERY_MS))
      this.#look();
    if (this.budget?.level !== 'full') return;
    this.refused += 1;
    throw storageFull();
  }

  async round(signal: AbortSignal): Promise<Budget> {
    let budget = await this.#measure();
    if (budget.level === 'ok') {
      if (this.#options.shed.state().episode !== null) await this.#calm();
    } else {
      budget = await this.#relieve(budget, signal);
    }
    await this.#alarms.tell(budget, this.#options.shed.state(), this.refused);
    return budget;
  }

  async #measure(): Promise<Budget> {
    this.#evidenceBytes = await this.#options.evidence.totalSize();
    return this.#look();
  }

  /** Cheap enough for intake to ask: a burst must not get past the reserve between two rounds. */
  #look(): Budget {
    const before = this.budget?.level;
    this.#measuredAt = this.#options.clock.monotonic();
    const budget = budgetOf(measureSizes(this.#options, this.#evidenceBytes), before === 'full');
    this.budget = budget;
    if (before === 'ok' && budget.level !== 'ok') this.loop.kick();
    return budget;
  }

  async #calm(): Promise<void> {
    const { shed, log } = this.#options;
    const { counts } = shed.state();
    await shed.change((state) => ({ ...state, episode: null, guardSince: null }));
    log.info({ counts }, 'the disk is no longer short');
  }

  async #relieve(start: Budget, signal: AbortSignal): Promise<Budget> {
    const { shed, uplinked, clock, log, retention } = this.#options;
    this.#dropCopies();
    if (!uplinked) return this.#measure();
    if (shed.state().episode === null) {
      log.warn({ ...start }, 'the disk is short; what headquarters holds is shed');
      await shed.change((state) => ({
        ...state,
        episode: { startedAt: clock.now(), total: shed.kept(), gone: { evidence: 0, events: 0 }, allowed: 1 },
      }));
    }
    await this.#grown();
    const before = shed.state().counts;
    for (const step of [
      () => this.#evidence(signal),
      () => this.#apart('observations', signal),
      () => this.#events(signal),
      () => this.#apart('all', signal),
    ]) {
      if (!signal.aborted && (await this.#measure()).room < start.high) await step();
    }
    const after = shed.state().counts;
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      const { untold } = await retention.finishRound(stampOf(clock));
      for (const one of untold) {
        await this.#alarms.passed(one);
        await retention.lossReported(one.consumer, one.events);
      }
      log.warn({ counts: after }, 'things that headquarters holds were deleted here for want of room');
    }
    return this.#measure();
  }

  /** What came after the episode began counts as kept, too: half of it may go. */
  async #grown(): Promise<void> {
    const { shed } = this.#options;
    const kept = shed.kept();
    const { episode } = shed.state();
    if (episode === null) return;
    const { total, gone } = episode;
    const grown = {
      evidence: Math.max(total.evidence, kept.evidence + gone.evidence),
      events: Math.max(total.events, kept.events + gone.events),
    };
    if (grown.evidence === total.evidence && grown.events === total.events) return;
    await shed.change((state) => ({
      ...state,
      episode: state.episode && { ...state.episode, total: grown },
    }));
  }

  #dropCopies(): void {
    const { dataDir, clock, log } = this.#options;
    for (const { name, bytes, at, upgradeCopy } of asideFiles(dataDir)) {
      if (!upgradeCopy || clock.now() - at < COPY_KEPT_MS) continue;
      rmSync(path.join(dataDir, name), { force: true });
      log.warn({ name, bytes }, 'an old copy from before an upgrade was removed for want of room');
    }
  }

  /** Slices until there is room, nothing is left, or the guard says stop. */
  async #slices(
    kind: 'evidence' | 'events',
    signal: AbortSignal,
    slice: (limit: number) => Promise<boolean>,
  ): Promise<void> {
    const { shed } = this.#options;
    while (!signal.aborted) {
      const { episode } = shed.state();
      const left = episode === null ? 0 : allowance(episode, kind);
      if (left === 0) {
        if (episode !== null && episode.gone[kind] > 0 && shed.kept()[kind] > 0) await this.#guard();
        return;
      }
      if (!(await slice(Math.min(SLICE, left)))) return;
      const { room, high } = await this.#measure();
      if (room >= high) return;
      await sleep(PAUSE_MS);
    }
  }

  async #evidence(signal: AbortSignal): Promise<void> {
    const { shed, clock } = this.#options;
    // Files that cannot be removed now make no room, and would be left when they come back.
    if (!(await this.#files.present())) return;
    return this.#slices('evidence', signal, async (limit) => {
      const { dropped, files } = await shed.forgetEvidence(shed.evidence(Math.min(limit, 50)), clock.now());
      // A crash before this leaves files that nothing names, which are swept later.
      for (const { eventId, sha256 } of files) await this.#files.remove(eventId, sha256);
      return dropped > 0;
    });
  }

  #events(signal: AbortSignal): Promise<void> {
    const { shed, clock } = this.#options;
    return this.#slices('events', signal, async (limit) => {
      return (await shed.dropEvents(limit, clock.now())) > 0;
    });
  }

  /**
   * From among events that stay: all observations before any other event, and events beyond one that is held,
   * which must not hold the disk.
   */
  #apart(what: 'observations' | 'all', signal: AbortSignal): Promise<void> {
    const { shed, clock, retentionHooks } = this.#options;
    if (clock.monotonic() - this.#searched[what].since > AGAIN_MS)
      this.#searched[what] = { upto: 0, since: clock.monotonic() };
    const place = this.#searched[what];
    return this.#slices('events', signal, async (limit) => {
      const { ids, next } = await shed.dropApart({
        observationsOnly: what === 'observations',
        after: place.upto,
        limit,
        now: clock.now(),
      });
      if (ids.length > 0) for (const hook of retentionHooks) await hook.forget(ids, stampOf(clock));
      place.upto = next ?? place.upto;
      return next !== null;
    });
  }

  async #guard(): Promise<void> {
    const { shed, clock, log } = this.#options;
    if (shed.state().guardSince !== null) return;
    await shed.change((state) => ({ ...state, guardSince: clock.now() }));
    log.error(
      'half of what was kept is deleted and the disk is still short; nothing more goes until a person ' +
        'says so',
    );
  }

  /** Lets another half go; the next round begins at once. @throws AppError 409 nothing_to_confirm */
  async confirm(by: { actor: string; note: string | null }): Promise<void> {
    if (!(await this.#options.shed.confirm(by, stampOf(this.#options.clock))))
      throw conflict('nothing_to_confirm', 'No sweep was refused; see the status of the disk.');
    this.loop.kick();
  }
}
