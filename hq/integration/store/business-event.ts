// Business events are rows of the transaction that causes them, and so are the deliveries that they ask for.
import type { Tx } from '../../store/engine/database.ts';
import { bodyText, type BusinessEvent, type EventType, type WebhookTest } from '../business-event.ts';

/** Channel on which the senders of all hub processes hear that there is something to deliver. */
export const DELIVERY_CHANNEL = 'fieldline_deliveries';

export interface Emitted {
  tenantCode: string;
  event: BusinessEvent;
  /** Epoch ms. */
  at: number;
  newId: () => string;
}

/**
 * Writes the event with the bytes that every receiver will get, and a delivery for each enabled webhook of
 * the tenant that subscribes to its type (spec 1, "States"). The senders hear of it when the caller's
 * transaction commits.
 * @returns how many deliveries there will be
 */
export async function emitBusinessEvent(tx: Tx, { tenantCode, event, at, newId }: Emitted): Promise<number> {
  const eventId = newId();
  await insertEvent(tx, { tenantCode, eventId, event, at });
  // The key share lets emitters pass each other, and makes whoever disables a webhook wait, and see this
  // delivery.
  const { rows } = await tx.client.query<{ id: string }>(
    `select id from webhooks where tenant_code = $1 and status = 'enabled' and removed_at is null and ` +
      `events in ('all', $2) order by id for key share`,
    [tenantCode, event.event],
  );
  if (rows.length === 0) return 0;
  await tx.client.query(
    `insert into webhook_deliveries (tenant_code, id, webhook_id, event_id, event, status, attempts, next_at,
      created_at)
     select $1, d.id, d.webhook_id, $4, $5, 'pending', 0, $6, $6
       from unnest($2::text[], $3::text[]) as d (id, webhook_id)`,
    [tenantCode, rows.map(() => newId()), rows.map(({ id }) => id), eventId, event.event, at],
  );
  await announceDeliveries(tx);
  return rows.length;
}

export async function insertEvent(
  tx: Tx,
  {
    tenantCode,
    eventId,
    event,
    at,
    as = event.event,
  }: {
    tenantCode: string;
    eventId: string;
    event: BusinessEvent | WebhookTest;
    at: number;
    /** What it is kept as. */
    as?: EventType;
  },
): Promise<void> {
  const coreEvent = event.event === 'hazard.major' ? event.event_id : null;
  await tx.client.query(
    'insert into business_events (tenant_code, id, event, body, core_event_id, at) values ($1, $2, $3, ' +
      '$4, $5, $6)',
    [tenantCode, eventId, as, bodyText(event), coreEvent, at],
  );
}

/** A hint only: the senders look by themselves too. */
export async function announceDeliveries(tx: Tx): Promise<void> {
  await tx.client.query(`select pg_notify('${DELIVERY_CHANNEL}', '')`);
}
