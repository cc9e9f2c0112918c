// How events are read and written in bulk, under the rules of the event port.
import type pg from 'pg';
import { type Forgotten, planIngest, type PriorEvent } from '../../../common/core/event/decide.ts';
import { eventKey, type IngestResult } from '../../../common/core/event/port.ts';
import type { EventRecord, NewEvent } from '../../../common/core/event/record.ts';
import { copyRows, RowWriter, textBytes } from '../engine/copy.ts';
import { advanceCounter, type Counter, lockCounter } from '../engine/counters.ts';
import { prepared, type Tx } from '../engine/database.ts';
import { keyArrays, keyHash, NAMED_KEYS } from './event-key.ts';

/** Begins every statement that reads events; rows are `EventRecord`s as they come. */
export const SELECT_EVENTS = `select e.id, e.tenant_code as "tenantCode", e.idempotency_key as
  "idempotencyKey", e.type, e.kind, e.source,
  e.severity, e.occurred_at as "occurredAt", e.received_at as "receivedAt", e.is_test as "isTest", e.node_key
    as "nodeKey",
  e.instance, e.origin_id as "originId", e.origin_received_at as "originReceivedAt", e.doc,
  (select v.verdict from verdicts v where v.event_id = e.id) as verdict,
  (select c.verdict from corrections c where c.event_id = e.id order by c.seq desc limit 1) as "correctedTo"
  from events e`;

const COPY_EVENTS = `copy events (id, tenant_code, idempotency_key, type, kind, source, severity,
  occurred_at, received_at, is_test,
  node_key, instance, origin_id, origin_received_at, doc) from stdin (format binary)`;
const FIELDS = 15;
/** Lengths and numbers of a row, without its texts. */
const FIXED_BYTES = 6 * 12 + 5;
const COPY_KEYS = 'copy event_keys (event_id, key_hash, tenant_code) from stdin (format binary)';
const KEY_FIXED_BYTES = 12 + 20;
/** The server works on one chunk while the next is made. */
const CHUNK_ROWS = 128;

/** Events that came together, with the time of their arrival. */
export interface EventBatch {
  events: readonly NewEvent[];
  /** Epoch ms. */
  now: number;
}

/**
 * Stores batches in the running transaction, by the rules of `EventPort.ingest`.
 * Locks the event counter first: keys are looked up by a later statement, which
 * sees what any writer before this one has committed.
 */
export async function ingestBatches(tx: Tx, batches: readonly EventBatch[]): Promise<IngestResult[][]> {
  const all = batches.flatMap((batch) => batch.events);
  const last = await lockCounter(tx, 'event');
  const hashes = new Map(all.map((event) => [event, keyHash(event.idempotencyKey)]));
  const plan = planIngest(all, await knownByKeys(tx, hashes));
  const results = plan.results(last.value + 1);
  if (plan.fresh.length > 0) {
    const times = receiptTimes(plan.fresh, batches, last);
    await copyRows(tx.client, COPY_EVENTS, eventChunks(plan.fresh, times, last.value + 1));
    await copyRows(tx.client, COPY_KEYS, [keyRows(plan.fresh, hashes, last.value + 1)]);
    await advanceCounter(tx, 'event', { value: last.value + plan.fresh.length, at: times.at(-1) ?? last.at });
  }
  let from = 0;
  return batches.map((batch) => results.slice(from, (from += batch.events.length)));
}

/** The receipt time of each fresh event: that of its batch, raised to the one before it. */
function receiptTimes(fresh: readonly NewEvent[], batches: readonly EventBatch[], last: Counter): number[] {
  const times: number[] = [];
  let at = last.at;
  for (const batch of batches) {
    at = Math.max(at, batch.now);
    for (const event of batch.events) if (event === fresh[times.length]) times.push(at);
  }
  return times;
}

function* eventChunks(
  fresh: readonly NewEvent[],
  times: readonly number[],
  firstId: number,
): Generator<Buffer> {
  const writer = new RowWriter(CHUNK_ROWS * 1536);
  for (const [index, event] of fresh.entries()) {
    writeEvent(writer, event, firstId + index, times[index] ?? 0);
    if (index % CHUNK_ROWS === CHUNK_ROWS - 1) yield writer.take();
  }
  yield writer.take();
}

function keyRows(fresh: readonly NewEvent[], hashes: Hashes, firstId: number): Buffer {
  const writer = new RowWriter(fresh.length * 80);
  for (const [index, event] of fresh.entries()) {
    writer.row(3, KEY_FIXED_BYTES + textBytes(event.tenantCode));
    writer.int8(firstId + index);
    writer.uuid(hashes.get(event) ?? keyHash(event.idempotencyKey));
    writer.text(event.tenantCode);
  }
  return writer.take();
}

function writeEvent(writer: RowWriter, event: NewEvent, id: number, receivedAt: number): void {
  const { origin } = event;
  writer.row(
    FIELDS,
    FIXED_BYTES +
      textBytes(event.tenantCode) +
      textBytes(event.idempotencyKey) +
      textBytes(event.type) +
      textBytes(event.kind) +
      textBytes(event.source) +
      textBytes(event.severity) +
      textBytes(event.nodeKey) +
      textBytes(origin?.instance ?? null) +
      textBytes(event.doc),
  );
  writer.int8(id);
  writer.text(event.tenantCode);
  writer.text(event.idempotencyKey);
  writer.text(event.type);
  writer.text(event.kind);
  writer.text(event.source);
  writer.text(event.severity);
  writer.int8(event.occurredAt);
  writer.int8(receivedAt);
  writer.bool(event.isTest);
  writer.text(event.nodeKey);
  writer.text(origin?.instance ?? null);
  writer.int8(origin?.originId ?? null);
  writer.int8(origin?.receivedAt ?? null);
  writer.text(event.doc);
}

/** Events with the hashes of their keys. */
type Hashes = ReadonlyMap<NewEvent, string>;

interface Queryable {
  query(text: string, values: unknown[]): Promise<{ rows: EventRecord[] }>;
}

/**
 * Those of the keys that were received before. Of a deleted event only its key and where it arose are known;
 * it is looked for second: an event goes from one table to the other in one transaction, never back.
 */
async function knownByKeys(tx: Tx, all: Hashes): Promise<Map<string, PriorEvent>> {
  const { client } = tx;
  const { rows: known } = await prepared<{ tenant: string; hash: string; id: number }>(
    tx,
    'known_by_keys',
    `select k.tenant_code as tenant, replace(k.key_hash::text, '-', '') as hash, k.event_id as id
     from ${NAMED_KEYS}`,
    [[...all.keys()].map(({ tenantCode }) => tenantCode), [...all.values()]],
  );
  if (known.length === 0) return new Map();
  const { rows: kept } = await client.query<EventRecord>(`${SELECT_EVENTS} where e.id = any($1::bigint[])`, [
    known.map(({ id }) => id),
  ]);
  const found = new Map<number, PriorEvent>(kept.map((event) => [event.id, event]));
  const gone = known.filter(({ id }) => !found.has(id));
  for (const one of await forgottenEvents(client, gone)) found.set(one.id, one);
  const ids = new Map(known.map(({ tenant, hash, id }) => [eventKey(tenant, hash), id]));
  const prior = new Map<string, PriorEvent>();
  for (const [{ tenantCode, idempotencyKey }, hash] of all) {
    const id = ids.get(eventKey(tenantCode, hash));
    if (id !== undefined)
      prior.set(eventKey(tenantCode, idempotencyKey), found.get(id) ?? { id, forgotten: true });
  }
  return prior;
}

async function forgottenEvents(
  client: pg.PoolClient,
  gone: readonly { tenant: string; id: number }[],
): Promise<Forgotten[]> {
  if (gone.length === 0) return [];
  const { rows } = await client.query<{
    id: number;
    instance: string | null;
    originId: number;
    receivedAt: number;
  }>(
    `select f.event_id as id, f.instance, f.origin_id as "originId", f.origin_received_at as "receivedAt"
     from unnest($1::text[], $2::bigint[]) as n (tenant, id)
     join forgotten_events f on f.tenant_code = n.tenant and f.event_id = n.id`,
    [gone.map(({ tenant }) => tenant), gone.map(({ id }) => id)],
  );
  return rows.map(({ id, instance, originId, receivedAt }) => ({
    id,
    forgotten: true,
    ...(instance === null
      ? {}
      : { origin: { instance: instance === '' ? null : instance, originId, receivedAt } }),
  }));
}

export async function eventsByKeys(
  client: Queryable,
  keys: readonly { tenantCode: string; idempotencyKey: string }[],
): Promise<Map<string, EventRecord>> {
  if (keys.length === 0) return new Map();
  const { rows } = await client.query(
    `${SELECT_EVENTS} join (select k.* from ${NAMED_KEYS}) k on e.tenant_code = k.tenant_code
      and e.id = k.event_id`,
    keyArrays(keys.map(({ tenantCode, idempotencyKey }) => ({ tenant: tenantCode, key: idempotencyKey }))),
  );
  return new Map(rows.map((row) => [eventKey(row.tenantCode, row.idempotencyKey), row]));
}
