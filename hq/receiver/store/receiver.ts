import type { Clock, Stamp } from '../../../common/clock.ts';
import type { NewEvent } from '../../../common/core/event/record.ts';
import type { Logger } from '../../../common/log.ts';
import type { UnreadAnswer, WorkItem } from '../../../common/uplink/work-item.ts';
import type { UplinkedChange } from '../../../common/uplink/change-item.ts';
import type { ChannelName, RejectedItem } from '../../../common/uplink/wire.ts';
import { admitEvents, idsReused, sortIngested } from '../decide.ts';
import type { BatchHead, ConflictRecord, ReceiverPort, StoreOutcome } from '../port.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { keepConflicts, listConflicts } from './event-conflict.ts';
import type { Epoch } from '../../store/engine/epoch.ts';
import { ingestBatches } from '../../store/port/event-rows.ts';
import { storeChanges } from './received-changes.ts';
import { storeWork } from './received-work.ts';
import { type Stored, receive, type Source } from './source-position.ts';

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
    items: readonly (WorkItem | UnreadAnswer)[],
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
    outgrown: idsReused(fresh, head, cursor),
  };
}
