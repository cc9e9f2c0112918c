// Events by their keys, as changes of sites name them. SQL, since the keys go as two arrays, whatever their
// number.
import { eventKey } from '../../../common/core/event/port.ts';
import type { KnownEvent } from '../change-plan.ts';
import type { Tx } from '../../store/engine/database.ts';

/** @param how `locked`: in the order of ids, until the transaction ends */
export async function knownEvents(
  tx: Tx,
  keys: readonly { tenant: string; key: string }[],
  how: 'locked' | 'as they are',
): Promise<Map<string, KnownEvent>> {
  if (keys.length === 0) return new Map();
  const { rows } = await tx.client.query<KnownEvent & { tenant: string; key: string }>(
    `select e.id, e.instance, e.tenant_code as tenant, e.idempotency_key as key from events e
     where (e.tenant_code, e.idempotency_key) in (select * from unnest($1::text[], $2::text[]))
     ${how === 'locked' ? 'order by e.id for update of e' : ''}`,
    [keys.map(({ tenant }) => tenant), keys.map(({ key }) => key)],
  );
  return new Map(rows.map((row) => [eventKey(row.tenant, row.key), row]));
}
