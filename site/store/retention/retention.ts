import type { Stamp } from '../../../common/clock.ts';
import {
  cutSlice,
  decideFinish,
  type EventToDrop,
  expiredThrough,
  lossesOf,
  withHooksDone,
  withLossReported,
  withSlice,
} from '../../../common/core/retention/decide.ts';
import { decideConfirm, withGuard } from '../../../common/core/retention/guard.ts';
import type { RetentionPort } from '../../../common/core/retention/port.ts';
import {
  type ConfirmOutcome,
  type Counts,
  type DeletedSlice,
  type DropEvents,
  type DropRecords,
  emptyState,
  type EventSurvey,
  type GuardedKind,
  type Hold,
  type Refusal,
  type RetentionState,
  type RoundEnd,
} from '../../../common/core/retention/record.ts';
import type { SiteAudit } from '../adapter/audit.ts';
import type { SiteSubscriptions } from '../adapter/subscription.ts';
import type { SiteUplink } from '../adapter/uplink/uplink.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import type { Meta } from '../engine/meta.ts';
import type { EventDeletion } from './deletion.ts';
import { type IdRange, type OldEventRow, prepareRetention } from './retention-statements.ts';

/** Retention on SQLite. Freed pages are used again; the file does not shrink. */
export class SiteRetention implements RetentionPort {
  #group: GroupCommit;
  #meta: Meta;
  #deletion: EventDeletion;
  #uplink: SiteUplink;
  #audit: SiteAudit;
  #subscriptions: SiteSubscriptions;
  #sql: ReturnType<typeof prepareRetention>;

  constructor(
    group: GroupCommit,
    meta: Meta,
    deletion: EventDeletion,
    uplink: SiteUplink,
    subscriptions: SiteSubscriptions,
    audit: SiteAudit,
  ) {
    this.#group = group;
    this.#meta = meta;
    this.#deletion = deletion;
    this.#uplink = uplink;
    this.#audit = audit;
    this.#subscriptions = subscriptions;
    this.#sql = prepareRetention(group.sqlite);
  }

  async state(): Promise<RetentionState> {
    return this.#state();
  }

  // The lock of the store makes sure that there is no other process.
  async claim(): Promise<boolean> {
    return true;
  }

  async release(): Promise<void> {
    // Nothing is held.
  }

  async survey(before: number, holdUnsent: boolean): Promise<EventSurvey> {
    const oldest = this.#sql.oldest.get() ?? null;
    const newest = this.#sql.newest.get() ?? null;
    if (!oldest || !newest) return { oldest: null, newest: null, expiredThrough: 0, holds: [] };
    const through = await expiredThrough(
      { oldest: oldest.id, newest: newest.id },
      before,
      async (id) => this.#sql.next.get(id) ?? null,
    );
    const expired = through >= oldest.id ? { from: oldest.id, to: through } : null;
    const holds = holdUnsent && expired ? this.#holds(expired) : [];
    return { oldest, newest, expiredThrough: through, holds };
  }

  dropEvents(command: DropEvents): Promise<DeletedSlice> {
    return this.#group.write(() => this.drop(command));
  }

  /** As `dropEvents`, to be called in a transaction. */
  drop(command: DropEvents): DeletedSlice {
    const rows = this.#sql.oldRows
      .all(command.through, command.limit)
      .map((row): EventToDrop & OldEventRow => ({ ...row, isTest: row.test === 1 }));
    const [first] = rows;
    const holds =
      first && command.holdUnsent ? this.#holds({ from: first.id, to: rows.at(-1)?.id ?? first.id }) : [];
    const going = cutSlice(rows, command, holds);
    const [oldest, newest] = [going[0], going.at(-1)];
    if (!oldest || !newest) return { events: null, counts: {}, lost: {} };
    const events = { from: oldest.id, to: newest.id };
    const slice = {
      events,
      counts: this.#remove(events, going),
      lost: lossesOf(going, this.#subscriptions.all()),
    };
    this.#change(withSlice(this.#state(), slice, command.now));
    return slice;
  }

  #remove({ from, to }: IdRange, going: readonly OldEventRow[]): Counts {
    const sql = this.#sql;
    const counts = {
      events: sql.dropEvents.run(from, to).changes,
      verdicts: sql.dropVerdicts.run(from, to).changes,
      corrections: sql.dropCorrections.run(from, to).changes,
      parked: sql.dropParked.run('events', to).changes,
    };
    this.#deletion.note(going);
    return counts;
  }

  /** @param expired ids within which holds count */
  #holds({ from, to }: IdRange): Hold[] {
    const holds: Hold[] = [];
    const { cursor } = this.#uplink.channel('events');
    if (cursor < to) holds.push({ reason: 'not_sent', through: cursor });
    const refused = this.#sql.firstRefusedChange.get({ from, to });
    const stuck = Math.min(this.#sql.firstParked.get('events') ?? Infinity, refused ?? Infinity);
    if (stuck <= to) holds.push({ reason: 'parked', through: stuck - 1 });
    const sent = this.#uplink.channel('verdicts').cursor;
    const judged = this.#sql.firstUnsentVerdict.get({ from, to, sent }) ?? null;
    if (judged !== null) holds.push({ reason: 'verdict_not_sent', through: judged - 1 });
    const work = this.#sql.firstUnsentWork.get({ from, to, sent }) ?? null;
    return work === null ? holds : [...holds, { reason: 'work_not_sent', through: work - 1 }];
  }

  dropRecords(command: DropRecords): Promise<number> {
    return this.#group.write(() => {
      const { kind } = command;
      const count = kind === 'changes' ? this.#dropChanges(command) : this.#dropRows({ ...command, kind });
      this.#change(
        withSlice(this.#state(), { events: null, counts: { [kind]: count }, lost: {} }, command.now),
      );
      return count;
    });
  }

  #dropRows(command: DropRecords & { kind: Exclude<DropRecords['kind'], 'changes'> }): number {
    const { kind, before, limit, now } = command;
    if (kind === 'feedback') return this.#sql.dropMessages(this.#state().deletedUpto, limit, now);
    return {
      audit: this.#sql.dropAudit,
      alarms: this.#sql.dropAlarms,
      evidence_jobs: this.#sql.dropEvidenceJobs,
    }[kind].run(before, limit).changes;
  }

  #dropChanges({ before, limit, holdUnsent }: DropRecords): number {
    const { deletedUpto } = this.#state();
    const rows = this.#sql.oldChanges.all({ sent: this.#uplink.channel('verdicts').cursor, limit });
    const stays = rows.findIndex(
      ({ unsent, at, eventId }) => (holdUnsent && unsent === 1) || at >= before || eventId > deletedUpto,
    );
    const going = stays < 0 ? rows : rows.slice(0, stays);
    const last = going.at(-1);
    if (!last) return 0;
    this.#raise('last_change_no', last.changeNo);
    this.#raise('last_change_at', last.at);
    this.#raise('last_dropped_no', Math.max(...going.map(({ no }) => no ?? 0)));
    return this.#sql.dropChanges(last.changeNo);
  }

  #raise(name: 'last_change_no' | 'last_change_at' | 'last_dropped_no', value: number): void {
    if (value > this.#meta.number(name)) this.#meta.set(name, value);
  }

  async surveyAudit(before: number, cap: number): Promise<{ expired: number; kept: number }> {
    return {
      expired: this.#sql.auditBefore.get(before, cap) ?? 0,
      kept: this.#sql.auditSince.get(before, cap) ?? 0,
    };
  }

  // Observations that a short disk took lie beyond `deletedUpto`, among events that are kept.
  async awaitingHooks(limit: number): Promise<number[]> {
    const { followedUpto, deletedUpto } = this.#state();
    return this.#deletion.deletedAfter(followedUpto, limit).filter((id) => id <= deletedUpto);
  }

  /** Counts a slice that eviction has deleted; to be called in the transaction that deletes it. */
  note(slice: DeletedSlice, now: number): void {
    this.#change(withSlice(this.#state(), slice, now));
  }

  hooksDone(through: number, counts: Counts, now: number): Promise<void> {
    return this.#group.write(() => this.#change(withHooksDone(this.#state(), through, counts, now)));
  }

  async guard(kind: GuardedKind, refusal: Refusal | null, now: number): Promise<boolean> {
    if (withGuard(this.#state(), kind, refusal, now) === null) return false;
    return this.#group.write(() => {
      const before = this.#state();
      const after = withGuard(before, kind, refusal, now);
      if (after) this.#change(after);
      return after !== null && (before.guards[kind] === undefined) !== (refusal === null);
    });
  }

  confirm(
    kind: GuardedKind,
    by: { actor: string; note: string | null },
    stamp: Stamp,
  ): Promise<ConfirmOutcome> {
    return this.#group.write(() => {
      const { outcome, state, audit } = decideConfirm(this.#state(), kind, by, stamp);
      if (audit) this.#audit.insert(audit);
      if (outcome.kind === 'confirmed') this.#change(state);
      return outcome;
    });
  }

  finishRound(stamp: Stamp): Promise<RoundEnd> {
    return this.#group.write(() => {
      const { end, state, audit } = decideFinish(this.#state(), stamp);
      if (audit) this.#audit.insert(audit);
      this.#change(state);
      return end;
    });
  }

  lossReported(consumer: string, events: number): Promise<void> {
    return this.#group.write(() => this.#change(withLossReported(this.#state(), consumer, events)));
  }

  #state(): RetentionState {
    const text = this.#sql.state.get();
    return text === undefined ? emptyState : { ...emptyState, ...(JSON.parse(text) as RetentionState) };
  }

  #change(state: RetentionState): void {
    this.#sql.setState.run(JSON.stringify(state));
  }
}
