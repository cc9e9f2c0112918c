// The rules of the receiver (design §6, "Uplink"; common/uplink/wire.ts), apart from any database.
import type { NewEvent } from '../../common/core/event/record.ts';
import type { RejectedItem } from '../../common/uplink/wire.ts';
import type { BatchHead } from './port.ts';

export type Position =
  | { kind: 'in_step'; cursor: number; gap: { from: number; to: number } | null }
  | { kind: 'cursor_ahead'; known: number }
  | { kind: 'sender_rolled_back'; known: number };

/**
 * Whether a batch may be stored, and the position held afterwards.
 * @param known last position stored for the (instance, epoch, channel); 0 for a new epoch
 */
export function decidePosition(known: number, head: BatchHead): Position {
  if (head.head < known) return { kind: 'sender_rolled_back', known };
  const cursor = Math.max(known, head.to);
  if (head.from <= known) return { kind: 'in_step', cursor, gap: null };
  // What is missing here is no longer kept there, and the batch begins with the oldest that is.
  const gone = head.oldest > known + 1 && head.from === head.oldest - 1;
  return gone ? { kind: 'in_step', cursor, gap: { from: known + 1, to: head.from } } : { kind: 'cursor_ahead', known };
}

/**
 * Whether a stretch that was stored before brings events that were not: then the sender has given their ids out
 * a second time, after it was put back from an old copy and has outgrown it unseen. A replay moves no position
 * and may bring what was refused before.
 */
export function givenTwice(fresh: readonly NewEvent[], head: BatchHead, known: number): boolean {
  return head.to > head.from && fresh.some((event) => event.origin !== undefined && event.origin.originId <= known);
}

/** A site brings events of its own tenants only. */
export function admitEvents(
  items: readonly NewEvent[], tenants: ReadonlySet<string>,
): { admitted: NewEvent[]; rejected: RejectedItem[] } {
  const admitted: NewEvent[] = [];
  const rejected: RejectedItem[] = [];
  for (const item of items) {
    if (tenants.has(item.tenantCode)) admitted.push(item);
    else rejected.push(tenantNotAllowed(item.origin?.originId ?? 0, item.tenantCode));
  }
  return { admitted, rejected };
}

export const tenantNotAllowed = (originId: number, tenantCode: string): RejectedItem =>
  ({ originId, error: 'tenant_not_allowed', message: `this site may not bring anything of tenant ${tenantCode}; add the tenant to the site at headquarters` });
