import { and, asc, eq, getTableColumns, gt, inArray } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import type { EventRecord } from '../../../common/core/event/record.ts';
import { decideVerdict, refusalOf } from '../../../common/core/verdict/decide.ts';
import { decideCorrection } from '../../../common/core/verdict/correction.ts';
import type { VerdictPort } from '../../../common/core/verdict/port.ts';
import type {
  CorrectionOutcome,
  CorrectionRecord,
  MergeTarget,
  RefuseDecision,
  VerdictOutcome,
  VerdictRecord,
  WriteCorrection,
  WriteVerdict,
  VerdictChange,
} from '../../../common/core/verdict/record.ts';
import { Coalescer } from '../engine/coalescer.ts';
import { type Counter, lockCounter } from '../engine/counters.ts';
import type { Database, Tx } from '../engine/database.ts';
import { corrections, counters, verdictChanges, verdicts } from '../schema/tables.ts';
import {
  answeredOf,
  appendChanges,
  Effects,
  lockEvent,
  lockEvents,
  readEvent,
  readEvents,
  readVerdict,
} from './verdict-rows.ts';

/** Most verdicts of one transaction. */
const MAX_JUDGEMENTS = 100;

/** Calls of this process that wait for the change counter go together in one transaction. */
export class HubVerdicts implements VerdictPort {
  #database: Database;
  #judging: Coalescer<Judgement, VerdictOutcome>;

  constructor(database: Database) {
    this.#database = database;
    this.#judging = new Coalescer<Judgement, VerdictOutcome>(
      (judgements) => database.transaction((tx) => writeAll(tx, judgements)),
      MAX_JUDGEMENTS,
    );
  }

  write(command: WriteVerdict, stamp: Stamp): Promise<VerdictOutcome> {
    return this.#judging.add({ command, stamp });
  }

  correct(command: WriteCorrection, stamp: Stamp): Promise<CorrectionOutcome> {
    return this.#database.transaction((tx) => correct(tx, command, stamp));
  }

  refuse(refusal: RefuseDecision, stamp: Stamp): Promise<boolean> {
    return this.#database.transaction((tx) => refuse(tx, refusal, stamp));
  }

  async get(eventId: number): Promise<VerdictRecord | null> {
    return (
      (
        await withTargets(
          this.#database,
          await this.#database.read((db) => db.select().from(verdicts).where(eq(verdicts.eventId, eventId))),
        )
      )[0] ?? null
    );
  }

  async corrections(eventId: number): Promise<CorrectionRecord[]> {
    return withTargets(
      this.#database,
      await this.#database.read((db) =>
        db
          .select(correctionFields)
          .from(corrections)
          .where(eq(corrections.eventId, eventId))
          .orderBy(asc(corrections.seq)),
      ),
    );
  }

  changes(after: number, limit: number): Promise<VerdictChange[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(verdictChanges)
        .where(gt(verdictChanges.changeNo, after))
        .orderBy(asc(verdictChanges.changeNo))
        .limit(limit),
    );
  }

  newestChangeNo(): Promise<number> {
    return this.#database.read(
      async (db) =>
        (await db.select().from(counters).where(eq(counters.name, 'verdict_change')))[0]?.value ?? 0,
    );
  }
}

interface Judgement {
  command: WriteVerdict;
  stamp: Stamp;
}

/** What the decisions of one batch go by; each sees what those before it wrote. */
interface Seen {
  events: Map<number, EventRecord>;
  targets: Map<number, EventRecord>;
  priors: Map<number, VerdictRecord>;
  answered: Set<string | null>;
}

/**
 * Reads what the decisions need, the counter last, and makes the time monotonic (design §3). Of two on one
 * event in a batch the earlier call comes first.
 */
async function writeAll(tx: Tx, judgements: Judgement[]): Promise<VerdictOutcome[]> {
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
  const counter = await lockCounter(tx, 'verdict_change');
  const answered = await answeredOf(
    tx,
    judgements.map(({ command }) => command.decisionId),
  );
  const now = Math.max(counter.at, ...judgements.map(({ stamp }) => stamp.now));
  const effects = new Effects();
  const written: VerdictRecord[] = [];
  const outcomes = judgements.map(({ command, stamp }) => {
    const { outcome, verdict } = judge(
      { events, targets, priors, answered },
      command,
      { now, newId: () => stamp.newId() },
      effects,
    );
    if (verdict) written.push(verdict);
    return outcome;
  });
  if (written.length > 0) await tx.db.insert(verdicts).values(written);
  await effects.write(tx, counter, now);
  return outcomes;
}

/** Decides on one, notes what is to be written, and lets those after it see it. */
function judge(
  seen: Seen,
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

async function correct(tx: Tx, command: WriteCorrection, stamp: Stamp): Promise<CorrectionOutcome> {
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

async function refuse(tx: Tx, refusal: RefuseDecision, stamp: Stamp): Promise<boolean> {
  const counter = await lockCounter(tx, 'verdict_change');
  if ((await answeredOf(tx, [refusal.decisionId])).has(refusal.decisionId)) return false;
  const monotonic = raised(stamp, counter);
  await appendChanges(tx, counter, [refusalOf(refusal, monotonic)], monotonic.now);
  return true;
}

/** An event merged into that had not come here then may have come since. */
async function withTargets<T extends MergeTarget & { tenantCode: string }>(
  database: Database,
  judged: T[],
): Promise<T[]> {
  const missing = judged.filter(
    ({ mergedInto, mergedIntoKey }) => mergedInto === null && mergedIntoKey !== null,
  );
  if (missing.length === 0) return judged;
  const { rows } = await database.read((_db, pool) =>
    pool.query<{ id: number; tenant: string; key: string; instance: string | null }>(
      `select e.id, e.tenant_code as tenant, e.idempotency_key as key, e.instance from events e
     where (e.tenant_code, e.idempotency_key) in (select * from unnest($1::text[], $2::text[]))`,
      [missing.map(({ tenantCode }) => tenantCode), missing.map(({ mergedIntoKey }) => mergedIntoKey)],
    ),
  );
  return judged.map((one) => {
    if (one.mergedInto !== null) return one;
    const found = rows.find(
      ({ tenant, key, instance }) =>
        tenant === one.tenantCode && key === one.mergedIntoKey && instance === one.mergedIntoInstance,
    );
    return { ...one, mergedInto: found?.id ?? null };
  });
}

/** A `CorrectionRecord`: without the order of writing. */
const { seq: _seq, ...correctionFields } = getTableColumns(corrections);

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
