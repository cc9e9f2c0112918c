// The members of an incident group of a site. What the site says of an event takes the event out of any other
// group of the layer.
import { isDeepStrictEqual } from 'node:util';
import { and, asc, count, eq, inArray, ne, sql } from 'drizzle-orm';
import { withOnly } from '../../../../../common/core/incident/aggregate.ts';
import { decideForget } from '../../../../../common/core/incident/forget.ts';
import type {
  IncidentMember,
  IncidentRecord,
  WholeIncident,
} from '../../../../../common/core/incident/record.ts';
import type { GroupItem } from '../../../../../common/uplink/change/group.ts';
import { applyPlan, incidentsWithMembers, pathsOf } from '../../../../store/adapter/incident/rows.ts';
import { incidentMembers as members, incidents } from '../../../../store/schema/tables.ts';
import type { StoreContext } from '../context.ts';

/** Those of its members that retention keeps here. */
export function rowsOf({ eventOf }: StoreContext, item: GroupItem, id: number): IncidentMember[] {
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

interface Laid {
  id: number;
  held: IncidentRecord | null;
  rows: readonly IncidentMember[];
}

/** @returns the members stored here, where they differ from those of the site; null: they are the same */
export async function layWhole(
  taking: StoreContext,
  item: GroupItem,
  { id, held, rows }: Laid,
): Promise<readonly IncidentMember[] | null> {
  const [whole] = held ? await incidentsWithMembers(taking.tx, [id]) : [];
  const before = whole?.rows ?? [];
  const left = [...rows, ...keptRows(before, item, rows)];
  await takeMembers(taking, id, rows);
  await layRows(taking, before, left);
  return left.length === item.group.member_count ? null : left;
}

/** The same of rows beside those that are stored, which are read only where their number differs. */
export async function layAdded(
  taking: StoreContext,
  item: GroupItem,
  { id, rows }: Omit<Laid, 'held'>,
): Promise<readonly IncidentMember[] | null> {
  const { tx } = taking;
  const own = and(eq(members.tenantCode, item.tenant_code), eq(members.incidentId, id));
  const eventIds = rows.map(({ eventId }) => eventId);
  const before = await tx.db
    .select()
    .from(members)
    .where(and(own, sql`${members.eventId} = any(${sql.param(eventIds)}::bigint[])`));
  await takeMembers(taking, id, rows);
  await layRows(taking, before, rows);
  const [stored] = await tx.db.select({ rows: count() }).from(members).where(own);
  if (stored?.rows === item.group.member_count) return null;
  return tx.db.select().from(members).where(own).orderBy(asc(members.eventId));
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
async function takeMembers(taking: StoreContext, id: number, rows: readonly IncidentMember[]): Promise<void> {
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
      .where(and(eq(incidents.tenantCode, incident.tenantCode), eq(incidents.id, incident.id)));
  }
  const own = wholes.filter((whole) => whole.incident.instance === null);
  if (own.length > 0) await forgetIn(taking, own, eventIds);
}

/** A group of headquarters' own loses members as when they are deleted: it is recomputed, or ends. */
async function forgetIn(
  { tx, stamp }: StoreContext,
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
  { tx }: StoreContext,
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
