// Deliveries as people see and ask for them. How they are sent is in delivery-queue.ts. SQL, since a recovery
// adds thousands in one statement, as arrays.
import type { By, DeliveryPort, SendOutcome, DeliveryFilter } from '../port.ts';
import type { DeliveryRecord, WebhookRecord } from '../record.ts';
import { announceDeliveries, insertEvent } from './business-event.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { appendAudit } from '../../store/port/audit.ts';
import { lockWebhook } from './webhook.ts';
import type { WebhookTest } from '../business-event.ts';

const COLUMNS = `tenant_code as "tenantCode", id, webhook_id as "webhookId", event_id as "eventId", event,
  status, attempts, response_code as "responseCode", response_body as "responseBody",
  last_error as "lastError", next_at as "nextAt", created_at as "createdAt",
  last_attempt_at as "lastAttemptAt", settled_at as "settledAt"`;

export class HubDeliveries implements DeliveryPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  ofWebhook(
    { tenantCode, id }: Pick<WebhookRecord, 'tenantCode' | 'id'>,
    { status, event }: DeliveryFilter,
    limit: number,
  ): Promise<DeliveryRecord[]> {
    return this.#database.read(
      async (_db, pool) =>
        (
          await pool.query<DeliveryRecord>(
            `select ${COLUMNS} from webhook_deliveries where tenant_code = $1 and webhook_id = $2
                and ($3::text is null or status = $3) and ($4::text is null or event = $4)
       order by created_at desc, id desc limit $5`,
            [tenantCode, id, status ?? null, event ?? null, limit],
          )
        ).rows,
    );
  }

  get(id: string): Promise<DeliveryRecord | null> {
    return this.#database.read(
      async (_db, pool) =>
        (await pool.query<DeliveryRecord>(`select ${COLUMNS} from webhook_deliveries where id = $1`, [id]))
          .rows[0] ?? null,
    );
  }

  body({ tenantCode, eventId }: Pick<DeliveryRecord, 'tenantCode' | 'eventId'>): Promise<string | null> {
    return this.#database.read(
      async (_db, pool) =>
        (
          await pool.query<{ body: string }>(
            'select body from business_events where tenant_code = $1 and id = $2',
            [tenantCode, eventId],
          )
        ).rows[0]?.body ?? null,
    );
  }

  test(webhookId: string, event: WebhookTest, by: By): Promise<SendOutcome> {
    return this.#database.transaction((tx) =>
      queue(
        tx,
        webhookId,
        async (tenantCode) => {
          const eventId = by.newId();
          await insertEvent(tx, { tenantCode, eventId, event, at: by.now });
          return { eventId, event: event.event };
        },
        { by, action: 'webhook.tested' },
      ),
    );
  }

  resend(id: string, by: By): Promise<SendOutcome> {
    return this.#database.transaction(async (tx) => {
      const {
        rows: [known],
      } = await tx.client.query<DeliveryRecord>(`select ${COLUMNS} from webhook_deliveries where id = $1`, [
        id,
      ]);
      if (!known) return { kind: 'missing' };
      return queue(
        tx,
        known.webhookId,
        async () => {
          await tx.client.query(
            `update webhook_deliveries set status = 'failed', settled_at = $3, last_error =
                'It was sent again by hand.' || case when last_error is null then ''
                  else ' Before: ' || last_error end
           where tenant_code = $1 and id = $2 and status = 'pending'`,
            [known.tenantCode, id, by.now],
          );
          return known;
        },
        { by, action: 'delivery.resent' },
      );
    });
  }

  recover(
    webhookId: string,
    since: number,
    limit: number,
    by: By,
  ): Promise<{ kind: 'queued'; count: number; more: boolean } | { kind: 'missing' } | { kind: 'disabled' }> {
    return this.#database.transaction((tx) => recover(tx, { webhookId, since, limit, by }));
  }

  forget(coreEventIds: readonly number[]): Promise<number> {
    return this.#database.read(
      async (_db, pool) =>
        (await pool.query('delete from business_events where core_event_id = any($1)', [coreEventIds]))
          .rowCount ?? 0,
    );
  }
}

/** Adds one delivery to an enabled webhook. */
async function queue(
  tx: Tx,
  webhookId: string,
  event: (tenantCode: string) => Promise<Pick<DeliveryRecord, 'eventId' | 'event'>>,
  { by, action }: { by: By; action: string },
): Promise<SendOutcome> {
  const webhook = await lockWebhook(tx, webhookId);
  if (!webhook) return { kind: 'missing' };
  if (webhook.status === 'disabled') return { kind: 'disabled' };
  const { tenantCode } = webhook;
  const sent = await event(tenantCode);
  const {
    rows: [delivery],
  } = await tx.client.query<DeliveryRecord>(
    `insert into webhook_deliveries (tenant_code, id, webhook_id, event_id, event, status, attempts, next_at,
      created_at)
     values ($1, $2, $3, $4, $5, 'pending', 0, $6, $6) returning ${COLUMNS}`,
    [tenantCode, by.newId(), webhookId, sent.eventId, sent.event, by.now],
  );
  if (!delivery) throw new Error('a delivery was inserted and is not there');
  await note(tx, {
    by,
    action,
    tenantCode,
    subject: `webhook:${webhookId}`,
    after: { deliveryId: delivery.id, eventId: sent.eventId, event: sent.event },
  });
  await announceDeliveries(tx);
  return { kind: 'queued', delivery };
}

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

async function recover(
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
  const taken = rows.slice(0, limit);
  await tx.client.query(
    `insert into webhook_deliveries (tenant_code, id, webhook_id, event_id, event, status, attempts, next_at,
      created_at)
     select $1, d.id, $2, d.event_id, d.event, 'pending', 0, $6, $6
       from unnest($3::text[], $4::text[], $5::text[]) as d (id, event_id, event)`,
    [
      tenantCode,
      webhookId,
      taken.map(() => by.newId()),
      taken.map(({ id }) => id),
      taken.map(({ event }) => event),
      by.now,
    ],
  );
  await note(tx, {
    by,
    action: 'webhook.recovered',
    tenantCode,
    subject: `webhook:${webhookId}`,
    after: { since, count: taken.length },
  });
  await announceDeliveries(tx);
  return { kind: 'queued', count: taken.length, more: rows.length > limit };
}

async function note(
  tx: Tx,
  {
    by,
    action,
    tenantCode,
    subject,
    after,
  }: { by: By; action: string; tenantCode: string; subject: string; after: object },
): Promise<void> {
  await appendAudit(tx, {
    id: by.newId(),
    at: by.now,
    actor: by.actor,
    action,
    subject,
    tenantCode,
    before: null,
    after,
  });
}
