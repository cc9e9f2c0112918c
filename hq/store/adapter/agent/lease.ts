// The lease by which one process at a time is the agent. In SQL, so that one statement compares and takes.
import { type AgentLease, LeaseLost } from '../../../../common/agent/act/port.ts';
import type { Database, Tx } from '../../engine/database.ts';

/** Name of the agent's row among the states. */
export const AGENT = 'agent';

/**
 * Takes the lease where nobody holds it, the holder does, or it has run out; one that ends later than any
 * holder could have asked for was taken by a wrong clock, and counts as run out.
 * @param now epoch ms
 */
export function claimLease(
  database: Database,
  holder: string,
  now: number,
  leaseMs: number,
): Promise<{ steadyAt: number } | null> {
  return database.read(async (_db, pool) => {
    const {
      rows: [row],
    } = await pool.query<{ steadyAt: number }>(
      `insert into agent_states as s (name, lease, leased_until, steady_at) values ($1, $2, $3, 0)
       on conflict (name) do update set lease = $2, leased_until = $3
       where s.lease is null or s.lease = $2 or s.leased_until <= $4 or s.leased_until > $5
       returning steady_at as "steadyAt"`,
      [AGENT, holder, now + leaseMs, now, now + 2 * leaseMs],
    );
    return row ?? null;
  });
}

/** Locks the row of the lease, so that a process that lost it writes nothing. @throws LeaseLost */
export async function hold(tx: Tx, { holder, steadyAt }: AgentLease): Promise<void> {
  const { rowCount } = await tx.client.query(
    'update agent_states set steady_at = greatest(steady_at, $3) where name = $1 and lease = $2',
    [AGENT, holder, steadyAt],
  );
  if (rowCount === 0) throw new LeaseLost('another process has become the agent');
}
