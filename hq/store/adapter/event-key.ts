// Events by their idempotency keys, of which a hash is kept for ever. SQL, since keys go as arrays, whatever
// their number.
import { hash } from 'node:crypto';

/** The first half of the SHA-256 of a key, as a UUID's digits: nobody finds two keys that have the same. */
export const keyHash = (key: string): string => hash('sha256', key, 'hex').slice(0, 32);

/** The arrays that `NAMED_KEYS` takes as $1 and $2. */
export const keyArrays = (keys: readonly { tenant: string; key: string }[]): [string[], string[]] => [
  keys.map(({ tenant }) => tenant),
  keys.map(({ key }) => keyHash(key)),
];

/**
 * Keys `k` of events that were received: `tenant_code`, `key_hash`, `event_id`. Each is looked up by itself:
 * joined as a whole, Postgres reads all keys there are as long as it believes them to be few.
 */
export const NAMED_KEYS = `unnest($1::text[], $2::uuid[]) as n (tenant, hash)
  cross join lateral (select o.tenant_code, o.key_hash, o.event_id from event_keys o
    where o.tenant_code = n.tenant and o.key_hash = n.hash limit 1) k`;
