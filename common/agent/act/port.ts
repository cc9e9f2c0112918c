import type { Stamp } from '../../clock.ts';
import type { NewNotification } from '../../core/notification/record.ts';
import type { ChainRecord } from '../grouping/record.ts';
import type {
  DeadlineRecord,
  DecisionOutcome,
  DecisionRecord,
  HandleEvent,
  HandleOutcome,
} from './record.ts';

/** The right to act as the agent of this store. */
export interface AgentLease {
  holder: string;
  /** Steady milliseconds now; the store keeps the largest that it has seen. */
  steadyAt: number;
}

/** Another process has become the agent; what was to be written was not. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

export interface EscalateDeadline {
  taskId: number;
  /** How long after it was due it was found, as after an outage; milliseconds. */
  lateMs: number;
  by: string;
  note: string;
  actor: string;
  /** Whether headquarters delivers what no channel here can. */
  handsUp: boolean;
}

export type EscalationOutcome =
  | { kind: 'escalated'; deadline: DeadlineRecord; notifications: NewNotification[] }
  | { kind: 'settled'; deadline: DeadlineRecord }
  /** Settled before, by this process or another. */
  | { kind: 'unchanged' };

/** An open task whose deadline has passed and that the agent did not make. */
export interface ForeignOverdue {
  taskId: number;
  tenantCode: string;
  eventId: number | null;
  title: string;
  /** Epoch milliseconds. */
  dueAt: number;
}

export interface DecisionFilter {
  tenantCode: string | null;
  outcome?: DecisionOutcome;
  eventId?: number;
}

/**
 * What the agent keeps. Each method is one transaction; `handle` is one per event or one for several, but
 * never part of an event. Where several processes may have the store open, every write checks the lease
 * first.
 */
export interface AgentPort {
  /**
   * Takes or renews the lease. A store that only one process can have open gives it at once.
   * @returns the steady milliseconds that the store has seen last; null while another process holds it
   */
  claim(holder: string, now: number, leaseMs: number): Promise<{ steadyAt: number } | null>;
  release(holder: string): Promise<void>;

  /**
   * Decides on events and writes what follows: the decision, the task with its entries and audit, the
   * cooldown, the deadline, the notifications, and the runs that may become groups. An event that was decided
   * on is left as it is.
   * @throws LeaseLost
   */
  handle(commands: readonly HandleEvent[], lease: AgentLease, stamp: Stamp): Promise<HandleOutcome[]>;

  /** Newest event first. */
  decisions(filter: DecisionFilter, before: number | null, limit: number): Promise<DecisionRecord[]>;

  /** Pending ones that are due and not left out now, the longest due first. @param now epoch milliseconds */
  dueDeadlines(steadyAt: number, now: number, limit: number): Promise<DeadlineRecord[]>;
  /**
   * Rereads task and event, and does what is still to be done: marks the task, tells the field, writes the
   * notifications. @throws LeaseLost
   */
  escalate(command: EscalateDeadline, lease: AgentLease, stamp: Stamp): Promise<EscalationOutcome>;
  /** Overdue open tasks without a deadline row, oldest deadline first. @param now epoch milliseconds */
  foreignOverdue(now: number, limit: number): Promise<ForeignOverdue[]>;
  /** Adds deadline rows for tasks that have none. */
  adopt(deadlines: readonly DeadlineRecord[]): Promise<void>;

  /** Decisions whose summary is to be made, oldest first, on events after this one. */
  pendingSummaries(after: number, limit: number): Promise<DecisionRecord[]>;
  settleSummary(eventId: number, state: 'succeeded' | 'failed'): Promise<void>;

  /**
   * Runs that are groups and have members to be written back, the longest waiting first, without those that
   * are left out now: a run is known there by its first such member. @param now epoch milliseconds
   */
  unwrittenChains(now: number, limit: number): Promise<ChainRecord[]>;
  /** These members are written back. */
  chainWritten(
    chain: Pick<ChainRecord, 'tenantCode' | 'sourceKey'>,
    eventIds: readonly number[],
  ): Promise<void>;

  /**
   * Deletes cooldowns that are over, and runs with nothing to write back, that were not touched since.
   * @returns rows
   */
  sweep(before: { steadyAt: number; touchedBefore: number }, limit: number): Promise<number>;

  /**
   * Removes what is kept of deleted events: decisions and notifications. Deadlines of tasks stay with their
   * tasks.
   */
  forgetEvents(eventIds: readonly number[]): Promise<{ agent_decisions: number; notifications: number }>;
}
