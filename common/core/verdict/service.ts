import { type Clock, stampOf } from '../../clock.ts';
import type { Actor } from '../../http/actor.ts';
import { AppError, badRequest, conflict, notFound } from '../../http/error.ts';
import { type Fault } from '../../http/fault/fault.ts';
import type { EventRecord, Judged } from '../event/record.ts';
import type { FeedbackPort } from '../feedback/port.ts';
import type { FeedbackSender } from '../feedback/sender.ts';
import type { TimelineDecisions } from '../timeline/port.ts';
import type { VerdictPort } from './port.ts';
import { goesDown, heardOf, type PushedBack } from './pushed-back.ts';
import type {
  CorrectionOutcome,
  CorrectionRecord,
  Disposition,
  VerdictOutcome,
  VerdictRecord,
  WriteVerdict,
} from './record.ts';
import type { CorrectionInput, VerdictInput } from './schema.ts';
import { fault, faultAt } from './verdict-fault-messages.ts';

export interface VerdictServiceOptions {
  verdicts: VerdictPort;
  feedback: FeedbackPort;
  sender: FeedbackSender;
  /** What was decided here on events of sites. */
  decisions: TimelineDecisions;
  clock: Clock;
  /** Told after each change, so that the uplink need not wait for its round. */
  onChange?: () => void;
}

/** Rules between the fields of a verdict (spec 2, "Verdict (write-back) fields"). */
function verdictFaults(
  input: { verdict: string; note?: string | undefined; merged_into?: number | undefined },
  eventId: number,
): Fault[] {
  const faults: Fault[] = [];
  if (input.verdict === 'false_alarm' && input.note === undefined)
    faults.push(faultAt('note', 'note_needed'));
  if (input.verdict === 'merged' && input.merged_into === undefined)
    faults.push(faultAt('merged_into', 'target_needed'));
  if (input.verdict !== 'merged' && input.merged_into !== undefined)
    faults.push(faultAt('merged_into', 'target_unwanted'));
  if (input.merged_into === eventId) faults.push(faultAt('merged_into', 'target_itself'));
  return faults;
}

export class VerdictService {
  readonly counts = { written: 0, unchanged: 0, corrected: 0 };
  readonly #options: VerdictServiceOptions;

  constructor(options: VerdictServiceOptions) {
    this.#options = options;
  }

  /**
   * Writes a verdict; the first one stands (spec 2, POST /api/core/events/{id}/verdict).
   * @throws AppError 400 for the rules between fields, 403 tenant_mismatch for a claimed tenant, 404
   */
  async write(
    eventId: number,
    input: VerdictInput,
    actor: Actor,
    actorText: string,
  ): Promise<{ verdict: VerdictRecord; changed: boolean } & PushedBack> {
    const faults = verdictFaults(input, eventId);
    if (faults.length > 0) throw badRequest(faults);
    const outcome = await this.#options.verdicts.write(
      commandOf(eventId, input, actor, actorText),
      stampOf(this.#options.clock),
    );
    refuseUnless(outcome, eventId, actor);
    if (outcome.kind === 'unchanged') {
      this.counts.unchanged += 1;
      return {
        verdict: outcome.verdict,
        changed: false,
        ...(await this.#earlier(outcome.event, 'verdict', actor)),
      };
    }
    this.counts.written += 1;
    this.#options.onChange?.();
    return { verdict: outcome.verdict, changed: true, ...(await this.#pushBack(outcome, actor)) };
  }

  /**
   * Adds a correction beside the first verdict (DESIGN.md, "Verdict"). @throws AppError 400, 403, 404, 409
   * no_verdict
   */
  async correct(
    eventId: number,
    input: CorrectionInput,
    actor: Actor,
    actorText: string,
  ): Promise<{ correction: CorrectionRecord } & PushedBack> {
    const faults = verdictFaults(input, eventId);
    if (faults.length > 0) throw badRequest(faults);
    const stamp = stampOf(this.#options.clock);
    const outcome = await this.#options.verdicts.correct(
      {
        id: stamp.newId(),
        eventId,
        tenantCode: tenantOf(actor, input.tenant_code),
        verdict: input.verdict,
        by: input.by,
        byKind: byKindOf(input, actor),
        note: input.note,
        mergedInto: input.merged_into ?? null,
        decisionId: null,
        actor: actorText,
      },
      stamp,
    );
    refuseUnless(outcome, eventId, actor);
    if (outcome.kind === 'replayed')
      return { correction: outcome.correction, ...(await this.#earlier(outcome.event, 'correction', actor)) };
    this.counts.corrected += 1;
    this.#options.onChange?.();
    return { correction: outcome.correction, ...(await this.#pushBack(outcome, actor)) };
  }

  async #pushBack(
    outcome: { feedbackId: string | null; awaitsSite: string | null },
    actor: Actor,
  ): Promise<PushedBack> {
    if (outcome.awaitsSite !== null) {
      return { pushedBack: false, pushError: goesDown(outcome.awaitsSite) };
    }
    if (outcome.feedbackId === null) return { pushedBack: false, pushError: null };
    const { delivered, error } = await this.#options.sender.firstTry(outcome.feedbackId, actor);
    return { pushedBack: delivered, pushError: error };
  }

  /** How the earlier message about the verdict or correction fared; messages about tasks are left out. */
  async #earlier(event: EventRecord, kind: 'verdict' | 'correction', actor: Actor): Promise<PushedBack> {
    const [messages, decisions] = await Promise.all([
      this.#options.feedback.ofEvent(event.id, LOOKED_AT),
      this.#options.decisions.openOf(event, LOOKED_AT),
    ]);
    return heardOf(
      event,
      messages.findLast((message) => message.kind === kind),
      decisions.findLast((decision) => decision.kind === kind),
      actor,
    );
  }
}

/** Messages and decisions of an event that are looked at, which has a few. */
const LOOKED_AT = 1_000;

function commandOf(eventId: number, input: VerdictInput, actor: Actor, actorText: string): WriteVerdict {
  return {
    eventId,
    tenantCode: tenantOf(actor, input.tenant_code),
    verdict: input.verdict,
    by: input.by,
    byKind: byKindOf(input, actor),
    note: input.note ?? null,
    mergedInto: input.merged_into ?? null,
    judged: judgedOf(input),
    disposition: dispositionOf(input),
    decisionId: null,
    actor: actorText,
  };
}

/**
 * A verdict that a program writes counts as a machine's, which nobody reviewed, unless it says that it is a
 * person's.
 */
const byKindOf = (
  { by_kind: said }: { by_kind?: 'human' | 'machine' | undefined },
  actor: Actor,
): 'human' | 'machine' => said ?? (actor.kind === 'key' ? 'machine' : 'human');

/** A caller bound to one tenant cannot claim another, whatever the event. */
function tenantOf(actor: Actor, claimed: string | undefined): string | null {
  if (actor.tenantCode !== null && claimed !== undefined && claimed !== actor.tenantCode) {
    throw new AppError(
      403,
      'tenant_mismatch',
      'tenant_code is not your tenant; leave it out or give your own.',
    );
  }
  return actor.tenantCode ?? claimed ?? null;
}

function judgedOf(input: VerdictInput): Judged | null {
  const judged: Judged = {
    ...(input.judged_type === undefined ? {} : { type: input.judged_type }),
    ...(input.judged_confidence === undefined ? {} : { confidence: input.judged_confidence }),
    ...(input.judged_by === undefined ? {} : { by: input.judged_by }),
    ...(input.judged_model_version === undefined ? {} : { modelVersion: input.judged_model_version }),
    ...(input.judged_basis_version === undefined ? {} : { basisVersion: input.judged_basis_version }),
    ...(input.judged_text === undefined ? {} : { text: input.judged_text }),
  };
  return Object.keys(judged).length > 0 ? judged : null;
}

function dispositionOf(input: VerdictInput): Disposition | null {
  if (!input.disposition) return null;
  const { task_no: taskNo, ...rest } = input.disposition;
  return taskNo === undefined ? rest : { ...rest, taskNo };
}

type Done<O> = Exclude<
  O,
  { kind: 'no_event' | 'tenant_mismatch' | 'no_verdict' | 'bad_target' | 'answered' }
>;

function refuseUnless<O extends VerdictOutcome | CorrectionOutcome>(
  outcome: O,
  eventId: number,
  actor: Actor,
): asserts outcome is Done<O> {
  switch (outcome.kind) {
    case 'no_event':
      throw notFound(`Event ${eventId}`);
    case 'tenant_mismatch':
      // To a caller bound to one tenant another tenant's event does not exist.
      if (actor.tenantCode !== null) throw notFound(`Event ${eventId}`);
      throw new AppError(
        403,
        'tenant_mismatch',
        'tenant_code is not the tenant of the event; look at the event again.',
      );
    case 'no_verdict':
      throw conflict('no_verdict', 'There is no verdict to correct yet; write the verdict instead.');
    case 'bad_target':
      throw fault('merged_into', 'target_elsewhere');
    case 'answered':
      throw conflict('already_answered', 'This decision was answered before.');
    default:
  }
}
