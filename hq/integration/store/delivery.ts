// Deliveries as people see and ask for them, in SQL as in delivery-queue.ts, which says how they are sent.
import type { Database, Tx } from '../../store/engine/database.ts';
import type { BusinessEvent, WebhookTest } from '../business-event.ts';
import { toldJson } from '../delivery-messages.ts';
import type { By, DeliveryFilter, DeliveryPort, ListPosition, SendOutcome } from '../port.ts';
import type { AttemptRecord, DeliveryCounts, DeliveryRecord, WebhookRecord } from '../record.ts';
import { announceDeliveries, insertEvent } from './business-event.ts';
import { noteDelivery } from './delivery-note.ts';
import { recover } from './recovery.ts';
import { lockWebhook } from './webhook.ts';

const COLUMNS = `tenant_code as "tenantCode", id, webhook_id as "webhookId", event_id as "eventId", event,
  status, attempts, response_code as "responseCode", response_body as "responseBody",
  last_error as "lastError", last_error_told as "lastErrorTold",
  next_at as "nextAt", created_at as "createdAt",
  last_attempt_at as "lastAttemptAt", settled_at as "settledAt"`;

const COUNTS = `
  select w.id, count(*) filter (where d.status = 'pending') as pending,
    count(*) filter (where d.status = 'success') as success,
    count(*) filter (where d.status = 'failed') as failed
  from unnest($1::text[], $2::text[]) as w (tenant_code, id)
  join webhook_deliveries d on d.tenant_code = w.tenant_code and d.webhook_id = w.id and d.created_at >= $3
  group by w.id`;

export class HubDeliveries implements DeliveryPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  ofWebhook(
    { tenantCode, id }: Pick<WebhookRecord, 'tenantCode' | 'id'>,
    { status, event, responseCode, since, until }: DeliveryFilter,
    { after, limit }: { after: ListPosition | null; limit: number },
  ): Promise<DeliveryRecord[]> {
    return this.#database.read(
      async (_db, pool) =>
        (
          await pool.query<DeliveryRecord>(
            `select ${COLUMNS} from webhook_deliveries where tenant_code = $1 and webhook_id = $2
                and ($3::text is null or status = $3) and ($4::text is null or event = $4)
                and ($5::int is null or response_code = $5) and ($6::bigint is null or created_at >= $6)
                and ($7::bigint is null or created_at < $7)
                and ($8::bigint is null or (created_at, id) < ($8, $9))
       order by created_at desc, id desc limit $10`,
            [
              ...[tenantCode, id, status ?? null, event ?? null, responseCode ?? null],
              ...[since ?? null, until ?? null, after?.at ?? null, after?.id ?? null, limit],
            ],
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

  attempts({ tenantCode, id }: Pick<DeliveryRecord, 'tenantCode' | 'id'>): Promise<AttemptRecord[]> {
    return this.#database.read(
      async (_db, pool) =>
        (
          await pool.query<AttemptRecord>(
            `select attempt, at, response_code as "responseCode", response_body as "responseBody", error,
         error_told as "errorTold"
       from webhook_attempts where tenant_code = $1 and delivery_id = $2 order by attempt`,
            [tenantCode, id],
          )
        ).rows,
    );
  }

  countsSince(
    webhooks: readonly Pick<WebhookRecord, 'tenantCode' | 'id'>[],
    since: number,
  ): Promise<Map<string, DeliveryCounts>> {
    return this.#database.read(async (_db, pool) => {
      const { rows } = await pool.query<DeliveryCounts & { id: string }>(COUNTS, [
        webhooks.map(({ tenantCode }) => tenantCode),
        webhooks.map(({ id }) => id),
        since,
      ]);
      return new Map(rows.map(({ id, ...counts }) => [id, counts]));
    });
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

  test(webhookId: string, event: WebhookTest | BusinessEvent, by: By): Promise<SendOutcome> {
    return this.#database.transaction((tx) =>
      queue(
        tx,
        webhookId,
        async (tenantCode) => {
          const eventId = by.newId();
          // As a test, so that no other webhook is told of it as missed.
          await insertEvent(tx, { tenantCode, eventId, event, at: by.now, as: 'webhook.test' });
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
                  else ' Before: ' || last_error end,
                last_error_told = case when last_error is null then '${toldJson('delivery_resent')}'
                  else '${toldJson('delivery_resent', 'delivery_before')}' || last_error_told end
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
  await noteDelivery(tx, {
    by,
    action,
    tenantCode,
    subject: `webhook:${webhookId}`,
    after: { deliveryId: delivery.id, eventId: sent.eventId, event: sent.event },
  });
  await announceDeliveries(tx);
  return { kind: 'queued', delivery };
}
