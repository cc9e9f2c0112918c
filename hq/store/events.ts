import type { EventFilter, EventPort } from '../../common/core/event/port.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import type { Database } from './database.ts';
import { eventsByKeys, SELECT_EVENTS } from './event-rows.ts';
import type { Epoch } from './epoch.ts';
import type { IngestQueue } from './ingest-queue.ts';

export function createEvents(database: Database, queue: IngestQueue, epoch: Epoch): EventPort {
  const select = (rest: string, values: unknown[]): Promise<EventRecord[]> =>
    database.read(async (_db, pool) => (await pool.query<EventRecord>(`${SELECT_EVENTS} ${rest}`, values)).rows);

  return {
    ingest: (events, now) => (events.length === 0 ? Promise.resolve([]) : queue.add({ events, now })),
    get: async (id) => (await select('where e.id = $1', [id]))[0] ?? null,
    byKeys: (keys) => database.read((_db, pool) => eventsByKeys(pool, keys)),
    page: (after, limit) => select('where e.id > $1 order by e.id limit $2', [after, limit]),
    list: (filter, before, limit) => {
      const { where, values } = conditions(filter, before);
      return select(`where ${where} order by e.id desc limit $${values.length + 1}`, [...values, limit]);
    },
    bounds: () => database.read(async (_db, pool) => {
      // The counter's committed value: the newest id of which it is known that it is durable.
      const { rows: [row] } = await pool.query<{ head: number; oldest: number | null; epoch: string }>(
        `select value as head, (select min(id) from events) as oldest, (select value from store_facts where name = 'epoch') as epoch
         from counters where name = 'event'`);
      if (row) epoch.seen(row.epoch);
      const head = row?.head ?? 0;
      return { head, oldest: row?.oldest ?? head + 1 };
    }),
  };
}

function conditions(filter: EventFilter, before: number | null): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const judged = 'select 1 from verdicts v where v.event_id = e.id';
  const all = ['true'];
  if (filter.tenantCode !== null) all.push(`e.tenant_code = ${bind(filter.tenantCode)}`);
  if (filter.type !== undefined) all.push(`e.type = ${bind(filter.type)}`);
  if (filter.verdict === 'none') all.push(`not exists (${judged})`);
  else if (filter.verdict !== undefined) all.push(`exists (${judged} and v.tenant_code = e.tenant_code and v.verdict = ${bind(filter.verdict)})`);
  if (!filter.includeTest) all.push('not e.is_test');
  if (before !== null) all.push(`e.id < ${bind(before)}`);
  return { where: all.join(' and '), values };
}
