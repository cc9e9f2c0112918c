// The statements of lists of events.
import {
  type Asked,
  askedOf,
  asksForVerdict,
  type Condition,
  type FilterColumn,
  sqlOfConditions,
} from '../../../common/core/event/index/filter.ts';
import { MOVES_EVENT } from '../../../common/core/event/index/plan.ts';
import type { EventFilter } from '../../../common/core/event/port.ts';

/**
 * Rows of events hold neither. They are looked up for each event: in a join, verdicts of a kind that the
 * statistics do not know yet would all be read for each event.
 */
const VERDICT = '(select v.verdict from verdicts v where v.event_id = e.id)';
const CORRECTED = '(select c.verdict from corrections c where c.event_id = e.id order by c.seq desc limit 1)';

/** Columns that rows of events have under another name, or not at all. */
const ROW_SQL: Partial<Record<FilterColumn, string>> = {
  // An event without one counts as medium.
  severity: "coalesce(e.severity, 'medium')",
  verdict: VERDICT,
  corrected_to: CORRECTED,
  standing: `coalesce(${CORRECTED}, ${VERDICT})`,
};

/** Collects the values of a statement. */
export class Values {
  readonly all: unknown[] = [];
  bind = (value: unknown): string => `$${this.all.push(value)}`;

  where(conditions: readonly Condition[], alias: string): string {
    const sqlOf = (column: FilterColumn): string =>
      column === 'standing' ? `coalesce(${alias}.corrected_to, ${alias}.verdict)` : `${alias}.${column}`;
    return sqlOfConditions(conditions, sqlOf, this.bind);
  }

  /** Conditions on rows of events, which hold no place number. */
  whereRows({ group, time }: Asked): string {
    return sqlOfConditions([...group, ...time], (column) => ROW_SQL[column] ?? `e.${column}`, this.bind);
  }
}

export interface FactRange {
  /** Verdict changes up to here are known to the facts. */
  changes: number;
  /** Largest and smallest id. */
  floor: number;
  first: number;
  limit: number;
}

/**
 * Ids of events in facts, newest first; those with a verdict that the facts do not know yet are looked at
 * themselves.
 * They are many after an outage: `not in` keeps them in one hash, where an anti-join may go through them for
 * every row. What is looked up one by one stands behind `offset 0`: to weigh joins of two tables with a dozen
 * partitions each took the planner most of a second.
 * @param groups when the filter names a place: the groups that it takes. They too are looked up in a hash; a
 *   constant array would be weighed by the planner, number by number, for each partition
 */
export function fromFacts(
  filter: EventFilter,
  { changes, floor, first, limit }: FactRange,
  groups: number[] | null,
): { text: string; values: unknown[] } {
  const { tenantCode } = filter;
  // An event that came to a group after the groups were read has a change since, too.
  const judged = asksForVerdict(filter) || groups !== null;
  const asked = askedOf(filter);
  const values = new Values();
  const [low, high, most] = [values.bind(first), values.bind(floor), values.bind(limit)];
  const notStale = 'f.event_id not in (select s.event_id from stale s)';
  const known = judged ? notStale : 'true';
  const range = `f.event_id between ${low} and ${high} and ${values.where(asked.time, 'f')}`;
  const fact = `${range} and ${known}`;
  const newest = (from: string, condition: string): string => `${from} cross join lateral (
    select f.event_id as id from event_facts f where ${condition} and ${fact}
    order by f.event_id desc limit ${most}) n`;
  const tenant: Condition[] =
    tenantCode === null ? [] : [{ column: 'tenant_code', operator: '=', value: tenantCode }];
  // Postgres refuses a parameter that the statement does not use, so it is added only here.
  const places = groups === null ? '' : values.where([...tenant, ...asked.place], 'p');
  const inGroups = (): string =>
    `f.place_id = p.id and (f.group_id in (select unnest(${values.bind(groups)}::integer[]))) is true`;
  const indexed =
    groups === null
      ? `select n.id from ${newest('event_groups g', 'f.group_id = g.id')} where ` +
        `${values.where(asked.group, 'g')}`
      : `select n.id from ${newest('event_places p', inGroups())} where ${places}`;
  const late = !judged
    ? ''
    : `union all select e.id from stale s cross join lateral (select * from events
      where tenant_code = s.tenant_code and id = s.event_id and id between ${low} and ${high} offset 0) e
    ${
      groups === null
        ? ''
        : `cross join lateral (select tenant_code, place_id from event_facts
        where tenant_code = e.tenant_code and event_id = e.id offset 0) f
      join event_places p on p.tenant_code = f.tenant_code and p.id = f.place_id and ${places}`
    }
    where ${values.whereRows(asked)}`;
  const text = `with stale as materialized (select distinct c.tenant_code, c.event_id from verdict_changes c
      where c.change_no > ${values.bind(changes)} and c.${MOVES_EVENT})
    select id from (${indexed} ${late}) i order by id desc limit ${most}`;
  return { text, values: values.all };
}
