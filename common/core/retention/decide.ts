// What may go, and how the state of retention moves. Pure.
import type { Stamp } from '../../clock.ts';
import type { AuditEntry } from '../audit/port.ts';
import { type ConsumerFilter, consumerSees } from '../event/decide.ts';
import type { EventRecord } from '../event/record.ts';
import {
  type Counts,
  deletedKinds,
  type DeletedSlice,
  type DropEvents,
  type EventSurvey,
  type Hold,
  type LostEvents,
  type Refusal,
  type RetentionRun,
  type RetentionState,
  type RoundEnd,
  type UnreportedLoss,
} from './record.ts';

export const DAY_MS = 86_400_000;

export const cutoffOf = (days: number, now: number): number => now - days * DAY_MS;

export type EventRound =
  { kind: 'nothing' } | { kind: 'delete'; through: number } | { kind: 'refused'; refusal: Refusal };

/** How far a round may delete. @param confirmed id up to which a person has let a refusal go */
export function decideEvents(survey: EventSurvey, before: number, confirmed: number): EventRound {
  const { oldest, newest } = survey;
  if (!oldest || !newest) return { kind: 'nothing' };
  const through = deletableThrough(survey);
  if (through < oldest.id) return { kind: 'nothing' };
  const expired = through - oldest.id + 1;
  const total = newest.id - oldest.id + 1;
  const reason = newest.receivedAt < before ? 'everything' : expired * 2 > total ? 'more_than_half' : null;
  if (reason === null) return { kind: 'delete', through };
  if (confirmed >= oldest.id) return { kind: 'delete', through: Math.min(through, confirmed) };
  return { kind: 'refused', refusal: { reason, position: through, expired, total } };
}

export const deletableThrough = (survey: EventSurvey): number =>
  Math.min(survey.expiredThrough, ...survey.holds.map(({ through }) => through));

/**
 * How far a round may delete entries of the audit. @returns the time before which entries may go, or the
 * refusal; null: no entry has expired
 */
export function decideAudit(
  found: { expired: number; kept: number },
  before: number,
  confirmed: number,
): { before: number } | Refusal | null {
  if (found.expired === 0) return null;
  if (found.kept >= found.expired || confirmed >= before) return { before };
  const total = found.expired + found.kept;
  return {
    reason: found.kept === 0 ? 'everything' : 'more_than_half',
    position: before,
    expired: found.expired,
    total,
  };
}

export interface EventToDrop extends Pick<
  EventRecord,
  'id' | 'receivedAt' | 'tenantCode' | 'type' | 'severity' | 'isTest'
> {
  /** Of its document. */
  bytes: number;
}

/** Bytes of documents after which a slice ends. */
const SLICE_BYTES = 2 * 1024 * 1024;

/** The leading part of the oldest events that goes now. @param rows ascending by id */
export function cutSlice<T extends EventToDrop>(
  rows: readonly T[],
  command: DropEvents,
  holds: readonly Hold[],
): T[] {
  const through = Math.min(command.through, ...holds.map((hold) => hold.through));
  const slice: T[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (row.id > through || row.receivedAt >= command.before || bytes > SLICE_BYTES) break;
    slice.push(row);
    bytes += row.bytes;
  }
  return slice;
}

/**
 * How many of these events each enabled consumer had not confirmed and would have been given, test events
 * included.
 */
export function lossesOf(
  rows: readonly EventToDrop[],
  subscriptions: readonly (ConsumerFilter & { consumer: string; enabled: boolean; cursor: number })[],
): Record<string, LostEvents> {
  const lost: Record<string, LostEvents> = {};
  for (const subscription of subscriptions) {
    if (!subscription.enabled) continue;
    const missed = rows
      .filter((row) => row.id > subscription.cursor && consumerSees(subscription, row, true))
      .map(({ id }) => id);
    const [from, to] = [missed[0], missed.at(-1)];
    if (from !== undefined && to !== undefined)
      lost[subscription.consumer] = { events: missed.length, from, to };
  }
  return lost;
}

/** The state after a slice was deleted. Pure. @param now epoch ms */
export function withSlice(state: RetentionState, slice: DeletedSlice, now: number): RetentionState {
  if (isEmpty(slice.counts)) return state;
  const run = state.run ?? { startedAt: now, events: null, counts: {} };
  const lost = { ...state.lost };
  for (const [consumer, { events, from, to }] of Object.entries(slice.lost)) {
    const prior: RetentionState['lost'][string] = lost[consumer] ?? { events: 0, told: 0 };
    const untold = prior.events > prior.told ? prior : { from: undefined, to: undefined };
    lost[consumer] = {
      events: prior.events + events,
      told: prior.told,
      from: Math.min(untold.from ?? from, from),
      to: Math.max(untold.to ?? to, to),
    };
  }
  return {
    ...state,
    lost,
    counts: addCounts(state.counts, slice.counts),
    deletedUpto: Math.max(state.deletedUpto, slice.events?.to ?? 0),
    run: {
      ...run,
      counts: addCounts(run.counts, slice.counts),
      events: slice.events
        ? { from: run.events?.from ?? slice.events.from, to: slice.events.to }
        : run.events,
    },
  };
}

/** The state after the rows that follow events up to `through` were deleted. Pure. @param now epoch ms */
export function withHooksDone(
  state: RetentionState,
  through: number,
  counts: Counts,
  now: number,
): RetentionState {
  return withSlice(
    { ...state, followedUpto: Math.max(state.followedUpto, through) },
    { events: null, counts, lost: {} },
    now,
  );
}

/** null: another holder has the lease. */
export function withLease(
  state: RetentionState,
  lease: { holder: string; until: number },
  now: number,
): RetentionState | null {
  const { lease: held } = state;
  // A lease that ends later than any could was taken by a clock that has since been set back.
  const stands =
    held !== null && held.holder !== lease.holder && held.until > now && held.until <= lease.until;
  return stands ? null : { ...state, lease };
}

/** The end of a round: what it deleted, and the consumers that are still to be told what they lost. Pure. */
export function decideFinish(
  state: RetentionState,
  stamp: Stamp,
): { end: RoundEnd; state: RetentionState; audit: AuditEntry | null } {
  const { run } = state;
  const untold = Object.entries(state.lost).flatMap(
    ([consumer, { events, told, from = null, to = null }]): UnreportedLoss[] =>
      events > told ? [{ consumer, events, more: events - told, from, to }] : [],
  );
  return {
    end: { run, untold },
    state: {
      ...state,
      lastRoundAt: stamp.now,
      run: null,
      lastRun: run ? { ...run, finishedAt: stamp.now } : state.lastRun,
    },
    audit: run && {
      id: stamp.newId(),
      at: stamp.now,
      actor: 'system',
      action: 'retention.deleted',
      subject: 'retention',
      tenantCode: null,
      before: null,
      after: run satisfies RetentionRun,
    },
  };
}

/** The state after a consumer was told how many events it lost, so that it hears of each loss once. Pure. */
export function withLossReported(state: RetentionState, consumer: string, events: number): RetentionState {
  const prior = state.lost[consumer];
  return prior
    ? { ...state, lost: { ...state.lost, [consumer]: { ...prior, told: Math.max(prior.told, events) } } }
    : state;
}

export function addCounts(a: Counts, b: Counts): Counts {
  const total: Counts = {};
  for (const kind of deletedKinds) {
    const count = (a[kind] ?? 0) + (b[kind] ?? 0);
    if (count > 0) total[kind] = count;
  }
  return total;
}

const isEmpty = (counts: Counts): boolean => Object.values(counts).every((count) => count === 0);

/**
 * Largest id whose receipt lies before a time, found by halving, since receipt times never fall with ids.
 * @param next the first event with an id not below the one given
 */
export async function expiredThrough(
  bounds: { oldest: number; newest: number },
  before: number,
  next: (id: number) => Promise<{ id: number; receivedAt: number } | null>,
): Promise<number> {
  let low = bounds.oldest - 1;
  let high = bounds.newest;
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    const found = await next(middle);
    if (found && found.id <= bounds.newest && found.receivedAt < before) low = found.id;
    else high = middle - 1;
  }
  return low;
}
