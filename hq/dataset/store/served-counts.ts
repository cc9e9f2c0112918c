import type { RoundResult } from '../../../common/loop.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { takeAgain, takeAll, type Work } from '../../store/engine/stepped-over.ts';

/** Events, and verdict changes, of one round. */
const AT_ONCE = 5_000;
const BEIJING_MS = 8 * 3_600_000;

const VERDICT = `coalesce((select c.verdict from corrections c where c.event_id = e.id order by c.seq desc
  limit 1),
  (select v.verdict from verdicts v where v.event_id = e.id), '')`;
/** The cell that an event is counted in, but for its verdict. */
const CELL = `e.tenant_code, to_char(to_timestamp((coalesce(e.occurred_at, e.received_at) + ${BEIJING_MS})
    / 1000) at time zone 'UTC', 'YYYY-MM-DD') as day,
  coalesce(e.site_ref, '') as site_ref, e.type, coalesce(e.severity, '') as severity,
  coalesce(e.instance, '') as instance`;
const EVENT =
  `(select id, tenant_code, type, severity, instance, occurred_at, received_at, is_test, ` +
  `doc::json ->> 'siteRef' as site_ref from events)`;
const ADD = `insert into served_event_counts as s (tenant_code, day, site_ref, type, severity, verdict,
  instance, count, updated_at)
  select tenant_code, day, site_ref, type, severity, verdict, instance, sum(n), $3 from deltas
    group by 1, 2, 3, 4, 5, 6, 7 having sum(n) <> 0 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (tenant_code, day, site_ref, type, severity, verdict, instance) do update
    set count = s.count + excluded.count, updated_at = excluded.updated_at`;

export interface ServedCounts {
  round(now: number): Promise<RoundResult>;
}

/**
 * Keeps the counts of events up: each event once, and moved when its verdict changes. What retention deletes
 * stays counted.
 */
export class HubServedCounts implements ServedCounts {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  round(now: number): Promise<RoundResult> {
    return this.#database.transaction(async (tx) => {
      // One view of events and verdicts: a verdict that comes after it has a change number beyond what is
      // read here.
      await tx.client.query('set transaction isolation level repeatable read');
      const {
        rows: [at],
      } = await tx.client.query<{ events: number; changes: number }>(
        'select events_upto as events, changes_upto as changes from served_progress where name = ' +
          `'events' for update skip locked`,
      );
      if (!at) return { again: false };
      const {
        rows: [head],
      } = await tx.client.query<{ events: number; changes: number }>(
        `select (select value from counters where name = 'event') as events, (select value from ` +
          `counters where name = 'verdict_change') as changes`,
      );
      if (!head) return { again: false };
      const events = Math.max(at.events, Math.min(head.events, at.events + AT_ONCE));
      const changes = Math.max(at.changes, Math.min(head.changes, at.changes + AT_ONCE));
      const counting: Work = {
        name: 'dataset counts',
        tenantOf: 'select tenant_code as tenant from events where id = $1',
        take: (ids) => countEvents(tx, ids, now),
      };
      const moving: Work = {
        name: 'dataset verdicts',
        tenantOf: 'select tenant_code as tenant from verdict_changes where change_no = $1',
        take: (numbers) => moveEvents(tx, { numbers, counted: events }, now),
      };
      for (const work of [counting, moving]) await takeAgain(tx, work);
      if (events === at.events && changes === at.changes) return { again: false };
      await takeAll(tx, counting, numbersIn(at.events, events));
      await takeAll(tx, moving, numbersIn(at.changes, changes));
      await tx.client.query(
        `update served_progress set events_upto = $1, changes_upto = $2 where name = 'events'`,
        [events, changes],
      );
      return { again: events < head.events || changes < head.changes };
    });
  }
}

/** @param to included */
const numbersIn = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + 1 + index);

/** Numbers that are taken together follow one another. */
const spanOf = (numbers: readonly number[]): [number, number] => [(numbers[0] ?? 1) - 1, numbers.at(-1) ?? 0];

async function countEvents(tx: Tx, ids: readonly number[], now: number): Promise<void> {
  await tx.client.query(
    `with fresh as (select e.id as event_id, ${CELL}, ${VERDICT} as verdict from ${EVENT} e where e.id > $1
      and e.id <= $2 and not e.is_test),
     known as (insert into served_event_verdicts (tenant_code, event_id, verdict)
       select tenant_code, event_id, verdict from fresh where verdict <> ''),
     deltas as (select tenant_code, day, site_ref, type, severity, verdict, instance, 1 as n from fresh)
       ${ADD}`,
    [...spanOf(ids), now],
  );
}

/** An event that is not counted is not moved either: it is counted by its verdict when it is tried again. */
async function moveEvents(
  tx: Tx,
  { numbers, counted }: { numbers: readonly number[]; counted: number },
  now: number,
): Promise<void> {
  await tx.client.query(
    `with touched as (select distinct event_id from verdict_changes where change_no > $1 and change_no <= $2),
     moved as (
       select e.id as event_id, ${CELL}, coalesce(k.verdict, '') as before, ${VERDICT} as verdict
       from touched t join ${EVENT} e on e.id = t.event_id left join served_event_verdicts k
         on k.tenant_code = e.tenant_code and k.event_id = e.id
       where e.id <= $4 and not e.is_test and not exists (select 1 from stepped_over o where
         o.tenant_code = e.tenant_code and o.work = 'dataset counts' and o.row_id = e.id)
     ),
     known as (
       insert into served_event_verdicts (tenant_code, event_id, verdict)
         select tenant_code, event_id, verdict from moved where verdict <> before
       on conflict (tenant_code, event_id) do update set verdict = excluded.verdict
     ),
     deltas as (
       select tenant_code, day, site_ref, type, severity, before as verdict, instance, -1 as n from moved
         where verdict <> before
       union all select tenant_code, day, site_ref, type, severity, verdict, instance, 1 from moved
         where verdict <> before
     ) ${ADD}`,
    [...spanOf(numbers), now, counted],
  );
}
