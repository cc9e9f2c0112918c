// Which row here stands for a task or group of a site.
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { SubjectItem } from '../../../../common/uplink/change/item.ts';
import type { Tx } from '../../../store/engine/database.ts';
import { incidents, tasks } from '../../../store/schema/tables.ts';
import { siteOrders, siteWork } from '../schema.ts';
import type { KnownWork, WorkSource } from './context.ts';

/** No change of it has been received under its name. */
const UNNUMBERED = { epoch: '', changeNo: 0 };

/** The row at headquarters that stands for the item. */
export async function knownWork(tx: Tx, source: WorkSource, item: SubjectItem): Promise<KnownWork | null> {
  const named = await namedWork(tx, source, item);
  if (item.kind === 'task') return named ?? (await orderedTask(tx, source, item));
  const keyed = await keyedGroup(tx, source, item);
  return keyed && keyed.id !== named?.id ? keyed : named;
}

/** By its name at the site; of several, from names that the site had before, the newest. */
async function namedWork(tx: Tx, { owned }: WorkSource, item: SubjectItem): Promise<KnownWork | null> {
  const [found = null] = await tx.db
    .select()
    .from(siteWork)
    .where(
      and(
        eq(siteWork.tenantCode, item.tenant_code),
        inArray(siteWork.instance, [...owned]),
        eq(siteWork.kind, item.kind),
        eq(siteWork.originId, item.id),
        eq(siteWork.originCreatedAt, item.created_at),
      ),
    )
    .orderBy(desc(siteWork.id))
    .limit(1);
  return found;
}

/**
 * The group of the same source key, as the site itself knows a group: a store that was put back or salvaged
 * makes it anew under another id, and it is that group all the same.
 */
async function keyedGroup(
  tx: Tx,
  { instance: own, owned }: WorkSource,
  item: Extract<SubjectItem, { kind: 'group' }>,
): Promise<KnownWork | null> {
  const { source_key: key } = item.group;
  if (key === null) return null;
  const { tenantCode, sourceKey, instance, id } = incidents;
  const [found] = await tx.db
    .select({ id, instance, work: siteWork })
    .from(incidents)
    .leftJoin(
      siteWork,
      and(eq(siteWork.tenantCode, tenantCode), eq(siteWork.kind, 'group'), eq(siteWork.id, id)),
    )
    .where(and(eq(tenantCode, item.tenant_code), eq(sourceKey, key), inArray(instance, [...owned])))
    .orderBy(desc(sql`${instance} = ${own}`), desc(id))
    .limit(1);
  if (!found) return null;
  return {
    tenantCode: item.tenant_code,
    instance: found.instance ?? own,
    kind: 'group',
    originId: item.id,
    originCreatedAt: item.created_at,
    ...UNNUMBERED,
    id: found.id,
    mergedInto: null,
    splitFrom: null,
    parts: found.work?.parts ?? null,
  };
}

/** The task that stands here for one that the site was ordered to make, and has made. */
async function orderedTask(
  tx: Tx,
  { owned }: WorkSource,
  item: Extract<SubjectItem, { kind: 'task' }>,
): Promise<KnownWork | null> {
  if (item.order_id === null) return null;
  const [order] = await tx.db
    .select({ id: siteOrders.taskId, instance: siteOrders.instance })
    .from(siteOrders)
    .innerJoin(tasks, and(eq(tasks.tenantCode, siteOrders.tenantCode), eq(tasks.id, siteOrders.taskId)))
    .where(
      and(
        eq(siteOrders.tenantCode, item.tenant_code),
        eq(siteOrders.id, item.order_id),
        eq(siteOrders.kind, 'create'),
        inArray(siteOrders.instance, [...owned]),
        isNull(tasks.originId),
      ),
    );
  if (!order) return null;
  return {
    ...order,
    tenantCode: item.tenant_code,
    kind: 'task',
    originId: item.id,
    originCreatedAt: item.created_at,
    ...UNNUMBERED,
    mergedInto: null,
    splitFrom: null,
    parts: null,
  };
}
