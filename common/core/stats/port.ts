import { AppError } from '../../http/error.ts';
import type { VerdictFilter } from '../event/port.ts';
import type { Severity } from '../event/schema.ts';
import type { EventCount, KnowledgeCount, TaskCount } from './record.ts';

/** Left-closed, right-open; epoch milliseconds. */
export interface StatsQuery {
  tenantCode: string;
  since: number;
  until: number;
  /** Whether tasks are overdue is judged against this time. */
  asOf: number;
}

/** `account`: whose clearance limits what is counted; null: everything is. */
export type KnowledgeQuery = StatsQuery & { account: string | null };

/** What is counted of the events; what is left out asks for nothing. */
export interface StatsFilter extends VerdictFilter {
  severities?: readonly Severity[];
  /** Where they arose: one of these. */
  instances?: ReadonlySet<string>;
}

export interface WindowCounts {
  events: EventCount[];
  undated: EventCount[];
  tasks: TaskCount[];
}

export interface StatsPort {
  /**
   * Counts the events that occurred, and the tasks that were created, in the window, each group once, in any
   * order. Equal to a plain count over the rows at any moment. An event without a time of occurrence is in no
   * window; all of these are counted as `undated`.
   * @param withinMs after this long the work is ended, also inside the store
   * @throws AppError 503 stats_timeout
   */
  window(query: StatsQuery, withinMs: number): Promise<WindowCounts>;
}

/** What the knowledge noun gives to the statistics. */
export interface KnowledgeCounts {
  /**
   * Objects stored in the window by kind, deleted ones left out, in any order. @throws AppError 503
   * stats_timeout
   */
  knowledgeCounts(query: KnowledgeQuery, withinMs: number): Promise<KnowledgeCount[]>;
}

/** Where there is no knowledge. */
export const noKnowledgeCounts: KnowledgeCounts = { knowledgeCounts: () => Promise.resolve([]) };

export const statsTimeout = (cause?: unknown): AppError =>
  new AppError(
    503,
    'stats_timeout',
    'Counting took longer than 15 seconds and was stopped; shorten the window.',
    { retryAfterSeconds: 5, cause },
  );
