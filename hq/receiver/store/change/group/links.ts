// Which group of a site was merged into which, and split off from which, as they come up in any order.
import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import type { IncidentRecord } from '../../../../../common/core/incident/record.ts';
import type { GroupItem } from '../../../../../common/uplink/change/group.ts';
import { pathsOf } from '../../../../store/adapter/incident/rows.ts';
import { incidents } from '../../../../store/schema/tables.ts';
import { siteWork } from '../../schema.ts';
import type { StoreContext } from '../context.ts';

/**
 * The group here that the item was merged into; null where that group has not been received yet, or where the
 * stored links from it lead back to this one.
 */
export async function mergeTargetOf(taking: StoreContext, item: GroupItem): Promise<number | null> {
  const target = await groupOf(taking, item, item.group.merged_into);
  if (target === null) return null;
  const path = await pathsOf(taking.tx, [target]);
  return taking.known && path.has(taking.known.id) ? null : target;
}

/** A group of the site that is kept here, by its id there; of several the newest. */
export async function groupOf(
  { tx, source }: StoreContext,
  item: GroupItem,
  originId: number | null,
): Promise<number | null> {
  if (originId === null) return null;
  const [found] = await tx.db
    .select({ id: incidents.id })
    .from(siteWork)
    .innerJoin(incidents, and(eq(incidents.tenantCode, siteWork.tenantCode), eq(incidents.id, siteWork.id)))
    .where(
      and(
        eq(siteWork.tenantCode, item.tenant_code),
        inArray(siteWork.instance, [...source.owned]),
        eq(siteWork.kind, 'group'),
        eq(siteWork.originId, originId),
      ),
    )
    .orderBy(desc(siteWork.originCreatedAt))
    .limit(1);
  return found?.id ?? null;
}

/** Groups that came up before the one that they point to point to it now. */
export async function relinkToGroup(
  taking: StoreContext,
  item: GroupItem,
  group: IncidentRecord,
): Promise<void> {
  const { tx, source } = taking;
  const waiting = and(
    eq(siteWork.tenantCode, item.tenant_code),
    inArray(siteWork.instance, [...source.owned]),
    eq(siteWork.kind, 'group'),
  );
  const path = await pathsOf(tx, [group.id]);
  const merged = await tx.db
    .select({ id: siteWork.id })
    .from(siteWork)
    .where(and(waiting, eq(siteWork.mergedInto, item.id)));
  const pointing = merged.map(({ id }) => id).filter((id) => !path.has(id));
  if (pointing.length > 0)
    await tx.db
      .update(incidents)
      .set({ mergedInto: group.id })
      .where(
        and(
          eq(incidents.tenantCode, item.tenant_code),
          inArray(incidents.id, pointing),
          eq(incidents.state, 'closed'),
          isNull(incidents.mergedInto),
        ),
      );
  const split = await tx.db
    .select({ id: siteWork.id })
    .from(siteWork)
    .where(and(waiting, eq(siteWork.splitFrom, item.id)));
  if (split.length > 0)
    await tx.db
      .update(incidents)
      .set({ splitFrom: group.id })
      .where(
        and(
          eq(incidents.tenantCode, item.tenant_code),
          inArray(
            incidents.id,
            split.map(({ id }) => id),
          ),
          isNull(incidents.splitFrom),
        ),
      );
}
