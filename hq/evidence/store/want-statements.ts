// What of the wants is asked or written in SQL of its own.
import type { Database, Tx } from '../../store/engine/database.ts';
import type { Want, WantCounts, WantPort } from '../port.ts';

/** Those of the site $1 and of the names that it continues. */
const UNTOLD = `with names as (select $1::text as name union all select unnest(continues) from sites
  where instance = $1),
  open as not materialized (select * from evidence_wants where settled_at is null
    and instance in (select name from names)),
  room as (select greatest(0, $4::int - count(*)) as free from open
    where asked_by is null and kind = 'keep' and told_epoch = $2 and state in ('taken', 'arriving')),
  wanted as (select tenant_code, id, asked_by is null as offered, asked_at,
    row_number() over (partition by asked_by is null order by asked_at, id) as n
    from open where told_epoch is distinct from $2 or updated_at < $3)
  select tenant_code, id from wanted, room where not offered or n <= room.free
  order by offered, asked_at, id limit $5`;

export interface UntoldOf {
  site: string;
  /** Of the site's store. */
  epoch: string;
  silentSince: number;
  /** Offered files under way at a time. */
  atOnce: number;
  limit: number;
}

/** Ids of wants that the site is to be told of, in order; see `WantPort.untold`. */
export async function untoldIds(
  database: Database,
  { site, epoch, silentSince, atOnce, limit }: UntoldOf,
): Promise<string[]> {
  const { rows } = await database.read((_db, pool) =>
    pool.query<{ id: string }>(UNTOLD, [site, epoch, silentSince, atOnce, limit]),
  );
  return rows.map(({ id }) => id);
}

export async function countReceived(tx: Tx, { instance, size }: Want, now: number): Promise<void> {
  await tx.client.query(
    `update evidence_sites set received_files = received_files + 1, received_bytes = received_bytes + $2,
      last_received_at = $3 where instance = $1`,
    [instance, size, now],
  );
}

export async function writeTold(
  database: Database,
  id: string,
  { state, reason, at }: Parameters<WantPort['told']>[1],
  { epoch, now }: Parameters<WantPort['told']>[2],
): Promise<void> {
  const settled = state === 'gone' || state === 'failed';
  // Bytes that are here already say more than that the site has begun.
  await database.read((_db, pool) =>
    pool.query(
      `update evidence_wants set state = case when $2 = 'taken' and held > 0 then 'arriving' else $2 end,
        reason = $3, told_epoch = $4, updated_at = $5, settled_at = $6
       where id = $1 and settled_at is null`,
      [id, state, reason, epoch, now, settled ? (at ?? now) : null],
    ),
  );
}

/** By the instance that they were made for. */
export async function countWants(database: Database): Promise<Map<string, WantCounts>> {
  const { rows } = await database.read((_db, pool) =>
    pool.query<WantCounts & { instance: string }>(
      `select instance, count(*) filter (where kind = 'keep' and settled_at is null) as files,
         coalesce(sum(size - held) filter (where kind = 'keep' and settled_at is null), 0)::bigint as bytes,
         min(asked_at) filter (where kind = 'keep' and settled_at is null) as "oldestAt",
         (array_agg(reason order by updated_at desc)
           filter (where state in ('failed', 'waiting') and reason is not null))[1] as "lastReason",
         count(*) filter (where kind = 'put' and settled_at is null) as orders,
         count(*) filter (where state = 'gone') as gone,
         count(*) filter (where state = 'failed') as failed
       from evidence_wants group by instance`,
    ),
  );
  return new Map(rows.map(({ instance, ...counts }) => [instance, counts]));
}
