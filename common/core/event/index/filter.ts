import type { EventFilter } from '../port.ts';

/** Columns of both stores that a filter is about. */
export type FilterColumn =
  | 'tenant_code'
  | 'type'
  | 'kind'
  | 'source'
  | 'is_test'
  | 'verdict'
  | 'occurred_at'
  | 'site_ref'
  | 'camera_ref';

export interface Condition {
  column: FilterColumn;
  operator: '=' | '>=' | '<';
  /** null: the column has no value. */
  value: string | number | boolean | null;
}

/** What a filter asks of the group, of the time and of the place of an event. */
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
  const value = verdict === 'none' ? null : verdict;
  if (value !== undefined) group.push({ column: 'verdict', operator: '=', value });
  const time: Condition[] = [];
  if (since !== undefined) time.push({ column: 'occurred_at', operator: '>=', value: since });
  if (until !== undefined) time.push({ column: 'occurred_at', operator: '<', value: until });
  const place = [...equal('site_ref', filter.siteRef), ...equal('camera_ref', filter.cameraRef)];
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
  const terms = conditions.map(({ column, operator, value }) =>
    value === null ? `${sqlOf(column)} is null` : `${sqlOf(column)} ${operator} ${bind(value)}`,
  );
  return terms.length === 0 ? 'true' : terms.join(' and ');
}
