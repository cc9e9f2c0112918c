import type Database from 'better-sqlite3';
import { planIngest, type PriorEvent } from '../../../common/core/event/decide.ts';
import { factsOf } from '../../../common/core/event/facts.ts';
import {
  eventKey,
  type EventBounds,
  type EventFilter,
  type EventPort,
  type IngestResult,
} from '../../../common/core/event/port.ts';
import type { EventRecord, NewEvent } from '../../../common/core/event/record.ts';
import type { GroupCommit, Participant } from '../engine/group-commit.ts';
import type { EventIndex } from '../event-index/event-index.ts';
import { EventLists } from '../event-index/list.ts';
import type { KeyIndex } from '../key-index/key-index.ts';
import type { Meta } from '../engine/meta.ts';

type EventRow = Omit<EventRecord, 'isTest' | 'verdict' | 'correctedTo'> & { isTest: number };
type JudgedRow = EventRow & Pick<EventRecord, 'verdict' | 'correctedTo'>;

const COLUMNS = `e.id, e.tenant_code AS tenantCode, e.idempotency_key AS idempotencyKey, e.type, e.kind, e.source, e.severity,
  e.occurred_at AS occurredAt, e.received_at AS receivedAt, e.is_test AS isTest, e.node_key AS nodeKey, e.instance,
  e.origin_id AS originId, e.origin_received_at AS originReceivedAt, e.doc`;
const JUDGEMENT = `(SELECT verdict FROM verdicts WHERE event_id = e.id) AS verdict,
  (SELECT verdict FROM corrections WHERE event_id = e.id ORDER BY seq DESC LIMIT 1) AS correctedTo`;

const NONE_KNOWN: ReadonlyMap<string, PriorEvent> = new Map();

/** Events on SQLite. Ids and receipt times come from counters in memory; there is one writer. */
export class SiteEvents implements EventPort, Participant {
  #group: GroupCommit;
  #keys: KeyIndex;
  #meta: Meta;
  /**
   * Largest id given out in the open transaction, among what is committed, what the sync under way is for,
   * and what is durable.
   */
  #last: number;
  #committedLast: number;
  #syncingLast: number;
  #durableLast: number;
  #receivedAt: number;
  #lists: EventLists | null = null;
  #index: EventIndex | null = null;
  #sql: ReturnType<typeof prepare>;

  /** Everything in the database must be durable. */
  constructor(group: GroupCommit, parts: { keys: KeyIndex; meta: Meta }) {
    this.#group = group;
    this.#keys = parts.keys;
    this.#meta = parts.meta;
    const { meta } = parts;
    this.#sql = prepare(group.sqlite);
    const newest = this.#sql.newest.get();
    this.#last = Math.max(newest?.id ?? 0, meta.number('last_event_id'), meta.number('keys_upto'));
    this.#committedLast = this.#last;
    this.#syncingLast = this.#last;
    this.#durableLast = this.#last;
    this.#receivedAt = Math.max(newest?.receivedAt ?? 0, meta.number('last_received_at'));
    group.join(this);
  }

  /** Largest id ever given out that is durable. */
  get head(): number {
    return this.#durableLast;
  }

  committed(): void {
    this.#committedLast = this.#last;
  }

  rolledBack(): void {
    this.#last = this.#committedLast;
  }

  syncing(): void {
    this.#syncingLast = this.#committedLast;
  }

  durable(): void {
    this.#durableLast = this.#syncingLast;
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
    const indexMark = this.#index?.mark() ?? 0;
    if (plan.fresh.length > 0) this.#receivedAt = Math.max(now, this.#receivedAt);
    try {
      for (const event of plan.fresh) this.#insert(event);
    } catch (error) {
      this.#last = first - 1;
      this.#keys.undoTo(keysMark);
      this.#index?.undoTo(indexMark);
      throw error;
    }
    return plan.results(first);
  }

  #insert(event: NewEvent): void {
    const id = this.#last + 1;
    const { tenantCode: tenant, type, kind, source, isTest: test, occurredAt: at, origin } = event;
    this.#sql.insert.run(
      id,
      tenant,
      event.idempotencyKey,
      type,
      kind,
      source,
      event.severity,
      at,
      this.#receivedAt,
      test ? 1 : 0,
      event.nodeKey,
      origin?.instance ?? null,
      origin?.originId ?? null,
      origin?.receivedAt ?? null,
      event.doc,
    );
    this.#last = id;
    this.#index?.added({ id, tenant, type, kind, source, test, at }, event.facts ?? factsOf(event));
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
    const rows = this.#sql.page.all(after, this.#durableLast, limit);
    const last = rows.at(-1)?.id;
    if (last === undefined) return [];
    const verdicts = new Map(this.#sql.verdicts.all(after, last));
    const corrected = new Map(this.#sql.corrected.all(after, last));
    return rows.map((row) => this.#record(row, verdicts.get(row.id) ?? null, corrected.get(row.id) ?? null));
  }

  list(filter: EventFilter, before: number | null, limit: number): Promise<EventRecord[]> {
    if (!this.#lists) throw new Error('the events have no index yet');
    return this.#lists.list(filter, before, limit);
  }

  /** To be called once; the index follows these events. */
  useIndex(index: EventIndex): void {
    this.#index = index;
    this.#lists = new EventLists({ sqlite: this.#group.sqlite, index, read: (id) => this.read(id) });
  }

  async bounds(): Promise<EventBounds> {
    const highWaterMark = this.#durableLast;
    return {
      oldest: Math.min(this.#sql.oldest.get() ?? highWaterMark + 1, highWaterMark + 1),
      highWaterMark,
    };
  }

  /** Bytes of event text after a position, from the size of the newest rows. */
  estimateBytes(after: number): number {
    const oldest = this.#sql.oldest.get() ?? this.#durableLast + 1;
    const waiting = this.#durableLast - Math.max(after, oldest - 1);
    return waiting <= 0 ? 0 : Math.round(waiting * (this.#sql.averageSize.get(this.#durableLast - 100) ?? 0));
  }

  /** Durable events after a position, counted up to `atMost`. */
  countAfter(after: number, atMost: number): number {
    return this.#sql.countAfter.get(after, this.#durableLast, atMost) ?? 0;
  }

  /** Receipt time of the first durable event after a position. */
  receivedAfter(after: number): number | null {
    return this.#sql.receivedAfter.get(after, this.#durableLast) ?? null;
  }
}

/** The keys of stored events with larger ids. */
export const keysAfter = (sqlite: Database.Database) => {
  const later = sqlite
    .prepare<[number], [id: number, tenantCode: string, idempotencyKey: string]>(
      'SELECT id, tenant_code, idempotency_key FROM events WHERE id > ?',
    )
    .raw();
  return (id: number) => later.iterate(id);
};

function prepare(sqlite: Database.Database) {
  type Pair = [number, NonNullable<EventRecord['verdict']>];
  return {
    insert: sqlite.prepare<(string | number | null)[]>(
      `INSERT INTO events (id, tenant_code, idempotency_key, type, kind, source, severity, occurred_at,
        received_at, is_test, node_key,
         instance, origin_id, origin_received_at, doc) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    one: sqlite.prepare<[number], JudgedRow>(`SELECT ${COLUMNS}, ${JUDGEMENT} FROM events e WHERE e.id = ?`),
    page: sqlite.prepare<[number, number, number], EventRow>(
      `SELECT ${COLUMNS} FROM events e WHERE e.id > ? AND e.id <= ? ORDER BY e.id LIMIT ?`,
    ),
    verdicts: sqlite
      .prepare<[number, number], Pair>(
        'SELECT event_id, verdict FROM verdicts WHERE event_id > ? AND event_id <= ?',
      )
      .raw(),
    corrected: sqlite
      .prepare<[number, number], Pair>(
        'SELECT event_id, verdict FROM corrections WHERE event_id > ? AND event_id <= ? ORDER BY ' +
          'event_id, seq',
      )
      .raw(),
    newest: sqlite.prepare<[], { id: number; receivedAt: number }>(
      'SELECT id, received_at AS receivedAt FROM events ORDER BY id DESC LIMIT 1',
    ),
    oldest: sqlite.prepare<[], number | null>('SELECT min(id) FROM events').pluck(),
    averageSize: sqlite
      .prepare<[number], number | null>('SELECT avg(octet_length(doc)) FROM events WHERE id > ?')
      .pluck(),
    countAfter: sqlite
      .prepare<[number, number, number], number>(
        'SELECT count(*) FROM (SELECT 1 FROM events WHERE id > ? AND id <= ? LIMIT ?)',
      )
      .pluck(),
    receivedAfter: sqlite
      .prepare<[number, number], number>(
        'SELECT received_at FROM events WHERE id > ? AND id <= ? ORDER BY id LIMIT 1',
      )
      .pluck(),
  };
}
