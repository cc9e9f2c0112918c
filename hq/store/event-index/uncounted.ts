import type { IndexedRow } from '../../../common/core/event/index/entry.ts';
import { MOVES_EVENT } from '../../../common/core/event/index/plan.ts';
import type { StatsQuery } from '../../../common/core/stats/port.ts';
import type { EventGroup } from '../../../common/core/stats/record.ts';
import { INDEXED, PROGRESS, type Progress } from './event-index.ts';
import type { Ask } from './moment.ts';

const STEP = 2_000;

/** The group `g` as the index has it. */
const WAS = `json_build_object('source', g.source, 'kind', g.kind, 'type', g.type,
  'verdict', g.verdict, 'correctedTo', g.corrected_to, 'test', g.is_test, 'judged', g.judged,
  'judgedType', g.judged_type, 'severity', g.severity, 'instance', g.instance)`;
const LEFT_OUT = `select s.row_id from stepped_over s where s.work = 'event index'`;

/** An event as it is now, and as what the index counts it; null: not at all. */
export type Uncounted = IndexedRow & { was: EventGroup | null };
type Span = Pick<StatsQuery, 'tenantCode' | 'since' | 'until'>;

/**
 * What the index does not count as it is now: events whose verdicts it has not taken yet, those that it had
 * to leave out, and new ones; of the window, and those without a time of occurrence. What the index counts,
 * with these put right, is every event once.
 */
export async function* uncounted(ask: Ask, query: Span): AsyncGenerator<Uncounted> {
  const [progress] = await ask<Progress>(PROGRESS, []);
  if (!progress) throw new Error('the event index has no progress');
  yield* await rejudged(ask, query, progress.changes);
  yield* await leftOut(ask, query, progress.events);
  const { tenantCode, since, until } = query;
  for (let after = progress.events; ;) {
    const rows = await ask<IndexedRow>(
      `select ${INDEXED} from events e left join verdicts v on v.tenant_code = e.tenant_code
        and v.event_id = e.id
       where e.id > $2 and e.tenant_code = $1
         and (e.occurred_at >= $3 and e.occurred_at < $4 or e.occurred_at is null)
       order by e.id limit $5`,
      [tenantCode, after, since, until, STEP],
    );
    for (const row of rows) yield { ...row, was: null };
    if (rows.length < STEP) return;
    after = rows.at(-1)?.id ?? after;
  }
}

const rejudged = (
  ask: Ask,
  { tenantCode, since, until }: Span,
  changes: number,
): Promise<(IndexedRow & { was: EventGroup })[]> =>
  ask(
    `select ${INDEXED}, ${WAS} as was
     from (select distinct event_id from verdict_changes where change_no > $2 and ${MOVES_EVENT}) c
     join event_facts f on f.tenant_code = $1 and f.event_id = c.event_id join event_groups g
       on g.tenant_code = f.tenant_code and g.id = f.group_id
     join events e on e.tenant_code = f.tenant_code and e.id = f.event_id
     left join verdicts v on v.tenant_code = e.tenant_code and v.event_id = e.id
     where (f.occurred_at >= $3 and f.occurred_at < $4 or f.occurred_at is null)
       and not exists (${LEFT_OUT} and s.tenant_code = $1 and s.row_id = e.id)`,
    [tenantCode, changes, since, until],
  );

/** Events that the index had to leave out. */
const leftOut = (ask: Ask, { tenantCode, since, until }: Span, indexed: number): Promise<Uncounted[]> =>
  ask(
    `select ${INDEXED}, case when g.id is not null then ${WAS} end as was
     from (${LEFT_OUT} and s.tenant_code = $1 and s.row_id <= $2) o
     join events e on e.tenant_code = $1 and e.id = o.row_id
     left join verdicts v on v.tenant_code = e.tenant_code and v.event_id = e.id
     left join event_facts f on f.tenant_code = e.tenant_code and f.event_id = e.id
     left join event_groups g on g.tenant_code = f.tenant_code and g.id = f.group_id
     where e.occurred_at >= $3 and e.occurred_at < $4 or e.occurred_at is null`,
    [tenantCode, indexed, since, until],
  );
