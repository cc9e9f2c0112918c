import { type Clock, stampOf } from '../../clock.ts';
import type { Actor } from '../../http/actor.ts';
import { AppError, badRequest, conflict, notFound } from '../../http/error.ts';
import type { FeedbackSender } from '../feedback/sender.ts';
import { bodyFaults, limitFault } from './body.ts';
import { changeOf, codeIgnored, creation, stepOf } from './command.ts';
import { batchItem, createdOrOrdered, pushNow, type Reader, waiting } from './field-push.ts';
import { dueCursor, newestCursor, pageOfTasks, type TaskOrdering, type TaskPage } from './page.ts';
import type { EscalateOutcome, TaskFilter, TaskPort } from './port.ts';
import type {
  BatchItem,
  EdgeNoteDoc,
  EscalateTask,
  OrderGiven,
  Pushed,
  PushPlan,
  StepDoc,
  TaskDetail,
  TaskOrder,
  TaskRecord,
} from './record.ts';
import { bound, mismatch, missing, transitionRefused } from './refusals.ts';
import {
  type BatchTransitionInput,
  type BodyInput,
  type EdgeNoteInput,
  MAX_STEPS,
  type StepInput,
  type TaskInput,
  type TransitionInput,
} from './schema.ts';
import { fault } from './task-fault-messages.ts';

export interface TaskServiceOptions {
  tasks: TaskPort;
  sender: Pick<FeedbackSender, 'firstTry'>;
  clock: Clock;
}

/** Who calls, and how the audit names it. */
export interface Caller {
  actor: Actor;
  text: string;
}

/** Messages of one batch that are tried within the request; the background sends the others. */
const FIRST_TRIES = 16;

export class TaskService {
  readonly counts = { created: 0, moved: 0, refused: 0, escalated: 0 };
  readonly #options: TaskServiceOptions;

  constructor(options: TaskServiceOptions) {
    this.#options = options;
  }

  /** @throws AppError 400, also for an event that is not of the tenant; 403 tenant_mismatch */
  async create(input: TaskInput, { actor, text }: Caller): Promise<TaskDetail & { order: TaskOrder | null }> {
    if (actor.tenantCode !== null && input.tenant_code !== actor.tenantCode)
      throw new AppError(403, 'tenant_mismatch', 'tenant_code is not your tenant; give your own.');
    const body = input.body ?? {};
    const faults = bodyFaults(body);
    if (faults.length > 0) throw badRequest(faults);
    const outcome = await this.#options.tasks.create(
      creation(input, actor.name, text),
      stampOf(this.#options.clock),
    );
    if (outcome.kind === 'bad_event') throw fault('event_id', 'event_of_tenant');
    this.counts.created += 1;
    return createdOrOrdered(outcome);
  }

  /** @param tenantCode null: any. @throws AppError 404, also for another tenant's task */
  async get(id: number, tenantCode: string | null): Promise<TaskDetail> {
    const detail = await this.#options.tasks.get(id);
    if (!detail || (tenantCode !== null && detail.task.tenantCode !== tenantCode))
      throw notFound(`Task ${id}`);
    return detail;
  }

  /** The cursor is bound to this order. @throws AppError 400 for another list's cursor */
  async list(
    filter: Omit<TaskFilter, 'overdue'> & { overdue?: boolean },
    { order, cursor, limit }: { order: TaskOrdering; cursor?: string | undefined; limit: number },
  ): Promise<TaskPage> {
    const { overdue, ...rest } = filter;
    const now = this.#options.clock.now();
    const asked = { ...rest, ...(overdue === undefined ? {} : { overdue: { is: overdue, now } }) };
    const rows =
      order === 'due'
        ? await this.#options.tasks.listByDue(asked, dueCursor(cursor), limit + 1)
        : await this.#options.tasks.list(asked, newestCursor(cursor), limit + 1);
    return pageOfTasks(rows, order, limit);
  }

  /** @throws AppError 403 tenant_mismatch, 404, 409 transition_refused with the present state */
  async transition(
    taskId: number,
    input: TransitionInput,
    { actor, text }: Caller,
  ): Promise<{ task: TaskRecord; resultCodeIgnored: boolean; order: TaskOrder | null } & Pushed> {
    bound(actor, input.tenant_code, `Task ${taskId}`);
    const outcome = await this.#options.tasks.move(
      { taskId, ...changeOf(input, text) },
      stampOf(this.#options.clock),
    );
    if (outcome.kind === 'refused') {
      this.counts.refused += 1;
      throw transitionRefused(outcome.task, input.to);
    }
    const resultCodeIgnored = codeIgnored(input);
    if (outcome.kind === 'ordered')
      return { ...outcome, resultCodeIgnored, ...waiting(outcome.task, outcome.order) };
    if (outcome.kind !== 'moved') throw missing(outcome, actor, `Task ${taskId}`);
    this.counts.moved += 1;
    return {
      task: outcome.task,
      resultCodeIgnored,
      order: null,
      ...(await this.#push(outcome.push, actor)),
    };
  }

  /** @throws AppError 403 tenant_mismatch, 404 when there is no such event */
  async transitionAll(
    input: BatchTransitionInput,
    { actor, text }: Caller,
  ): Promise<{ items: BatchItem[]; resultCodeIgnored: boolean }> {
    const what = `Event ${input.event_id}`;
    bound(actor, input.tenant_code, what);
    const outcome = await this.#options.tasks.moveAll(
      { eventId: input.event_id, ...changeOf(input, text) },
      stampOf(this.#options.clock),
    );
    if (outcome.kind === 'no_event') throw notFound(what);
    if (outcome.kind === 'tenant_mismatch') throw mismatch(actor, what);
    let tries = 0;
    const items = await Promise.all(
      outcome.results.map((result) => {
        if (result.changed && result.push.feedbackId !== null) tries += 1;
        return batchItem(this.#options.sender, result, { reader: actor, tryNow: tries <= FIRST_TRIES });
      }),
    );
    this.counts.moved += items.filter((item) => item.changed).length;
    return { items, resultCodeIgnored: codeIgnored(input) };
  }

  /** @throws AppError 400 when it lies too far ahead, 403, 404, 409 too_many_steps */
  async addStep(
    taskId: number,
    input: StepInput,
    { actor, text }: Caller,
  ): Promise<{ task: TaskRecord; step: StepDoc; receivedAt: number } | OrderGiven> {
    bound(actor, input.tenant_code, `Task ${taskId}`);
    const stamp = stampOf(this.#options.clock);
    const outcome = await this.#options.tasks.addStep({ taskId, ...stepOf(input, stamp.now, text) }, stamp);
    if (outcome.kind === 'too_many_steps')
      throw conflict(
        'too_many_steps',
        `The task has ${MAX_STEPS} steps already; record further ones on another task.`,
      );
    if (outcome.kind === 'ordered') return outcome;
    if (outcome.kind !== 'added') throw missing(outcome, actor, `Task ${taskId}`);
    return outcome;
  }

  /** @throws AppError 400 naming each protected member, or the limit that the merged body breaks; 403, 404 */
  async changeBody(
    taskId: number,
    input: BodyInput,
    { actor, text }: Caller,
  ): Promise<TaskDetail & { order: TaskOrder | null }> {
    bound(actor, input.tenant_code, `Task ${taskId}`);
    const faults = bodyFaults(input.body);
    if (faults.length > 0) throw badRequest(faults);
    const outcome = await this.#options.tasks.changeBody(
      { taskId, tenantCode: input.tenant_code, body: input.body, by: input.by, actor: text },
      stampOf(this.#options.clock),
    );
    if (outcome.kind === 'too_large') throw badRequest([limitFault(outcome.fault)]);
    if (outcome.kind !== 'changed' && outcome.kind !== 'ordered')
      throw missing(outcome, actor, `Task ${taskId}`);
    const order = outcome.kind === 'ordered' ? outcome.order : null;
    return { ...(await this.get(taskId, input.tenant_code)), order };
  }

  /**
   * Tells the field now, then notes what came of it. @throws AppError 400 non_disposal, 403, 404, 409
   * too_many_edge_notes
   */
  async edgeNote(
    taskId: number,
    input: EdgeNoteInput,
    { actor, text }: Caller,
  ): Promise<{ task: TaskRecord; note: EdgeNoteDoc; at: number } | OrderGiven> {
    bound(actor, input.tenant_code, `Task ${taskId}`);
    const sent = await this.#options.tasks.sendEdgeNote(
      { taskId, tenantCode: input.tenant_code, text: input.text, by: input.by, actor: text },
      stampOf(this.#options.clock),
    );
    if (sent.kind === 'non_disposal')
      throw new AppError(
        400,
        'non_disposal',
        'Only disposal and rectification tasks are pushed to the field.',
      );
    if (sent.kind === 'too_many_edge_notes')
      throw conflict(
        'too_many_edge_notes',
        'The task holds as many notes to the field as it can; record a step instead.',
      );
    if (sent.kind === 'ordered') return sent;
    if (sent.kind !== 'sent') throw missing(sent, actor, `Task ${taskId}`);
    // The note is kept with the task, which its tenant reads: it holds no more than the tenant may be told.
    const reader = { tenantCode: input.tenant_code };
    const note: EdgeNoteDoc = { text: input.text, by: input.by, ...(await this.#push(sent.push, reader)) };
    const recorded = await this.#options.tasks.recordEdgeNote(
      taskId,
      note,
      text,
      stampOf(this.#options.clock),
    );
    if (recorded.kind === 'no_task') throw notFound(`Task ${taskId}`);
    return { task: recorded.task, note, at: recorded.at };
  }

  /** For the response rules: marks a task whose deadline has passed, and tells the field. */
  async escalate(command: EscalateTask): Promise<EscalateOutcome & Partial<Pushed>> {
    const outcome = await this.#options.tasks.escalate(command, stampOf(this.#options.clock));
    if (outcome.kind !== 'escalated') return outcome;
    this.counts.escalated += 1;
    return { ...outcome, ...(await this.#push(outcome.push, { tenantCode: null })) };
  }

  #push(plan: PushPlan, reader: Reader): Promise<Pushed> {
    return pushNow(this.#options.sender, plan, reader);
  }
}
