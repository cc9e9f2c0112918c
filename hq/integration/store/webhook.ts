import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { disabledFields } from '../decide.ts';
import { deliveryMessages, toldJson } from '../delivery-messages.ts';
import type { By, ListPosition, WebhookChange, WebhookPort } from '../port.ts';
import type { WebhookRecord } from '../record.ts';
import { webhookDeliveries, webhooks } from './schema.ts';

const fields = {
  tenantCode: webhooks.tenantCode,
  id: webhooks.id,
  name: webhooks.name,
  url: webhooks.url,
  events: webhooks.events,
  status: webhooks.status,
  secretRef: webhooks.secretRef,
  previousRef: webhooks.previousRef,
  previousUntil: webhooks.previousUntil,
  failures: webhooks.failures,
  createdAt: webhooks.createdAt,
  updatedAt: webhooks.updatedAt,
  disabledAt: webhooks.disabledAt,
  disabledBy: webhooks.disabledBy,
  disabledReason: webhooks.disabledReason,
};
const live = isNull(webhooks.removedAt);

export class HubWebhooks implements WebhookPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  create(webhook: WebhookRecord, by: By): Promise<void> {
    return this.#database.transaction(async (tx) => {
      await tx.db.insert(webhooks).values(webhook);
      await note(tx, 'webhook.created', null, webhook, by);
    });
  }

  get(id: string): Promise<WebhookRecord | null> {
    return this.#find(and(eq(webhooks.id, id), live));
  }

  getEver(id: string): Promise<WebhookRecord | null> {
    return this.#find(eq(webhooks.id, id));
  }

  #find(which: SQL | undefined): Promise<WebhookRecord | null> {
    return this.#database.read(
      async (db) => (await db.select(fields).from(webhooks).where(which))[0] ?? null,
    );
  }

  list(tenantCode: string | null, after: ListPosition | null, limit: number): Promise<WebhookRecord[]> {
    return this.#database.read((db) =>
      db
        .select(fields)
        .from(webhooks)
        .where(
          and(
            live,
            tenantCode === null ? undefined : eq(webhooks.tenantCode, tenantCode),
            after === null
              ? undefined
              : sql`(${webhooks.createdAt}, ${webhooks.id}) < (${after.at}, ${after.id})`,
          ),
        )
        .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
        .limit(limit),
    );
  }

  change(id: string, change: WebhookChange, by: By): Promise<WebhookRecord | null> {
    return this.#changed(id, 'webhook.changed', by, async (tx, before) => {
      const { disabledReason: reason, disabledBy, ...wanted } = change;
      const { name, url, events, status } = { ...before, ...wanted };
      if (status === 'disabled' && before.status === 'enabled')
        await failPending(tx, before, 'delivery_webhook_disabled', by.now);
      // Another address, or a fresh start, is not held back by what the last one did.
      const fresh = url !== before.url || status !== before.status;
      const failures = fresh ? 0 : before.failures;
      const given = { at: by.now, by: disabledBy ?? by.actor, reason };
      const disabled = status === before.status ? {} : disabledFields(status, given);
      return update(tx, before, { name, url, events, status, updatedAt: by.now, failures, ...disabled });
    });
  }

  rotate(id: string, secretRef: string, previousUntil: number, by: By): Promise<WebhookRecord | null> {
    return this.#changed(id, 'webhook.rotated', by, (tx, before) =>
      update(tx, before, {
        ...(previousUntil > by.now
          ? { previousRef: sql`${webhooks.secretRef}`, previousUntil }
          : { previousRef: null, previousUntil: null }),
        secretRef,
        updatedAt: by.now,
      }),
    );
  }

  async remove(id: string, by: By): Promise<boolean> {
    return (
      null !==
      (await this.#changed(id, 'webhook.removed', by, async (tx, before) => {
        await failPending(tx, before, 'delivery_webhook_deleted', by.now);
        await update(tx, before, {
          removedAt: by.now,
          updatedAt: by.now,
          status: 'disabled',
          secretRef: '',
          previousRef: null,
        });
        return null;
      }))
    );
  }

  #changed(
    id: string,
    action: string,
    by: By,
    write: (tx: Tx, before: WebhookRecord) => Promise<WebhookRecord | null>,
  ): Promise<WebhookRecord | null> {
    return this.#database.transaction(async (tx) => {
      const before = await lockWebhook(tx, id);
      if (!before) return null;
      const after = await write(tx, before);
      await note(tx, action, before, after, by);
      return after ?? before;
    });
  }
}

/** Locks a live webhook. Who holds it knows of every delivery to it, and none is added meanwhile. */
export async function lockWebhook(tx: Tx, id: string): Promise<WebhookRecord | null> {
  const [webhook] = await tx.db
    .select(fields)
    .from(webhooks)
    .where(and(eq(webhooks.id, id), live))
    .for('update');
  return webhook ?? null;
}

/** The claim stays, so that the answer to an attempt under way can still be noted. */
async function failPending(
  tx: Tx,
  { tenantCode, id }: WebhookRecord,
  code: 'delivery_webhook_disabled' | 'delivery_webhook_deleted',
  now: number,
): Promise<void> {
  const { lastError, lastErrorTold, status, webhookId } = webhookDeliveries;
  const reason = deliveryMessages[code].en;
  await tx.db
    .update(webhookDeliveries)
    .set({
      status: 'failed',
      settledAt: now,
      lastError: sql`${reason}::text ||
        case when ${lastError} is null then '' else ' Before: ' || ${lastError} end`,
      lastErrorTold: sql`case when ${lastError} is null then ${toldJson(code)}::jsonb
        else ${toldJson(code, 'delivery_before')}::jsonb || ${lastErrorTold} end`,
    })
    .where(and(eq(webhookDeliveries.tenantCode, tenantCode), eq(webhookId, id), eq(status, 'pending')));
}

async function update(
  tx: Tx,
  { tenantCode, id }: WebhookRecord,
  set: PgUpdateSetSource<typeof webhooks>,
): Promise<WebhookRecord | null> {
  const [after] = await tx.db
    .update(webhooks)
    .set(set)
    .where(and(eq(webhooks.tenantCode, tenantCode), eq(webhooks.id, id)))
    .returning(fields);
  return after ?? null;
}

/** References to secrets hold the secrets themselves, sealed, and are left out. */
function traced(webhook: WebhookRecord | null): unknown {
  if (!webhook) return null;
  const { secretRef: _live, previousRef: _previous, failures: _failures, ...rest } = webhook;
  return rest;
}

async function note(
  tx: Tx,
  action: string,
  before: WebhookRecord | null,
  after: WebhookRecord | null,
  by: By,
): Promise<void> {
  const webhook = after ?? before;
  await appendAudit(tx, {
    id: by.newId(),
    at: by.now,
    actor: by.actor,
    action,
    subject: `webhook:${webhook?.id}`,
    tenantCode: webhook?.tenantCode ?? null,
    before: traced(before),
    after: traced(after),
  });
}
