import { asc, eq, gt, inArray } from 'drizzle-orm';
import type { Stamp } from '../../../../common/clock.ts';
import type { VerdictPort } from '../../../../common/core/verdict/port.ts';
import type {
  CorrectionOutcome,
  CorrectionRecord,
  GivenVerdict,
  RefuseDecision,
  VerdictChange,
  VerdictOutcome,
  VerdictRecord,
  WriteCorrection,
  WriteVerdict,
} from '../../../../common/core/verdict/record.ts';
import { Coalescer } from '../../engine/coalescer.ts';
import type { Database } from '../../engine/database.ts';
import { corrections, counters, verdictChanges, verdicts } from '../../schema/tables.ts';
import type { TaskMoveHook } from '../task/move.ts';
import { withTargets } from './merge-target.ts';
import { correct, correctionFields, type Judgement, refuse, writeAll } from './write.ts';

/** Most verdicts of one transaction. */
const MAX_JUDGEMENTS = 100;

/** Calls of this process that wait for the change counter go together in one transaction. */
export class HubVerdicts implements VerdictPort {
  #database: Database;
  #judging: Coalescer<Judgement, VerdictOutcome>;

  /** @param onTaskMove runs in the transaction of each review that a verdict settles */
  constructor(database: Database, onTaskMove: TaskMoveHook) {
    this.#database = database;
    this.#judging = new Coalescer<Judgement, VerdictOutcome>(
      (judgements) => database.transaction((tx) => writeAll(tx, judgements, onTaskMove)),
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

  async givenOn(eventIds: readonly number[]): Promise<Map<number, GivenVerdict>> {
    if (eventIds.length === 0) return new Map();
    const { eventId, by, byKind, at } = verdicts;
    const rows = await this.#database.read((db) =>
      db
        .select({ eventId, by, byKind, at })
        .from(verdicts)
        .where(inArray(eventId, [...eventIds])),
    );
    return new Map(rows.map(({ eventId: id, ...given }) => [id, given]));
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
