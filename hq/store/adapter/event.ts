import type {
  EventBounds,
  EventFilter,
  EventPort,
  EventTally,
  IdRange,
  IngestResult,
  Room,
  Stretch,
  VisibleTo,
} from '../../../common/core/event/port.ts';
import type { EventRecord, NewEvent } from '../../../common/core/event/record.ts';
import type { Coalescer } from '../engine/coalescer.ts';
import type { Database } from '../engine/database.ts';
import type { Epoch } from '../engine/epoch.ts';
import { LIST_PROBE, listEvents } from '../event-index/list.ts';
import { inRoom, readStretch, visibleRows } from './event-room.ts';
import { type EventBatch, eventsByKeys, SELECT_EVENTS } from './event-rows.ts';

/** Events on Postgres. In SQL, since rows are read as they are sent on, and written in bulk by `copy`. */
export class HubEvents implements EventPort {
  #database: Database;
  #ingesting: Coalescer<EventBatch, IngestResult[]>;
  #epoch: Epoch;
  #listProbe: number;

  /** @param listProbe newest ids that a list looks at row by row */
  constructor(
    database: Database,
    ingesting: Coalescer<EventBatch, IngestResult[]>,
    epoch: Epoch,
    listProbe = LIST_PROBE,
  ) {
    this.#database = database;
    this.#ingesting = ingesting;
    this.#epoch = epoch;
    this.#listProbe = listProbe;
  }

  async ingest(events: readonly NewEvent[], now: number): Promise<IngestResult[]> {
    return events.length === 0 ? [] : this.#ingesting.add({ events, now });
  }

  async get(id: number): Promise<EventRecord | null> {
    return (await this.#select('where e.id = $1', [id]))[0] ?? null;
  }

  byKeys(keys: readonly { tenantCode: string; idempotencyKey: string }[]): Promise<Map<string, EventRecord>> {
    return this.#database.read((_db, pool) => eventsByKeys(pool, keys));
  }

  page(after: number, limit: number): Promise<EventRecord[]> {
    return this.#select('where e.id > $1 order by e.id limit $2', [after, limit]);
  }

  visible(range: IdRange, filter: VisibleTo, room: Room): Promise<Stretch> {
    const { text, values } = inRoom(visibleRows(range, filter, room.rows), 'asc', room);
    return this.#database.read((_db, pool) => readStretch(pool, { text, values }, room));
  }

  async newestBefore(receivedAt: number, { after, through }: IdRange): Promise<number> {
    const { rows } = await this.#database.read((_db, pool) =>
      pool.query<{ id: number }>(
        `select id from events where id > $1 and id <= $2 and received_at <= $3 order by id desc limit 1`,
        [after, through, receivedAt],
      ),
    );
    return rows[0]?.id ?? after;
  }

  newest(filter: EventFilter, before: number | null, room: Room): Promise<Stretch> {
    return this.#database.list((_db, reader) =>
      listEvents(reader, { filter, before, room, probe: this.#listProbe }),
    );
  }

  async list(filter: EventFilter, before: number | null, limit: number): Promise<EventRecord[]> {
    return (await this.newest(filter, before, { rows: limit, bytes: Infinity })).items;
  }

  bounds(): Promise<EventBounds> {
    return this.#database.read(async (_db, pool) => {
      // The counter's committed value: the newest id of which it is known that it is durable.
      const {
        rows: [row],
      } = await pool.query<{ head: number; oldest: number | null; epoch: string }>(
        `select value as head, (select min(id) from events) as oldest,
           (select value from store_facts where name = 'epoch') as epoch
         from counters where name = 'event'`,
      );
      if (row) this.#epoch.keep(row.epoch);
      const highWaterMark = row?.head ?? 0;
      return { highWaterMark, oldest: row?.oldest ?? highWaterMark + 1 };
    });
  }

  tally(after: number, most: number): Promise<EventTally[]> {
    return this.#database.read(
      async (_db, pool) =>
        (
          await pool.query<EventTally>(
            `select tenant_code as "tenantCode", type, severity, is_test as "isTest", count(*)::int as count
             from (
               select tenant_code, type, severity, is_test from events where id > $1 order by id limit $2
             ) e
             group by 1, 2, 3, 4`,
            [after, most],
          )
        ).rows,
    );
  }

  #select(rest: string, values: unknown[]): Promise<EventRecord[]> {
    return this.#database.read(
      async (_db, pool) => (await pool.query<EventRecord>(`${SELECT_EVENTS} ${rest}`, values)).rows,
    );
  }
}
