import { and, asc, eq, gt } from 'drizzle-orm';
import type { Stamp } from '../../common/clock.ts';
import { decideCorrection, decideVerdict } from '../../common/core/verdict/decide.ts';
import type { VerdictPort } from '../../common/core/verdict/port.ts';
import type {
  CorrectionOutcome, CorrectionRecord, VerdictOutcome, WriteCorrection, WriteVerdict,
} from '../../common/core/verdict/record.ts';
import { lockCounter, type Counter } from './counters.ts';
import type { Database, Tx } from './database.ts';
import { audit, corrections, counters, verdictChanges, verdicts } from './schema.ts';
import { appendChanges, isAnswered, lockEvent, readEvent, readVerdict, writeCompanions } from './verdict-rows.ts';

export function createVerdicts(database: Database): VerdictPort {
  return {
    write: (command, stamp) => database.transaction((tx) => write(tx, command, stamp)),
    correct: (command, stamp) => database.transaction((tx) => correct(tx, command, stamp)),
    get: (eventId) => database.read(async (db) =>
      (await db.select().from(verdicts).where(eq(verdicts.eventId, eventId)))[0] ?? null),
    corrections: (eventId) => database.read((db) =>
      db.select(correctionFields).from(corrections).where(eq(corrections.eventId, eventId)).orderBy(asc(corrections.seq))),
    changes: (after, limit) => database.read((db) =>
      db.select().from(verdictChanges).where(gt(verdictChanges.changeNo, after)).orderBy(asc(verdictChanges.changeNo)).limit(limit)),
    changeHead: () => database.read(async (db) =>
      (await db.select().from(counters).where(eq(counters.name, 'verdict_change')))[0]?.value ?? 0),
  };
}

/** Reads what a decision needs, the counter last, and makes the time monotonic (design §3). */
async function write(tx: Tx, command: WriteVerdict, stamp: Stamp): Promise<VerdictOutcome> {
  const event = await lockEvent(tx, command.eventId);
  const prior = event && await readVerdict(tx, event.id);
  const target = command.mergedInto === null ? null : await readEvent(tx, command.mergedInto);
  const counter = await lockCounter(tx, 'verdict_change');
  const answered = await isAnswered(tx, command.decisionId);
  const monotonic = raised(stamp, counter);
  const decision = decideVerdict({ event, prior, target, answered }, command, monotonic);
  switch (decision.kind) {
    case 'written':
      await tx.db.insert(verdicts).values(decision.verdict);
      await writeCompanions(tx, counter, decision, { kind: 'verdict', at: monotonic.now });
      return {
        kind: 'written', verdict: decision.verdict, event: { ...seen(event), verdict: decision.verdict.verdict },
        feedbackId: decision.feedback?.id ?? null, awaitsSite: decision.toSite?.instance ?? null,
      };
    case 'unchanged':
      await tx.db.insert(audit).values(decision.audit);
      await appendChanges(tx, counter, decision.change ? [decision.change] : [], monotonic.now);
      return { kind: 'unchanged', verdict: decision.verdict, event: seen(event) };
    case 'no_event':
    case 'bad_target':
      await appendChanges(tx, counter, decision.change ? [decision.change] : [], monotonic.now);
      return { kind: decision.kind };
    default:
      return decision;
  }
}

async function correct(tx: Tx, command: WriteCorrection, stamp: Stamp): Promise<CorrectionOutcome> {
  const event = await lockEvent(tx, command.eventId);
  const prior = event && await readVerdict(tx, event.id);
  const target = command.mergedInto === null ? null : await readEvent(tx, command.mergedInto);
  const counter = await lockCounter(tx, 'verdict_change');
  const answered = await isAnswered(tx, command.decisionId);
  const same = event && await readCorrection(tx, event.tenantCode, command.id);
  const monotonic = raised(stamp, counter);
  const decision = decideCorrection({ event, prior, same, target, answered }, command, monotonic);
  switch (decision.kind) {
    case 'written': {
      const seq = await writeCompanions(tx, counter, decision, { kind: 'correction', at: monotonic.now });
      await tx.db.insert(corrections).values({ ...decision.correction, seq });
      return {
        kind: 'written', correction: decision.correction, event: { ...seen(event), correctedTo: decision.correction.verdict },
        feedbackId: decision.feedback?.id ?? null, awaitsSite: decision.toSite?.instance ?? null,
      };
    }
    case 'replayed':
      return { kind: 'replayed', correction: decision.correction, event: seen(event) };
    case 'no_event':
    case 'no_verdict':
    case 'bad_target':
      await appendChanges(tx, counter, decision.change ? [decision.change] : [], monotonic.now);
      return { kind: decision.kind };
    default:
      return decision;
  }
}

/** A `CorrectionRecord`: without the order of writing. */
const correctionFields = {
  id: corrections.id, eventId: corrections.eventId, tenantCode: corrections.tenantCode,
  verdict: corrections.verdict, by: corrections.by, byKind: corrections.byKind, note: corrections.note,
  mergedInto: corrections.mergedInto, at: corrections.at,
};

async function readCorrection(tx: Tx, tenantCode: string, id: string): Promise<CorrectionRecord | null> {
  const [found] = await tx.db.select(correctionFields).from(corrections)
    .where(and(eq(corrections.tenantCode, tenantCode), eq(corrections.id, id)));
  return found ?? null;
}

function raised(stamp: Stamp, counter: Counter): Stamp {
  return { now: Math.max(stamp.now, counter.at), newId: () => stamp.newId() };
}

/** Where the decision says so, there is an event. */
function seen<T>(event: T | null): T {
  if (event === null) throw new Error('a verdict was decided without its event');
  return event;
}
