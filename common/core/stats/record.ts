import type { EventKind, EventSource, Severity } from '../event/schema.ts';
import type { TaskState, TaskType } from '../task/schema.ts';
import type { VerdictValue } from '../verdict/schema.ts';

/** What events are counted by (spec 2, "Stats window groups"). */
export interface EventGroup {
  source: EventSource;
  kind: EventKind;
  type: string;
  /** The first verdict; a correction stands beside it. */
  verdict: VerdictValue | null;
  /** What it was corrected to last; null: it was not. */
  correctedTo: VerdictValue | null;
  test: boolean;
  /** Whether there is a machine judgement: one that came with the verdict, or else with the event. */
  judged: boolean;
  judgedType: string | null;
  /** An event without one counts as medium, as in lists and rules. */
  severity: Severity;
  /** Where the events arose; null: here. */
  instance: string | null;
}

/** What tasks are counted by. */
export interface TaskGroup {
  type: TaskType;
  state: TaskState;
  /** null when the task is on no event, or on one that is no longer kept. */
  eventTest: boolean | null;
  eventSource: EventSource | null;
  overdue: boolean;
  escalated: boolean;
  /** Whose the tasks are; null: those of this store. */
  instance: string | null;
}

export type EventCount = EventGroup & { count: number };
export type TaskCount = TaskGroup & { count: number };
export interface KnowledgeCount {
  kind: string;
  count: number;
}
