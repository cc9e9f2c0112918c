import type { Clock } from '../../clock.ts';
import { notFound } from '../../http/error.ts';
import type { AuditEntry, AuditPort } from '../audit/port.ts';
import type { EventPort } from '../event/port.ts';
import type { FeedbackPort } from '../feedback/port.ts';
import type { TaskPort } from '../task/port.ts';
import type { VerdictPort } from '../verdict/port.ts';
import { assembleTimeline, ROW_CAP, TASK_CAP } from './decide.ts';
import type { TimelineDecisions, TimelineKnowledge, TimelineNotifications } from './port.ts';
import type { KnowledgeKind, Timeline, WithheldSource } from './record.ts';

export interface TimelineServiceOptions {
  events: Pick<EventPort, 'get'>;
  verdicts: Pick<VerdictPort, 'get' | 'corrections'>;
  tasks: Pick<TaskPort, 'ofEvent'>;
  feedback: Pick<FeedbackPort, 'ofEvent'>;
  audit: Pick<AuditPort, 'list'>;
  knowledge: TimelineKnowledge;
  notifications: TimelineNotifications;
  decisions: TimelineDecisions;
  clock: Clock;
  /** Name of this instance. */
  self: string;
}

/**
 * The actions under which a verdict was written; refused attempts are many at times, and say nothing of it.
 */
const WRITTEN = ['verdict.written', 'verdict.replaced_by_site'];

export class TimelineService {
  #options: TimelineServiceOptions;

  constructor(options: TimelineServiceOptions) {
    this.#options = options;
  }

  /**
   * @param exclude knowledge kinds to leave out
   * @param withheld sources that the caller may not see
   * @throws AppError 404, also for another tenant's event
   */
  async get(
    id: number,
    tenantCode: string,
    exclude: readonly KnowledgeKind[],
    withheld: readonly WithheldSource[] = [],
  ): Promise<Timeline> {
    const { events, verdicts, tasks, feedback, knowledge, notifications, decisions, clock, self } =
      this.#options;
    const event = await events.get(id);
    if (!event || event.tenantCode !== tenantCode) throw notFound(`Event ${id}`);
    const [verdict, corrections, audits, details, messages, notified, known, open] = await Promise.all([
      verdicts.get(id),
      verdicts.corrections(id),
      this.#audits(id, tenantCode),
      tasks.ofEvent(id, TASK_CAP + 1),
      feedback.ofEvent(id),
      withheld.includes('notifications') ? [] : notifications.ofEvent(event, ROW_CAP + 1),
      withheld.includes('knowledge') ? [] : knowledge.ofEvent(event, exclude, ROW_CAP + 1),
      decisions.openOf(event, ROW_CAP + 1),
    ]);
    return assembleTimeline(
      {
        event,
        verdict,
        corrections,
        audits,
        tasks: details,
        feedback: messages,
        notifications: notified,
        knowledge: known,
        decisions: open,
      },
      { exclude, self, asOf: clock.now() },
    );
  }

  async #audits(id: number, tenantCode: string): Promise<AuditEntry[]> {
    const lists = await Promise.all(
      WRITTEN.map((action) =>
        this.#options.audit.list({ tenantCode, action, subject: `event:${id}` }, null, ROW_CAP + 1),
      ),
    );
    return lists.flat().sort((a, b) => b.at - a.at);
  }
}
