import { decodeCursor, encodeCursor } from '../../cursor.ts';
import type { Clock } from '../../clock.ts';
import type { Actor } from '../../http/actor.ts';
import { AppError, badRequest, notFound } from '../../http/error.ts';
import { admitEvent, type Refused } from './intake.ts';
import type { EventFilter, EventPort } from './port.ts';
import type { EventRecord, NewEvent } from './record.ts';
import { MAX_BATCH } from './schema.ts';

export interface IntakeAnswer {
  items: { id: number; idempotencyKey: string; duplicate: boolean }[];
  rejected: { index: number; idempotencyKey: string | null; error: string; message: string }[];
  ignored: string[];
}

/** What intake has done since the process started, for the metrics. */
export interface IntakeCounts {
  stored: number;
  duplicates: number;
  conflicting: number;
  rejected: number;
}

export interface EventServiceOptions {
  events: EventPort;
  clock: Clock;
  /** Told after each intake that stored something new. */
  onStored?: () => void;
  /** Whether the wall clock cannot be right now; what comes is then marked. */
  clockSuspect?: () => boolean;
}

export class EventService {
  readonly counts: IntakeCounts = { stored: 0, duplicates: 0, conflicting: 0, rejected: 0 };
  #options: EventServiceOptions;

  constructor(options: EventServiceOptions) {
    this.#options = options;
  }

  /**
   * Takes one event, or `{"events": [...]}` of up to 500 (design §6, "Intake").
   * Valid events of a batch are stored although others are refused; the answer
   * comes when they are durable.
   * @throws AppError 400 when a single event, or every event of a batch, is refused; 403 for another tenant's single event
   */
  async take(body: unknown, actor: Extract<Actor, { kind: 'key' }>): Promise<{ answer: IntakeAnswer; anyNew: boolean }> {
    const { values, batch, beside } = unwrap(body);
    const poster = { keyId: actor.keyId, tenantCode: actor.tenantCode };
    const admitted: NewEvent[] = [];
    const refused: (Refused & { index: number })[] = [];
    const ignored = beside;
    values.forEach((value, index) => {
      const result = admitEvent(value, poster);
      if (!result.ok) refused.push({ ...result, index });
      else {
        admitted.push(result.event);
        for (const name of result.ignored) if (!ignored.includes(name)) ignored.push(name);
      }
    });
    this.counts.rejected += refused.length;
    if (admitted.length === 0 && refused.length > 0) throw allRefused(refused, batch);
    const { items, anyNew } = await this.#store(admitted);
    return { answer: { items, rejected: refused.map(viewRefused), ignored }, anyNew };
  }

  async #store(admitted: NewEvent[]): Promise<{ items: IntakeAnswer['items']; anyNew: boolean }> {
    const batch = this.#options.clockSuspect?.() ? admitted.map(markSuspect) : admitted;
    const results = await this.#options.events.ingest(batch, this.#options.clock.now());
    let fresh = 0;
    const items = results.map((result, index) => {
      if (!result.duplicate) fresh += 1;
      if (result.conflicting) this.counts.conflicting += 1;
      return { id: result.id, idempotencyKey: (admitted[index] as NewEvent).idempotencyKey, duplicate: result.duplicate };
    });
    this.counts.stored += fresh;
    this.counts.duplicates += results.length - fresh;
    if (fresh > 0) this.#options.onStored?.();
    return { items, anyNew: fresh > 0 };
  }

  /** Events came by another way under keys that are known, with another content or of another instance. */
  conflicted(count: number): void {
    this.counts.conflicting += count;
  }

  /** @throws AppError 404, also for another tenant's event */
  async get(id: number, tenantCode: string | null): Promise<EventRecord> {
    const event = await this.#options.events.get(id);
    if (!event || (tenantCode !== null && event.tenantCode !== tenantCode)) throw notFound(`Event ${id}`);
    return event;
  }

  /** Newest first. The cursor is bound to this list. @throws AppError 400 for another list's cursor */
  async list(filter: EventFilter, cursor: string | undefined, limit: number):
    Promise<{ items: EventRecord[]; nextCursor: string | null; hasMore: boolean }> {
    let before: number | null = null;
    if (cursor !== undefined) {
      const [position] = decodeCursor('events', cursor);
      if (typeof position !== 'number') throw badRequest([{ path: 'cursor', message: 'is not a cursor of this list; leave it out to start from the beginning' }]);
      before = position;
    }
    const rows = await this.#options.events.list(filter, before, limit + 1);
    const items = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return { items, hasMore, nextCursor: hasMore ? encodeCursor('events', [(items.at(-1) as EventRecord).id]) : null };
  }
}

const markSuspect = (event: NewEvent): NewEvent =>
  ({ ...event, doc: event.doc === '{}' ? '{"clockSuspect":true}' : `{"clockSuspect":true,${event.doc.slice(1)}` });

/** `beside`: names of members beside `events`. */
function unwrap(body: unknown): { values: unknown[]; batch: boolean; beside: string[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest([{ path: '', message: 'must be an event object, or {"events": [...]}' }]);
  }
  const { events } = body as { events?: unknown };
  if (events === undefined) return { values: [body], batch: false, beside: [] };
  if (!Array.isArray(events)) throw badRequest([{ path: 'events', message: 'must be a list of events' }]);
  if (events.length === 0 || events.length > MAX_BATCH) {
    throw badRequest([{ path: 'events', message: `must hold 1 to ${MAX_BATCH} events; it holds ${events.length}` }]);
  }
  return { values: events, batch: true, beside: Object.keys(body).filter((name) => name !== 'events').map((name) => name.slice(0, 128)) };
}

function allRefused(refused: readonly (Refused & { index: number })[], batch: boolean): AppError {
  const details = refused.flatMap(({ index, faults }) =>
    faults.map(({ path, message }) => ({ path: batch ? `events[${index}]${path === '' ? '' : `.${path}`}` : path, message })));
  if (!batch && refused[0]?.error === 'tenant_mismatch') {
    return new AppError(403, 'tenant_mismatch', "The event's tenant is not the tenant of the node's key.", { details });
  }
  return badRequest(details);
}

function viewRefused(refused: Refused & { index: number }): IntakeAnswer['rejected'][number] {
  const message = refused.faults.map(({ path, message: text }) => (path === '' ? text : `${path} ${text}`)).join('; ');
  return { index: refused.index, idempotencyKey: refused.idempotencyKey, error: refused.error, message };
}
