// What sites tell of the messages to their cameras.
import { sql } from 'drizzle-orm';
import type { FeedbackItem } from '../../../common/uplink/change/feedback.ts';
import type { RejectedItem } from '../../../common/uplink/wire.ts';
import { faultOf, type Named, nameKey } from '../../receiver/store/change/event-names.ts';
import type { Tx } from '../engine/database.ts';
import { siteFeedback } from '../schema/tables.ts';

/** Each item is refused alone. The site's word on a message replaces what it said before. */
export async function takeMessages(
  tx: Tx,
  items: readonly FeedbackItem[],
  events: ReadonlyMap<string, Named>,
): Promise<{ accepted: number; rejected: RejectedItem[] }> {
  const rejected: RejectedItem[] = [];
  for (const item of items) {
    const fault = faultOf(item, events);
    const event = events.get(nameKey(item.tenant_code, item.event));
    if (fault) rejected.push({ originId: item.change_no, ...fault });
    else if (event !== undefined && 'id' in event && !event.forgotten) await store(tx, item, event.id);
  }
  return { accepted: items.length - rejected.length, rejected };
}

async function store(tx: Tx, item: FeedbackItem, eventId: number): Promise<void> {
  if (item.messages.length === 0) return;
  const rows = item.messages.map((message) => ({
    id: message.id,
    eventId,
    tenantCode: item.tenant_code,
    kind: message.kind,
    state: message.state,
    lastError: message.error,
    createdAt: message.created_at,
    deliveredAt: message.delivered_at,
  }));
  await tx.db
    .insert(siteFeedback)
    .values(rows)
    .onConflictDoUpdate({
      target: [siteFeedback.tenantCode, siteFeedback.id],
      set: {
        state: sql`excluded.state`,
        lastError: sql`excluded.last_error`,
        deliveredAt: sql`excluded.delivered_at`,
      },
      // Ids are the site's own; one that names the message of another event changes nothing.
      setWhere: sql`${siteFeedback.eventId} = excluded.event_id`,
    });
}
