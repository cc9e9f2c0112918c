import type { VerdictValue } from '../../verdict/schema.ts';
import type { EventFilter, VerdictFilter } from '../port.ts';

/** Columns of both stores that a filter is about. */
export type FilterColumn =
  | 'tenant_code'
  | 'type'
  | 'kind'
  | 'source'
  | 'is_test'
  | 'severity'
  | 'verdict'
  | 'corrected_to'
  | 'standing'
  | 'occurred_at'
  | 'site_ref'
  | 'camera_ref'
  | 'instance';

export type Condition =
  | {
      column: FilterColumn;
      operator: '=' | '>=' | '<';
      /** null: the column has no value. */
      value: string | number | boolean | null;
    }
  | { column: FilterColumn; operator: 'in'; values: readonly string[] };

/** Whether it asks for what verdicts and their corrections change. */
export const asksForVerdict = ({ verdict, correctedTo, standing }: VerdictFilter): boolean =>
  verdict !== undefined || correctedTo !== undefined || standing !== undefined;

/** Whether an event is as a filter asks for, by the verdict and the newest correction that it has now. */
export function hasVerdict(
  filter: VerdictFilter,
  event: { verdict: VerdictValue | null; correctedTo: VerdictValue | null },
): boolean {
  const { verdict, correctedTo } = event;
  const is = (wanted: VerdictValue | 'none' | undefined, value: VerdictValue | null): boolean =>
    wanted === undefined || (value ?? 'none') === wanted;
  return (
    is(filter.verdict, verdict) &&
    is(filter.correctedTo, correctedTo) &&
    is(filter.standing, correctedTo ?? verdict)
  );
}

/** What a filter asks of an event: of its group, time and place. */
export interface Asked {
  group: Condition[];
  time: Condition[];
  place: Condition[];
}

export function askedOf(filter: EventFilter): Asked {
  const { type, kind, source, verdict, since, until } = filter;
  const equal = (column: FilterColumn, value: string | boolean | undefined | null): Condition[] =>
    value === undefined || value === null ? [] : [{ column, operator: '=', value }];
  const group = [
    ...equal('tenant_code', filter.tenantCode),
    ...equal('type', type),
    ...equal('kind', kind),
    ...equal('source', source),
    ...equal('is_test', filter.includeTest ? null : false),
  ];
  for (const [column, wanted] of [
    ['verdict', verdict],
    ['corrected_to', filter.correctedTo],
    ['standing', filter.standing],
  ] as const)
    if (wanted !== undefined) group.push({ column, operator: '=', value: wanted === 'none' ? null : wanted });
  if (filter.severities !== undefined)
    group.push({ column: 'severity', operator: 'in', values: filter.severities });
  const time: Condition[] = [];
  if (since !== undefined) time.push({ column: 'occurred_at', operator: '>=', value: since });
  if (until !== undefined) time.push({ column: 'occurred_at', operator: '<', value: until });
  const place = [...equal('site_ref', filter.siteRef), ...equal('camera_ref', filter.cameraRef)];
  if (filter.instance !== undefined)
    place.push({ column: 'instance', operator: '=', value: filter.instance });
  if (filter.instances !== undefined)
    place.push({ column: 'instance', operator: 'in', values: [...filter.instances] });
  return { group, time, place };
}

/**
 * Conditions in SQL, as both stores read it.
 * @param sqlOf of a column
 * @param bind takes a value, and gives its placeholder
 */
export function sqlOfConditions(
  conditions: readonly Condition[],
  sqlOf: (column: FilterColumn) => string,
  bind: (value: string | number | boolean) => string,
): string {
  const terms = conditions.map((one) => {
    const column = sqlOf(one.column);
    if (one.operator === 'in') return `${column} in (${one.values.map(bind).join(', ')})`;
    return one.value === null ? `${column} is null` : `${column} ${one.operator} ${bind(one.value)}`;
  });
  return terms.length === 0 ? 'true' : terms.join(' and ');
}
