import type { FeedbackSender } from '../feedback/sender.ts';
import { incidentRoutes } from '../incident/routes.ts';
import { IncidentService } from '../incident/service.ts';
import { taskMetrics } from '../metrics.ts';
import { type KnowledgeCounts, noKnowledgeCounts } from '../stats/port.ts';
import { statsRoutes } from '../stats/routes.ts';
import { StatsService } from '../stats/service.ts';
import { taskRoutes } from '../task/routes.ts';
import { TaskService } from '../task/service.ts';
import {
  noTimelineCalls,
  noTimelineDecisions,
  noTimelineKnowledge,
  type TimelineCalls,
  type TimelineDecisions,
  type TimelineKnowledge,
  type TimelineNotifications,
} from '../timeline/port.ts';
import { timelineRoutes } from '../timeline/routes.ts';
import { TimelineService } from '../timeline/service.ts';
import { type CoreBase, type CorePart, noWork } from './part.ts';

export interface DispositionOptions {
  /** What a timeline shows of notifications. */
  notifications: TimelineNotifications;
  /** Knowledge objects, where the program keeps them. */
  knowledge?: TimelineKnowledge & KnowledgeCounts;
  /** What was decided here on events of sites, where sites call. */
  decisions?: TimelineDecisions;
  /** Who was called, where people are. */
  calls?: TimelineCalls;
}

export interface DispositionPart extends CorePart {
  tasks: TaskService;
  incidents: IncidentService;
}

/** What is made of events: tasks, incident groups, their timeline and statistics. */
export function createDisposition(
  { stores, clock, instance, names, groups }: CoreBase,
  feedback: FeedbackSender,
  options: DispositionOptions,
): DispositionPart {
  const tasks = new TaskService({ tasks: stores.tasks, sender: feedback, clock });
  const incidents = new IncidentService({ incidents: stores.incidents, clock });
  const stats = new StatsService({
    stats: stores.stats,
    knowledge: options.knowledge ?? noKnowledgeCounts,
    clock,
  });
  const timeline = new TimelineService({
    ...stores,
    knowledge: options.knowledge ?? noTimelineKnowledge,
    decisions: options.decisions ?? noTimelineDecisions,
    calls: options.calls ?? noTimelineCalls,
    notifications: options.notifications,
    clock,
    self: instance,
    names,
  });
  return {
    tasks,
    incidents,
    routes: [
      ...taskRoutes(tasks, () => clock.now(), instance),
      ...incidentRoutes(incidents, instance),
      ...statsRoutes(stats, groups),
      ...timelineRoutes(timeline),
    ],
    metrics: taskMetrics(tasks),
    ...noWork,
  };
}
