// An incident group of a site as headquarters keeps it. The site's word is first: what it says of an event
// takes the event out of any other group of the layer.
import { isDeepStrictEqual } from 'node:util';
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { withOnly } from '../../../common/core/incident/aggregate.ts';
import { decideForget } from '../../../common/core/incident/forget.ts';
import type { IncidentMember, IncidentRecord, WholeIncident } from '../../../common/core/incident/record.ts';
import type { GroupItem } from '../../../common/uplink/work-item.ts';
import { advanceCounter } from '../../store/engine/counters.ts';
import {
  applyPlan,
  nextIncidentId,
  pathsOf,
  readIncident,
  incidentsWithMembers,
} from '../../store/port/incident/rows.ts';
import { incidentMembers as members, incidents } from '../../store/schema/tables.ts';
import { noteWork, type Taking } from './taking.ts';
import { groupOf, mergeTargetOf, relinkToGroup } from './site-group-links.ts';

/** Replaces the stored group with that of the site; its id here stays. The layer must be locked. */
export async function takeGroup(taking: Taking, item: GroupItem): Promise<void> {
  const { tx, known, stamp } = taking;
  const held = known && (await readIncident(tx.db, known.id));
  const id = known?.id ?? (await nextIncidentId(tx));
  const rows = rowsOf(taking, item, id);
  const [whole] = held ? await incidentsWithMembers(tx, [id]) : [];
  const extra = keptRows(whole?.rows ?? [], item, rows);
  // Retention at headquarters has deleted every event of it.
  if (!held && rows.length === 0 && item.group.members.length > 0) return;
  await takeMembers(taking, id, rows);
  await layRows(taking, whole?.rows ?? [], [...rows, ...extra]);
  const group = await recordOf(taking, item, { id, held, rows: [...rows, ...extra] });
  if (held) await tx.db.update(incidents).set(group).where(byGroup(group));
  else {
    await tx.db.insert(incidents).values(group);
    if (!known) await advanceCounter(tx, 'incident', { value: id, at: stamp.now });
  }
  const { merged_into: mergedInto, split_from: splitFrom } = item.group;
  await noteWork(taking, item, { id, mergedInto, splitFrom });
  await relinkToGroup(taking, item, group);
}

const byGroup = ({ tenantCode, id }: Pick<IncidentRecord, 'tenantCode' | 'id'>) =>
  and(eq(incidents.tenantCode, tenantCode), eq(incidents.id, id));

/** Those of its members that retention keeps here. */
function rowsOf({ eventOf }: Taking, item: GroupItem, id: number): IncidentMember[] {
  return item.group.members.flatMap((member): IncidentMember[] => {
    const { id: eventId, forgotten } = eventOf(member.event);
    if (forgotten) return [];
    return [
      {
        incidentId: id,
        eventId,
        tenantCode: item.tenant_code,
        layer: item.group.layer,
        at: member.at,
        type: member.type,
        source: member.source,
        severity: member.severity,
        isTest: member.is_test,
        live: member.live,
        addedAt: member.added_at,
      },
    ];
  });
}

/**
 * Rows that stay although the site no longer lists them. A member leaves a group when another one takes it. A
 * member whose event was cleared at the site but is stored here stays. The members of a group that was merged
 * are for the site to say.
 */
function keptRows(
  held: readonly IncidentMember[],
  { group }: GroupItem,
  rows: readonly IncidentMember[],
): IncidentMember[] {
  const given = new Set(rows.map(({ eventId }) => eventId));
  return held.filter(({ eventId, live }) => live && group.state !== 'closed' && !given.has(eventId));
}

/** Takes events that are live in this group out of the others of the layer. */
async function takeMembers(taking: Taking, id: number, rows: readonly IncidentMember[]): Promise<void> {
  const { tx, stamp } = taking;
  const live = rows.filter((row) => row.live);
  const [first] = live;
  if (!first) return;
  const eventIds = live.map(({ eventId }) => eventId);
  const others = await tx.db
    .selectDistinct({ id: members.incidentId })
    .from(members)
    .where(
      and(
        eq(members.tenantCode, first.tenantCode),
        eq(members.layer, first.layer),
        eq(members.live, true),
        sql`${members.eventId} = any(${sql.param(eventIds)}::bigint[])`,
        ne(members.incidentId, id),
      ),
    );
  const wholes = await incidentsWithMembers(
    tx,
    others.map((other) => other.id),
  );
  const taken = new Set(eventIds);
  for (const { incident, rows: all } of wholes.filter((whole) => whole.incident.instance !== null)) {
    const left = all.filter(({ eventId }) => !taken.has(eventId));
    await tx.db
      .delete(members)
      .where(
        and(
          eq(members.tenantCode, incident.tenantCode),
          eq(members.incidentId, incident.id),
          sql`${members.eventId} = any(${sql.param(eventIds)}::bigint[])`,
        ),
      );
    await tx.db
      .update(incidents)
      .set(withOnly(incident, left, stamp.now))
      .where(byGroup(incident));
  }
  const own = wholes.filter((whole) => whole.incident.instance === null);
  if (own.length > 0) await forgetIn(taking, own, eventIds);
}

/** A group of headquarters' own loses members as when they are deleted: it is recomputed, or ends. */
async function forgetIn(
  { tx, stamp }: Taking,
  own: readonly WholeIncident[],
  eventIds: readonly number[],
): Promise<void> {
  const ids = own.map(({ incident }) => incident.id);
  const pointers = await tx.db
    .select({ id: incidents.id, mergedInto: incidents.mergedInto })
    .from(incidents)
    .where(inArray(incidents.mergedInto, ids));
  const seen = {
    incidents: await pathsOf(tx, ids),
    rows: new Map(own.map(({ incident, rows: all }) => [incident.id, all])),
    pointers: pointers.map((pointer) => ({ id: pointer.id, mergedInto: pointer.mergedInto ?? 0 })),
  };
  await applyPlan(tx, decideForget(seen, eventIds, stamp));
}

/** Writes the rows that are new or say something else, and drops those that are no more. */
async function layRows(
  { tx }: Taking,
  held: readonly IncidentMember[],
  rows: readonly IncidentMember[],
): Promise<void> {
  const before = new Map(held.map((row) => [row.eventId, row]));
  const after = new Set(rows.map(({ eventId }) => eventId));
  const changed = rows.filter((row) => !isDeepStrictEqual(before.get(row.eventId), row));
  const gone = [...held.filter(({ eventId }) => !after.has(eventId)), ...changed];
  const [first] = gone;
  if (first)
    await tx.db
      .delete(members)
      .where(
        and(
          eq(members.tenantCode, first.tenantCode),
          eq(members.incidentId, first.incidentId),
          sql`${members.eventId} = any(${sql.param(gone.map(({ eventId }) => eventId))}::bigint[])`,
        ),
      );
  for (let from = 0; from < changed.length; from += CHUNK)
    await tx.db.insert(members).values(changed.slice(from, from + CHUNK));
}

/** Rows of one INSERT. */
const CHUNK = 2_000;

/**
 * The record of the group. Its facts are the site's, but are computed here where the members stored here
 * differ from the site's.
 */
async function recordOf(
  taking: Taking,
  item: GroupItem,
  { id, held, rows }: { id: number; held: IncidentRecord | null; rows: readonly IncidentMember[] },
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
    createdAt: item.created_at,
    updatedAt,
  };
  return rows.length === group.members.length ? said : withOnly(said, rows, updatedAt);
}

/**
 * The first event of a group. One that was cleared at the site is named by its id alone, and looked up here.
 */
function firstOf({ eventOf, knownEvent }: Taking, { group }: GroupItem): number | null {
  const { first_event: first, members: named } = group;
  if (first === null) return null;
  const member = named.find(({ event }) => event.id === first.id);
  if (member) return eventOf(member.event).id;
  return first.key === null ? null : (knownEvent(first)?.id ?? null);
}
