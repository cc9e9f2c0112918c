// Events by their keys, as changes of sites name them. SQL, since the keys go as two arrays, whatever their
// number.
import { eventKey } from '../../../common/core/event/port.ts';
import { keyArrays, NAMED_KEYS } from '../../store/adapter/event-key.ts';
import type { Tx } from '../../store/engine/database.ts';
import type { KnownEvent } from '../judgement-plan.ts';

/** @param how `locked`: in the order of ids, until the transaction ends */
export async function knownEvents(
  tx: Tx,
  keys: readonly { tenant: string; key: string }[],
  how: 'locked' | 'as they are',
): Promise<Map<string, KnownEvent>> {
  if (keys.length === 0) return new Map();
  const { rows } = await tx.client.query<KnownEvent & { tenant: string; key: string }>(
    `select e.id, e.instance, e.tenant_code as tenant, e.idempotency_key as key from ${NAMED_KEYS}
     join events e on e.tenant_code = k.tenant_code and e.id = k.event_id
     ${how === 'locked' ? 'order by e.id for update of e' : ''}`,
    keyArrays(keys),
  );
  return new Map(rows.map((row) => [eventKey(row.tenant, row.key), row]));
}
