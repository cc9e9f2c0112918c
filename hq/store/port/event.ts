import type { EventPort, IngestResult } from '../../../common/core/event/port.ts';
import type { EventRecord } from '../../../common/core/event/record.ts';
import type { Database } from '../engine/database.ts';
import { createEventList, LIST_PROBE } from '../event-index/list.ts';
import { eventsByKeys, SELECT_EVENTS, type EventBatch } from './event-rows.ts';
import type { Epoch } from '../engine/epoch.ts';
import type { Coalescer } from '../engine/coalescer.ts';

export function createEvents(
  database: Database,
  ingesting: Coalescer<EventBatch, IngestResult[]>,
  epoch: Epoch,
  listProbe = LIST_PROBE,
): EventPort {
  const select = (rest: string, values: unknown[]): Promise<EventRecord[]> =>
    database.read(
      async (_db, pool) => (await pool.query<EventRecord>(`${SELECT_EVENTS} ${rest}`, values)).rows,
    );

  return {
    ingest: (events, now) => (events.length === 0 ? Promise.resolve([]) : ingesting.add({ events, now })),
    get: async (id) => (await select('where e.id = $1', [id]))[0] ?? null,
    byKeys: (keys) => database.read((_db, pool) => eventsByKeys(pool, keys)),
    page: (after, limit) => select('where e.id > $1 order by e.id limit $2', [after, limit]),
    list: createEventList(database, listProbe),
    bounds: () =>
      database.read(async (_db, pool) => {
        // The counter's committed value: the newest id of which it is known that it is durable.
        const {
          rows: [row],
        } = await pool.query<{ head: number; oldest: number | null; epoch: string }>(
          `select value as head, (select min(id) from events) as oldest, (select value from store_facts
            where name = 'epoch') as epoch
         from counters where name = 'event'`,
        );
        if (row) epoch.keep(row.epoch);
        const highWaterMark = row?.head ?? 0;
        return { highWaterMark, oldest: row?.oldest ?? highWaterMark + 1 };
      }),
  };
}
