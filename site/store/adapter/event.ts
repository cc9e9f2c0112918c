import { planIngest, type PriorEvent } from '../../../common/core/event/decide.ts';
import { factsOf } from '../../../common/core/event/facts.ts';
import {
  type EventBounds,
  type EventFilter,
  eventKey,
  type EventPort,
  type EventTally,
  type IdRange,
  type IngestResult,
  type Room,
  type Stretch,
  type VisibleTo,
} from '../../../common/core/event/port.ts';
import type { EventRecord, NewEvent } from '../../../common/core/event/record.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import type { HighWaterMark } from '../engine/high-water-mark.ts';
import type { Meta } from '../engine/meta.ts';
import type { TransactionParticipant } from '../engine/transaction.ts';
import type { EventIndex } from '../event-index/event-index.ts';
import { EventLists } from '../event-index/list.ts';
import type { KeyIndex } from '../key-index/key-index.ts';
import { type EventRow, newestEvent, prepareEvents } from './event-statements.ts';

const NONE_KNOWN: ReadonlyMap<string, PriorEvent> = new Map();

/** Events on SQLite. Ids and receipt times come from counters in memory; there is one writer. */
export class SiteEvents implements EventPort, TransactionParticipant {
  #group: GroupCommit;
  #meta: Meta;
  #keys: KeyIndex;
  #index: EventIndex;
  #lists: EventLists;
  /** Ids that are committed and durable. */
  #ids: HighWaterMark;
  /** Largest id given out, also in the open transaction. */
  #last: number;
  #receivedAt: number;
  #sql: ReturnType<typeof prepareEvents>;

  /** @param ids the high-water mark of the event ids */
  constructor(group: GroupCommit, meta: Meta, keys: KeyIndex, index: EventIndex, ids: HighWaterMark) {
    this.#group = group;
    this.#meta = meta;
    this.#keys = keys;
    this.#index = index;
    this.#lists = new EventLists({ sqlite: group.sqlite, index, read: (id) => this.read(id) });
    this.#ids = ids;
    this.#sql = prepareEvents(group.sqlite);
    this.#last = ids.committed;
    this.#receivedAt = newestEvent(group.sqlite, meta).receivedAt;
  }

  /** Largest id ever given out that is durable. */
  get highWaterMark(): number {
    return this.#ids.durable;
  }

  committed(): void {
    this.#ids.commit(this.#last);
  }

  rolledBack(): void {
    this.#last = this.#ids.committed;
  }

  ingest(batch: readonly NewEvent[], now: number): Promise<IngestResult[]> {
    return this.#group.write(() => this.#ingest(batch, now), { bare: true });
  }

  /** Ids continue after this one; to be called in a transaction. */
  continueAfter(id: number): void {
    const last = Math.max(this.#last, id);
    this.#meta.set('last_event_id', last);
    if (last > this.#last) this.#meta.set('ids_began_after', last);
    this.#last = last;
  }

  #ingest(batch: readonly NewEvent[], now: number): IngestResult[] {
    const plan = planIngest(batch, this.#known(batch));
    const first = this.#last + 1;
    const keysMark = this.#keys.mark();
    const indexMark = this.#index.mark();
    if (plan.fresh.length > 0) this.#receivedAt = Math.max(now, this.#receivedAt);
    try {
      for (const event of plan.fresh) this.#insert(event);
    } catch (error) {
      this.#last = first - 1;
      this.#keys.undoTo(keysMark);
      this.#index.undoTo(indexMark);
      throw error;
    }
    return plan.results(first);
  }

  #insert(event: NewEvent): void {
    const id = this.#last + 1;
    const { tenantCode: tenant, type, kind, source, severity, isTest: test, occurredAt: at, origin } = event;
    const instance = origin?.instance ?? null;
    this.#sql.insert.run(
      id,
      tenant,
      event.idempotencyKey,
      type,
      kind,
      source,
      severity,
      at,
      this.#receivedAt,
      test ? 1 : 0,
      event.nodeKey,
      instance,
      origin?.originId ?? null,
      origin?.receivedAt ?? null,
      event.doc,
    );
    this.#last = id;
    const columns = { id, tenant, type, kind, source, test, severity, instance, at };
    this.#index.added(columns, event.facts ?? factsOf(event));
    this.#keys.add(event.tenantCode, event.idempotencyKey.toWellFormed(), id);
  }

  #known(batch: readonly NewEvent[]): ReadonlyMap<string, PriorEvent> {
    let prior: Map<string, PriorEvent> | null = null;
    for (const { tenantCode, idempotencyKey } of batch) {
      const stored = this.#find(tenantCode, idempotencyKey);
      if (stored) (prior ??= new Map()).set(eventKey(tenantCode, idempotencyKey), stored);
    }
    return prior ?? NONE_KNOWN;
  }

  #find(tenantCode: string, idempotencyKey: string): PriorEvent | null {
    // SQLite keeps text as UTF-8, which has no lone surrogates.
    const key = idempotencyKey.toWellFormed();
    for (const id of this.#keys.candidates(tenantCode, key)) {
      // An index entry outlives its event.
      const stored = this.read(id);
      if (
        stored
          ? stored.idempotencyKey === key && stored.tenantCode === tenantCode
          : this.#keys.forgotten.holds(id, tenantCode, key)
      )
        return stored ?? { id, forgotten: true };
    }
    return null;
  }

  /** Also sees what the open transaction has written. */
  read(id: number): EventRecord | null {
    const row = this.#sql.one.get(id);
    return row ? this.#record(row, row.verdict, row.correctedTo) : null;
  }

  #record(
    { isTest, ...row }: EventRow,
    verdict: EventRecord['verdict'],
    correctedTo: EventRecord['correctedTo'],
  ): EventRecord {
    return { ...row, isTest: isTest === 1, verdict, correctedTo };
  }

  async get(id: number): Promise<EventRecord | null> {
    return this.read(id);
  }

  async byKeys(
    keys: readonly { tenantCode: string; idempotencyKey: string }[],
  ): Promise<Map<string, EventRecord>> {
    const found = new Map<string, EventRecord>();
    for (const { tenantCode, idempotencyKey } of keys) {
      const record = this.#find(tenantCode, idempotencyKey);
      if (record && !('forgotten' in record)) found.set(eventKey(tenantCode, idempotencyKey), record);
    }
    return found;
  }

  async page(after: number, limit: number): Promise<EventRecord[]> {
    const rows = this.#sql.page.all(after, this.highWaterMark, limit);
    const last = rows.at(-1)?.id;
    if (last === undefined) return [];
    const verdicts = new Map(this.#sql.verdicts.all(after, last));
    const corrected = new Map(this.#sql.corrected.all(after, last));
    return rows.map((row) => this.#record(row, verdicts.get(row.id) ?? null, corrected.get(row.id) ?? null));
  }

  async visible(range: IdRange, filter: VisibleTo, room: Room): Promise<Stretch> {
    const items: EventRecord[] = [];
    let { bytes } = room;
    for (const { verdict, correctedTo, ...row } of this.#sql.visible({
      ...range,
      through: Math.min(range.through, this.highWaterMark),
      filter,
      limit: room.rows,
    })) {
      items.push(this.#record(row, verdict, correctedTo));
      bytes -= Buffer.byteLength(row.doc);
      if (bytes <= 0) return { items, more: true };
    }
    return { items, more: items.length === room.rows };
  }

  async newestBefore(receivedAt: number, { after, through }: IdRange): Promise<number> {
    return this.#sql.newestBefore.get(after, Math.min(through, this.highWaterMark), receivedAt) ?? after;
  }

  newest(filter: EventFilter, before: number | null, room: Room): Promise<Stretch> {
    return this.#lists.newest(filter, before, room);
  }

  async list(filter: EventFilter, before: number | null, limit: number): Promise<EventRecord[]> {
    return (await this.newest(filter, before, { rows: limit, bytes: Infinity })).items;
  }

  async bounds(): Promise<EventBounds> {
    const { highWaterMark } = this;
    return {
      oldest: Math.min(this.#sql.oldest.get() ?? highWaterMark + 1, highWaterMark + 1),
      highWaterMark,
    };
  }

  async tally(after: number, most: number): Promise<EventTally[]> {
    return this.#sql.tally
      .all(after, this.highWaterMark, most)
      .map(({ isTest, ...one }) => ({ ...one, isTest: isTest === 1 }));
  }

  /** Bytes of event text after a position, from the size of the newest rows. */
  estimateBytes(after: number): number {
    const oldest = this.#sql.oldest.get() ?? this.highWaterMark + 1;
    const waiting = this.highWaterMark - Math.max(after, oldest - 1);
    return waiting <= 0
      ? 0
      : Math.round(waiting * (this.#sql.averageSize.get(this.highWaterMark - 100) ?? 0));
  }

  /** Durable events after a position, counted up to `atMost`. */
  countAfter(after: number, atMost: number): number {
    return this.#sql.countAfter.get(after, this.highWaterMark, atMost) ?? 0;
  }

  /** Receipt time of the first durable event after a position. */
  receivedAfter(after: number): number | null {
    return this.#sql.receivedAfter.get(after, this.highWaterMark) ?? null;
  }
}
