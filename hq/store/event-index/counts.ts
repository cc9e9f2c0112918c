// Counts of indexed events by hour and by day.
import { type Count, type Counted, countsOf } from '../../../common/core/event/index/plan.ts';
import { DAY_MS, HOUR_MS, UNDATED } from '../../../common/core/event/index/window.ts';
import type { Tx } from '../engine/database.ts';

/** Adds to the hours and the days that the facts lie in; one without a time is in the day `UNDATED` alone. */
export async function addCounts(tx: Tx, counted: readonly (Counted & { tenant: string })[]): Promise<void> {
  if (counted.length === 0) return;
  const inDays = counted.map((fact) => ({ ...fact, at: fact.at ?? UNDATED }));
  const [hours, days] = [countsOf(counted, HOUR_MS), countsOf(inDays, DAY_MS)];
  type OfTenant = Counted & { tenant: string };
  const tenants = (counts: readonly Count<OfTenant>[]): string[] => counts.map(({ of }) => of.tenant);
  await tx.client.query(
    `insert into event_hours as c (tenant_code, start_at, group_id, count)
     select * from unnest($1::text[], $2::bigint[], $3::integer[], $4::bigint[])
     on conflict (tenant_code, start_at, group_id) do update set count = c.count + excluded.count`,
    [tenants(hours), ...columnsOf(hours, ['start', 'group', 'by'])],
  );
  await tx.client.query(
    `insert into event_days as c (tenant_code, start_at, group_id, count, first_id, last_id)
     select * from unnest($1::text[], $2::bigint[], $3::integer[], $4::bigint[], $5::bigint[], $6::bigint[])
     on conflict (tenant_code, start_at, group_id) do update
       set count = c.count + excluded.count, first_id = least(c.first_id, excluded.first_id),
         last_id = greatest(c.last_id, excluded.last_id)`,
    [tenants(days), ...columnsOf(days, ['start', 'group', 'by', 'first', 'last'])],
  );
  for (const [table, counts] of [
    ['event_hours', hours],
    ['event_days', days],
  ] as const) {
    const less = counts.filter(({ by }) => by < 0);
    if (less.length > 0)
      await tx.client.query(
        `delete from ${table} c using unnest($1::text[], $2::bigint[], $3::integer[]) as k (tenant, start, id)
       where c.tenant_code = k.tenant and c.start_at = k.start and c.group_id = k.id and c.count = 0`,
        [tenants(less), ...columnsOf(less, ['start', 'group'])],
      );
  }
}

/** The arrays that `unnest` makes rows of. */
export const columnsOf = <R>(rows: readonly R[], names: readonly (keyof R)[]): unknown[][] =>
  names.map((name) => rows.map((row) => row[name]));
