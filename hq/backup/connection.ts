import type pg from 'pg';
import { Servers, WritingClient } from '../store/engine/servers.ts';

/** A connection of its own, without the limits of those of the hub: a copy takes as long as it takes. */
export async function connectOnce(url: string): Promise<pg.Client> {
  const client = new WritingClient(new Servers(url), {
    connectionTimeoutMillis: 10_000,
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
    application_name: 'fieldline-hq backup',
  });
  await client.connect();
  return client;
}
