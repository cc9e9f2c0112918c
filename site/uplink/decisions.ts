import { $ZodError } from 'zod/v4/core';
import * as z from 'zod/mini';
import { stampOf, type Clock } from '../../common/clock.ts';
import { eventKey, type EventPort } from '../../common/core/event/port.ts';
import type { Judged } from '../../common/core/event/record.ts';
import type { VerdictPort } from '../../common/core/verdict/port.ts';
import type { CorrectionOutcome, Disposition, VerdictOutcome } from '../../common/core/verdict/record.ts';
import { verdictValues } from '../../common/core/verdict/schema.ts';
import type { Logger } from '../../common/log.ts';
import type { Decision } from '../../common/uplink/wire.ts';

/** Decisions remembered as carried out, so that a long drain does not try them with each answer. */
const REMEMBERED = 1000;

const text = z.string().check(z.minLength(1));
const decisionForm = z.object({
  decision_id: text, kind: z.enum(['verdict', 'correction']), tenant_code: text, event_key: text, verdict: z.enum(verdictValues),
  by: text, by_kind: z.enum(['human', 'machine']), note: z.nullable(z.string()), merged_into_key: z.nullable(z.string()),
  judged: z._default(z.nullable(z.record(z.string(), z.unknown())), null),
  disposition: z._default(z.nullable(z.record(z.string(), z.unknown())), null),
  at: z.int(),
});
type KnownDecision = z.infer<typeof decisionForm>;

export interface DecisionOptions {
  events: EventPort;
  verdicts: VerdictPort;
  clock: Clock;
  /** Told of the feedback row of each verdict written, so that the camera hears of it. */
  onWritten: (feedbackId: string) => void;
}

/**
 * Carries out one decision of headquarters (design §6, "Downlink"): the first
 * write wins here as everywhere, and whatever comes of it returns on the
 * verdicts channel, because the store records a refusal too. Doing it again
 * changes nothing.
 */
export function decisionApplier(options: DecisionOptions): (decision: Decision) => Promise<void> {
  const { events, verdicts, clock } = options;
  return async (decision) => {
    const known = decisionForm.parse(decision);
    const keyed = (idempotencyKey: string) => ({ tenantCode: known.tenant_code, idempotencyKey });
    const found = await events.byKeys([known.event_key, ...(known.merged_into_key === null ? [] : [known.merged_into_key])].map(keyed));
    const idOf = (key: string): number => found.get(eventKey(known.tenant_code, key))?.id ?? 0;
    const eventId = idOf(known.event_key);
    const mergedInto = known.merged_into_key === null ? null : idOf(known.merged_into_key);
    const outcome = await write(verdicts, known, { eventId, mergedInto }, clock);
    if (outcome.kind === 'written' && outcome.feedbackId !== null) options.onWritten(outcome.feedbackId);
  };
}

function write(
  verdicts: VerdictPort, decision: KnownDecision, ids: { eventId: number; mergedInto: number | null }, clock: Clock,
): Promise<VerdictOutcome | CorrectionOutcome> {
  const common = {
    ...ids, tenantCode: decision.tenant_code, verdict: decision.verdict, by: decision.by, byKind: decision.by_kind,
    decisionId: decision.decision_id, actor: 'hq',
  };
  if (decision.kind === 'correction') {
    return verdicts.correct({ ...common, id: decision.decision_id, note: decision.note ?? '' }, stampOf(clock));
  }
  return verdicts.write({
    ...common, note: decision.note, judged: decision.judged as Judged | null, disposition: decision.disposition as Disposition | null,
  }, stampOf(clock));
}

/** Takes the decisions of an answer, each once; one that fails does not hinder the others or the uplink. */
export class Decisions {
  readonly counts = { applied: 0, failed: 0 };
  #apply: (decision: Decision) => Promise<void>;
  #log: Logger;
  #done = new Set<string>();

  constructor(apply: (decision: Decision) => Promise<void>, log: Logger) {
    this.#apply = apply;
    this.#log = log;
  }

  /** @returns whether any was carried out. Headquarters repeats a decision until it is answered, so one that failed comes again. */
  async take(decisions: readonly unknown[]): Promise<boolean> {
    let any = false;
    for (const decision of decisions as readonly Decision[]) {
      const id = (decision as Partial<Decision> | null)?.decision_id;
      if (id !== undefined && this.#done.has(id)) continue;
      try {
        await this.#apply(decision);
        this.#remember(id);
        this.counts.applied += 1;
        any = true;
      } catch (error) {
        // Its form will be no better the next time; a later version of this program may know it.
        if (error instanceof $ZodError) this.#remember(id);
        this.counts.failed += 1;
        this.#log.error({ err: error, decisionId: id }, 'a decision of headquarters could not be carried out');
      }
    }
    return any;
  }

  #remember(id: string | undefined): void {
    if (id === undefined) return;
    if (this.#done.size >= REMEMBERED) this.#done.clear();
    this.#done.add(id);
  }
}
