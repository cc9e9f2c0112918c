import { severities } from '../../../common/core/event/schema.ts';
import type { Ask } from '../../store/event-index/moment.ts';
import type { SiteTimes, StatisticsQuery } from '../port.ts';
import type { Times, Waits } from '../record.ts';

interface Measured {
  instance: string | null;
  /** Of all sites together, and of headquarters. */
  together: boolean;
  count: number;
  shares: [median: number, ninetieth: number] | null;
}

/** Two clocks may stand on both ends of a wait, so that the end can come before the beginning: 0 then. */
const VERDICTS = `select e.instance,
    greatest(v.at - coalesce(e.origin_received_at, e.received_at), 0) as ms
  from event_facts f
  join events e on e.tenant_code = f.tenant_code and e.id = f.event_id
  join verdicts v on v.tenant_code = f.tenant_code and v.event_id = f.event_id
  where f.tenant_code = $1 and f.occurred_at >= $2 and f.occurred_at < $3
    and e.kind = 'alert' and v.by_kind = 'human'
    and ($4 or not e.is_test) and coalesce(e.severity, 'medium') = any($5)
    and ($6::text[] is null or e.instance = any($6))`;

/** A task is changed no earlier than it was created: the index of changes bounds what is looked at. */
const tasks = (end: 'taken_over_at' | 'completed_at'): string => `select t.instance,
    greatest(t.${end} - t.created_at, 0) as ms
  from tasks t left join events e on e.tenant_code = t.tenant_code and e.id = t.event_id
  where t.tenant_code = $1 and t.updated_at >= $2 and t.created_at >= $2 and t.created_at < $3
    and t.type <> 'review' and t.${end} is not null
    and ($4 or e.is_test is not true) and t.severity = any($5)
    and ($6::text[] is null or t.instance = any($6))`;

const NONE: Waits = { count: 0, median: null, ninetieth: null };

export async function timesIn(ask: Ask, query: StatisticsQuery): Promise<{ all: Times; sites: SiteTimes[] }> {
  const { instances: asked } = query.filter;
  const measure = (waits: string): Promise<Measured[]> =>
    ask(
      `select instance, grouping(instance) = 1 as together, count(*) as count,
         array_to_json(percentile_disc(array[0.5, 0.9]) within group (order by ms)) as shares
       from (${waits}) w group by grouping sets ((), (instance)) order by instance nulls first`,
      [
        ...[query.tenantCode, query.since, query.until, query.includeTest],
        ...[query.filter.severities ?? severities, asked ? [...asked] : null],
      ],
    );
  const measured = {
    verdict: await measure(VERDICTS),
    takeover: await measure(tasks('taken_over_at')),
    completion: await measure(tasks('completed_at')),
  };
  const pick = (is: (one: Measured) => boolean): Times => ({
    verdict: waitsOf(measured.verdict.find(is)),
    takeover: waitsOf(measured.takeover.find(is)),
    completion: waitsOf(measured.completion.find(is)),
  });
  const instances = new Set(
    Object.values(measured).flatMap((all) => all.filter((one) => !one.together).map((one) => one.instance)),
  );
  return {
    all: pick((one) => one.together),
    sites: [...instances].map((instance) => ({
      instance,
      ...pick((one) => !one.together && one.instance === instance),
    })),
  };
}

function waitsOf(measured: Measured | undefined): Waits {
  if (!measured?.shares) return NONE;
  const [median, ninetieth] = measured.shares;
  return { count: measured.count, median, ninetieth };
}
