// The queue of deliveries: taking what is due, recording what came of it, and clearing away what is old.
import { Coalescer } from '../../store/engine/coalescer.ts';
import type { Database } from '../../store/engine/database.ts';
import { FAILING_FROM, IN_FLIGHT, MAX_ATTEMPTS } from '../decide.ts';
import { toldJson } from '../delivery-messages.ts';
import type { DeliveryQueuePort } from '../port.ts';
import type { ClaimedDelivery, DeliveryRecord, SettleDelivery } from '../record.ts';
import { settle } from './settling.ts';

const MAX_SETTLED = 100;

/**
 * For each enabled webhook with due deliveries: its free share, and the ctids of its oldest due rows. A
 * webhook whose receiver hangs fills only its own share. Rows whose attempts ran out because their sender
 * died are left to `exhaust`.
 */
const PICK = `
  with due as (
    select w.tenant_code, w.id,
      (case when w.failures >= ${FAILING_FROM} then ${IN_FLIGHT.failing} else ${IN_FLIGHT.one} end) -
      (select count(*) from webhook_deliveries f where f.tenant_code = w.tenant_code and f.webhook_id = w.id
        and f.status = 'pending' and f.claimed_until > $1) as share
    from webhooks w where w.status = 'enabled' and w.removed_at is null and exists (
      select 1 from webhook_deliveries d where d.tenant_code = w.tenant_code and d.webhook_id = w.id
        and d.status = 'pending' and d.next_at <= $1))
  select d.row_ctid from due cross join lateral (
    select q.ctid::text as row_ctid from webhook_deliveries q
    where q.tenant_code = due.tenant_code and q.webhook_id = due.id and q.status = 'pending'
      and q.next_at <= $1 and q.attempts < ${MAX_ATTEMPTS}
      and (q.claimed_until is null or q.claimed_until <= $1)
    order by q.next_at limit greatest(due.share, 0) for update skip locked) d
  limit $2`;

/** By ctid, which cannot change while the same transaction holds the row lock. */
const TAKE = `
  update webhook_deliveries d set attempts = d.attempts + 1, claim = $2, claimed_until = $3, last_attempt_at =
    $4,
    last_error = case when d.claim is null then d.last_error
      else 'The process that sent it ended before it knew the answer.' end,
    last_error_told = case when d.claim is null then d.last_error_told
      else '${toldJson('delivery_sender_lost')}' end
  where d.ctid = any($1::tid[])
  returning d.tenant_code as "tenantCode", d.id, d.webhook_id as "webhookId", d.claim, d.attempts,
    d.created_at as "createdAt", d.event_id as "eventId", d.event`;

/**
 * Row by row through the primary keys: joined, a planner that knows nothing of the tables yet begins with
 * everything of the tenant.
 */
const WHAT = `
  select w.name as "webhookName", e.body, w.url, w.secret_ref as "secretRef", w.previous_ref as "previousRef",
    w.previous_until as "previousUntil", w.failures
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as n (tenant_code, webhook_id, event_id, no)
    cross join lateral (select * from webhooks where tenant_code = n.tenant_code and id = n.webhook_id
      limit 1) w
    cross join lateral (select body from business_events where tenant_code = n.tenant_code and id = n.event_id
      limit 1) e
  order by n.no`;

/** A delivery lasts two hours or so: what was made a day before cannot have been taken after. */
const SETTLED_SINCE = `
  select f.id from unnest($1::text[], $2::bigint[]) as f (id, at)
  where not exists (select 1 from webhooks w where w.id = f.id and w.removed_at is null
    and w.status = 'enabled')
    or exists (select 1 from webhooks w join webhook_deliveries d on d.tenant_code = w.tenant_code
      and d.webhook_id = w.id
      where w.id = f.id and d.status = 'success' and d.settled_at > f.at and d.created_at > f.at - 86400000)`;

type ClaimedRow = Pick<
  ClaimedDelivery,
  'tenantCode' | 'id' | 'webhookId' | 'claim' | 'attempts' | 'createdAt' | 'eventId' | 'event'
>;

export class HubDeliveryQueue implements DeliveryQueuePort {
  #database: Database;
  #settling: Coalescer<SettleDelivery, boolean>;

  constructor(database: Database) {
    this.#database = database;
    this.#settling = new Coalescer<SettleDelivery, boolean>(
      (results) => database.transaction((tx) => settle(tx, results)),
      MAX_SETTLED,
    );
  }

  claim(
    now: number,
    claim: string,
    leaseMs: number,
    capacity: number,
  ): Promise<{ claimed: ClaimedDelivery[]; more: boolean }> {
    return this.#database.transaction(async ({ client }) => {
      const { rows: picked } = await client.query<{ row_ctid: string }>(PICK, [now, capacity]);
      if (picked.length === 0) return { claimed: [], more: false };
      const { rows: claimedRows } = await client.query<ClaimedRow>(TAKE, [
        picked.map(({ row_ctid: ctid }) => ctid),
        claim,
        now + leaseMs,
        now,
      ]);
      const { rows: what } = await client.query<Omit<ClaimedDelivery, keyof ClaimedRow>>(WHAT, [
        claimedRows.map((one) => one.tenantCode),
        claimedRows.map((one) => one.webhookId),
        claimedRows.map((one) => one.eventId),
      ]);
      if (what.length !== claimedRows.length) throw new Error('a delivery has no webhook or no event');
      const claimed = claimedRows.map((one, index): ClaimedDelivery => ({
        ...one,
        ...(what[index] as Omit<ClaimedDelivery, keyof ClaimedRow>),
      }));
      return { claimed, more: picked.length >= capacity };
    });
  }

  settle(result: SettleDelivery): Promise<boolean> {
    return this.#settling.add(result);
  }

  overdue(before: number): Promise<{ count: number; oldest: number | null }> {
    return this.#database.read(
      async (_db, pool) =>
        (
          await pool.query<{ count: number; oldest: number | null }>(
            `select count(*) as count, min(d.next_at) as oldest from webhook_deliveries d
       where d.status = 'pending' and d.next_at < $1 and (d.claimed_until is null or d.claimed_until < $1)`,
            [before],
          )
        ).rows[0] ?? { count: 0, oldest: null },
    );
  }

  counts(): Promise<{ pending: number }> {
    return this.#database.read(
      async (_db, pool) =>
        (
          await pool.query<{ pending: number }>(
            `select count(*) as pending from webhook_deliveries where status = 'pending'`,
          )
        ).rows[0] ?? { pending: 0 },
    );
  }

  settledSince(failed: readonly { webhookId: string; at: number }[]): Promise<string[]> {
    return this.#database.read(async (_db, pool) =>
      (
        await pool.query<{ id: string }>(SETTLED_SINCE, [
          failed.map(({ webhookId }) => webhookId),
          failed.map(({ at }) => at),
        ])
      ).rows.map(({ id }) => id),
    );
  }

  exhaust(now: number, limit: number): Promise<Pick<DeliveryRecord, 'tenantCode' | 'webhookId' | 'id'>[]> {
    return this.#database.read(
      async (_db, pool) =>
        (
          await pool.query<{ tenantCode: string; webhookId: string; id: string }>(
            `update webhook_deliveries set status = 'failed', settled_at = $1, claim = null, claimed_until =
                null, last_error =
                  'The process that sent it for the last time ended before it knew the answer.',
                last_error_told = '${toldJson('delivery_last_sender_lost')}'
       where (tenant_code, id) in (select tenant_code, id from webhook_deliveries
         where status = 'pending' and attempts >= ${MAX_ATTEMPTS} and next_at <= $1 and claimed_until <= $1
           limit $2 for update skip locked)
       returning tenant_code as "tenantCode", webhook_id as "webhookId", id`,
            [now, limit],
          )
        ).rows,
    );
  }

  sweep(before: number, limit: number): Promise<number> {
    return this.#database.read(async (_db, pool) => {
      const { rowCount: deliveries } = await pool.query(
        'delete from webhook_deliveries where ctid = any(array(select ctid from webhook_deliveries ' +
          'where settled_at < $1 order by settled_at limit $2))',
        [before, limit],
      );
      const { rowCount: events } = await pool.query(
        `delete from business_events where ctid = any(array(select ctid from business_events e
            where e.at < $1 and not exists (
           select 1 from webhook_deliveries d where d.tenant_code = e.tenant_code and d.event_id = e.id)
             order by e.at limit $2))`,
        [before, limit],
      );
      return (deliveries ?? 0) + (events ?? 0);
    });
  }
}
