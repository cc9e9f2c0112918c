// Batches of events that come while others are being stored go together in the next transaction. When 1,000
// sites bring 100 events each, hub and Postgres take 4.4 s of processor for them so, and 5.9 s where each has
// a transaction of its own (`npm run bench -- fleet --sites 1000`).
import type { Clock, Stamp } from '../../../common/clock.ts';
import type { IngestResult } from '../../../common/core/event/port.ts';
import type { NewEvent } from '../../../common/core/event/record.ts';
import type { Logger } from '../../../common/log.ts';
import type { ChannelName, RejectedItem } from '../../../common/uplink/wire.ts';
import { ingestBatches } from '../../store/adapter/event-rows.ts';
import { Coalescer } from '../../store/engine/coalescer.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import type { Epoch } from '../../store/engine/epoch.ts';
import { concernsData } from '../../store/engine/errors.ts';
import { admitEvents, idsReused, sortIngested } from '../decide.ts';
import type { BatchHead, ConflictRecord, ReceivedChange, ReceiverPort, StoreOutcome } from '../port.ts';
import { storeApartIn } from './apart.ts';
import { storeChanges } from './change/kinds.ts';
import { keepConflicts, listConflicts } from './event-conflict.ts';
import {
  type InStep,
  receive,
  receiveAll,
  type Received,
  type Source,
  type Stored,
} from './source-position.ts';

/**
 * Events of one transaction, unless a batch alone has more. With 1,000 it takes no less of the processor, and
 * whoever looks on waits longer.
 */
const MOST_TOGETHER = 500;

interface ReceivedEvents extends Received {
  events: readonly NewEvent[];
}

/** One transaction at a time; if it fails, each batch is tried alone, so that one does others no harm. */
const storingEvents = (database: Database): Coalescer<ReceivedEvents, StoreOutcome> =>
  new Coalescer<ReceivedEvents, StoreOutcome>(
    (batches) =>
      database.transaction((tx) => receiveAll(tx, batches, 'events', (all) => storeEvents(tx, all))),
    MOST_TOGETHER,
    ({ events }) => events.length,
    ({ head }) => head.instance,
  );

/** Calls with nothing of the log, which every site makes after a start of this hub. */
const storingNothing = (database: Database): Coalescer<Received, StoreOutcome> =>
  new Coalescer<Received, StoreOutcome>(
    (batches) =>
      database.transaction((tx) =>
        receiveAll(tx, batches, 'verdicts', (all) => Promise.resolve(all.map(() => NOTHING))),
      ),
    MOST_TOGETHER,
    () => 1,
    ({ head }) => head.instance,
  );

const NOTHING: Stored = { accepted: 0, duplicates: 0, rejected: [] };

/** Batches of sites, each stored with its position. */
export class HubReceiver implements ReceiverPort {
  #database: Database;
  #clock: Clock;
  #log: Logger;
  #epoch: Epoch;
  #storing: Coalescer<ReceivedEvents, StoreOutcome>;
  #storingNothing: Coalescer<Received, StoreOutcome>;

  constructor(database: Database, clock: Clock, log: Logger, epoch: Epoch) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
    this.#epoch = epoch;
    this.#storing = storingEvents(database);
    this.#storingNothing = storingNothing(database);
  }

  async storeEvents(
    head: BatchHead,
    items: readonly NewEvent[],
    rejected: readonly RejectedItem[],
    now: number,
  ): Promise<StoreOutcome> {
    const received = { head, events: items, rejected, now };
    const outcome = await this.#orApart(
      { channel: 'events', received, items, positionOf: (event) => event.origin?.originId ?? 0 },
      () => this.#storing.add(received),
      async (tx, source, events) => {
        const [stored] = await storeEvents(tx, [{ received: { ...received, events }, source }]);
        return stored as Stored;
      },
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
    items: readonly ReceivedChange[],
    rejected: readonly RejectedItem[],
    stamp: Stamp,
  ): Promise<StoreOutcome> {
    const { instance, epoch } = head;
    const received = { head, now: stamp.now, rejected };
    if (items.length + rejected.length === 0)
      return this.#checkEpoch(await this.#storingNothing.add(received), head, 'verdicts');
    const outcome = await this.#store(
      { channel: 'verdicts', received, items, positionOf: changeNoOf },
      (tx, { tenants, owned }, some) => storeChanges(tx, { instance, epoch, owned, tenants }, some, stamp),
    );
    return this.#checkEpoch(outcome, head, 'verdicts');
  }

  /** Stores a batch in one transaction, or what can be stored of it. */
  #store<T>(batch: ReceivedItems<T>, store: StoreSome<T>): Promise<StoreOutcome> {
    const { channel, received, items } = batch;
    const whole = (): Promise<StoreOutcome> =>
      this.#database.transaction((tx) =>
        receive(tx, received, channel, (source) => store(tx, source, items)),
      );
    return this.#orApart(batch, whole, store);
  }

  /**
   * @param whole stores the batch in one go; where it fails for something in the items, these are found and
   *   refused, and the others are stored
   */
  async #orApart<T>(
    { channel, received, items, positionOf }: ReceivedItems<T>,
    whole: () => Promise<StoreOutcome>,
    store: StoreSome<T>,
  ): Promise<StoreOutcome> {
    try {
      return await whole();
    } catch (error) {
      if (items.length === 0 || !concernsData(error)) throw error;
      const { instance } = received.head;
      this.#log.error({ err: error, instance, channel }, 'a batch of a site cannot be stored as it is');
      return this.#database.transaction((tx) =>
        receive(tx, received, channel, (source) =>
          storeApartIn(tx, items, positionOf, (some) => store(tx, source, some)),
        ),
      );
    }
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

/** What is to be stored of a batch. */
interface ReceivedItems<T> {
  channel: ChannelName;
  received: Received;
  items: readonly T[];
  /** Of an item, at the site. */
  positionOf: (item: T) => number;
}

type StoreSome<T> = (tx: Tx, source: Source, some: readonly T[]) => Promise<Stored>;

const changeNoOf = ({ change_no: no }: { change_no: number }): number => no;

async function storeEvents(tx: Tx, all: readonly InStep<ReceivedEvents>[]): Promise<Stored[]> {
  const batches = all.map((one) => ({
    ...one,
    ...admitEvents(one.received.events, one.source.tenants),
  }));
  const results = await ingestBatches(
    tx,
    batches.map(({ admitted, received }) => ({ events: admitted, now: received.now })),
  );
  const stored: Stored[] = [];
  for (const [index, batch] of batches.entries()) stored.push(await settled(tx, batch, results[index] ?? []));
  return stored;
}

type Admitted = InStep<ReceivedEvents> & ReturnType<typeof admitEvents>;

async function settled(
  tx: Tx,
  { received: { head, now }, source, admitted, rejected }: Admitted,
  results: readonly IngestResult[],
): Promise<Stored> {
  const fresh = admitted.filter((_event, index) => results[index]?.duplicate === false);
  const sorted = sortIngested(admitted, results, source.owned);
  if (source.conflicting || sorted.conflicts.length > 0)
    await keepConflicts(tx, { instance: head.instance, events: admitted, conflicts: sorted.conflicts }, now);
  return {
    ...sorted,
    rejected: [...rejected, ...sorted.rejected],
    outgrown: idsReused(fresh, head, source.cursor),
  };
}
