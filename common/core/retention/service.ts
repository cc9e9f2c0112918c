import { type Clock, stampOf } from '../../clock.ts';
import { conflict } from '../../http/error.ts';
import { Loop, type RoundResult } from '../../loop.ts';
import { cutoffOf, deletableThrough } from './decide.ts';
import type { EventSurvey, Guard, GuardedKind, RetentionLimits, RetentionState } from './record.ts';
import { RetentionRound, type RetentionRoundOptions } from './round.ts';

const ROUND_EVERY_MS = 3_600_000;
/** Right after a start the program has enough to do. */
const FIRST_AFTER_MS = 180_000;

export type RetentionServiceOptions = RetentionRoundOptions;

export interface RetentionStatus {
  limits: RetentionLimits;
  state: RetentionState;
  survey: EventSurvey | null;
  expired: number;
  held: { reason: string; from: number; events: number }[];
}

/** Deletes what is older than it is to be kept (DESIGN.md, "Nothing in silence"). */
export class RetentionService {
  readonly loop: Loop;
  readonly #options: RetentionServiceOptions;
  #clock: Clock;
  #round: RetentionRound;
  /** Whether the first round may begin. */
  #waited = false;

  constructor(options: RetentionServiceOptions) {
    const { clock, log } = options;
    this.#options = options;
    this.#clock = clock;
    this.#round = new RetentionRound(options);
    this.loop = new Loop({
      name: 'retention',
      interval: ROUND_EVERY_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: (signal) => this.#next(signal),
    });
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  async #next(signal: AbortSignal): Promise<RoundResult> {
    if (!this.#waited) {
      this.#waited = true;
      return { again: false, pauseMs: FIRST_AFTER_MS };
    }
    await this.round(signal);
    return { again: false };
  }

  /** One round; nothing while another process has the lease. */
  round(signal: AbortSignal): Promise<void> {
    return this.#round.run(signal);
  }

  /**
   * Lets the next round, which begins at once, delete what the guard refused.
   * @throws AppError 409 nothing_to_confirm
   */
  async confirm(kind: GuardedKind, by: { actor: string; note: string | null }): Promise<Guard> {
    const outcome = await this.#options.retention.confirm(kind, by, stampOf(this.#clock));
    if (outcome.kind === 'no_guard')
      throw conflict(
        'nothing_to_confirm',
        `No deletion of ${kind} was refused; read GET /api/core/retention.`,
      );
    this.#waited = true;
    this.loop.kick();
    return outcome.guard;
  }

  /** All that was ever deleted, and what a round would find now. */
  async status(): Promise<RetentionStatus> {
    const state = await this.#options.retention.state();
    if (this.#options.limits.eventsDays === null)
      return { limits: this.#options.limits, state, survey: null, expired: 0, held: [] };
    const survey = await this.#options.retention.survey(
      cutoffOf(this.#options.limits.eventsDays, this.#clock.now()),
      this.#options.holdUnsent,
    );
    const first = survey.oldest?.id ?? 1;
    const held = survey.holds.map(({ reason, through }) => {
      const from = Math.max(through + 1, first);
      return { reason, from, events: Math.max(0, survey.expiredThrough - from + 1) };
    });
    return {
      limits: this.#options.limits,
      state,
      survey,
      expired: Math.max(0, survey.expiredThrough - first + 1),
      held,
    };
  }

  /** Expired events that something holds back. */
  async heldCount(): Promise<number> {
    const { survey } = await this.status();
    return survey?.oldest
      ? Math.max(0, survey.expiredThrough - Math.max(deletableThrough(survey), survey.oldest.id - 1))
      : 0;
  }
}
