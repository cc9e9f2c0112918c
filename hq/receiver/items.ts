// From the items of a request to what the store takes: each is checked alone and refused alone.
import type { NewEvent } from '../../common/core/event/record.ts';
import { badRequest } from '../../common/http/error.ts';
import { type Fault } from '../../common/http/fault/fault.ts';
import { timeSlice } from '../../common/time-slice.ts';
import { type ChangeItem, parseChangeItem } from '../../common/uplink/change/item.ts';
import { readUnreadAnswer } from '../../common/uplink/change/order.ts';
import { parseEventItem } from '../../common/uplink/event-item.ts';
import type { RejectedItem, UplinkRequest } from '../../common/uplink/wire.ts';
import type { BatchHead, ReceivedChange } from './port.ts';
import { faultAt } from './receiver-fault-messages.ts';

export interface Items<T> {
  items: T[];
  rejected: RejectedItem[];
}

/** @throws AppError 400 when a position makes no sense */
export function headOf(request: UplinkRequest): BatchHead {
  const { instance, epoch, version, cursor, head, oldest } = request;
  const faults: Fault[] = [];
  if (cursor.to < cursor.from) faults.push(faultAt('cursor.to', 'cursor_order', { member: 'cursor.from' }));
  if (cursor.held !== undefined && cursor.held > cursor.from)
    faults.push(faultAt('cursor.from', 'cursor_order', { member: 'cursor.held' }));
  if (head < cursor.to) faults.push(faultAt('head', 'cursor_order', { member: 'cursor.to' }));
  if (faults.length > 0) throw badRequest(faults);
  const { from, to, held = null, at = null } = cursor;
  return { instance, epoch, version, from, to, held, head, oldest, at };
}

/** Items that are checked in one go. */
const AT_ONCE = 25;

/**
 * In the thread of the event loop: to hand 1,000 events over from a worker takes 1.5 ms of it, to read them
 * here 3.6 (measured, parsing and checks together), and a backlog is slowed by Postgres more than by either.
 * @throws AppError 400 when an item does not even say which it is, so that its sender could not set it aside
 */
export async function eventItems(values: readonly unknown[], instance: string): Promise<Items<NewEvent>> {
  const found: Items<NewEvent> = { items: [], rejected: [] };
  for (const [index, value] of values.entries()) {
    if (index % AT_ONCE === 0) await timeSlice();
    const parsed = parseEventItem(value);
    if (!parsed.ok) found.rejected.push(refused(value, 'origin_id', index, parsed.fault));
    else {
      const { event } = parsed;
      found.items.push({
        ...event,
        origin: { instance, originId: event.origin.originId, receivedAt: event.origin.receivedAt },
      });
    }
  }
  return found;
}

/**
 * On the wire the instance of an event merged into is left out where it arose at the sender; here it is null
 * where it arose at headquarters. A refused answer to an order is taken as one that cannot be read, too.
 * @throws as `eventItems`
 */
export async function changeItems(
  values: readonly unknown[],
  names: { sender: string; self: string },
): Promise<Items<ReceivedChange>> {
  const found: Items<ReceivedChange> = { items: [], rejected: [] };
  for (const [index, value] of values.entries()) {
    if (index % AT_ONCE === 0) await timeSlice();
    const parsed = parseChangeItem(value);
    if (parsed.ok) {
      found.items.push(withMergedInto(parsed.item, names));
      continue;
    }
    found.rejected.push(refused(value, 'change_no', index, parsed.fault));
    const unread = readUnreadAnswer(value, parsed);
    if (unread) found.items.push(unread);
  }
  return found;
}

function withMergedInto(item: ChangeItem, names: { sender: string; self: string }): ChangeItem {
  if ((item.kind === 'verdict' || item.kind === 'correction') && item.body.merged_into_key) {
    const from = item.body.merged_into_instance ?? names.sender;
    item.body.merged_into_instance = from === names.self ? null : from;
  }
  return item;
}

function refused(
  value: unknown,
  member: 'origin_id' | 'change_no',
  index: number,
  fault: Fault,
): RejectedItem {
  const originId =
    typeof value === 'object' && value !== null && member in value
      ? (value as Record<string, unknown>)[member]
      : undefined;
  if (typeof originId !== 'number' || !Number.isSafeInteger(originId) || originId < 0) {
    throw badRequest([faultAt(`items[${index}].${member}`, 'item_position')]);
  }
  return { originId, error: 'validation_failed', message: `${fault.path}: ${fault.message}` };
}
