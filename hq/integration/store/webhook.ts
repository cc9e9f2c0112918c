import type { By, WebhookPort } from '../port.ts';
import type { WebhookRecord } from '../record.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { audit } from '../../store/schema/tables.ts';

const COLUMNS = `tenant_code as "tenantCode", id, name, url, events, status, secret_ref as "secretRef", previous_ref as "previousRef",
  previous_until as "previousUntil", failures, created_at as "createdAt", updated_at as "updatedAt"`;
const LIVE = 'removed_at is null';

export function createWebhooks(database: Database): WebhookPort {
  const changed = (
    id: string,
    action: string,
    by: By,
    write: (tx: Tx, before: WebhookRecord) => Promise<WebhookRecord | null>,
  ) =>
    database.transaction(async (tx) => {
      const before = await lockWebhook(tx, id);
      if (!before) return null;
      const after = await write(tx, before);
      await note(tx, action, before, after, by);
      return after ?? before;
    });
  return {
    create: (webhook, by) =>
      database.transaction(async (tx) => {
        const { tenantCode, id, name, url, events, status, secretRef, createdAt } = webhook;
        await tx.client.query(
          'insert into webhooks (tenant_code, id, name, url, events, status, secret_ref, failures, ' +
            'created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, 0, $8, $8)',
          [tenantCode, id, name, url, events, status, secretRef, createdAt],
        );
        await note(tx, 'webhook.created', null, webhook, by);
      }),
    get: (id) =>
      database.read(
        async (_db, pool) =>
          (await pool.query<WebhookRecord>(`select ${COLUMNS} from webhooks where id = $1 and ${LIVE}`, [id]))
            .rows[0] ?? null,
      ),
    list: (tenantCode, after, limit) =>
      database.read(
        async (_db, pool) =>
          (
            await pool.query<WebhookRecord>(
              `select ${COLUMNS} from webhooks where ${LIVE} and ($1::text is null or tenant_code = $1)
                and ($2::bigint is null or (created_at, id) < ($2, $3))
       order by created_at desc, id desc limit $4`,
              [tenantCode, after?.at ?? null, after?.id ?? null, limit],
            )
          ).rows,
      ),
    change: (id, change, by) =>
      changed(id, 'webhook.changed', by, async (tx, before) => {
        const { name, url, events, status } = { ...before, ...change };
        if (status === 'disabled' && before.status === 'enabled')
          await failPending(tx, before, 'The webhook was disabled while this delivery waited.', by.now);
        // Another address, or a fresh start, is not held back by what the last one did.
        const fresh = url !== before.url || status !== before.status;
        return update(
          tx,
          before,
          'name = $3, url = $4, events = $5, status = $6, updated_at = $7, failures = $8',
          [name, url, events, status, by.now, fresh ? 0 : before.failures],
        );
      }),
    rotate: (id, secretRef, previousUntil, by) =>
      changed(id, 'webhook.rotated', by, (tx, before) =>
        previousUntil > by.now
          ? update(
              tx,
              before,
              'previous_ref = secret_ref, previous_until = $4, secret_ref = $3, updated_at = $5',
              [secretRef, previousUntil, by.now],
            )
          : update(
              tx,
              before,
              'previous_ref = null, previous_until = null, secret_ref = $3, updated_at = $4',
              [secretRef, by.now],
            ),
      ),
    remove: async (id, by) =>
      null !==
      (await changed(id, 'webhook.removed', by, async (tx, before) => {
        await failPending(tx, before, 'The webhook was deleted while this delivery waited.', by.now);
        await update(
          tx,
          before,
          `removed_at = $3, updated_at = $3, status = 'disabled', secret_ref = '', previous_ref = null`,
          [by.now],
        );
        return null;
      })),
  };
}

/** Locks a live webhook. Who holds it knows of every delivery to it, and none is added meanwhile. */
export async function lockWebhook(tx: Tx, id: string): Promise<WebhookRecord | null> {
  const {
    rows: [webhook],
  } = await tx.client.query<WebhookRecord>(
    `select ${COLUMNS} from webhooks where id = $1 and ${LIVE} for update`,
    [id],
  );
  return webhook ?? null;
}

/** The claim stays, so that the answer to an attempt under way can still be noted. */
async function failPending(
  tx: Tx,
  { tenantCode, id }: WebhookRecord,
  reason: string,
  now: number,
): Promise<void> {
  await tx.client.query(
    `update webhook_deliveries set status = 'failed', settled_at = $3,
       last_error = $4::text || case when last_error is null then '' else ' Before: ' || last_error end
     where tenant_code = $1 and webhook_id = $2 and status = 'pending'`,
    [tenantCode, id, now, reason],
  );
}

async function update(
  tx: Tx,
  { tenantCode, id }: WebhookRecord,
  set: string,
  values: unknown[],
): Promise<WebhookRecord | null> {
  const {
    rows: [after],
  } = await tx.client.query<WebhookRecord>(
    `update webhooks set ${set} where tenant_code = $1 and id = $2 returning ${COLUMNS}`,
    [tenantCode, id, ...values],
  );
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
  const known = after ?? before;
  await tx.db.insert(audit).values({
    id: by.newId(),
    at: by.now,
    actor: by.actor,
    action,
    subject: `webhook:${known?.id}`,
    tenantCode: known?.tenantCode ?? null,
    before: traced(before),
    after: traced(after),
  });
}
