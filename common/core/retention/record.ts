/** What retention deletes, by the names that it is counted under. */
export const deletedKinds = [
  'events',
  'verdicts',
  'corrections',
  'changes',
  'feedback',
  'decisions',
  'parked',
  'evidence',
  'evidence_jobs',
  'incident_members',
  'incidents',
  'agent_decisions',
  'business_events',
  'notifications',
  'audit',
  'alarms',
] as const;
export type DeletedKind = (typeof deletedKinds)[number];
export type Counts = Partial<Record<DeletedKind, number>>;

/** What the mass-delete guard watches. Positions: an event id; for the audit a time, epoch ms. */
export const guardedKinds = ['events', 'audit'] as const;
export type GuardedKind = (typeof guardedKinds)[number];

/** Ages in days; null keeps for ever. */
export interface RetentionLimits {
  eventsDays: number | null;
  auditDays: number | null;
  /** Cleared alarms; one that stands is never deleted. */
  alarmsDays: number | null;
}

/** One deletion run: from its first slice to its audit entry. */
export interface RetentionRun {
  startedAt: number;
  /** Smallest and largest event id deleted; null when it deleted none. */
  events: { from: number; to: number } | null;
  counts: Counts;
}

/** A deletion that was refused because too much would go. */
export interface Refusal {
  reason: 'everything' | 'more_than_half';
  /** Everything up to here would go. */
  position: number;
  expired: number;
  total: number;
}
export type Guard = Refusal & { since: number };

/** What retention has done and what stands in its way; durable, one per store. */
export interface RetentionState {
  /** Largest event id that was deleted, 0 for none. */
  deletedUpto: number;
  /** Up to here also what others keep of the deleted events is gone. */
  followedUpto: number;
  /** Deleted since ever. */
  counts: Counts;
  /**
   * Events that were deleted before a consumer had confirmed them, how many of them its alarm has told, and
   * where the last untold ones lay.
   */
  lost: Record<string, { events: number; told: number; from?: number; to?: number }>;
  /** Begun and without its audit entry yet. */
  run: RetentionRun | null;
  lastRun: (RetentionRun & { finishedAt: number }) | null;
  lastRoundAt: number | null;
  guards: Partial<Record<GuardedKind, Guard>>;
  /** Positions up to which a person has let the guard's refusals go. */
  confirmed: Partial<Record<GuardedKind, number>>;
  /** The process that works now, at headquarters. */
  lease: { holder: string; until: number } | null;
}

export const emptyState: RetentionState = {
  deletedUpto: 0,
  followedUpto: 0,
  counts: {},
  lost: {},
  run: null,
  lastRun: null,
  lastRoundAt: null,
  guards: {},
  confirmed: {},
  lease: null,
};

/**
 * Why expired events stay: an event after `through` may not go before it, its verdict, or the tasks and
 * groups that it is in have gone up or were given up.
 */
export const holdReasons = ['not_sent', 'verdict_not_sent', 'work_not_sent', 'parked'] as const;
export interface Hold {
  reason: (typeof holdReasons)[number];
  through: number;
}

export interface EventMark {
  id: number;
  receivedAt: number;
}

/** What a round would find. Numbers of events are counted by their ids. */
export interface EventSurvey {
  oldest: EventMark | null;
  newest: EventMark | null;
  /** Largest id received before the limit; below `oldest.id` when none is. */
  expiredThrough: number;
  holds: Hold[];
}

export interface DropEvents {
  /** Received before this, epoch ms. */
  before: number;
  through: number;
  limit: number;
  /** Whether what the uplink has not sent stays. */
  holdUnsent: boolean;
  now: number;
}

export interface DropRecords {
  kind: 'changes' | 'feedback' | 'evidence_jobs' | 'audit' | 'alarms';
  /** Epoch ms; feedback goes with its event, whatever its age. */
  before: number;
  limit: number;
  holdUnsent: boolean;
  now: number;
}

/** Events that a consumer had not confirmed, and the first and last of their ids. */
export interface LostEvents {
  events: number;
  from: number;
  to: number;
}

/**
 * `events` since ever; of them `more` were not told yet, with ids between `from` and `to`, which are null
 * where they were not noted.
 */
export interface UnreportedLoss {
  consumer: string;
  events: number;
  more: number;
  from: number | null;
  to: number | null;
}

/** What one slice has deleted. */
export interface DeletedSlice {
  events: { from: number; to: number } | null;
  counts: Counts;
  /** Deleted events by consumer that had not confirmed them. */
  lost: Record<string, LostEvents>;
}

export interface RoundEnd {
  /** What the audit entry tells; null when nothing was deleted. */
  run: RetentionRun | null;
  /** Consumers of which alarms have not told everything. */
  untold: UnreportedLoss[];
}

export type ConfirmOutcome = { kind: 'confirmed'; guard: Guard } | { kind: 'no_guard' };
