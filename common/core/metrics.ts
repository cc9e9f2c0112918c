// What `/metrics` tells of the core: its counts since start, and what stands or waits now.
import { counter, gauge, type Metric } from '../metrics.ts';
import type { AdminKeyRefusals } from './admin-key/refusals.ts';
import type { EventService } from './event/service.ts';
import type { FeedbackSender } from './feedback/sender.ts';
import type { SessionService } from './session/service.ts';
import type { Stores } from './stores.ts';
import type { TaskService } from './task/service.ts';
import type { VerdictService } from './verdict/service.ts';

export function coreMetrics(
  events: EventService,
  verdicts: VerdictService,
  feedback: FeedbackSender,
  stores: Stores,
): Metric[] {
  return [
    counter(
      'fieldline_events_stored_total',
      'Events stored by intake since start',
      () => events.counts.stored,
    ),
    counter(
      'fieldline_events_duplicate_total',
      'Events that were known already',
      () => events.counts.duplicates,
    ),
    counter(
      'fieldline_events_conflicting_total',
      'Known keys that came with another content, or for an event of another instance',
      () => events.counts.conflicting,
    ),
    counter(
      'fieldline_events_rejected_total',
      'Events refused for their form or tenant',
      () => events.counts.rejected,
    ),
    counter('fieldline_verdicts_written_total', 'First verdicts', () => verdicts.counts.written),
    counter(
      'fieldline_verdicts_unchanged_total',
      'Verdicts on events that were judged already',
      () => verdicts.counts.unchanged,
    ),
    counter('fieldline_corrections_total', 'Corrections of verdicts', () => verdicts.counts.corrected),
    counter(
      'fieldline_feedback_delivered_total',
      'Messages that a camera took',
      () => feedback.counts.delivered,
    ),
    counter('fieldline_feedback_failed_total', 'Tries that failed', () => feedback.counts.failed),
    gauge(
      'fieldline_feedback_pending',
      'Messages that wait for their camera',
      async () => (await stores.feedback.counts()).pending,
    ),
    gauge(
      'fieldline_feedback_expired',
      'Messages given up after 7 days',
      async () => (await stores.feedback.counts()).expired,
    ),
    gauge(
      'fieldline_event_head',
      'Newest event id',
      async () => (await stores.events.bounds()).highWaterMark,
    ),
  ];
}

export function taskMetrics(tasks: TaskService): Metric[] {
  return [
    counter('fieldline_tasks_created_total', 'Tasks created', () => tasks.counts.created),
    counter('fieldline_tasks_moved_total', 'Transitions of tasks', () => tasks.counts.moved),
    counter(
      'fieldline_tasks_refused_total',
      'Transitions that the state of the task did not allow',
      () => tasks.counts.refused,
    ),
    counter(
      'fieldline_tasks_escalated_total',
      'Tasks whose deadline passed before anyone took them over',
      () => tasks.counts.escalated,
    ),
  ];
}

export function adminKeyMetrics(refusals: AdminKeyRefusals): Metric[] {
  return [
    counter(
      'fieldline_admin_keys_refused_total',
      'Calls with a wrong admin key',
      () => refusals.counts.wrong,
    ),
    counter(
      'fieldline_admin_keys_held_up_total',
      'Calls with a wrong admin key past the limit of their address',
      () => refusals.counts.heldUp,
    ),
  ];
}

export function sessionMetrics(sessions: SessionService): Metric[] {
  return [
    counter('fieldline_logins_total', 'Logins', () => sessions.counts.started),
    counter(
      'fieldline_logins_refused_total',
      'Logins with a wrong name or password',
      () => sessions.counts.wrong,
    ),
    counter(
      'fieldline_logins_held_up_total',
      'Logins refused unseen after too many failures',
      () => sessions.counts.heldUp,
    ),
  ];
}
