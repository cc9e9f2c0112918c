import type { Clock, Stamp } from '../../../common/clock.ts';
import type { NewEvent } from '../../../common/core/event/record.ts';
import type { Logger } from '../../../common/log.ts';
import type { WorkItem } from '../../../common/uplink/work-item.ts';
import type { UplinkedChange } from '../../../common/uplink/change-item.ts';
import type { ChannelName, RejectedItem } from '../../../common/uplink/wire.ts';
import {
  admitEvents,
  decideEpoch,
  decidePosition,
  givenTwice,
  sortIngested,
  type Position,
} from '../decide.ts';
import type {
  BatchHead,
  ConflictRecord,
  EventConflict,
  ForeignChange,
  ReceiverPort,
  RefusedDecision,
  RefusedOrder,
  StoreOutcome,
} from '../port.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { keepConflicts, listConflicts } from './event-conflict.ts';
import type { Epoch } from '../../store/engine/epoch.ts';
import { ingestBatches } from '../../store/port/event-rows.ts';
import { storeChanges } from './received-changes.ts';
import { storeWork } from './received-work.ts';
import { requireSite, siteUnknown } from './site.ts';

/** Batches of sites, each stored with its position. */
export class HubReceiver implements ReceiverPort {
  #database: Database;
  #clock: Clock;
  #log: Logger;
  #epoch: Epoch;

  constructor(database: Database, clock: Clock, log: Logger, epoch: Epoch) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
    this.#epoch = epoch;
  }

  async storeEvents(
    head: BatchHead,
    items: readonly NewEvent[],
    rejected: readonly RejectedItem[],
    now: number,
  ): Promise<StoreOutcome> {
    const outcome = await this.#database.transaction((tx) =>
      receive(tx, { head, channel: 'events', now, rejected }, (source) =>
        storeEvents(tx, head, items, source, now),
      ),
    );
    const conflicts = outcome.kind === 'stored' ? outcome.conflicts.length : 0;
    if (conflicts > 0)
      this.#log.warn(
        { instance: head.instance, events: conflicts },
        'events came under the keys of others; the first stand',
      );
    return this.#checkEpoch(outcome, head, 'events');
  }

  async storeChanges(
    head: BatchHead,
    items: readonly UplinkedChange[],
    rejected: readonly RejectedItem[],
    now: number,
    newId: () => string,
  ): Promise<StoreOutcome> {
    const outcome = await this.#database.transaction((tx) =>
      receive(tx, { head, channel: 'verdicts', now, rejected }, ({ tenants, owned }) =>
        storeChanges(tx, { instance: head.instance, owned, tenants }, items, { now, newId }),
      ),
    );
    return this.#checkEpoch(outcome, head, 'verdicts');
  }

  async storeWork(
    head: BatchHead,
    items: readonly WorkItem[],
    rejected: readonly RejectedItem[],
    stamp: Stamp,
  ): Promise<StoreOutcome> {
    const outcome = await this.#database.transaction((tx) =>
      receive(tx, { head, channel: 'work', now: stamp.now, rejected }, ({ tenants, owned }) =>
        storeWork(tx, { instance: head.instance, epoch: head.epoch, owned, tenants }, items, stamp),
      ),
    );
    return this.#checkEpoch(outcome, head, 'work');
  }

  conflicts(
    filter: { instance?: string | undefined; tenantCode: string | null },
    limit: number,
  ): Promise<ConflictRecord[]> {
    return listConflicts(this.#database, filter, limit);
  }

  /** Renews the epoch of this store where a source stands beyond what is held. */
  async #checkEpoch(outcome: StoreOutcome, head: BatchHead, channel: ChannelName): Promise<StoreOutcome> {
    // A position of 0 is that of a new store or of a new source: nothing was lost.
    if (outcome.kind !== 'cursor_ahead' || outcome.known === 0) return outcome;
    const source = { instance: head.instance, epoch: head.epoch, channel };
    this.#epoch.keep(
      await this.#database.transaction((tx) => this.#epoch.renew(tx, source, this.#clock.newId())),
    );
    return outcome;
  }
}

async function storeEvents(
  tx: Tx,
  head: BatchHead,
  items: readonly NewEvent[],
  { tenants, owned, cursor }: Source,
  now: number,
): Promise<Stored> {
  const { admitted, rejected } = admitEvents(items, tenants);
  const [results = []] = await ingestBatches(tx, [{ events: admitted, now }]);
  const fresh = admitted.filter((_event, index) => results[index]?.duplicate === false);
  const sorted = sortIngested(admitted, results, owned);
  await keepConflicts(tx, { instance: head.instance, events: admitted, conflicts: sorted.conflicts }, now);
  return {
    ...sorted,
    rejected: [...rejected, ...sorted.rejected],
    outgrown: givenTwice(fresh, head, cursor),
  };
}

interface Received {
  head: BatchHead;
  channel: ChannelName;
  now: number;
  /** Refused for their form. */
  rejected: readonly RejectedItem[];
}

interface Stored {
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
async function receive(
  tx: Tx,
  received: Received,
  store: (source: Source) => Promise<Stored>,
): Promise<StoreOutcome> {
  const { head, channel } = received;
  const source = await lockSource(tx, head, channel);
  const position: Position = decidePosition(source.cursor, head);
  if (position.kind !== 'in_step') return position;
  const stored = await store(source);
  // What was stored is good; the sender sends it again under its new epoch, where it is known.
  if (stored.outgrown) return { kind: 'sender_rolled_back', known: source.cursor };
  const {
    accepted,
    duplicates,
    conflicts = [],
    foreign = [],
    refused = [],
    refusedOrders = [],
    sameAs = null,
  } = stored;
  const { cursor, gap, newStore } = decideEpoch(position, head, source.earlier);
  const rejected = [...received.rejected, ...stored.rejected];
  const brought = accepted + duplicates + rejected.length > 0;
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
      accepted,
      duplicates,
      rejected.length,
      conflicts.length + foreign.length,
      received.now,
      brought,
    ],
  );
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

interface Source {
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
