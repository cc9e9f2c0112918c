// Statements about wants that are written in SQL.
import type { Database, Tx } from '../../store/engine/database.ts';
import type { Want, WantCounts, WantPort } from '../port.ts';

/**
 * Wants of the site $1 and of the names that it continues which the site does not know of, or has been silent
 * about; see `WantPort.untold`.
 */
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

/** In one statement: each of its own would be a write to the disk. */
export async function writeTold(
  database: Database,
  said: Parameters<WantPort['told']>[0],
  { epoch, now }: Parameters<WantPort['told']>[1],
): Promise<void> {
  if (said.length === 0) return;
  const settledAt = ({ state, at }: (typeof said)[number]): number | null =>
    state === 'gone' || state === 'failed' ? (at ?? now) : null;
  // Bytes that are here already say more than that the site has begun.
  await database.read((_db, pool) =>
    pool.query(
      `update evidence_wants w set updated_at = $6, told_epoch = $5, reason = s.reason,
        state = case when s.state = 'taken' and w.held > 0 then 'arriving' else s.state end,
        settled_at = s.settled_at
       from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) as s (id, state, reason, settled_at)
       where w.id = any($1) and w.id = s.id and w.settled_at is null`,
      [
        said.map(({ id }) => id),
        said.map(({ state }) => state),
        said.map(({ reason }) => reason),
        said.map(settledAt),
        epoch,
        now,
      ],
    ),
  );
}

/** By the instance that they were made for. */
export async function countWants(client: Pick<Tx['client'], 'query'>): Promise<Map<string, WantCounts>> {
  const { rows } = await client.query<WantCounts & { instance: string }>(
    `select instance, count(*) filter (where kind = 'keep' and settled_at is null) as files,
         coalesce(sum(size - held) filter (where kind = 'keep' and settled_at is null), 0)::bigint as bytes,
         min(asked_at) filter (where kind = 'keep' and settled_at is null) as "oldestAt",
         (array_agg(reason order by updated_at desc)
           filter (where state in ('failed', 'waiting') and reason is not null))[1] as "lastReason",
         count(*) filter (where kind = 'put' and settled_at is null) as orders,
         count(*) filter (where state = 'gone') as gone,
         count(*) filter (where state = 'failed') as failed
       from evidence_wants group by instance`,
  );
  return new Map(rows.map(({ instance, ...counts }) => [instance, counts]));
}

/** Reads that agree with each other. */
export const atOneMoment = <T>(database: Database, read: (tx: Tx) => Promise<T>): Promise<T> =>
  database.transaction(async (tx) => {
    await tx.client.query('set transaction isolation level repeatable read, read only');
    return read(tx);
  });
