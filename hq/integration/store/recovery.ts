// SQL, since a recovery adds thousands of deliveries in one statement, as arrays.
import type { Tx } from '../../store/engine/database.ts';
import type { By, DeliveryPort } from '../port.ts';
import { announceDeliveries } from './business-event.ts';
import { noteDelivery } from './delivery-note.ts';
import { lockWebhook } from './webhook.ts';

/**
 * An event counts as missed when no delivery of it to this webhook succeeded or waits, also when there never
 * was one.
 */
const MISSED = `select e.id, e.event from business_events e
  where e.tenant_code = $1 and e.at >= $2 and e.event <> 'webhook.test' and ($3 = 'all' or e.event = $3)
    and not exists (
    select 1 from webhook_deliveries d where d.tenant_code = e.tenant_code and d.event_id = e.id
      and d.webhook_id = $4 and d.status in ('pending', 'success'))
  order by e.at, e.id limit $5`;

/** Adds deliveries of what an enabled webhook missed. */
export async function recover(
  tx: Tx,
  { webhookId, since, limit, by }: { webhookId: string; since: number; limit: number; by: By },
): ReturnType<DeliveryPort['recover']> {
  const webhook = await lockWebhook(tx, webhookId);
  if (!webhook) return { kind: 'missing' };
  if (webhook.status === 'disabled') return { kind: 'disabled' };
  const { tenantCode, events } = webhook;
  const { rows } = await tx.client.query<{ id: string; event: string }>(MISSED, [
    tenantCode,
    since,
    events,
    webhookId,
    limit + 1,
  ]);
  const page = rows.slice(0, limit);
  await tx.client.query(
    `insert into webhook_deliveries (tenant_code, id, webhook_id, event_id, event, status, attempts, next_at,
      created_at)
     select $1, d.id, $2, d.event_id, d.event, 'pending', 0, $6, $6
       from unnest($3::text[], $4::text[], $5::text[]) as d (id, event_id, event)`,
    [
      tenantCode,
      webhookId,
      page.map(() => by.newId()),
      page.map(({ id }) => id),
      page.map(({ event }) => event),
      by.now,
    ],
  );
  await noteDelivery(tx, {
    by,
    action: 'webhook.recovered',
    tenantCode,
    subject: `webhook:${webhookId}`,
    after: { since, count: page.length },
  });
  await announceDeliveries(tx);
  return { kind: 'queued', count: page.length, more: rows.length > limit };
}
