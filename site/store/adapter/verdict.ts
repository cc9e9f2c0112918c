import type { Stamp } from '../../../common/clock.ts';
import { decideCorrection } from '../../../common/core/verdict/correction.ts';
import { type Companions, decideVerdict, refusalOf } from '../../../common/core/verdict/decide.ts';
import type { VerdictPort } from '../../../common/core/verdict/port.ts';
import type {
  CorrectionOutcome,
  CorrectionRecord,
  GivenVerdict,
  NewChange,
  RefuseDecision,
  VerdictChange,
  VerdictOutcome,
  VerdictRecord,
  WriteCorrection,
  WriteVerdict,
} from '../../../common/core/verdict/record.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import type { HighWaterMark } from '../engine/high-water-mark.ts';
import type { TransactionParticipant } from '../engine/transaction.ts';
import type { SiteEvents } from './event.ts';
import type { SiteTasks } from './task.ts';
import type { ChangeLog } from './uplink/change-log.ts';
import { prepareVerdicts, verdictOf } from './verdict-statements.ts';

/** Verdicts, corrections and their change log on SQLite. */
export class SiteVerdicts implements VerdictPort, TransactionParticipant {
  #group: GroupCommit;
  #events: SiteEvents;
  #changes: ChangeLog;
  #tasks: SiteTasks;
  /** Change numbers that are committed and durable. */
  #changeNumbers: HighWaterMark;
  #sql: ReturnType<typeof prepareVerdicts>;
  /** The open transaction wrote changes. */
  #dirty = false;

  /** @param changeNumbers the high-water mark of the change numbers */
  constructor(
    group: GroupCommit,
    events: SiteEvents,
    changes: ChangeLog,
    tasks: SiteTasks,
    changeNumbers: HighWaterMark,
  ) {
    this.#group = group;
    this.#events = events;
    this.#changes = changes;
    this.#tasks = tasks;
    this.#changeNumbers = changeNumbers;
    this.#sql = prepareVerdicts(group.sqlite);
  }

  committed(): void {
    if (this.#dirty) this.#changeNumbers.commit(this.#sql.lastChange().changeNo);
    this.#dirty = false;
  }

  rolledBack(): void {
    this.#dirty = false;
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
        this.#tasks.settleReviewsNow(decision.verdict, command.actor, stamp);
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
      same: this.#sql.correctionById.get(command.id) ?? null,
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
    if (!rows.feedback) return;
    this.#sql.addFeedback(rows.feedback);
    this.#changes.told(rows.feedback.eventId, at);
  }

  #log(change: NewChange | null, changeNo: number, at: number): void {
    if (!change) return;
    this.#dirty = true;
    this.#sql.addChange({ ...change, changeNo, at });
    this.#changes.judged({ kind: change.kind, changeNo, eventId: change.eventId }, at);
  }

  /** Read, not counted in memory, so that an operation that is taken back leaves no gap. */
  #nextChange(stamp: Stamp): { changeNo: number; at: number } {
    const last = this.#sql.lastChange();
    return { changeNo: last.changeNo + 1, at: Math.max(stamp.now, last.at) };
  }

  #target({ mergedInto }: { mergedInto: number | null }) {
    return mergedInto === null ? null : this.#events.read(mergedInto);
  }

  #answered({ decisionId }: { decisionId: string | null }): boolean {
    return decisionId !== null && this.#sql.answered.get(decisionId) !== undefined;
  }

  #read(eventId: number): VerdictRecord | null {
    const row = this.#sql.verdict.get(eventId);
    return row ? verdictOf(row) : null;
  }

  async get(eventId: number): Promise<VerdictRecord | null> {
    return this.#read(eventId);
  }

  async givenOn(eventIds: readonly number[]): Promise<Map<number, GivenVerdict>> {
    const found = new Map<number, GivenVerdict>();
    for (const id of eventIds) {
      const row = this.#sql.verdict.get(id);
      if (row) found.set(id, { by: row.by, byKind: row.byKind, at: row.at });
    }
    return found;
  }

  async corrections(eventId: number): Promise<CorrectionRecord[]> {
    return this.#sql.corrections.all(eventId);
  }

  async changes(after: number, limit: number): Promise<VerdictChange[]> {
    return this.#sql.changes.all(after, this.#changeNumbers.durable, limit);
  }

  async newestChangeNo(): Promise<number> {
    return this.#changeNumbers.durable;
  }
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error('a verdict was decided without its event');
  return value;
}
