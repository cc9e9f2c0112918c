import { rmSync } from 'node:fs';
import path from 'node:path';
import { type Clock, stampOf } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { EvidenceFiles } from '../../common/core/evidence/files.ts';
import type { EvidencePort } from '../../common/core/evidence/port.ts';
import type { RetentionHook, RetentionPort } from '../../common/core/retention/port.ts';
import { conflict, storageFull } from '../../common/http/error.ts';
import type { Logger } from '../../common/log.ts';
import { Loop } from '../../common/loop.ts';
import { DiskAlarms } from './alarms.ts';
import { type Budget, budgetOf } from './budget.ts';
import { Eviction } from './eviction.ts';
import { asideFiles, type MeasureParts, measureSizes } from './measure.ts';
import type { EvictionPort } from './port.ts';

const CALM_EVERY_MS = 15_000;
const SHORT_EVERY_MS = 2_000;
/** Intake measures the room no more often than this, ms. */
const LOOK_EVERY_MS = 250;
/**
 * With less room than this, bytes, a burst could use it up within that time, and it is measured more often.
 */
const NEAR_BYTES = 128 * 1024 ** 2;
const LOOK_NEAR_MS = 5;
/** A copy from before an upgrade is kept for this long, ms; then a short disk removes it first. */
const COPY_KEPT_MS = 7 * 86_400_000;

export interface DiskKeeperOptions extends MeasureParts {
  evidence: Pick<EvidencePort, 'totalSize'>;
  eviction: EvictionPort;
  retention: RetentionPort;
  /** Told at once of events that are deleted from among others that stay. */
  retentionHooks: readonly RetentionHook[];
  alarms: AlarmPort;
  /** Whether headquarters is configured. Without it nothing is deleted: this store is then the only one. */
  uplinked: boolean;
  /** Whether files may go to headquarters (CORE_UPLINK_EVIDENCE). */
  sendsEvidence: boolean;
  instance: string;
  clock: Clock;
  log: Logger;
}

/**
 * Watches the room on the disk. Short: what headquarters holds is deleted here. Full: intake is refused with
 * 507, while verdicts, status and uplink go on in the reserve.
 */
export class DiskKeeper {
  readonly loop: Loop;
  /** Requests that were refused for want of room, since start. */
  refused = 0;
  budget: Budget | null = null;
  #measureParts: MeasureParts;
  #dataDir: string;
  readonly #options: DiskKeeperOptions;
  #clock: Clock;
  #log: Logger;
  #evidenceBytes = 0;
  /** Monotonic ms. */
  #measuredAt = -Infinity;
  #alarms: DiskAlarms;
  #eviction: Eviction;

  constructor(options: DiskKeeperOptions) {
    const { dataDir, facts, limit, probe, clock, log } = options;
    this.#measureParts = { dataDir, facts, limit, probe };
    this.#dataDir = dataDir;
    this.#options = options;
    this.#clock = clock;
    this.#log = log;
    this.#alarms = new DiskAlarms(options);
    this.#eviction = new Eviction({
      eviction: options.eviction,
      retention: options.retention,
      retentionHooks: options.retentionHooks,
      files: new EvidenceFiles(path.join(dataDir, 'evidence')),
      sendsEvidence: options.sendsEvidence,
      measure: () => this.#measure(),
      reportLoss: (loss) => this.#alarms.passed(loss),
      clock,
      log,
    });
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
    const now = this.#clock.monotonic();
    if (now - this.#measuredAt > ((this.budget?.room ?? 0) < NEAR_BYTES ? LOOK_NEAR_MS : LOOK_EVERY_MS))
      this.#look();
    if (this.budget?.level !== 'full') return;
    this.refused += 1;
    throw storageFull();
  }

  async round(signal: AbortSignal): Promise<Budget> {
    let budget = await this.#measure();
    if (budget.level === 'ok') await this.#eviction.end();
    else {
      this.#dropCopies();
      if (this.#options.uplinked) await this.#eviction.run(budget, signal);
      budget = await this.#measure();
    }
    await this.#alarms.tell(budget, this.#options.eviction.state(), this.refused);
    return budget;
  }

  /** As it is now, for whoever asks: between two rounds something else may have filled the disk. */
  now(): Budget {
    return this.#look();
  }

  async #measure(): Promise<Budget> {
    this.#evidenceBytes = await this.#options.evidence.totalSize();
    return this.#look();
  }

  /**
   * Measures the room anew, but for the evidence files, whose sum takes a query: cheap enough for intake to
   * call, so that a burst does not use up the reserve between two rounds.
   */
  #look(): Budget {
    const before = this.budget?.level;
    this.#measuredAt = this.#clock.monotonic();
    const budget = budgetOf(measureSizes(this.#measureParts, this.#evidenceBytes), before === 'full');
    this.budget = budget;
    if (before === 'ok' && budget.level !== 'ok') this.loop.kick();
    return budget;
  }

  #dropCopies(): void {
    for (const { name, bytes, at, upgradeCopy } of asideFiles(this.#dataDir)) {
      if (!upgradeCopy || this.#clock.now() - at < COPY_KEPT_MS) continue;
      rmSync(path.join(this.#dataDir, name), { force: true });
      this.#log.warn({ name, bytes }, 'an old copy from before an upgrade was removed for want of room');
    }
  }

  /** Lets another half go; the next round begins at once. @throws AppError 409 nothing_to_confirm */
  async confirm(by: { actor: string; note: string | null }): Promise<void> {
    if (!(await this.#options.eviction.confirm(by, stampOf(this.#clock))))
      throw conflict('nothing_to_confirm', 'No sweep was refused; see the status of the disk.');
    this.loop.kick();
  }
}
