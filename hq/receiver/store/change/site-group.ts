// An incident group of a site as headquarters keeps it. The site's word is first.
import { and, eq } from 'drizzle-orm';
import { withOnly } from '../../../../common/core/incident/aggregate.ts';
import type { IncidentMember, IncidentRecord } from '../../../../common/core/incident/record.ts';
import type { GroupItem } from '../../../../common/uplink/change/group.ts';
import { nextIncidentId, readIncident } from '../../../store/adapter/incident/rows.ts';
import { advanceCounter } from '../../../store/engine/counters.ts';
import { incidents } from '../../../store/schema/tables.ts';
import { noteWork, type StoreContext } from './context.ts';
import { groupOf, mergeTargetOf, relinkToGroup } from './group/links.ts';
import { layAdded, layWhole, rowsOf } from './group/members.ts';
import { dropParts, keepPart, partsOf, takeParts } from './group/parts.ts';

/**
 * Replaces the stored group with that of the site, or lays on it what was added; its id here stays. Of a
 * group in parts this waits for the last one. The layer must be locked.
 */
export async function takeGroup(taking: StoreContext, item: GroupItem): Promise<void> {
  const { tx, known, stamp } = taking;
  const { since, more } = item.group;
  const id = known?.id ?? (await nextIncidentId(tx));
  if (!known) await advanceCounter(tx, 'incident', { value: id, at: stamp.now });
  const named = rowsOf(taking, item, id);
  const key = { tenantCode: item.tenant_code, id };
  if (since === null) await dropParts(taking, key);
  if (more) {
    await keepPart(taking, named);
    const { mergedInto = null, splitFrom = null } = known ?? {};
    await noteWork(taking, item, { id, mergedInto, splitFrom, parts: partsOf(taking, since) });
    return;
  }
  const earlier = since === null ? [] : await takeParts(taking, key);
  const rows = [...new Map([...earlier, ...named].map((row) => [row.eventId, row])).values()];
  const held = known && (await readIncident(tx.db, known.id));
  // Retention at headquarters has deleted every event of it.
  if (!held && rows.length === 0 && item.group.member_count > 0) return;
  const left =
    partsOf(taking, since) === 'whole'
      ? await layWhole(taking, item, { id, held, rows })
      : await layAdded(taking, item, { id, rows });
  const group = await recordOf(taking, item, { id, held, left });
  if (held) await tx.db.update(incidents).set(group).where(byGroup(group));
  else await tx.db.insert(incidents).values(group);
  const { merged_into: mergedInto, split_from: splitFrom } = item.group;
  await noteWork(taking, item, { id, mergedInto, splitFrom, parts: null });
  await relinkToGroup(taking, item, group);
}

const byGroup = ({ tenantCode, id }: Pick<IncidentRecord, 'tenantCode' | 'id'>) =>
  and(eq(incidents.tenantCode, tenantCode), eq(incidents.id, id));

/**
 * The record of the group. Its facts are the site's, but are computed from `left`, the members stored here,
 * where these differ from the site's.
 */
async function recordOf(
  taking: StoreContext,
  item: GroupItem,
  { id, held, left }: { id: number; held: IncidentRecord | null; left: readonly IncidentMember[] | null },
): Promise<IncidentRecord> {
  const { group } = item;
  const { source, known, stamp } = taking;
  const updatedAt = Math.max(stamp.now, held?.updatedAt ?? 0);
  const said: IncidentRecord = {
    id,
    tenantCode: item.tenant_code,
    instance: known?.instance ?? source.instance,
    originId: item.id,
    sourceKey: group.source_key,
    layer: group.layer,
    siteRef: group.site_ref,
    pointRef: group.point_ref,
    title: group.title,
    state: group.state,
    stateBefore: group.state_before,
    mergedInto: await mergeTargetOf(taking, item),
    splitFrom: await groupOf(taking, item, group.split_from),
    firstAt: group.first_at,
    lastAt: group.last_at,
    eventTypes: group.event_types,
    sources: group.sources,
    severity: group.severity,
    memberCount: group.member_count,
    testMemberCount: group.test_member_count,
    isTest: group.is_test,
    firstEventId: firstOf(taking, item) ?? held?.firstEventId ?? null,
    firstEventAt: group.first_event_at,
    firstLocked: group.first_locked,
    confirmedBy: group.confirmed_by,
    confirmedAt: group.confirmed_at,
    closedAt: group.closed_at,
    clearedCount: group.cleared_count,
    revision: group.revision,
    createdAt: item.created_at,
    updatedAt,
  };
  return left === null ? said : withOnly(said, left, updatedAt);
}

/**
 * The first event of a group. One that was cleared at the site is named by its id alone, and looked up here.
 */
function firstOf({ eventOf, knownEvent }: StoreContext, { group }: GroupItem): number | null {
  const { first_event: first, members: named } = group;
  if (first === null) return null;
  const member = named.find(({ event }) => event.id === first.id);
  if (member) return eventOf(member.event).id;
  return first.key === null ? null : (knownEvent(first)?.id ?? null);
}
