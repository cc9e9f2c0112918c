import { setTimeout as sleep } from 'node:timers/promises';
import { stampOf, type Clock } from '../../clock.ts';
import { conflict } from '../../http/error.ts';
import { Loop, type RoundResult } from '../../loop.ts';
import type { Logger } from '../../log.ts';
import { coreAlarmMessages } from '../alarm/alarm-messages.ts';
import type { AlarmPort } from '../alarm/port.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import { cutoffOf, decideAudit, decideEvents, deletableUpto, addCounts } from './decide.ts';
import { lossAlarm } from './loss-alarm.ts';
import type { RetentionHook, RetentionPort } from './port.ts';
import type {
  Counts,
  DropRecords,
  EventSurvey,
  Guard,
  GuardedKind,
  Refusal,
  RetentionLimits,
  RetentionState,
  UnreportedLoss,
} from './record.ts';

const ROUND_EVERY_MS = 3_600_000;
const FIRST_AFTER_MS = 180_000;
const SLICE = 500;
/** Between slices intake and pulls go first. */
const PAUSE_MS = 50;
/** Deleted events of which others are told at once. */
const FOLLOW = 2_000;
const LEASE_MS = 60_000;
/** Audit entries that the guard counts; where more are younger than the limit, no clock has jumped. */
const AUDIT_CAP = 10_000;

const GUARD_ALARM = 'retention_guard';

export interface RetentionServiceOptions {
  retention: RetentionPort;
  alarms: AlarmPort;
  retentionHooks: readonly RetentionHook[];
  limits: RetentionLimits;
  /** Whether an uplink is to have sent an event, and what was judged of it, before it is deleted. */
  holdUnsent: boolean;
  instance: string;
  clock: Clock;
  log: Logger;
  pauseMs?: number;
}

export interface RetentionStatus {
  limits: RetentionLimits;
  state: RetentionState;
  survey: EventSurvey | null;
  expired: number;
  held: { reason: string; from: number; events: number }[];
}

/** Deletes what is older than it is to be kept (design §2.10: counted, listed, shown). */
export class RetentionService {
  readonly loop: Loop;
  #options: RetentionServiceOptions;
  #holder: string;
  #waited = false;

  constructor(options: RetentionServiceOptions) {
    const { clock, log } = options;
    this.#options = options;
    this.#holder = clock.newId();
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
    // A start has enough to do.
    if (!this.#waited) {
      this.#waited = true;
      return { again: false, pauseMs: FIRST_AFTER_MS };
    }
    await this.round(signal);
    return { again: false };
  }

  /** One round; nothing while another process has the lease. */
  async round(signal: AbortSignal): Promise<void> {
    const { retention, clock, limits } = this.#options;
    if (Object.values(limits).every((days) => days === null)) return this.#follow(signal);
    if (!(await this.#claim())) return;
    try {
      await this.#follow(signal);
      await this.#events(signal);
      await this.#audit(signal);
      await this.#alarms(signal);
      const { run, untold } = await retention.finishRound(stampOf(clock));
      if (run) this.#options.log.info({ ...run }, 'retention has deleted what was too old');
      for (const one of untold) await this.#tell(one);
    } finally {
      await retention.release(this.#holder);
    }
  }

  async #events(signal: AbortSignal): Promise<void> {
    const { retention, clock, limits, holdUnsent } = this.#options;
    if (limits.eventsDays === null) return;
    const before = cutoffOf(limits.eventsDays, clock.now());
    const { confirmed } = await retention.state();
    const decision = decideEvents(await retention.survey(before, holdUnsent), before, confirmed.events ?? 0);
    await this.#guard('events', decision.kind === 'refused' ? decision.refusal : null);
    if (decision.kind === 'delete') {
      for (;;) {
        const slice = await retention.dropEvents({
          before,
          upto: decision.upto,
          limit: SLICE,
          holdUnsent,
          now: clock.now(),
        });
        if (slice.events === null || !(await this.#goOn(signal))) break;
        await this.#follow(signal);
      }
    }
    await this.#follow(signal);
    await this.#records({ kind: 'changes', before }, signal);
    await this.#records({ kind: 'feedback', before }, signal);
    await this.#records({ kind: 'evidence_jobs', before }, signal);
  }

  async #audit(signal: AbortSignal): Promise<void> {
    const { retention, clock, limits } = this.#options;
    if (limits.auditDays === null) return;
    const before = cutoffOf(limits.auditDays, clock.now());
    const { confirmed } = await retention.state();
    const decision = decideAudit(
      await retention.surveyAudit(before, AUDIT_CAP),
      before,
      confirmed.audit ?? 0,
    );
    const refusal = decision !== null && 'reason' in decision ? decision : null;
    await this.#guard('audit', refusal);
    if (decision !== null && refusal === null) await this.#records({ kind: 'audit', before }, signal);
  }

  /** The clock is not trusted while the guard stands. */
  async #alarms(signal: AbortSignal): Promise<void> {
    const { retention, clock, limits } = this.#options;
    if (limits.alarmsDays === null || Object.keys((await retention.state()).guards).length > 0) return;
    await this.#records({ kind: 'alarms', before: cutoffOf(limits.alarmsDays, clock.now()) }, signal);
  }

  async #records(what: Pick<DropRecords, 'kind' | 'before'>, signal: AbortSignal): Promise<void> {
    const { retention, clock, holdUnsent } = this.#options;
    for (;;) {
      const count = await retention.dropRecords({ ...what, limit: SLICE, holdUnsent, now: clock.now() });
      if (count === 0 || !(await this.#goOn(signal))) return;
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { retention, retentionHooks, clock } = this.#options;
    for (;;) {
      const ids = await retention.awaitingHooks(FOLLOW);
      const last = ids.at(-1);
      if (last === undefined || signal.aborted) return;
      let counts: Counts = {};
      for (const hook of retentionHooks) counts = addCounts(counts, await hook.forget(ids, stampOf(clock)));
      await retention.hooksDone(last, counts, clock.now());
    }
  }

  async #guard(kind: GuardedKind, refusal: Refusal | null): Promise<void> {
    const { retention, alarms, instance, clock, log } = this.#options;
    const now = clock.now();
    const changed = await retention.guard(kind, refusal, now);
    if (refusal !== null && changed)
      log.error({ kind, ...refusal }, 'retention stopped: too much would be deleted at once');
    const { guards } = await retention.state();
    if (Object.keys(guards).length === 0) {
      await alarms.clear(GUARD_ALARM, instance, now);
    } else if (refusal !== null) {
      await alarms.raise(
        {
          key: GUARD_ALARM,
          instance,
          tenantCode: null,
          severity: 'critical',
          ...alarmText(
            coreAlarmMessages,
            {
              code: 'retention_guard',
              params: {
                expired: refusal.expired,
                total: refusal.total,
                kind: { code: kind === 'events' ? 'guarded_events' : 'guarded_audit', params: {} },
              },
            },
            guards,
          ),
        },
        now,
      );
    }
  }

  async #tell(untold: UnreportedLoss): Promise<void> {
    const { retention, alarms, instance, clock } = this.#options;
    await alarms.raise(lossAlarm(untold, instance, 'became_old'), clock.now());
    await retention.lossReported(untold.consumer, untold.events);
  }

  /** Pauses before the next slice. False when the round is to end. */
  async #goOn(signal: AbortSignal): Promise<boolean> {
    await sleep(this.#options.pauseMs ?? PAUSE_MS);
    return !signal.aborted && this.#claim();
  }

  #claim(): Promise<boolean> {
    return this.#options.retention.claim(this.#holder, this.#options.clock.now(), LEASE_MS);
  }

  /**
   * Lets what the guard refused go, with the next round, which begins at once. @throws AppError 409
   * nothing_to_confirm
   */
  async confirm(kind: GuardedKind, by: { actor: string; note: string | null }): Promise<Guard> {
    const { retention, clock } = this.#options;
    const outcome = await retention.confirm(kind, by, stampOf(clock));
    if (outcome.kind === 'no_guard')
      throw conflict(
        'nothing_to_confirm',
        `No deletion of ${kind} was refused; read GET /api/core/retention.`,
      );
    this.#waited = true;
    this.loop.kick();
    return outcome.guard;
  }

  /** What was deleted since ever, and what a round would find now. */
  async status(): Promise<RetentionStatus> {
    const { retention, clock, limits, holdUnsent } = this.#options;
    const state = await retention.state();
    if (limits.eventsDays === null) return { limits, state, survey: null, expired: 0, held: [] };
    const survey = await retention.survey(cutoffOf(limits.eventsDays, clock.now()), holdUnsent);
    const first = survey.oldest?.id ?? 1;
    const held = survey.holds.map(({ reason, upto }) => {
      const from = Math.max(upto + 1, first);
      return { reason, from, events: Math.max(0, survey.expiredUpto - from + 1) };
    });
    return { limits, state, survey, expired: Math.max(0, survey.expiredUpto - first + 1), held };
  }

  /** Expired events that something holds back. */
  async heldCount(): Promise<number> {
    const { survey } = await this.status();
    return survey?.oldest
      ? Math.max(0, survey.expiredUpto - Math.max(deletableUpto(survey), survey.oldest.id - 1))
      : 0;
  }
}
