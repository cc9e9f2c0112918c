import type { Severity } from '../../core/event/schema.ts';
import type { ChannelName, NewNotification } from '../../core/notification/record.ts';
import type { CreateTask } from '../../core/task/record.ts';
import type { Actor } from '../../http/actor.ts';
import type { ChainRecord, LinkLimits } from '../grouping/record.ts';

export type ActionKind = 'notify' | 'dispatch' | 'review';

/** What the rules say about an event, as it was when the agent asked them; its message is filled in. */
export interface RuleChoice {
  /** null: no rule matched. */
  ruleName: string | null;
  ruleVersion: number | null;
  kind: ActionKind;
  severity: Severity;
  channels: readonly ChannelName[];
  assigneeOrg: string | null;
  dueMinutes: number | null;
  cooldownS: number;
  llm: boolean;
  message: string;
  /** The message is not the rule's own: it says where its task is shown, where that is known. */
  standard: boolean;
  /**
   * The machine judgement is less certain than `judge_min_conf`: it counts as a false alarm (spec 3,
   * "Threshold rule").
   */
  judgedBelow: boolean;
  /** The rules could not be read: nothing is said of whether one matches. */
  rulesUnread?: true;
}

/**
 * What came of an event: `task`: a task was made; `suppressed`: made within a cooldown; `judged`: a person or
 * model had called it a false alarm or merged it already; `observed`: an observation that no rule asks for.
 */
export const decisionOutcomes = ['task', 'suppressed', 'judged', 'observed'] as const;
export type DecisionOutcome = (typeof decisionOutcomes)[number];

export type SummaryState = 'pending' | 'succeeded' | 'failed';

/** What the agent decided on one event, written once. Times are epoch milliseconds. */
export interface DecisionRecord {
  eventId: number;
  tenantCode: string;
  outcome: DecisionOutcome;
  ruleName: string | null;
  ruleVersion: number | null;
  action: ActionKind;
  taskId: number | null;
  /** Why it went otherwise than the rule says; null when it did not. */
  note: string | null;
  /** The language model's summary; null when none is asked for. */
  summary: SummaryState | null;
  decidedAt: number;
}

/** The key of a cooldown (spec 3: per tenant, camera, event type and rule; those of test events apart). */
export interface CooldownKey {
  tenantCode: string;
  camera: string;
  eventType: string;
  ruleName: string;
  isTest: boolean;
}

export interface CooldownRecord extends CooldownKey {
  /** Steady milliseconds up to which no further notification goes out. */
  until: number;
  /** The event that started it. */
  eventId: number;
}

/** `off`: escalation is turned off for it; `settled`: taken over, ended or judged false before it was due. */
export type DeadlineState = 'pending' | 'off' | 'escalated' | 'settled';

/** When a task is to be escalated, and how, frozen when the task was made: a later rule changes nothing. */
export interface DeadlineRecord {
  taskId: number;
  tenantCode: string;
  eventId: number | null;
  ruleName: string | null;
  channels: ChannelName[];
  message: string;
  isTest: boolean;
  state: DeadlineState;
  /** Steady milliseconds. */
  escalateAt: number;
  /** Epoch milliseconds. */
  settledAt: number | null;
}

/** What of the policies in force applies to an event, as its task keeps it. */
export interface ClauseOnTask {
  title: string;
  path: string | null;
  /** The beginning of a long one. */
  text: string;
  version: string;
  docId: number;
  chunkId: number;
  /** Fingerprint of the whole text, by which it is cited. */
  sha256: string;
}

export interface HandleEvent {
  eventId: number;
  choice: RuleChoice;
  /** Left out, or null: none is known to apply. */
  clause?: ClauseOnTask | null;
  /** `escalate_grace_s`; negative: no escalation. */
  graceS: number;
  links: LinkLimits;
  /** Whether a language model is there to be asked. */
  summaries: boolean;
  /** Whether headquarters delivers what no channel here can. */
  handsUp: boolean;
  /** Address of a task's page, which its number completes; null: messages name none. */
  taskPages: string | null;
}

/** Rows that go with a decision; `taskId` of them is filled in when the task has its number. */
export interface HandleWrites {
  decision: DecisionRecord;
  task: CreateTask | null;
  cooldown: CooldownRecord | null;
  deadline: DeadlineRecord | null;
  notifications: NewNotification[];
  chains: ChainRecord[];
  /** Of the task, for its messages, which its number completes. */
  taskPages: string | null;
}

export type HandleOutcome =
  | { kind: 'decided'; decision: DecisionRecord; notifications: number; unconfigured: ChannelName[] }
  /** Decided before; nothing was written. */
  | { kind: 'replayed'; decision: DecisionRecord }
  /** Retention has deleted the event meanwhile. */
  | { kind: 'gone' };
/** Name of the consumer, and of who makes the tasks. */
export const AGENT = 'agent';

export const AGENT_ACTOR: Actor = { kind: 'admin', name: AGENT, tenantCode: null };
