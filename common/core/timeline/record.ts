import type { Judged } from '../event/record.ts';
import type { EventKind, EventSource, Severity } from '../event/schema.ts';
import type { ResultCode, TaskState, TaskType } from '../task/schema.ts';
import type { VerdictValue } from '../verdict/schema.ts';

/** Steps of the matter itself (DESIGN.md, "Timeline"); knowledge steps bear the kind of their object. */
export const stepKinds = [
  'occurred',
  'received',
  'judged',
  'verdict',
  'rectification_dispatched',
  'pending_acceptance',
  'closed',
  'task_created',
  'notified',
  'taken_over',
  'completed',
  'cancelled',
  'step',
  'edge_note',
  'escalated',
] as const;
export const knowledgeKinds = [
  'false_alarm_case',
  'shift_handover',
  'checklist',
  'weekly_report',
  'monthly_report',
  'postmortem_report',
] as const;
export type KnowledgeKind = (typeof knowledgeKinds)[number];
export type TimelineKind = (typeof stepKinds)[number] | KnowledgeKind;

/** Sources of steps that have a permission of their own to be seen. */
export const withheldSources = ['notifications', 'knowledge'] as const;
export type WithheldSource = (typeof withheldSources)[number];

/** Who is behind a verdict or judgement. */
export type VerdictBasis = 'machine' | 'human';

/** One sentence in English and in Chinese. */
export interface Sentence {
  text: string;
  textZh: string;
}

export interface TimelineEntry extends Sentence {
  kind: TimelineKind;
  /** null where the system itself did it. */
  by: string | null;
  /** What the sentences say, where programs are to tell it apart. */
  code?: string;
  /** Table and primary key of the row that says so; the parts of a key are joined by `/`. */
  source: { table: string; key: string };
  /** On verdicts, corrections and judgements. */
  basis?: VerdictBasis;
  /** With `basis` machine: that nobody reviewed it. */
  notice?: Sentence;
  /**
   * Of a verdict: the sentence that the audit kept, and the note on the verdict where it says something else.
   */
  reason?: string | null;
  laterNote?: string | null;
  /** On knowledge that a model wrote. */
  machineGenerated?: boolean;
}

export interface TimelineStep extends TimelineEntry {
  /** Epoch ms. */
  at: number;
}

/**
 * Which way a notification went. `none`: the inbox, or there is nothing to send it through; `own`: a channel
 * kept here; `site`: one kept here, for a site that has none.
 */
export type NotifiedWay = { of: 'none' | 'own' | 'headquarters' } | { of: 'site'; site: string };

/** Epoch ms; null where it is not known, never another time instead. */
export interface Moments {
  occurredAt: number | null;
  receivedAt: number | null;
  verdictAt: number | null;
  judgedAt: number | null;
  taskCreatedAt: number | null;
  takenOverAt: number | null;
  completedAt: number | null;
  closedAt: number | null;
}

/** Seconds; null where one of the two times is not known, or the second lies before the first. */
export interface Durations {
  received: number | null;
  verdict: number | null;
  taskCreated: number | null;
  takenOver: number | null;
  completed: number | null;
  total: number | null;
}

export interface TimelineTask {
  id: number;
  /** The site that keeps it; null: this instance. */
  instance: string | null;
  type: TaskType;
  state: TaskState;
  title: string;
  severity: Severity;
  createdAt: number;
  dueAt: number | null;
  overdue: boolean;
  resultCode: ResultCode | null;
  assigneeOrg: string | null;
  takenOverAt: number | null;
  /** Who took it over first. */
  takenOverBy: string | null;
  completedAt: number | null;
  closedAt: number | null;
  cancelledAt: number | null;
  /** Disposition steps on it. */
  records: number;
}

export interface EventSummary {
  id: number;
  tenantCode: string;
  type: string;
  kind: EventKind;
  source: EventSource;
  severity: Severity | null;
  isTest: boolean;
  title: string | null;
  occurredAt: number | null;
  receivedAt: number;
  verdict: VerdictValue | null;
  correctedTo: VerdictValue | null;
  /** The one that came with the verdict, or else with the event. */
  judged: Judged | null;
  provenance: {
    instance: string;
    originId: number;
    nodeKey: string | null;
    siteRef: string | null;
    cameraRef: string | null;
    pointRef: string | null;
  };
}

export interface Timeline {
  event: EventSummary;
  /** Ascending by time. */
  steps: TimelineStep[];
  /** Entries without a time that can be read. */
  undated: TimelineEntry[];
  moments: Moments;
  durations: Durations;
  /** Of the first task that has a deadline for being taken over. */
  sla: { taskId: number; deadline: number; exceeded: boolean } | null;
  tasks: TimelineTask[];
  /** A source had more than is read: the retrospective is not complete. */
  truncated: boolean;
  asOf: number;
}

/** One message of a call to one person. Epoch ms. */
export interface CallMessage {
  id: string;
  userName: string;
  way: 'push' | 'email';
  /** `duty`: on a rota; `choice`: by their own choice; `taken`: that somebody has taken it. */
  reason: 'duty' | 'choice' | 'taken';
  state: 'pending' | 'sent' | 'failed' | 'cancelled';
  lastError: string | null;
  createdAt: number;
  settledAt: number | null;
  shownAt: number | null;
  openedAt: number | null;
}

/** Who was called of an event, and who took it. */
export interface CallEntry {
  id: string;
  takenBy: string | null;
  takenAt: number | null;
  /** Oldest first. */
  sendings: readonly CallMessage[];
}
