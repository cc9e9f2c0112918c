// The advisory lock under which incident groups are decided on.
import type { IncidentLayer } from '../../../../common/core/incident/schema.ts';
import { lockName } from '../../engine/advisory-lock.ts';
import type { Tx } from '../../engine/database.ts';
import { readIncident } from './rows.ts';

/**
 * A writer that waits longer for its turn gives up this try; three of them are a 409 that may be sent again.
 */
const TURN_WITHIN = '1500ms';

/**
 * Waits until no other writer decides on groups of this tenant and layer. What these wrote is seen by the
 * next statement.
 */
export async function lockLayer(tx: Tx, tenantCode: string, layer: IncidentLayer): Promise<void> {
  await tx.client.query(`set local lock_timeout = '${TURN_WITHIN}'`);
  await lockName(tx, `incident ${layer} ${tenantCode}`);
}

/** The same for the tenant and layer of a group, which never change; nothing where there is no such group. */
export async function lockLayerOf(tx: Tx, id: number): Promise<void> {
  const found = await readIncident(tx.db, id);
  if (found) await lockLayer(tx, found.tenantCode, found.layer);
}
