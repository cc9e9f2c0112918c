// A task that is completed as a hazard, on a grave event, is a major hazard of the business (spec 1, "Event
// types").
import type { Stamp } from '../../../common/clock.ts';
import { readDoc } from '../../../common/core/event/record.ts';
import { severityRank } from '../../../common/core/event/schema.ts';
import type { TaskMove } from '../../store/adapter/task/move.ts';
import type { Tx } from '../../store/engine/database.ts';
import { type BusinessId, businessId, formatBeijing } from '../business-event.ts';
import { emitBusinessEvent } from './business-event.ts';

/**
 * Tells subscribers in the transaction that completes the task. Its id is the task's, its level the
 * severity's rank from 1, its project the one whose code is the event's site.
 */
export async function emitHazardOfTask(
  tx: Tx,
  { before, after, event }: TaskMove,
  stamp: Stamp,
): Promise<void> {
  if (
    !event ||
    event.isTest ||
    before.state === 'completed' ||
    after.state !== 'completed' ||
    after.resultCode !== 'to_hazard'
  )
    return;
  if (severityRank(event.severity) < severityRank('high')) return;
  const { siteRef = null } = readDoc(event);
  await emitBusinessEvent(tx, {
    tenantCode: after.tenantCode,
    at: stamp.now,
    newId: () => stamp.newId(),
    event: {
      event: 'hazard.major',
      project_id: await projectOfSite(tx, after.tenantCode, siteRef),
      hazard_id: after.id,
      title: after.title,
      level: severityRank(event.severity) + 1,
      site_ref: siteRef,
      event_id: event.id,
      occurred_at: event.occurredAt === null ? null : formatBeijing(event.occurredAt),
    },
  });
}

/** 0 when no project of the tenant has the site's reference as its code. */
async function projectOfSite(tx: Tx, tenantCode: string, siteRef: string | null): Promise<BusinessId> {
  if (siteRef === null) return 0;
  const {
    rows: [project],
  } = await tx.client.query<{ id: string }>(
    'select project_id::text as id from projects where tenant_code = $1 and code = $2 order by project_id ' +
      'desc limit 1',
    [tenantCode, siteRef],
  );
  return project ? businessId(project.id) : 0;
}
