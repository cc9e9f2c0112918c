import { storableText } from '../../http/body.ts';
import { readDoc, type Judged } from '../event/record.ts';
import type { EventKind, EventSource } from '../event/schema.ts';
import type { TaskState, TaskType } from '../task/schema.ts';
import type { VerdictValue } from '../verdict/schema.ts';

/** What events are counted by (spec 2, "Stats window groups"). */
export interface EventGroup {
  source: EventSource;
  kind: EventKind;
  type: string;
  /** The first verdict; a correction stands beside it and is not counted. */
  verdict: VerdictValue | null;
  test: boolean;
  /** Whether there is a machine judgement: one that came with the verdict, or else with the event. */
  judged: boolean;
  judgedType: string | null;
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
}

export type EventCount = EventGroup & { count: number };
export type TaskCount = TaskGroup & { count: number };
export interface KnowledgeCount {
  kind: string;
  count: number;
}

/** The members of `doc` that lists filter by and statistics group by. */
export interface DocFacts {
  siteRef: string | null;
  cameraRef: string | null;
  judged: boolean;
  judgedType: string | null;
}

/** Parses `doc`, which is most of what indexing an event costs. */
export function factsOf(event: { doc: string }): DocFacts {
  const { siteRef, cameraRef, judged } = readDoc(event);
  return { siteRef: storable(siteRef), cameraRef: storable(cameraRef), ...judgementOf(null, judged) };
}

/** The judgement that counts: that of the verdict, or else that of the event. */
export function judgementOf(verdict: Judged | null, event: Judged | null | undefined): Pick<EventGroup, 'judged' | 'judgedType'> {
  const judged = verdict ?? event ?? null;
  return { judged: judged !== null, judgedType: storable(judged?.type) };
}

/** A store keeps neither NUL nor half a surrogate pair, and no filter can name them. */
const storable = (text: string | undefined): string | null => (typeof text === 'string' && storableText(text) ? text : null);
