// Tasks and incident groups of a site, taken in one by one within the transaction of their batch.
import { and, eq, inArray } from 'drizzle-orm';
import type { Stamp } from '../../../../common/clock.ts';
import type { SubjectItem } from '../../../../common/uplink/change/item.ts';
import type { EventName } from '../../../../common/uplink/change/names.ts';
import { BASE_UNKNOWN, type RejectedItem } from '../../../../common/uplink/wire.ts';
import { lockLayer } from '../../../store/adapter/incident/lock.ts';
import type { Tx } from '../../../store/engine/database.ts';
import { lockTasks } from '../../../store/event-index/task-counts.ts';
import { siteWork } from '../schema.ts';
import type { Stored } from '../source-position.ts';
import type { FoundEvent, KnownWork, StoreContext, WorkSource } from './context.ts';
import { eventsOf, faultOf, nameKey } from './event-names.ts';
import { knownWork } from './known-work.ts';
import { takeGroup } from './site-group.ts';
import { takeTask } from './site-task.ts';

/** Each item is refused alone; what is older than what is held here, by its number, is known. */
export async function storeSubjects(
  tx: Tx,
  source: WorkSource,
  items: readonly SubjectItem[],
  stamp: Stamp,
): Promise<Stored> {
  const outcome: Stored = { accepted: 0, duplicates: 0, rejected: [] };
  const events = await eventsOf(tx, source, items);
  await lockItems(tx, source, items);
  for (const item of items) {
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
    const taking: StoreContext = { tx, source, stamp, known, eventOf, knownEvent };
    await (item.kind === 'task' ? takeTask(taking, item) : takeGroup(taking, item));
    outcome.accepted += 1;
  }
  return outcome;
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
