// Decisions on groups that a site keeps. They are decided here as they would be there, and written as orders,
// which go down with the inbox of the site.
import { and, arrayOverlaps, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Stamp } from '../../../../common/clock.ts';
import { auditOf, type Decision } from '../../../../common/core/incident/plan.ts';
import type {
  GroupOrder,
  IncidentCommand,
  IncidentRecord,
  OrderedIncident,
} from '../../../../common/core/incident/record.ts';
import { AppError, conflict } from '../../../../common/http/error.ts';
import { formatTime } from '../../../../common/time.ts';
import type { GroupOrderBody, OrderedGroup } from '../../../../common/uplink/group-order.ts';
import type { InboxKind } from '../../../../common/uplink/inbox.ts';
import { featuresOf } from '../../../receiver/store/features.ts';
import { groupOrders } from '../../../receiver/store/schema.ts';
import type { Db, Tx } from '../../engine/database.ts';
import { events } from '../../schema/tables.ts';
import { appendAudit } from '../audit.ts';
import { applyPlan } from './rows.ts';

type Kept = IncidentRecord & { instance: string; originId: number };

/** What a person decided: on which group, and which others it names. */
export interface Decided<O> {
  decision: Decision<O>;
  command: IncidentCommand;
  /** The groups that it is about, the one that is decided on first. */
  groups: readonly IncidentRecord[];
  /** Events that leave. */
  eventIds?: readonly number[];
  body: (groups: readonly Kept[]) => GroupOrderBody | Promise<GroupOrderBody>;
}

/** Orders that a group shows. */
const SHOWN = 20;

/**
 * Carries out what was decided, or orders it of the site that keeps the groups. The layer must be locked: of
 * two who decide at once the second finds the order of the first.
 * @throws AppError 409 group_of_site, group_ordered, site_outdated
 */
export async function carryOutOrOrder<O>(
  tx: Tx,
  { decision, command, groups, body, eventIds = [] }: Decided<O>,
  stamp: Stamp,
): Promise<O | OrderedIncident> {
  if (!decision.plan || groups.every(({ instance }) => instance === null)) return applyPlan(tx, decision);
  const [group, ...others] = groups.filter(isKept);
  if (!group || groups.length !== others.length + 1 || others.some((one) => one.instance !== group.instance))
    throw conflict(
      'group_of_site',
      'The groups have different keepers (sites, or headquarters), and each keeps its events itself: ' +
        'they cannot be one group.',
    );
  await refuseSecond(tx, [group, ...others]);
  const kind: InboxKind = 'group_order';
  if (!(await featuresOf(tx.db, group.instance))?.includes(kind))
    throw conflict(
      'site_outdated',
      `Incident ${group.id} is kept by the site ${group.instance}, whose version takes no orders on ` +
        'groups; update the site, or act there.',
    );
  const order = await giveOrder(
    tx,
    [group, ...others],
    { command, body: await body([group, ...others]), eventIds },
    stamp,
  );
  return { kind: 'ordered', incident: group, order };
}

const isKept = (group: IncidentRecord): group is Kept => group.instance !== null && group.originId !== null;

/** A group as its site knows it. */
export const named = ({ originId, createdAt, revision }: Kept): OrderedGroup => ({
  id: originId,
  created_at: createdAt,
  revision,
});

/** One order waits for a group at a time: what a second one would be about is not known before. */
async function refuseSecond(tx: Tx, groups: readonly Kept[]): Promise<void> {
  const [open] = await tx.db
    .select()
    .from(groupOrders)
    .where(
      and(
        sql`${groupOrders.state} = 'pending'`,
        eq(groupOrders.tenantCode, groups[0]?.tenantCode ?? ''),
        arrayOverlaps(
          groupOrders.groups,
          groups.map(({ id }) => id),
        ),
      ),
    )
    .limit(1);
  if (!open) return;
  const { kind, by, createdAt, instance } = open;
  throw new AppError(
    409,
    'group_ordered',
    `An order of ${by} waits to be carried out by the site ${instance}; decide again once it is.`,
    { extra: { order: { kind, by, createdAt: formatTime(createdAt) } } },
  );
}

async function giveOrder(
  tx: Tx,
  groups: readonly [Kept, ...Kept[]],
  {
    command: { by, actor },
    body,
    eventIds,
  }: { command: IncidentCommand; body: GroupOrderBody; eventIds: readonly number[] },
  stamp: Stamp,
): Promise<GroupOrder> {
  const [group] = groups;
  const order: GroupOrder = {
    id: stamp.newId(),
    tenantCode: group.tenantCode,
    kind: body.kind,
    instance: group.instance,
    incidentId: group.id,
    groups: groups.map(({ id }) => id),
    eventIds: [...eventIds],
    by,
    state: 'pending',
    reason: null,
    told: null,
    createdAt: stamp.now,
    settledAt: null,
  };
  await tx.db.insert(groupOrders).values({ ...order, body: { group: named(group), body } });
  const also = { orderId: order.id, site: group.instance, by, order: body };
  await appendAudit(
    tx,
    auditOf({ actor, action: 'incident.ordered', before: group, after: group, also }, stamp),
  );
  return order;
}

/** The keys by which the site knows these events. @param tenantCode whose they are */
export async function eventKeys(tx: Tx, tenantCode: string, eventIds: readonly number[]): Promise<string[]> {
  const rows = await tx.db
    .select({ key: events.idempotencyKey })
    .from(events)
    .where(and(eq(events.tenantCode, tenantCode), inArray(events.id, [...eventIds])));
  return rows.map(({ key }) => key);
}

/** Newest first. */
export async function ordersOfGroup(db: Db, { tenantCode, id }: IncidentRecord): Promise<GroupOrder[]> {
  const rows = await db
    .select()
    .from(groupOrders)
    .where(and(eq(groupOrders.tenantCode, tenantCode), arrayOverlaps(groupOrders.groups, [id])))
    .orderBy(desc(groupOrders.seq))
    .limit(SHOWN);
  return rows.map(({ seq: _seq, body: _body, ...order }) => order);
}
