// The context in which a task or group of a site is stored, and the note of which row here stands for it.
import type { Stamp } from '../../../../common/clock.ts';
import type { SubjectItem } from '../../../../common/uplink/change/item.ts';
import type { EventName } from '../../../../common/uplink/change/names.ts';
import type { Tx } from '../../../store/engine/database.ts';
import { siteWork } from '../schema.ts';

export interface WorkSource {
  instance: string;
  /** The instances whose events, tasks and groups are the sender's: itself, and those that it continues. */
  owned: ReadonlySet<string>;
  tenants: ReadonlySet<string>;
  /** Epoch of the site's store, within which numbers of changes are compared. */
  epoch: string;
}

/** An event that an item names, as it is known here. */
export interface FoundEvent {
  id: number;
  /** Retention has deleted it here. */
  forgotten: boolean;
}

/** What an item is taken in with. */
export interface StoreContext {
  tx: Tx;
  source: WorkSource;
  stamp: Stamp;
  /** The event that an item names; it must be stored here, or have been. */
  eventOf: (name: EventName) => FoundEvent;
  /** The same of an event that need not be here. */
  knownEvent: (name: EventName) => FoundEvent | null;
  /** The row that stands for it here already. */
  known: KnownWork | null;
}

export type KnownWork = typeof siteWork.$inferSelect;

/** Notes which row here stands for the item, and which change of it was stored last. */
export async function noteWork(
  { tx, source, known }: StoreContext,
  item: SubjectItem,
  own: Pick<KnownWork, 'id' | 'mergedInto' | 'splitFrom' | 'parts'>,
): Promise<void> {
  const row: KnownWork = {
    tenantCode: item.tenant_code,
    instance: known?.instance ?? source.instance,
    kind: item.kind,
    originId: item.id,
    originCreatedAt: item.created_at,
    epoch: source.epoch,
    changeNo: item.change_no,
    ...own,
  };
  const { tenantCode, instance, kind, originId, originCreatedAt } = siteWork;
  await tx.db
    .insert(siteWork)
    .values(row)
    .onConflictDoUpdate({ target: [tenantCode, instance, kind, originId, originCreatedAt], set: row });
}
