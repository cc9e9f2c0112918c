import type Database from 'better-sqlite3';
import type { EventTally, IdRange, VisibleTo } from '../../../common/core/event/port.ts';
import type { EventRecord } from '../../../common/core/event/record.ts';
import type { Meta } from '../engine/meta.ts';

export type EventRow = Omit<EventRecord, 'isTest' | 'verdict' | 'correctedTo'> & { isTest: number };
export type JudgedRow = EventRow & Pick<EventRecord, 'verdict' | 'correctedTo'>;

type Tallied = Omit<EventTally, 'isTest'> & { isTest: number };

const COLUMNS = `e.id, e.tenant_code AS tenantCode, e.idempotency_key AS idempotencyKey, e.type, e.kind,
  e.source, e.severity, e.occurred_at AS occurredAt, e.received_at AS receivedAt, e.is_test AS isTest,
  e.node_key AS nodeKey, e.instance, e.origin_id AS originId, e.origin_received_at AS originReceivedAt,
  e.doc`;
const JUDGEMENT = `(SELECT verdict FROM verdicts WHERE event_id = e.id) AS verdict,
  (SELECT verdict FROM corrections WHERE event_id = e.id ORDER BY seq DESC LIMIT 1) AS correctedTo`;

/** Largest event id ever given out, and latest receipt time. */
export function newestEvent(sqlite: Database.Database, meta: Meta): { id: number; receivedAt: number } {
  const newest = sqlite
    .prepare<[], { id: number; receivedAt: number }>(
      'SELECT id, received_at AS receivedAt FROM events ORDER BY id DESC LIMIT 1',
    )
    .get();
  return {
    id: Math.max(newest?.id ?? 0, meta.number('last_event_id'), meta.number('keys_upto')),
    receivedAt: Math.max(newest?.receivedAt ?? 0, meta.number('last_received_at')),
  };
}

/** The keys of stored events with larger ids. */
export const keysAfter = (sqlite: Database.Database) => {
  const later = sqlite
    .prepare<[number], [id: number, tenantCode: string, idempotencyKey: string]>(
      'SELECT id, tenant_code, idempotency_key FROM events WHERE id > ?',
    )
    .raw();
  return (id: number) => later.iterate(id);
};

export function prepareEvents(sqlite: Database.Database) {
  type Pair = [number, NonNullable<EventRecord['verdict']>];
  return {
    insert: sqlite.prepare<(string | number | null)[]>(
      `INSERT INTO events (id, tenant_code, idempotency_key, type, kind, source, severity, occurred_at,
        received_at, is_test, node_key,
         instance, origin_id, origin_received_at, doc) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    one: sqlite.prepare<[number], JudgedRow>(`SELECT ${COLUMNS}, ${JUDGEMENT} FROM events e WHERE e.id = ?`),
    page: sqlite.prepare<[number, number, number], EventRow>(
      `SELECT ${COLUMNS} FROM events e WHERE e.id > ? AND e.id <= ? ORDER BY e.id LIMIT ?`,
    ),
    verdicts: sqlite
      .prepare<[number, number], Pair>(
        'SELECT event_id, verdict FROM verdicts WHERE event_id > ? AND event_id <= ?',
      )
      .raw(),
    corrected: sqlite
      .prepare<[number, number], Pair>(
        'SELECT event_id, verdict FROM corrections WHERE event_id > ? AND event_id <= ? ORDER BY ' +
          'event_id, seq',
      )
      .raw(),
    visible: (asked: AskedRows) => visibleRows(sqlite, asked),
    newestBefore: sqlite
      .prepare<[number, number, number], number>(
        'SELECT id FROM events WHERE id > ? AND id <= ? AND received_at <= ? ORDER BY id DESC LIMIT 1',
      )
      .pluck(),
    oldest: sqlite.prepare<[], number | null>('SELECT min(id) FROM events').pluck(),
    averageSize: sqlite
      .prepare<[number], number | null>('SELECT avg(octet_length(doc)) FROM events WHERE id > ?')
      .pluck(),
    tally: sqlite.prepare<[number, number, number], Tallied>(
      `SELECT tenant_code AS tenantCode, type, severity, is_test AS isTest, count(*) AS count
       FROM (SELECT tenant_code, type, severity, is_test FROM events WHERE id > ? AND id <= ?
         ORDER BY id LIMIT ?) GROUP BY 1, 2, 3, 4`,
    ),
    countAfter: sqlite
      .prepare<[number, number, number], number>(
        'SELECT count(*) FROM (SELECT 1 FROM events WHERE id > ? AND id <= ? LIMIT ?)',
      )
      .pluck(),
    receivedAfter: sqlite
      .prepare<[number, number], number>(
        'SELECT received_at FROM events WHERE id > ? AND id <= ? ORDER BY id LIMIT 1',
      )
      .pluck(),
  };
}

export interface AskedRows extends IdRange {
  filter: VisibleTo;
  limit: number;
}

/** Read one by one, so that the reader can end it; each filter has a statement of its own. */
function visibleRows(
  sqlite: Database.Database,
  { after, through, filter, limit }: AskedRows,
): IterableIterator<JudgedRow> {
  const { tenantCode, eventTypes, severities, includeTest } = filter;
  const where = ['e.id > ?', 'e.id <= ?'];
  const values: (string | number)[] = [after, through];
  const also = (condition: string, ...given: string[]): void => {
    where.push(condition);
    values.push(...given);
  };
  if (tenantCode !== null) also('e.tenant_code = ?', tenantCode);
  if (!includeTest) also('e.is_test = 0');
  if (severities !== null)
    also("coalesce(e.severity, 'medium') IN (SELECT value FROM json_each(?))", JSON.stringify(severities));
  if (eventTypes !== null)
    also(
      `EXISTS (SELECT 1 FROM json_each(?) p WHERE p.value = e.type OR (substr(p.value, -1) = '*'
         AND substr(e.type, 1, length(p.value) - 1) = substr(p.value, 1, length(p.value) - 1)))`,
      JSON.stringify(eventTypes),
    );
  return sqlite
    .prepare<(string | number)[], JudgedRow>(
      `SELECT ${COLUMNS}, ${JUDGEMENT} FROM events e WHERE ${where.join(' AND ')} ORDER BY e.id LIMIT ?`,
    )
    .iterate(...values, limit);
}
