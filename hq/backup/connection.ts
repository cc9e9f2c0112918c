import type pg from 'pg';
import { ServerClient, Servers } from '../store/engine/servers.ts';

const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/** A connection of its own, without the limits of those of the hub: a copy takes as long as it takes. */
export async function connectOnce(url: string): Promise<pg.Client> {
  const client = new ServerClient(new Servers(url), {
    connectionTimeoutMillis: 10_000,
    application_name: 'fieldline-hq backup',
  });
  try {
    await client.connect();
    // Also those that the server sets for the role or the database.
    for (const limit of LIMITS) await client.query(`set ${limit} = 0`);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}
