import type Database from 'better-sqlite3';
import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Stamp } from '../../../common/clock.ts';
import {
  decideCorrection,
  decideVerdict,
  refusalOf,
  type Companions,
} from '../../../common/core/verdict/decide.ts';
import type { VerdictPort } from '../../../common/core/verdict/port.ts';
import type {
  CorrectionOutcome,
  CorrectionRecord,
  NewChange,
  RefuseDecision,
  VerdictChange,
  VerdictOutcome,
  VerdictRecord,
  WriteCorrection,
  WriteVerdict,
} from '../../../common/core/verdict/record.ts';
import type { GroupCommit, Participant } from '../engine/group-commit.ts';
import type { SiteEvents } from './event.ts';
import { prepareInsert } from '../engine/insert.ts';
import { audit, corrections, feedback, verdictChanges, verdicts } from '../schema/tables.ts';

const CHANGE_COLUMNS =
  'change_no AS changeNo, at, event_id AS eventId, tenant_code AS tenantCode, kind, decision_id AS ' +
  'decisionId, body';

/** Verdicts, corrections and their change log on SQLite. */
export class SiteVerdicts implements VerdictPort, Participant {
  #group: GroupCommit;
  #events: SiteEvents;
  #sql: ReturnType<typeof prepare>;
  /** Whether the open transaction wrote changes. */
  #dirty = false;
  #committedHead: number;
  #syncingHead: number;
  #durableHead: number;

  /** Everything in the database must be durable. */
  constructor(group: GroupCommit, orm: BetterSQLite3Database, events: SiteEvents) {
    this.#group = group;
    this.#events = events;
    this.#sql = prepare(group.sqlite, orm);
    this.#committedHead = this.#lastChange().changeNo;
    this.#syncingHead = this.#committedHead;
    this.#durableHead = this.#committedHead;
    group.join(this);
  }

  committed(): void {
    if (this.#dirty) this.#committedHead = this.#lastChange().changeNo;
    this.#dirty = false;
  }

  rolledBack(): void {
    this.#dirty = false;
  }

  syncing(): void {
    this.#syncingHead = this.#committedHead;
  }

  durable(): void {
    this.#durableHead = this.#syncingHead;
  }

  /** Largest durable change number. */
  get head(): number {
    return this.#durableHead;
  }

  write(command: WriteVerdict, stamp: Stamp): Promise<VerdictOutcome> {
    return this.#group.write(() => this.#write(command, stamp));
  }

  correct(command: WriteCorrection, stamp: Stamp): Promise<CorrectionOutcome> {
    return this.#group.write(() => this.#correct(command, stamp));
  }

  refuse(refusal: RefuseDecision, stamp: Stamp): Promise<boolean> {
    return this.#group.write(() => {
      if (this.#answered(refusal)) return false;
      const { changeNo, at } = this.#nextChange(stamp);
      this.#log(refusalOf(refusal, { ...stamp, now: at }), changeNo, at);
      return true;
    });
  }

  #write(command: WriteVerdict, stamp: Stamp): VerdictOutcome {
    const { changeNo, at } = this.#nextChange(stamp);
    const event = this.#events.read(command.eventId);
    const seen = {
      event,
      prior: this.#read(command.eventId),
      target: this.#target(command),
      answered: this.#answered(command),
    };
    const decision = decideVerdict(seen, command, { ...stamp, now: at });
    switch (decision.kind) {
      case 'written': {
        this.#sql.addVerdict(decision.verdict);
        this.#accompany(decision, changeNo, at);
        const judged = event === null ? null : { ...event, verdict: decision.verdict.verdict };
        return {
          kind: 'written',
          verdict: decision.verdict,
          event: present(judged),
          feedbackId: decision.feedback?.id ?? null,
          awaitsSite: null,
        };
      }
      case 'unchanged':
        if (decision.audit) this.#sql.addAudit(decision.audit);
        this.#log(decision.change, changeNo, at);
        return { kind: 'unchanged', verdict: decision.verdict, event: present(event) };
      case 'no_event':
      case 'bad_target':
        this.#log(decision.change, changeNo, at);
        return { kind: decision.kind };
      case 'answered':
      case 'tenant_mismatch':
        return decision;
    }
  }

  #correct(command: WriteCorrection, stamp: Stamp): CorrectionOutcome {
    const { changeNo, at } = this.#nextChange(stamp);
    const event = this.#events.read(command.eventId);
    const seen = {
      event,
      prior: this.#read(command.eventId),
      same: this.#sql.correctionById.get({ id: command.id }) ?? null,
      target: this.#target(command),
      answered: this.#answered(command),
    };
    const decision = decideCorrection(seen, command, { ...stamp, now: at });
    switch (decision.kind) {
      case 'written': {
        this.#sql.addCorrection({ ...decision.correction, seq: changeNo });
        this.#accompany(decision, changeNo, at);
        const corrected = event === null ? null : { ...event, correctedTo: decision.correction.verdict };
        return {
          kind: 'written',
          correction: decision.correction,
          event: present(corrected),
          feedbackId: decision.feedback?.id ?? null,
          awaitsSite: null,
        };
      }
      case 'replayed':
        return { kind: 'replayed', correction: decision.correction, event: present(event) };
      case 'no_event':
      case 'no_verdict':
      case 'bad_target':
        this.#log(decision.change, changeNo, at);
        return { kind: decision.kind };
      case 'answered':
      case 'tenant_mismatch':
        return decision;
    }
  }

  // Events of other instances never stand here, so that there is no site to tell.
  #accompany(rows: Companions, changeNo: number, at: number): void {
    this.#log(rows.change, changeNo, at);
    this.#sql.addAudit(rows.audit);
    if (rows.feedback) this.#sql.addFeedback(rows.feedback);
  }

  #log(change: NewChange | null, changeNo: number, at: number): void {
    if (!change) return;
    this.#dirty = true;
    this.#sql.addChange({ ...change, changeNo, at });
  }

  /** Read, not counted in memory, so that an operation that is taken back leaves no gap. */
  #nextChange(stamp: Stamp): { changeNo: number; at: number } {
    const last = this.#lastChange();
    return { changeNo: last.changeNo + 1, at: Math.max(stamp.now, last.at) };
  }

  #lastChange(): { changeNo: number; at: number } {
    const last = this.#sql.lastChange.get();
    const floor = this.#sql.changeFloor.get();
    return {
      changeNo: Math.max(last?.changeNo ?? 0, floor?.changeNo ?? 0),
      at: Math.max(last?.at ?? 0, floor?.at ?? 0),
    };
  }

  #target({ mergedInto }: { mergedInto: number | null }) {
    return mergedInto === null ? null : this.#events.read(mergedInto);
  }

  #answered({ decisionId }: { decisionId: string | null }): boolean {
    return decisionId !== null && this.#sql.answered.get(decisionId) !== undefined;
  }

  #read(eventId: number): VerdictRecord | null {
    return this.#sql.verdict.get({ eventId }) ?? null;
  }

  async get(eventId: number): Promise<VerdictRecord | null> {
    return this.#read(eventId);
  }

  async corrections(eventId: number): Promise<CorrectionRecord[]> {
    return this.#sql.corrections.all({ eventId });
  }

  async changes(after: number, limit: number): Promise<VerdictChange[]> {
    return this.#sql.changes.all(after, this.#durableHead, limit);
  }

  async newestChangeNo(): Promise<number> {
    return this.#durableHead;
  }

  /** Durable changes after a position, counted up to `atMost`. */
  countAfter(after: number, atMost: number): number {
    return this.#sql.countAfter.get(after, this.#durableHead, atMost) ?? 0;
  }

  /** Time of the first durable change after a position. */
  changedAfter(after: number): number | null {
    return this.#sql.changes.get(after, this.#durableHead, 1)?.at ?? null;
  }
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error('a verdict was decided without its event');
  return value;
}

function prepare(sqlite: Database.Database, orm: BetterSQLite3Database) {
  const { seq: _seq, ...correction } = getTableColumns(corrections);
  return {
    verdict: orm
      .select()
      .from(verdicts)
      .where(eq(verdicts.eventId, sql.placeholder('eventId')))
      .prepare(),
    correctionById: orm
      .select(correction)
      .from(corrections)
      .where(eq(corrections.id, sql.placeholder('id')))
      .prepare(),
    corrections: orm
      .select(correction)
      .from(corrections)
      .where(eq(corrections.eventId, sql.placeholder('eventId')))
      .orderBy(asc(corrections.seq))
      .prepare(),
    addVerdict: prepareInsert(sqlite, verdicts),
    addCorrection: prepareInsert(sqlite, corrections),
    addChange: prepareInsert(sqlite, verdictChanges),
    addAudit: prepareInsert(sqlite, audit),
    addFeedback: prepareInsert(sqlite, feedback),
    answered: sqlite.prepare<[string], number>('SELECT 1 FROM verdict_changes WHERE decision_id = ?').pluck(),
    lastChange: sqlite.prepare<[], { changeNo: number; at: number }>(
      'SELECT change_no AS changeNo, at FROM verdict_changes ORDER BY change_no DESC LIMIT 1',
    ),
    changeFloor: sqlite.prepare<[], { changeNo: number | null; at: number | null }>(
      `SELECT (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'last_change_no') AS changeNo,
         (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'last_change_at') AS at`,
    ),
    countAfter: sqlite
      .prepare<[number, number, number], number>(
        'SELECT count(*) FROM (SELECT 1 FROM verdict_changes WHERE change_no > ? AND change_no <= ? LIMIT ?)',
      )
      .pluck(),
    changes: sqlite.prepare<[number, number, number], VerdictChange>(
      `SELECT ${CHANGE_COLUMNS} FROM verdict_changes WHERE change_no > ? AND change_no <= ? ORDER BY ` +
        'change_no LIMIT ?',
    ),
  };
}
