// One round of deletion by age: in slices under a lease, so that intake goes first and any process may end.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, stampOf } from '../../clock.ts';
import type { Logger } from '../../log.ts';
import type { AlarmPort } from '../alarm/port.ts';
import { addCounts, cutoffOf, decideAudit, decideEvents } from './decide.ts';
import { GUARD_ALARM, guardAlarm } from './guard-alarm.ts';
import { lossAlarm } from './loss-alarm.ts';
import type { RetentionHook, RetentionPort } from './port.ts';
import type { Counts, DropRecords, GuardedKind, Refusal, RetentionLimits, UnreportedLoss } from './record.ts';

const SLICE = 500;
/** Between slices intake and pulls go first. */
const PAUSE_MS = 50;
/** Deleted events of which the hooks are told at once. */
const FOLLOW = 2_000;
const LEASE_MS = 60_000;
/** Audit entries that the guard counts; where more are younger than the limit, no clock has jumped. */
const AUDIT_CAP = 10_000;

export interface RetentionRoundOptions {
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

export class RetentionRound {
  readonly #options: RetentionRoundOptions;
  #pauseMs: number;
  /** Names this process to the lease. */
  #holder: string;

  constructor(options: RetentionRoundOptions) {
    this.#options = options;
    this.#pauseMs = options.pauseMs ?? PAUSE_MS;
    this.#holder = options.clock.newId();
  }

  /** Does nothing while another process has the lease. */
  async run(signal: AbortSignal): Promise<void> {
    if (Object.values(this.#options.limits).every((days) => days === null)) return this.#follow(signal);
    if (!(await this.#claim())) return;
    try {
      await this.#follow(signal);
      await this.#events(signal);
      await this.#audit(signal);
      await this.#clearedAlarms(signal);
      const { run, untold } = await this.#options.retention.finishRound(stampOf(this.#options.clock));
      if (run) this.#options.log.info({ ...run }, 'retention has deleted what was too old');
      for (const one of untold) await this.#tell(one);
    } finally {
      await this.#options.retention.release(this.#holder);
    }
  }

  /** Deletes expired events, unless the guard refuses, and the records that belong to them. */
  async #events(signal: AbortSignal): Promise<void> {
    if (this.#options.limits.eventsDays === null) return;
    const before = cutoffOf(this.#options.limits.eventsDays, this.#options.clock.now());
    const { confirmed } = await this.#options.retention.state();
    const decision = decideEvents(
      await this.#options.retention.survey(before, this.#options.holdUnsent),
      before,
      confirmed.events ?? 0,
    );
    await this.#guard('events', decision.kind === 'refused' ? decision.refusal : null);
    if (decision.kind === 'delete') {
      for (;;) {
        const slice = await this.#options.retention.dropEvents({
          before,
          through: decision.through,
          limit: SLICE,
          holdUnsent: this.#options.holdUnsent,
          now: this.#options.clock.now(),
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
    if (this.#options.limits.auditDays === null) return;
    const before = cutoffOf(this.#options.limits.auditDays, this.#options.clock.now());
    const { confirmed } = await this.#options.retention.state();
    const decision = decideAudit(
      await this.#options.retention.surveyAudit(before, AUDIT_CAP),
      before,
      confirmed.audit ?? 0,
    );
    const refusal = decision !== null && 'reason' in decision ? decision : null;
    await this.#guard('audit', refusal);
    if (decision !== null && refusal === null) await this.#records({ kind: 'audit', before }, signal);
  }

  /**
   * Deletes old alarms. While the guard stands it deletes none: the clock, by which their age is told, is
   * then not trusted.
   */
  async #clearedAlarms(signal: AbortSignal): Promise<void> {
    if (
      this.#options.limits.alarmsDays === null ||
      Object.keys((await this.#options.retention.state()).guards).length > 0
    )
      return;
    await this.#records(
      { kind: 'alarms', before: cutoffOf(this.#options.limits.alarmsDays, this.#options.clock.now()) },
      signal,
    );
  }

  async #records(what: Pick<DropRecords, 'kind' | 'before'>, signal: AbortSignal): Promise<void> {
    for (;;) {
      const count = await this.#options.retention.dropRecords({
        ...what,
        limit: SLICE,
        holdUnsent: this.#options.holdUnsent,
        now: this.#options.clock.now(),
      });
      if (count === 0 || !(await this.#goOn(signal))) return;
    }
  }

  /** Lets the hooks delete what belongs to deleted events, also to those of a round that was broken off. */
  async #follow(signal: AbortSignal): Promise<void> {
    for (;;) {
      const ids = await this.#options.retention.awaitingHooks(FOLLOW);
      const last = ids.at(-1);
      if (last === undefined || signal.aborted) return;
      let counts: Counts = {};
      for (const hook of this.#options.retentionHooks)
        counts = addCounts(counts, await hook.forget(ids, stampOf(this.#options.clock)));
      await this.#options.retention.hooksDone(last, counts, this.#options.clock.now());
    }
  }

  async #guard(kind: GuardedKind, refusal: Refusal | null): Promise<void> {
    const now = this.#options.clock.now();
    const changed = await this.#options.retention.guard(kind, refusal, now);
    if (refusal !== null && changed)
      this.#options.log.error({ kind, ...refusal }, 'retention stopped: too much would be deleted at once');
    const { guards } = await this.#options.retention.state();
    if (Object.keys(guards).length === 0) {
      await this.#options.alarms.clear(GUARD_ALARM, this.#options.instance, now);
    } else if (refusal !== null) {
      await this.#options.alarms.raise(guardAlarm(kind, refusal, guards, this.#options.instance), now);
    }
  }

  async #tell(untold: UnreportedLoss): Promise<void> {
    await this.#options.alarms.raise(
      lossAlarm(untold, this.#options.instance, 'became_old'),
      this.#options.clock.now(),
    );
    await this.#options.retention.lossReported(untold.consumer, untold.events);
  }

  /** Pauses before the next slice. False when the round is to end. */
  async #goOn(signal: AbortSignal): Promise<boolean> {
    await sleep(this.#pauseMs);
    return !signal.aborted && this.#claim();
  }

  #claim(): Promise<boolean> {
    return this.#options.retention.claim(this.#holder, this.#options.clock.now(), LEASE_MS);
  }
}
