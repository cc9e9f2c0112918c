// When sites last called. SQL, since those of all sites go as arrays in one statement.
import type { Tx } from '../../store/engine/database.ts';
import type { Contact } from '../contact/port.ts';

/** Locked in the order of names: another process may write contacts of the same sites. */
const WRITE = `
  with said as (select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
      as s (instance, version, features, at)),
    held as materialized (select instance from sites where instance = any($1::text[]) order by instance
      for no key update)
  update sites t set version = said.version,
    features = array(select jsonb_array_elements_text(said.features::jsonb)),
    last_seen_at = greatest(coalesce(t.last_seen_at, 0), said.at)
  from said join held on held.instance = said.instance where t.instance = said.instance`;

/** Nobody waits for the disk: what a crash takes of it, the sites say again within seconds. */
export async function writeContacts(tx: Tx, contacts: readonly Contact[]): Promise<void> {
  await tx.client.query('set local synchronous_commit = off');
  await tx.client.query(WRITE, [
    contacts.map(({ instance }) => instance),
    contacts.map(({ version }) => version),
    contacts.map(({ features }) => JSON.stringify(features)),
    contacts.map(({ at }) => at),
  ]);
}
