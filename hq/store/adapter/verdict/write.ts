// How verdicts and corrections are decided and written, within a transaction.
import { and, eq, getTableColumns, inArray } from 'drizzle-orm';
import type { Stamp } from '../../../../common/clock.ts';
import type { EventRecord } from '../../../../common/core/event/record.ts';
import type { TaskRecord } from '../../../../common/core/task/record.ts';
import { settleReview, settlesReviews } from '../../../../common/core/task/settle.ts';
import { decideCorrection } from '../../../../common/core/verdict/correction.ts';
import { decideVerdict, refusalOf } from '../../../../common/core/verdict/decide.ts';
import type {
  CorrectionOutcome,
  CorrectionRecord,
  RefuseDecision,
  VerdictOutcome,
  VerdictRecord,
  WriteCorrection,
  WriteVerdict,
} from '../../../../common/core/verdict/record.ts';
import { type Counter, lockCounter } from '../../engine/counters.ts';
import type { Tx } from '../../engine/database.ts';
import { corrections, verdicts } from '../../schema/tables.ts';
import type { TaskMoveHook } from '../task/move.ts';
import { lockReviews, writeTask } from '../task/rows.ts';
import { lockEvent, lockEvents, readEvent, readEvents } from './judged-event.ts';
import { answeredOf, appendChanges, Effects, readVerdict } from './rows.ts';

export interface Judgement {
  command: WriteVerdict;
  stamp: Stamp;
}

/** What the decisions of one batch go by; each sees what those before it wrote. */
interface BatchFacts {
  events: Map<number, EventRecord>;
  targets: Map<number, EventRecord>;
  priors: Map<number, VerdictRecord>;
  answered: Set<string | null>;
}

/**
 * Reads what the decisions need, the counter last, and makes the time monotonic (DESIGN.md, "Two stores").
 * Of two on one event in a batch the earlier call comes first.
 */
export async function writeAll(
  tx: Tx,
  judgements: Judgement[],
  onTaskMove: TaskMoveHook,
): Promise<VerdictOutcome[]> {
  const ids = judgements.map(({ command }) => command.eventId);
  const events = await lockEvents(tx, ids);
  const priors = new Map(
    (await tx.db.select().from(verdicts).where(inArray(verdicts.eventId, ids))).map((one) => [
      one.eventId,
      one,
    ]),
  );
  const targets = await readEvents(
    tx,
    judgements.flatMap(({ command }) => command.mergedInto ?? []),
  );
  const reviews = await lockReviews(tx, ids);
  const counter = await lockCounter(tx, 'verdict_change');
  const answered = await answeredOf(
    tx,
    judgements.map(({ command }) => command.decisionId),
  );
  const now = Math.max(counter.at, ...judgements.map(({ stamp }) => stamp.now));
  const effects = new Effects();
  const written: Written[] = [];
  const outcomes = judgements.map(({ command, stamp }) => {
    const { outcome, verdict } = judge(
      { events, targets, priors, answered },
      command,
      { now, newId: () => stamp.newId() },
      effects,
    );
    if (verdict) written.push({ verdict, actor: command.actor, stamp });
    return outcome;
  });
  if (written.length > 0) await tx.db.insert(verdicts).values(written.map(({ verdict }) => verdict));
  await effects.write(tx, counter, now);
  for (const one of written) await settleReviews(tx, one, { reviews, events }, onTaskMove);
  return outcomes;
}

interface Written {
  verdict: VerdictRecord;
  /** Who called, for the audit. */
  actor: string;
  stamp: Stamp;
}

/** @param reviews of all events that are judged, locked */
async function settleReviews(
  tx: Tx,
  { verdict, actor, stamp }: Written,
  { reviews, events }: { reviews: readonly TaskRecord[]; events: BatchFacts['events'] },
  onTaskMove: TaskMoveHook,
): Promise<void> {
  if (!settlesReviews(verdict)) return;
  for (const before of reviews.filter(({ eventId }) => eventId === verdict.eventId)) {
    const writes = settleReview(before, { ...verdict, actor }, stamp);
    await writeTask(tx, before, writes);
    await onTaskMove(tx, { before, after: writes.task, event: events.get(verdict.eventId) ?? null }, stamp);
  }
}

/** Decides on one, notes what is to be written, and lets those after it see it. */
function judge(
  seen: BatchFacts,
  command: WriteVerdict,
  stamp: Stamp,
  effects: Effects,
): { outcome: VerdictOutcome; verdict?: VerdictRecord } {
  const event = seen.events.get(command.eventId) ?? null;
  const target = command.mergedInto === null ? null : (seen.targets.get(command.mergedInto) ?? null);
  const answered = command.decisionId !== null && seen.answered.has(command.decisionId);
  const decision = decideVerdict(
    { event, prior: seen.priors.get(command.eventId) ?? null, target, answered },
    command,
    stamp,
  );
  if ('change' in decision && decision.change) seen.answered.add(decision.change.decisionId);
  switch (decision.kind) {
    case 'written': {
      const { verdict, feedback, toSite } = decision;
      const judged = { ...present(event), verdict: verdict.verdict };
      seen.events.set(judged.id, judged);
      seen.priors.set(judged.id, verdict);
      effects.add(decision, 'verdict');
      return {
        outcome: {
          kind: 'written',
          verdict,
          event: judged,
          feedbackId: feedback?.id ?? null,
          awaitsSite: toSite?.instance ?? null,
        },
        verdict,
      };
    }
    case 'unchanged':
      if (decision.audit) effects.audit.push(decision.audit);
      if (decision.change) effects.changes.push(decision.change);
      return { outcome: { kind: 'unchanged', verdict: decision.verdict, event: present(event) } };
    case 'no_event':
    case 'bad_target':
      if (decision.change) effects.changes.push(decision.change);
      return { outcome: { kind: decision.kind } };
    default:
      return { outcome: decision };
  }
}

export async function correct(tx: Tx, command: WriteCorrection, stamp: Stamp): Promise<CorrectionOutcome> {
  const event = await lockEvent(tx, command.eventId);
  const prior = event && (await readVerdict(tx, event.id));
  const target = command.mergedInto === null ? null : await readEvent(tx, command.mergedInto);
  const counter = await lockCounter(tx, 'verdict_change');
  const answered = (await answeredOf(tx, [command.decisionId])).has(command.decisionId);
  const same = event && (await readCorrection(tx, event.tenantCode, command.id));
  const monotonic = raised(stamp, counter);
  const decision = decideCorrection({ event, prior, same, target, answered }, command, monotonic);
  switch (decision.kind) {
    case 'written': {
      const effects = new Effects();
      effects.add(decision, 'correction');
      const seq = await effects.write(tx, counter, monotonic.now);
      await tx.db.insert(corrections).values({ ...decision.correction, seq });
      return {
        kind: 'written',
        correction: decision.correction,
        event: { ...present(event), correctedTo: decision.correction.verdict },
        feedbackId: decision.feedback?.id ?? null,
        awaitsSite: decision.toSite?.instance ?? null,
      };
    }
    case 'replayed':
      return { kind: 'replayed', correction: decision.correction, event: present(event) };
    case 'no_event':
    case 'no_verdict':
    case 'bad_target':
      await appendChanges(tx, counter, decision.change ? [decision.change] : [], monotonic.now);
      return { kind: decision.kind };
    default:
      return decision;
  }
}

export async function refuse(tx: Tx, refusal: RefuseDecision, stamp: Stamp): Promise<boolean> {
  const counter = await lockCounter(tx, 'verdict_change');
  if ((await answeredOf(tx, [refusal.decisionId])).has(refusal.decisionId)) return false;
  const monotonic = raised(stamp, counter);
  await appendChanges(tx, counter, [refusalOf(refusal, monotonic)], monotonic.now);
  return true;
}

/** A `CorrectionRecord`: without the order of writing. */
export const { seq: _seq, ...correctionFields } = getTableColumns(corrections);

async function readCorrection(tx: Tx, tenantCode: string, id: string): Promise<CorrectionRecord | null> {
  const [found] = await tx.db
    .select(correctionFields)
    .from(corrections)
    .where(and(eq(corrections.tenantCode, tenantCode), eq(corrections.id, id)));
  return found ?? null;
}

function raised(stamp: Stamp, counter: Counter): Stamp {
  return { now: Math.max(stamp.now, counter.at), newId: () => stamp.newId() };
}

/** Where the decision says so, there is an event. */
function present<T>(event: T | null): T {
  if (event === null) throw new Error('a verdict was decided without its event');
  return event;
}
