// Tasks, incident groups and messages to cameras of a site, taken in one by one within the transaction of
// their batch.
import { and, eq, inArray } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { BASE_UNKNOWN, type RejectedItem } from '../../../common/uplink/wire.ts';
import type {
  EventName,
  FeedbackItem,
  OrderItem,
  SubjectItem,
  UnreadAnswer,
  WorkItem,
} from '../../../common/uplink/work-item.ts';
import { lockLayer } from '../../store/adapter/incident/lock.ts';
import { takeMessages } from '../../store/adapter/site-feedback.ts';
import type { Tx } from '../../store/engine/database.ts';
import { lockTasks } from '../../store/event-index/task-counts.ts';
import { tenantNotAllowed } from '../decide.ts';
import type { RefusedOrder } from '../order/record.ts';
import { eventsOf, faultOf, nameKey } from './event-names.ts';
import { knownWork } from './known-work.ts';
import { noteUnclear, settleOrder } from './order.ts';
import { siteWork } from './schema.ts';
import { takeGroup } from './site-group.ts';
import { takeTask } from './site-task.ts';
import type { FoundEvent, KnownWork, Taking, WorkSource } from './taking.ts';

interface Outcome {
  accepted: number;
  duplicates: number;
  rejected: RejectedItem[];
  /** Orders of ours that the site says now that it does not carry out. */
  refusedOrders: RefusedOrder[];
}

/** Each item is refused alone; what is older than what is held here, by its number, is known. */
export async function storeWork(
  tx: Tx,
  source: WorkSource,
  items: readonly (WorkItem | UnreadAnswer)[],
  stamp: Stamp,
): Promise<Outcome> {
  const outcome: Outcome = { accepted: 0, duplicates: 0, rejected: [], refusedOrders: [] };
  const { admitted, told, answers, unread, rejected } = sorted(source, items);
  outcome.rejected.push(...rejected);
  const events = await eventsOf(tx, source, [...admitted, ...told]);
  await lockItems(tx, source, admitted);
  for (const item of admitted) {
    const known = await knownWork(tx, source, item);
    if (known?.epoch === source.epoch && known.changeNo >= item.change_no) {
      outcome.duplicates += 1;
      continue;
    }
    const fault = baseFault(item, known, source) ?? faultOf(item, events);
    if (fault) {
      outcome.rejected.push({ originId: item.change_no, ...fault });
      continue;
    }
    const knownEvent = (name: EventName): FoundEvent | null => {
      const event = events.get(nameKey(item.tenant_code, name));
      return !event || 'foreign' in event ? null : event;
    };
    const eventOf = (name: EventName): FoundEvent => {
      const event = knownEvent(name);
      if (!event) throw new Error('an item was taken with an event that is not known');
      return event;
    };
    const taking: Taking = { tx, source, stamp, known, eventOf, knownEvent };
    await (item.kind === 'task' ? takeTask(taking, item) : takeGroup(taking, item));
    outcome.accepted += 1;
  }
  const messages = await takeMessages(tx, told, events);
  outcome.accepted += messages.accepted;
  outcome.rejected.push(...messages.rejected);
  // After the tasks, so that a task made by an order is known by its own id.
  for (const answer of answers) {
    const { fresh, refused } = await settleOrder(tx, source, answer, stamp);
    outcome[fresh ? 'accepted' : 'duplicates'] += 1;
    if (refused) outcome.refusedOrders.push(refused);
  }
  for (const answer of unread) outcome.refusedOrders.push(...(await noteUnclear(tx, source, answer, stamp)));
  return outcome;
}

function sorted(source: WorkSource, items: readonly (WorkItem | UnreadAnswer)[]) {
  const admitted: SubjectItem[] = [];
  const told: FeedbackItem[] = [];
  const answers: OrderItem[] = [];
  const unread: UnreadAnswer[] = [];
  const rejected: RejectedItem[] = [];
  for (const item of items) {
    if (item.kind === 'order') answers.push(item);
    else if (item.kind === 'unread') unread.push(item);
    else if (!source.tenants.has(item.tenant_code))
      rejected.push(tenantNotAllowed(item.change_no, item.tenant_code));
    else if (item.kind === 'feedback') told.push(item);
    else admitted.push(item);
  }
  return { admitted, told, answers, unread, rejected };
}

/** What the items may change, in the order in which everyone locks it. */
async function lockItems(tx: Tx, source: WorkSource, items: readonly SubjectItem[]): Promise<void> {
  await lockLayers(tx, items);
  await lockTasks(tx, await knownTasks(tx, source, items));
}

/** The tasks here that the items may change. */
async function knownTasks(
  tx: Tx,
  { owned }: WorkSource,
  items: readonly SubjectItem[],
): Promise<{ tenantCode: string; id: number }[]> {
  const given = items.filter(({ kind }) => kind === 'task');
  if (given.length === 0) return [];
  const { tenantCode, id, instance, kind, originId } = siteWork;
  return tx.db
    .select({ tenantCode, id })
    .from(siteWork)
    .where(
      and(
        inArray(tenantCode, [...new Set(given.map((item) => item.tenant_code))]),
        inArray(instance, [...owned]),
        eq(kind, 'task'),
        inArray(
          originId,
          given.map((item) => item.id),
        ),
      ),
    );
}

/** What was added to a group needs the change that it was added to. */
function baseFault(
  item: SubjectItem,
  known: KnownWork | null,
  { epoch }: WorkSource,
): Omit<RejectedItem, 'originId'> | null {
  const since = item.kind === 'group' ? item.group.since : null;
  if (since === null || (known?.epoch === epoch && known.changeNo >= since)) return null;
  return { error: BASE_UNKNOWN, message: `change ${since} of the group is not stored here; send it whole` };
}

/** In a fixed order, so that two batches wait for each other instead of deadlocking. */
async function lockLayers(tx: Tx, items: readonly SubjectItem[]): Promise<void> {
  const places = new Map(
    items.flatMap((item) =>
      item.kind === 'group'
        ? [
            [
              `${item.tenant_code} ${item.group.layer}`,
              [item.tenant_code, item.group.layer] as const,
            ] as const,
          ]
        : [],
    ),
  );
  for (const [, [tenant, layer]] of [...places].sort(([a], [b]) => (a < b ? -1 : 1)))
    await lockLayer(tx, tenant, layer);
}
