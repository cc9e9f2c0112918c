import type { Clock } from '../../clock.ts';
import { notFound } from '../../http/error.ts';
import type { AuditEntry, AuditPort } from '../audit/port.ts';
import type { EventPort } from '../event/port.ts';
import type { FeedbackPort } from '../feedback/port.ts';
import type { InstanceNames } from '../instance/record.ts';
import type { TaskPort } from '../task/port.ts';
import type { VerdictPort } from '../verdict/port.ts';
import { assembleTimeline, ROW_CAP, TASK_CAP } from './decide.ts';
import type { TimelineCalls, TimelineDecisions, TimelineKnowledge, TimelineNotifications } from './port.ts';
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
  calls: TimelineCalls;
  clock: Clock;
  /** Name of this instance. */
  self: string;
  names: InstanceNames;
}

/**
 * The actions under which a verdict was written; refused attempts are many at times, and say nothing of it.
 */
const WRITTEN = ['verdict.written', 'verdict.replaced_by_site'];

export interface ShownTimeline {
  exclude: readonly KnowledgeKind[];
  withheld: readonly WithheldSource[];
  account: string | null;
}

export class TimelineService {
  readonly #options: TimelineServiceOptions;

  constructor(options: TimelineServiceOptions) {
    this.#options = options;
  }

  /**
   * @param shown `exclude`: knowledge kinds to leave out; `withheld`: sources that the caller may not see;
   * `account`: whose clearance limits what knowledge is seen
   * @throws AppError 404, also for another tenant's event
   */
  async get(
    id: number,
    tenantCode: string,
    { exclude, withheld, account }: ShownTimeline,
  ): Promise<Timeline> {
    const event = await this.#options.events.get(id);
    if (!event || event.tenantCode !== tenantCode) throw notFound(`Event ${id}`);
    const [verdict, corrections, audits, details, messages, notified, known, open, call] = await Promise.all([
      this.#options.verdicts.get(id),
      this.#options.verdicts.corrections(id),
      this.#audits(id, tenantCode),
      this.#options.tasks.ofEvent(id, TASK_CAP + 1),
      this.#options.feedback.ofEvent(id, ROW_CAP + 1),
      withheld.includes('notifications') ? [] : this.#options.notifications.ofEvent(event, ROW_CAP + 1),
      withheld.includes('knowledge')
        ? []
        : this.#options.knowledge.ofEvent(event, { exclude, account }, ROW_CAP + 1),
      this.#options.decisions.openOf(event, ROW_CAP + 1),
      withheld.includes('notifications') ? null : this.#options.calls.ofEvent(event, ROW_CAP + 1),
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
        call,
      },
      {
        exclude,
        self: this.#options.self,
        called: await this.#options.names(),
        asOf: this.#options.clock.now(),
      },
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
