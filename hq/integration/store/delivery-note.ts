import { appendAudit } from '../../store/adapter/audit.ts';
import type { Tx } from '../../store/engine/database.ts';
import type { By } from '../port.ts';

/** Writes into the audit what somebody had delivered. */
export async function noteDelivery(
  tx: Tx,
  {
    by,
    action,
    tenantCode,
    subject,
    after,
  }: { by: By; action: string; tenantCode: string; subject: string; after: object },
): Promise<void> {
  await appendAudit(tx, {
    id: by.newId(),
    at: by.now,
    actor: by.actor,
    action,
    subject,
    tenantCode,
    before: null,
    after,
  });
}
