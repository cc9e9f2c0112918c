import * as z from 'zod/mini';
import { type Clock, stampOf } from '../../common/clock.ts';
import { eventKey, type EventPort } from '../../common/core/event/port.ts';
import type { Judged } from '../../common/core/event/record.ts';
import type { VerdictPort } from '../../common/core/verdict/port.ts';
import type {
  CorrectionOutcome,
  Disposition,
  EventIdentity,
  VerdictOutcome,
} from '../../common/core/verdict/record.ts';
import type { DecisionRefusal } from '../../common/core/verdict/refusal-messages.ts';
import { verdictValues } from '../../common/core/verdict/schema.ts';
import type { Logger } from '../../common/log.ts';
import { toldFault } from '../../common/uplink/fault.ts';
import type { Decision } from '../../common/uplink/wire.ts';

/** Decisions remembered as carried out, so that a long drain does not try them with each answer. */
const REMEMBERED = 1000;

const text = z.string().check(z.minLength(1));
const decisionForm = z.object({
  decision_id: text,
  kind: z.enum(['verdict', 'correction']),
  tenant_code: text,
  event_key: text,
  verdict: z.enum(verdictValues),
  by: text,
  by_kind: z.enum(['human', 'machine']),
  note: z.nullable(z.string()),
  merged_into_key: z.nullable(z.string()),
  // Absent from an older headquarters.
  merged_into_instance: z.optional(z.nullable(z.string())),
  judged: z._default(z.nullable(z.record(z.string(), z.unknown())), null),
  disposition: z._default(z.nullable(z.record(z.string(), z.unknown())), null),
  at: z.int(),
});
type KnownDecision = z.infer<typeof decisionForm>;

/** What is needed to refuse a decision whose form this version does not know. */
const nameForm = z.object({
  decision_id: text.check(z.maxLength(128)),
  tenant_code: z._default(z.string().check(z.maxLength(64)), ''),
  event_key: z._default(z.string(), ''),
});

export interface DecisionOptions {
  events: EventPort;
  verdicts: VerdictPort;
  clock: Clock;
  /** Name of this site. */
  instance: string;
  /** Called with the feedback row of each verdict written, so that it is sent to the camera at once. */
  onWritten: (feedbackId: string) => void;
}

/** `answered`: it had been carried out or refused before. */
export type Applied = 'carried_out' | 'refused' | 'answered';
export type ApplyDecision = (decision: unknown) => Promise<Applied>;

/**
 * Carries out one decision of headquarters (design §6, "Downlink"). The first write wins here as everywhere.
 * The outcome returns on the verdicts channel, because the store records a refusal too. Repeating a decision
 * changes nothing.
 * @throws Error for a decision without a usable id, which therefore cannot be answered
 */
export function decisionApplier(options: DecisionOptions): ApplyDecision {
  const { verdicts, clock } = options;
  return async (decision) => {
    const parsed = decisionForm.safeParse(decision);
    if (!parsed.success) {
      const named = nameForm.parse(decision);
      const where = toldFault(parsed.error, decision);
      const reason: DecisionRefusal = { code: 'decision_not_understood', params: { where } };
      const fresh = await verdicts.refuse(
        { decisionId: named.decision_id, tenantCode: named.tenant_code, eventKey: named.event_key, reason },
        stampOf(clock),
      );
      return fresh ? 'refused' : 'answered';
    }
    const outcome = await write(verdicts, parsed.data, await idsOf(options, parsed.data), clock);
    if (outcome.kind === 'answered') return 'answered';
    if (outcome.kind !== 'written') return 'refused';
    if (outcome.feedbackId !== null) options.onWritten(outcome.feedbackId);
    return 'carried_out';
  };
}

interface Ids {
  eventId: number;
  mergedInto: number | null;
  target: EventIdentity | null;
}

/** An event of another instance is not looked up, since an event of this site may have the same key. */
async function idsOf({ events, instance }: DecisionOptions, decision: KnownDecision): Promise<Ids> {
  const {
    tenant_code: tenantCode,
    event_key: key,
    merged_into_key: targetKey,
    merged_into_instance: from = null,
  } = decision;
  const ours = from === null || from === instance;
  const keys = [key, ...(targetKey !== null && ours ? [targetKey] : [])];
  const found = await events.byKeys(keys.map((idempotencyKey) => ({ tenantCode, idempotencyKey })));
  const idOf = (idempotencyKey: string): number | null =>
    found.get(eventKey(tenantCode, idempotencyKey))?.id ?? null;
  return {
    eventId: idOf(key) ?? 0,
    mergedInto: targetKey !== null && ours ? idOf(targetKey) : null,
    target: targetKey === null ? null : { key: targetKey, instance: ours ? null : from },
  };
}

function write(
  verdicts: VerdictPort,
  decision: KnownDecision,
  ids: Ids,
  clock: Clock,
): Promise<VerdictOutcome | CorrectionOutcome> {
  const common = {
    ...ids,
    tenantCode: decision.tenant_code,
    verdict: decision.verdict,
    by: decision.by,
    byKind: decision.by_kind,
    decisionId: decision.decision_id,
    actor: 'hq',
  };
  if (decision.kind === 'correction') {
    return verdicts.correct(
      { ...common, id: decision.decision_id, note: decision.note ?? '' },
      stampOf(clock),
    );
  }
  return verdicts.write(
    {
      ...common,
      note: decision.note,
      judged: decision.judged as Judged | null,
      disposition: decision.disposition as Disposition | null,
    },
    stampOf(clock),
  );
}

/**
 * Carries out the decisions of each answer, every decision once. One that fails holds back neither those on
 * other events nor the uplink.
 */
export class Decisions {
  /** Since the start. */
  readonly counts = { carriedOut: 0, refused: 0, failed: 0 };
  /**
   * How many still wait at headquarters after its last answer, less those that have been carried out since;
   * null when it does not say, or has not answered yet.
   */
  waiting: number | null = null;
  #apply: ApplyDecision;
  #log: Logger;
  #done = new Set<string>();

  constructor(apply: ApplyDecision, log: Logger) {
    this.#apply = apply;
    this.#log = log;
  }

  /**
   * Headquarters repeats a decision until it is answered, so one that failed comes again; later decisions on
   * the same event wait for it.
   * @param waiting how many wait at headquarters, these included; null: not told
   */
  async take(decisions: readonly unknown[], waiting: number | null): Promise<void> {
    const failed = new Set<string>();
    for (const decision of decisions) {
      const { decision_id: id, tenant_code: tenant, event_key: key } = (decision ?? {}) as Partial<Decision>;
      const event = tenant === undefined || key === undefined ? null : eventKey(tenant, key);
      if ((id !== undefined && this.#done.has(id)) || (event !== null && failed.has(event))) continue;
      try {
        const applied = await this.#apply(decision);
        this.#remember(id);
        if (applied === 'carried_out') this.counts.carriedOut += 1;
        if (applied === 'refused') this.counts.refused += 1;
      } catch (error) {
        if (event !== null) failed.add(event);
        this.counts.failed += 1;
        this.#log.error(
          { err: error, decisionId: id },
          'a decision of headquarters could not be carried out',
        );
      }
    }
    const done = decisions.filter((decision) =>
      this.#done.has((decision as Partial<Decision> | null)?.decision_id ?? ''),
    ).length;
    this.waiting = waiting === null ? null : Math.max(0, waiting - done);
  }

  #remember(id: string | undefined): void {
    if (id === undefined) return;
    if (this.#done.size >= REMEMBERED) this.#done.clear();
    this.#done.add(id);
  }
}
