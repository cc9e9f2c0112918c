// Statements about wants that are written in SQL.
import type { Database, Tx } from '../../store/engine/database.ts';
import type { Want, WantCounts, WantPort } from '../port.ts';

/** Open wants that are numbered anew in the inbox of their site; see `WantPort.again`. */
const AGAIN = `with silent as (update evidence_wants set updated_at = $3
    where settled_at is null and instance = any($1::text[]) and updated_at < $2
    returning tenant_code, id, instance),
  renumbered as (update inbox i set no = null from silent s
    where i.kind = 'want' and i.tenant_code = s.tenant_code and i.id = s.id)
  select site_news(instance) from (select distinct instance from silent) told`;

export async function askAgain(
  database: Database,
  instances: readonly string[],
  silentSince: number,
  now: number,
): Promise<void> {
  await database.read((_db, pool) => pool.query(AGAIN, [instances, silentSince, now]));
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
