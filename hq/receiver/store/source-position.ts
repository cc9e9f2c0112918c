// The position of each source, and how a batch moves it.
import type { ChannelName, RejectedItem } from '../../../common/uplink/wire.ts';
import { decideEpoch, decidePosition, type Position } from '../decide.ts';
import type {
  BatchHead,
  EventConflict,
  ForeignChange,
  RefusedDecision,
  RefusedOrder,
  StoreOutcome,
} from '../port.ts';
import type { Tx } from '../../store/engine/database.ts';
import { requireSite, siteUnknown } from './site.ts';

interface Received {
  head: BatchHead;
  channel: ChannelName;
  now: number;
  /** Refused for their form. */
  rejected: readonly RejectedItem[];
}

export interface Stored {
  accepted: number;
  duplicates: number;
  rejected: RejectedItem[];
  conflicts?: EventConflict[];
  foreign?: ForeignChange[];
  refused?: RefusedDecision[];
  refusedOrders?: RefusedOrder[];
  sameAs?: string | null;
  /** The items show that the sender runs on an old copy. */
  outgrown?: boolean;
}

/** Holds the source's position locked while `store` writes the items, and moves it with them. */
export async function receive(
  tx: Tx,
  received: Received,
  store: (source: Source) => Promise<Stored>,
): Promise<StoreOutcome> {
  const { head, channel } = received;
  const source = await lockSource(tx, head, channel);
  const position: Position = decidePosition(source.cursor, head);
  if (position.kind !== 'in_step') return position;
  const stored = await store(source);
  // The items that were stored stay; the sender sends them again under its new epoch, where they are
  // recognized.
  if (stored.outgrown) return { kind: 'sender_rolled_back', known: source.cursor };
  const { conflicts = [], foreign = [], refused = [], refusedOrders = [], sameAs = null } = stored;
  const { accepted, duplicates } = stored;
  const { cursor, gap, newStore } = decideEpoch(position, head, source.earlier);
  const rejected = [...received.rejected, ...stored.rejected];
  const conflicting = conflicts.length + foreign.length;
  await moveSource(tx, received, cursor, { accepted, duplicates, rejected: rejected.length, conflicting });
  return {
    kind: 'stored',
    accepted,
    duplicates,
    cursor,
    rejected,
    gap,
    conflicts,
    foreign,
    refused,
    refusedOrders,
    sameAs,
    newStore,
  };
}

async function moveSource(
  tx: Tx,
  { head, channel, now }: Received,
  cursor: number,
  came: Record<'accepted' | 'duplicates' | 'rejected' | 'conflicting', number>,
): Promise<void> {
  const brought = came.accepted + came.duplicates + came.rejected > 0;
  await tx.client.query(
    `update sources set cursor = $4, received_total = received_total + $5, duplicate_total = duplicate_total +
      $6,
       rejected_total = rejected_total + $7, conflict_total = conflict_total + $8,
       heard_at = greatest(coalesce(heard_at, 0), $9), last_received_at = case when $10
         then greatest(coalesce(last_received_at, 0), $9) else last_received_at end,
       hub_epoch = (select value from store_facts where name = 'epoch')
     where instance = $1 and epoch = $2 and channel = $3`,
    [
      head.instance,
      head.epoch,
      channel,
      cursor,
      came.accepted,
      came.duplicates,
      came.rejected,
      came.conflicting,
      now,
      brought,
    ],
  );
}

export interface Source {
  tenants: ReadonlySet<string>;
  /** The site's own name, and those that it continues. */
  owned: ReadonlySet<string>;
  /** The last position stored for this epoch; 0 when it is new. */
  cursor: number;
  /** For the first batch of an epoch: the newest position of any earlier one; null where there is none. */
  earlier: number | null;
}

/** @throws AppError 403 site_unknown */
async function lockSource(tx: Tx, head: BatchHead, channel: ChannelName): Promise<Source> {
  const known = async (): Promise<Source | undefined> => {
    const {
      rows: [row],
    } = await tx.client.query<{
      tenants: string[];
      continues: string[];
      cursor: number;
      earlier: number | null;
    }>(
      `select s.tenants, s.continues, r.cursor, case when r.cursor = 0 and r.heard_at is null then
         (select max(o.cursor) from sources o where o.instance = r.instance and o.channel = r.channel
           and o.epoch <> r.epoch) end as earlier
       from sites s join sources r on r.instance = s.instance
       where s.instance = $1 and s.removed_at is null and r.epoch = $2 and r.channel = $3 for update of r`,
      [head.instance, head.epoch, channel],
    );
    return (
      row && {
        tenants: new Set(row.tenants),
        owned: new Set([head.instance, ...row.continues]),
        cursor: row.cursor,
        earlier: row.earlier,
      }
    );
  };
  const found = await known();
  if (found) return found;
  await requireSite(tx, head.instance);
  await tx.client.query(
    `insert into sources (instance, epoch, channel, cursor, received_total, duplicate_total, rejected_total,
       conflict_total) values ($1, $2, $3, 0, 0, 0, 0, 0) on conflict do nothing`,
    [head.instance, head.epoch, channel],
  );
  const made = await known();
  if (!made) throw siteUnknown(head.instance);
  return made;
}
