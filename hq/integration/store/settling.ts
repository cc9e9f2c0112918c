// How what came of attempts is written.
import type { Tx } from '../../store/engine/database.ts';
import { toldJson } from '../delivery-messages.ts';
import type { SettleDelivery } from '../record.ts';

/**
 * A delivery that was ended meanwhile keeps its state and reason, and says what came of the attempt. What was
 * not sent is no attempt, and leaves none.
 */
const SETTLE = `
  with settled as (
  update webhook_deliveries d set claim = null, claimed_until = null, response_code = s.code, response_body =
    s.body, attempts = d.attempts - s.unsent::int,
    status = case when d.status = 'pending' then s.status else d.status end,
    last_error = case when d.status = 'pending' then s.error when s.unsent then d.last_error
      else concat(d.last_error, ' The attempt that was under way then ', case when s.error is null
        then 'was taken by the receiver.' else 'failed: ' || s.error end) end,
    last_error_told = case
      when d.status = 'pending' then case when s.told is not null then jsonb_build_array(s.told) end
      when s.unsent then d.last_error_told
      when s.error is null then d.last_error_told || '${toldJson('delivery_then_taken')}'
      else d.last_error_told || '${toldJson('delivery_then_failed')}' || jsonb_build_array(s.told) end,
    next_at = case when d.status = 'pending' then s.next_at else d.next_at end,
    settled_at = case when d.status = 'pending' and s.status <> 'pending' then s.at else d.settled_at end
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[], $8::bigint[],
    $9::bigint[], $10::boolean[], $11::jsonb[])
    as s (tenant_code, id, claim, status, code, body, error, next_at, at, unsent, told)
  where d.tenant_code = s.tenant_code and d.id = s.id and d.claim = s.claim
  returning d.tenant_code, d.id, d.attempts, s.at, s.code, s.body, s.error, s.unsent, s.told,
    d.status = s.status as recorded
  ), attempted as (
  insert into webhook_attempts (tenant_code, delivery_id, attempt, at, response_code, response_body, error,
    error_told)
  select tenant_code, id, attempts, at, code, body, error,
    case when told is not null then jsonb_build_array(told) end from settled where not unsent
  )
  select id, recorded from settled`;

const FAILURES = `
  update webhooks w set failures = case when h.ok then 0 else w.failures + 1 end
  from unnest($1::text[], $2::text[], $3::boolean[]) as h (tenant_code, id, ok)
  where w.tenant_code = h.tenant_code and w.id = h.id and not (h.ok and w.failures = 0)`;

/** @returns whether each was recorded, in the order of `results` */
export async function settle(tx: Tx, results: readonly SettleDelivery[]): Promise<boolean[]> {
  // In a fixed order, so that two processes cannot deadlock.
  const rows = [...results].sort((a, b) => (a.id < b.id ? -1 : 1));
  const column = <T>(read: (one: SettleDelivery) => T): T[] => rows.map(read);
  const { rows: written } = await tx.client.query<{ id: string; recorded: boolean }>({
    text: SETTLE,
    values: [
      column((one) => one.tenantCode),
      column((one) => one.id),
      column((one) => one.claim),
      column((one) => one.status),
      column((one) => one.responseCode),
      column((one) => one.responseBody),
      column((one) => one.lastError),
      column((one) => one.nextAt),
      column((one) => one.at),
      column((one) => one.unsent),
      column((one) => one.told && JSON.stringify(one.told)),
    ],
  });
  const recorded = new Map(written.map((row) => [row.id, row.recorded]));
  await countFailures(
    tx,
    rows.filter(({ id, unsent }) => recorded.has(id) && !unsent),
  );
  return results.map(({ id }) => recorded.get(id) ?? false);
}

/** One verdict a webhook and transaction: one success among its answers makes it healthy. */
async function countFailures(tx: Tx, results: readonly SettleDelivery[]): Promise<void> {
  const health = new Map<string, { tenantCode: string; webhookId: string; ok: boolean }>();
  for (const { tenantCode, webhookId, status } of results) {
    health.set(webhookId, {
      tenantCode,
      webhookId,
      ok: status === 'success' || (health.get(webhookId)?.ok ?? false),
    });
  }
  const rows = [...health.values()].sort((a, b) => (a.webhookId < b.webhookId ? -1 : 1));
  await tx.client.query({
    text: FAILURES,
    values: [rows.map((one) => one.tenantCode), rows.map((one) => one.webhookId), rows.map(({ ok }) => ok)],
  });
}
