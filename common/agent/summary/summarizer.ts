import { type Clock, stampOf } from '../../clock.ts';
import type { EventPort } from '../../core/event/port.ts';
import { type EventRecord, readDoc } from '../../core/event/record.ts';
import type { TaskPort } from '../../core/task/port.ts';
import type { Logger } from '../../log.ts';
import { Loop, type RoundResult } from '../../loop.ts';
import { AGENT, type DecisionRecord } from '../act/record.ts';
import type { AgentPort } from '../act/port.ts';
import type { LeaderLease } from '../act/leader-lease.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import { formatTime } from '../../time.ts';
import type { AskModel } from './model.ts';

const AT_ONCE = 4;
/** Decisions that are looked through for those whose time has come. */
const LOOKED_AT = 100;
/** After a failure it is tried again, after twice the time each. */
const RETRY = { firstMs: 10_000, capMs: 300_000 };
/** A summary that comes later than this helps nobody: it counts as failed. */
const USEFUL_MS = 30 * 60_000;
const MAX_TEXT = 2_000;
/** Name of the prompt that a tenant may register in place of the standard one. */
const PROMPT = 'agent.summary';
const STANDARD_PROMPT =
  '你是施工现场安全值守助手。根据给出的事件信息，用不超过三句中文概括情况和处置重点。只依据给出的信息，不要推测。';

export interface SummarizerOptions {
  agent: AgentPort;
  leader: LeaderLease;
  tasks: Pick<TaskPort, 'changeBody'>;
  events: Pick<EventPort, 'get'>;
  ruleSet: Pick<RuleSet, 'tenant'>;
  ask: AskModel;
  model: string;
  clock: Clock;
  log: Logger;
}

/**
 * Asks a language model for the summaries that decisions wait for and adds them to the tasks, after task and
 * notifications are out, so that it delays neither. The agent itself keeps only whether a summary could be
 * made.
 */
export class Summarizer {
  readonly loop: Loop;
  readonly counts = { succeeded: 0, failed: 0, retried: 0 };
  /** By event, what failed and is tried again; another process, or one that starts, tries at once. */
  readonly #retries = new Map<number, { tries: number; at: number }>();
  #agent: AgentPort;
  #leader: LeaderLease;
  #tasks: Pick<TaskPort, 'changeBody'>;
  #events: Pick<EventPort, 'get'>;
  #ruleSet: Pick<RuleSet, 'tenant'>;
  #ask: AskModel;
  #model: string;
  #clock: Clock;
  #log: Logger;

  constructor(options: SummarizerOptions) {
    this.#agent = options.agent;
    this.#leader = options.leader;
    this.#tasks = options.tasks;
    this.#events = options.events;
    this.#ruleSet = options.ruleSet;
    this.#ask = options.ask;
    this.#model = options.model;
    this.#clock = options.clock;
    this.#log = options.log;
    this.loop = new Loop({
      name: 'summaries',
      interval: 1_000,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  async round(signal: AbortSignal): Promise<RoundResult> {
    if (!(await this.#leader.acquire())) return { again: false };
    const now = this.#clock.monotonic();
    const pending = await this.#agent.pendingSummaries(LOOKED_AT);
    const asked = pending
      .filter(({ eventId }) => (this.#retries.get(eventId)?.at ?? -Infinity) <= now)
      .slice(0, AT_ONCE);
    await Promise.all(asked.map((decision) => this.#summarize(decision, signal)));
    return { again: asked.length === AT_ONCE && !signal.aborted };
  }

  async #summarize(decision: DecisionRecord, signal: AbortSignal): Promise<void> {
    const state = await this.#made(decision, signal);
    if (signal.aborted && state !== 'succeeded') return;
    if (state === 'later') return this.#later(decision.eventId);
    this.#retries.delete(decision.eventId);
    await this.#agent.settleSummary(decision.eventId, state);
    this.counts[state] += 1;
  }

  #later(eventId: number): void {
    const tries = (this.#retries.get(eventId)?.tries ?? 0) + 1;
    const wait = Math.min(RETRY.firstMs * 2 ** (tries - 1), RETRY.capMs);
    this.#retries.set(eventId, { tries, at: this.#clock.monotonic() + wait });
    this.counts.retried += 1;
  }

  async #made(
    { eventId, taskId, tenantCode, decidedAt }: DecisionRecord,
    signal: AbortSignal,
  ): Promise<'succeeded' | 'failed' | 'later'> {
    const event = await this.#events.get(eventId);
    if (!event || taskId === null || Math.abs(this.#clock.now() - decidedAt) > USEFUL_MS) return 'failed';
    const answer = await this.#ask(
      this.#ruleSet.tenant(tenantCode).prompts[PROMPT] ?? STANDARD_PROMPT,
      describe(event),
      signal,
    );
    if ('error' in answer) {
      this.#log.warn({ eventId, error: answer.error }, 'the summary of a task failed');
      return 'later';
    }
    const summary = { text: answer.text.slice(0, MAX_TEXT), model: this.#model, machineGenerated: true };
    const outcome = await this.#tasks.changeBody(
      { taskId, tenantCode, body: { summary }, by: AGENT, actor: AGENT },
      stampOf(this.#clock),
    );
    return outcome.kind === 'changed' ? 'succeeded' : 'failed';
  }
}

/** What the model is told: nothing that names a person. */
function describe(event: EventRecord): string {
  const { siteRef, cameraName, cameraRef, pointRef, title, description, judged } = readDoc(event);
  const { type, kind, source, severity, occurredAt, receivedAt } = event;
  return JSON.stringify({
    type,
    kind,
    source,
    severity,
    occurredAt: formatTime(occurredAt ?? receivedAt),
    site: siteRef,
    camera: cameraName ?? cameraRef,
    point: pointRef,
    title,
    description,
    judged: judged && { type: judged.type, confidence: judged.confidence, text: judged.text },
  });
}
