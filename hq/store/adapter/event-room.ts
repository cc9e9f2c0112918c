// Reading events as far as there is room for them: what does not fit never leaves the server, which knows
// how large a text is without reading it.
import type { IdRange, Room, Stretch, VisibleTo } from '../../../common/core/event/port.ts';
import type { EventRecord } from '../../../common/core/event/record.ts';
import { SELECT_EVENTS } from './event-rows.ts';

/** The pool or one connection. */
export interface RowReader {
  query<R>(text: string, values: unknown[]): Promise<{ rows: R[] }>;
}

export interface Statement {
  text: string;
  values: unknown[];
}

/** Where there is no bound; Postgres has no infinity among its whole numbers. */
const EVERY_BYTE = Number.MAX_SAFE_INTEGER;

/** Of the rows of a statement, in this order of their ids, those that fit, and the one that is too much. */
export function inRoom({ text, values }: Statement, order: 'asc' | 'desc', { bytes }: Room): Statement {
  return {
    text: `select * from (select p.*, sum(octet_length(p.doc)) over (order by p.id ${order}
        rows unbounded preceding)::bigint as "bytesThrough" from (${text}) p) q
      where "bytesThrough" - octet_length(doc) < $${values.length + 1} order by id ${order}`,
    values: [...values, Math.min(bytes, EVERY_BYTE)],
  };
}

/** Reads what `inRoom` makes. */
export async function readStretch(
  reader: RowReader,
  { text, values }: Statement,
  { rows: most, bytes }: Room,
): Promise<Stretch> {
  const { rows } = await reader.query<EventRecord & { bytesThrough: number }>(text, values);
  const full = (rows.at(-1)?.bytesThrough ?? 0) >= bytes;
  const items = rows.map(({ bytesThrough: _, ...event }): EventRecord => event);
  return { items, more: full || items.length === most };
}

export function visibleRows({ after, through }: IdRange, filter: VisibleTo, rows: number): Statement {
  const { tenantCode, eventTypes, severities, includeTest } = filter;
  const values: unknown[] = [after, through];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = ['e.id > $1', 'e.id <= $2'];
  if (tenantCode !== null) where.push(`e.tenant_code = ${bind(tenantCode)}`);
  if (!includeTest) where.push('not e.is_test');
  if (severities !== null) where.push(`coalesce(e.severity, 'medium') = any(${bind(severities)}::text[])`);
  if (eventTypes !== null) {
    const [begun, exact] = [true, false].map((open) =>
      eventTypes.filter((one) => one.endsWith('*') === open),
    );
    const beginnings = bind(begun?.map((one) => one.slice(0, -1)) ?? []);
    where.push(
      `(e.type = any(${bind(exact)}::text[])
        or exists (select 1 from unnest(${beginnings}::text[]) b (begin)
          where starts_with(e.type, b.begin)))`,
    );
  }
  return { text: `${SELECT_EVENTS} where ${where.join(' and ')} order by e.id limit ${bind(rows)}`, values };
}
