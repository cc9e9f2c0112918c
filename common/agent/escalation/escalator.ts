import { type Clock, stampOf } from '../../clock.ts';
import { alarmText } from '../../core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../core/alarm/port.ts';
import type { LeftOutPort } from '../../core/left-out/port.ts';
import { RowByRow } from '../../core/left-out/row-by-row.ts';
import type { Logger } from '../../log.ts';
import { Loop, type RoundResult } from '../../loop.ts';
import type { LeaderLease } from '../act/leader-lease.ts';
import { type AgentLease, type AgentPort, type ForeignOverdue, LeaseLost } from '../act/port.ts';
import { AGENT, type DeadlineRecord } from '../act/record.ts';
import { agentMessages } from '../agent-messages.ts';
import { CHAIN_KEPT_MS } from '../grouping/decide.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import { LATE_MS } from './decide.ts';

const INTERVAL_MS = 1_000;
const AT_ONCE = 50;
/**
 * How often tasks that people made with a deadline are looked for, and cooldowns and runs that are over are
 * removed; monotonic milliseconds.
 */
const CARE_MS = 15_000;
const SWEEP_ROWS = 500;

export interface EscalatorOptions {
  agent: AgentPort;
  leader: LeaderLease;
  ruleSet: Pick<RuleSet, 'thresholds'>;
  alarms: AlarmPort;
  leftOut: LeftOutPort;
  clock: Clock;
  log: Logger;
  self: string;
  /** Whether headquarters delivers what no channel here can. */
  handsUp: () => boolean;
  onNotifications: () => void;
  onEscalated: () => void;
}

/**
 * Escalates tasks that nobody took over by their deadline and `escalate_grace_s` (spec 3, Action,
 * `due_minutes`).
 */
export class Escalator {
  readonly loop: Loop;
  /** `late` are among those that escalated. */
  readonly counts = { escalated: 0, settled: 0, late: 0 };
  readonly #options: EscalatorOptions;
  #rows: RowByRow;
  #caredAt: number | null = null;

  constructor(options: EscalatorOptions) {
    this.#options = options;
    const { leftOut: port, clock, log } = options;
    this.#rows = new RowByRow({
      work: 'escalation',
      port,
      clock,
      log,
      isOfWork: (error) => error instanceof LeaseLost,
    });
    this.loop = new Loop({
      name: 'escalation',
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  async round(signal: AbortSignal): Promise<RoundResult> {
    const lease = await this.#options.leader.acquire();
    if (!lease) return { again: false };
    if (this.#caredAt === null || this.#options.clock.monotonic() - this.#caredAt >= CARE_MS) {
      await this.#adopt(lease);
      await this.#options.agent.sweep(
        { steadyAt: lease.steadyAt, touchedBefore: lease.steadyAt - CHAIN_KEPT_MS },
        SWEEP_ROWS,
      );
      this.#caredAt = this.#options.clock.monotonic();
    }
    const due = await this.#options.agent.dueDeadlines(lease.steadyAt, this.#options.clock.now(), AT_ONCE);
    for (const deadline of due) {
      if (signal.aborted) return { again: false };
      const row = { tenantCode: deadline.tenantCode, rowId: deadline.taskId };
      await this.#rows.take(row, () => this.#escalate(deadline, lease));
    }
    return { again: due.length === AT_ONCE };
  }

  async #escalate(deadline: DeadlineRecord, lease: AgentLease): Promise<void> {
    const lateMs = Math.max(0, lease.steadyAt - deadline.escalateAt);
    const command = {
      taskId: deadline.taskId,
      lateMs,
      by: AGENT,
      note: 'nobody took the task over by its deadline',
      actor: AGENT,
      handsUp: this.#options.handsUp(),
    };
    const outcome = await this.#options.agent
      .escalate(command, lease, stampOf(this.#options.clock))
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) this.#options.leader.lost();
        throw error;
      });
    if (outcome.kind === 'unchanged') return;
    this.counts[outcome.kind] += 1;
    if (outcome.kind !== 'escalated') return;
    this.#options.onEscalated();
    if (outcome.notifications.length > 0) this.#options.onNotifications();
    if (lateMs < LATE_MS) return;
    this.counts.late += 1;
    await this.#tellLate(deadline, lateMs);
  }

  async #tellLate({ tenantCode, taskId }: DeadlineRecord, lateMs: number): Promise<void> {
    await this.#options.alarms.raise(
      {
        key: `escalation_late:${tenantCode}`,
        instance: this.#options.self,
        tenantCode,
        severity: 'critical',
        ...alarmText(
          agentMessages,
          { code: 'escalation_late', params: { tenant: tenantCode, minutes: Math.floor(lateMs / 60_000) } },
          { lastTaskId: taskId },
        ),
      },
      this.#options.clock.now(),
    );
  }

  /**
   * Tasks that people made with a deadline: told to the inbox, with the grace as it is when the deadline
   * passes.
   */
  async #adopt(lease: AgentLease): Promise<void> {
    const now = this.#options.clock.now();
    const found = await this.#options.agent.foreignOverdue(now, SWEEP_ROWS);
    if (found.length === 0) return;
    await this.#options.agent.adopt(
      found.map((task) =>
        adopted(
          task,
          this.#options.ruleSet.thresholds(task.tenantCode).escalateGraceS,
          lease.steadyAt - (now - task.dueAt),
        ),
      ),
    );
  }
}

function adopted(
  { taskId, tenantCode, eventId, title }: ForeignOverdue,
  graceS: number,
  dueAt: number,
): DeadlineRecord {
  return {
    taskId,
    tenantCode,
    eventId,
    ruleName: null,
    channels: ['inbox'],
    message: title,
    isTest: false,
    state: graceS < 0 ? 'off' : 'pending',
    escalateAt: dueAt + Math.max(0, graceS) * 1000,
    settledAt: null,
  };
}
