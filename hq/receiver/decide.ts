// The rules of the receiver (DESIGN.md, "Uplink"; common/uplink/wire.ts), apart from any database.
import type { IngestResult } from '../../common/core/event/port.ts';
import type { EventOrigin, NewEvent } from '../../common/core/event/record.ts';
import { KEY_OF_ANOTHER, type RejectedItem } from '../../common/uplink/wire.ts';
import type { BatchHead, EventConflict, Gap, NewStore } from './port.ts';

export type Position =
  | { kind: 'in_step'; cursor: number; gap: Gap | null }
  | { kind: 'early'; known: number }
  | { kind: 'cursor_ahead'; known: number }
  | { kind: 'sender_rolled_back'; known: number };

/**
 * Whether a batch may be stored, and the position held afterwards.
 * @param known last position stored for the (instance, epoch, channel); 0 for a new epoch
 */
export function decidePosition(known: number, head: BatchHead): Position {
  if (head.head < known) return { kind: 'sender_rolled_back', known };
  const cursor = Math.max(known, head.to);
  if (head.from <= known) return { kind: 'in_step', cursor, gap: lostBefore(known, head) };
  // Before any gap is judged: what retention deletes at the site meanwhile is on its way none the less.
  if (head.held !== null && head.held <= known) return { kind: 'early', known };
  // The site no longer keeps the missing items, and the batch begins with its oldest.
  const gone = head.oldest > known + 1 && head.from === head.oldest - 1;
  return gone
    ? { kind: 'in_step', cursor, gap: { from: known + 1, to: head.from } }
    : { kind: 'cursor_ahead', known };
}

/**
 * What the site deleted before this store had it again: it sends what it still keeps in between, and says
 * from where on it keeps all. A batch without a stretch of its own sends single items once more, and tells
 * nothing.
 */
const lostBefore = (known: number, { from, to, oldest }: BatchHead): Gap | null =>
  to > from && oldest > known + 1 ? { from: known + 1, to: oldest - 1 } : null;

/**
 * What the first batch of an epoch says of the store that it comes from. Positions of an earlier epoch were
 * counted by another store, so that those which are missing now tell of no gap: a salvaged store leaves room
 * between them. A site whose store keeps nothing of what it once sent has begun with an empty one.
 * @param earlier newest position held of any earlier epoch of the site; null: this is its first
 */
export function decideEpoch(
  { cursor, gap }: Extract<Position, { kind: 'in_step' }>,
  head: BatchHead,
  earlier: number | null,
): { cursor: number; gap: Gap | null; newStore: NewStore | null } {
  if (earlier === null) return { cursor, gap, newStore: null };
  const empty = head.oldest > head.head || head.head < earlier || head.oldest > earlier;
  return { cursor, gap: null, newStore: earlier > 0 ? { through: earlier, empty } : null };
}

/**
 * Whether a stretch that was stored before brings events that were not: then the sender has given their ids
 * out a second time, after it was put back from an old copy and has outgrown it unseen. A replay moves no
 * position and may bring what was refused before.
 */
export function idsReused(fresh: readonly NewEvent[], head: BatchHead, known: number): boolean {
  return (
    head.to > head.from && fresh.some((event) => event.origin !== undefined && event.origin.originId <= known)
  );
}

/** A site brings events of its own tenants only. */
export function admitEvents(
  items: readonly NewEvent[],
  tenants: ReadonlySet<string>,
): { admitted: NewEvent[]; rejected: RejectedItem[] } {
  const admitted: NewEvent[] = [];
  const rejected: RejectedItem[] = [];
  for (const item of items) {
    if (tenants.has(item.tenantCode)) admitted.push(item);
    else rejected.push(tenantNotAllowed(item.origin?.originId ?? 0, item.tenantCode));
  }
  return { admitted, rejected };
}

export const tenantNotAllowed = (originId: number, tenantCode: string): RejectedItem => ({
  originId,
  error: 'tenant_not_allowed',
  message:
    `this site may not bring anything of tenant ${tenantCode}; ` +
    'add the tenant to the site at headquarters',
});

export interface Ingested {
  accepted: number;
  duplicates: number;
  rejected: RejectedItem[];
  conflicts: EventConflict[];
  sameAs: string | null;
}

/**
 * What became of each event of a site. A key is one event of its tenant for ever: the same key from another
 * instance is another event, which cannot be stored, and its sender is told. What is the same to its id and
 * receipt time at another instance is that event, brought by a store that has changed its name.
 * @param owned instances whose events are the sender's own
 */
export function sortIngested(
  events: readonly NewEvent[],
  results: readonly IngestResult[],
  owned: ReadonlySet<string>,
): Ingested {
  const sorted: Ingested = { accepted: 0, duplicates: 0, rejected: [], conflicts: [], sameAs: null };
  for (const [index, event] of events.entries()) {
    const result = results[index];
    if (!result || !event.origin) continue;
    const { elsewhere } = result;
    const foreign =
      elsewhere !== undefined && (elsewhere.instance === null || !owned.has(elsewhere.instance))
        ? elsewhere
        : null;
    if (!result.duplicate) sorted.accepted += 1;
    else if (foreign && !foreign.same) {
      sorted.conflicts.push(conflictOf(event, event.origin, { instance: foreign.instance, id: result.id }));
      sorted.rejected.push(keyOfAnother(event, event.origin.originId, foreign.instance));
    } else {
      sorted.duplicates += 1;
      if (foreign) sorted.sameAs = foreign.instance;
      else if (elsewhere ? !elsewhere.sameContent : result.conflicting) {
        sorted.conflicts.push(
          conflictOf(event, event.origin, {
            instance: elsewhere?.instance ?? event.origin.instance,
            id: result.id,
          }),
        );
      }
    }
  }
  return sorted;
}

function conflictOf(
  event: NewEvent,
  origin: EventOrigin,
  held: { instance: string | null; id: number },
): EventConflict {
  const { tenantCode, idempotencyKey: key, type, severity, occurredAt } = event;
  const { instance, originId, receivedAt } = origin;
  return {
    tenantCode,
    key,
    instance,
    originId,
    type,
    severity,
    occurredAt,
    receivedAt,
    heldBy: held.instance,
    heldId: held.id,
  };
}

const keyOfAnother = (
  { idempotencyKey }: NewEvent,
  originId: number,
  heldBy: string | null,
): RejectedItem => ({
  originId,
  error: KEY_OF_ANOTHER,
  message:
    `headquarters does not have this event: ${heldBy ?? 'headquarters itself'} used the idempotency ` +
    `key ${idempotencyKey} of the same tenant first; ` +
    'the cameras of each site need keys of their own',
});
