import type { Clock } from '../../clock.ts';
import { type Page, pagedList } from '../../cursor.ts';
import type { Actor } from '../../http/actor.ts';
import { badRequest, notFound } from '../../http/error.ts';
import { timeSlice } from '../../time-slice.ts';
import type { CameraNames } from '../camera/record.ts';
import { earlierOf, LOOKED_AT, type Past, pastOf, SHOWN } from './earlier.ts';
import { fault, faultAt } from './event-fault-messages.ts';
import { IgnoredNames } from './ignored.ts';
import { admitEvent, type Poster } from './intake.ts';
import type { EventFilter, EventPort } from './port.ts';
import type { EventRecord, NewEvent } from './record.ts';
import { RefusedEvents, type RefusedLine } from './refused.ts';
import { MAX_BATCH, type Severity } from './schema.ts';
import { searchEvents } from './search.ts';
import { wordsIn } from './text.ts';
import { ROWED, rowsOf, type UnjudgedRow } from './unjudged.ts';

const EVENTS = pagedList('events', ['number']);
/** Event text of one answer at most, bytes; a page of unusually large events ends early, with `hasMore`. */
export const MAX_TEXT = 4 * 1024 * 1024;

export interface IntakeAnswer {
  items: { id: number; idempotencyKey: string; duplicate: boolean }[];
  rejected: RefusedLine[];
  ignored: string[];
  /** Members that were kept out beyond those named; left out when there are none. */
  ignoredMore?: number;
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
  /** How grave a tenant says that events of a type are; asked where their sender does not say. */
  severityOf?: SeverityOf;
  /** What people call cameras. */
  cameras?: CameraNames;
}

/** The newest of what was looked at, and how all of it was judged. */
export interface EarlierEvents extends Past {
  /** There are more than were looked at. */
  more: boolean;
  items: EventRecord[];
}

/** null: the tenant says nothing of the type. */
export type SeverityOf = (tenantCode: string, type: string) => Severity | null;

export class EventService {
  readonly counts: IntakeCounts = { stored: 0, duplicates: 0, conflicting: 0, rejected: 0 };
  readonly #options: EventServiceOptions;

  constructor(options: EventServiceOptions) {
    this.#options = options;
  }

  /**
   * Takes one event, or `{"events": [...]}` of up to 500 (DESIGN.md, "Intake").
   * Valid events of a batch are stored although others are refused; the answer
   * comes when they are durable.
   * @throws AppError 400 when a single event, or every event of a batch, is refused; 403 for another tenant's
   *   single event
   */
  async take(
    body: unknown,
    actor: Extract<Actor, { kind: 'key' }>,
  ): Promise<{ answer: IntakeAnswer; anyNew: boolean }> {
    const { values, batch } = unwrap(body);
    const checked: Checked = {
      poster: { keyId: actor.keyId, tenantCode: actor.tenantCode },
      admitted: [],
      refused: new RefusedEvents(batch),
      ignored: new IgnoredNames(),
    };
    if (batch) noteBeside(checked.ignored, body as object);
    // A few events are checked at once, of many a few at a time: each may hold 64 KiB of payload.
    if (values.length <= AT_ONCE) values.forEach((value, index) => check(checked, value, index));
    else await checkAll(checked, values);
    const { admitted, refused, ignored } = checked;
    const rejected = refused.lines;
    this.counts.rejected += rejected.length;
    if (admitted.length === 0 && rejected.length > 0) throw refused.error();
    const { items, anyNew } = await this.#store(admitted);
    const more = ignored.more > 0 ? { ignoredMore: ignored.more } : {};
    return { answer: { items, rejected, ignored: ignored.names, ...more }, anyNew };
  }

  async #store(admitted: NewEvent[]): Promise<{ items: IntakeAnswer['items']; anyNew: boolean }> {
    const ranked = admitted.map((event) => this.#ranked(event));
    const batch = this.#options.clockSuspect?.() ? ranked.map(markSuspect) : ranked;
    const results = await this.#options.events.ingest(batch, this.#options.clock.now());
    let fresh = 0;
    const items = results.map((result, index) => {
      if (!result.duplicate) fresh += 1;
      if (result.conflicting) this.counts.conflicting += 1;
      return {
        id: result.id,
        idempotencyKey: (admitted[index] as NewEvent).idempotencyKey,
        duplicate: result.duplicate,
      };
    });
    this.counts.stored += fresh;
    this.counts.duplicates += results.length - fresh;
    if (fresh > 0) this.#options.onStored?.();
    return { items, anyNew: fresh > 0 };
  }

  #ranked(event: NewEvent): NewEvent {
    if (event.severity !== null) return event;
    const severity = this.#options.severityOf?.(event.tenantCode, event.type) ?? null;
    return severity === null ? event : { ...event, severity };
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

  /**
   * What the camera and the place of an event brought before it. @throws AppError 404, also for another
   * tenant's event
   */
  async earlier(
    id: number,
    tenantCode: string | null,
  ): Promise<{ camera: EarlierEvents | null; place: EarlierEvents | null }> {
    const event = await this.get(id, tenantCode);
    const look = async (filter: EventFilter | null): Promise<EarlierEvents | null> => {
      if (filter === null) return null;
      const room = { rows: LOOKED_AT, bytes: MAX_TEXT };
      const { items, more } = await this.#options.events.newest(filter, id, room);
      return { ...pastOf(items, event.type), more, items: items.slice(0, SHOWN) };
    };
    const { camera, place } = earlierOf(event);
    return { camera: await look(camera), place: await look(place) };
  }

  /** What nobody has judged, by camera and type. `events` of all rows; `more`: there are others. */
  async unjudged(filter: EventFilter): Promise<{ rows: UnjudgedRow[]; events: number; more: boolean }> {
    const { items, more } = await this.#options.events.newest(filter, null, { rows: ROWED, bytes: MAX_TEXT });
    return { rows: rowsOf(items), events: items.length, more };
  }

  /** Newest first. The cursor is bound to this list. @throws AppError 400 for another list's cursor */
  async list(filter: EventFilter, cursor: string | undefined, limit: number): Promise<Page<EventRecord>> {
    const before = EVENTS.positionOf(cursor)?.[0] ?? null;
    const room = { rows: limit + 1, bytes: MAX_TEXT };
    const { items, more } = await this.#options.events.newest(filter, before, room);
    return pageOf(items.slice(0, limit), more);
  }

  /**
   * Of the events of a list those that say each word of `text`, newest first, as far back as one request may
   * look; the next page goes on there, also where this one has nothing.
   * @returns and the receipt time of the event that was looked at last, epoch ms; null: every event was
   * @throws AppError 400 for another list's cursor, and for a text of nothing but blanks
   */
  async search(
    filter: EventFilter,
    text: string,
    cursor: string | undefined,
    limit: number,
  ): Promise<{ page: Page<EventRecord>; searchedTo: number | null }> {
    const words = wordsIn(text);
    if (words.length === 0) throw fault('q', 'blank');
    const before = EVENTS.positionOf(cursor)?.[0] ?? null;
    const sources = { events: this.#options.events, clock: this.#options.clock };
    const book = await this.#options.cameras?.();
    const cameras = book?.hasAny(words) ? book : undefined;
    const found = await searchEvents(sources, filter, { words, before, limit, bytes: MAX_TEXT, cameras });
    const { items, last, more } = found;
    const { nextCursor } = more && last ? pageOf([last], true) : { nextCursor: null };
    return {
      page: { items, nextCursor, hasMore: nextCursor !== null },
      searchedTo: nextCursor === null ? null : (last?.receivedAt ?? null),
    };
  }
}

/** @param more whether there may be others behind them */
function pageOf(items: EventRecord[], more: boolean): Page<EventRecord> {
  const last = items.at(-1);
  if (!more || !last) return { items, nextCursor: null, hasMore: false };
  return { ...EVENTS.page([last, last], 1, ({ id }) => [id]), items };
}

const markSuspect = (event: NewEvent): NewEvent => ({
  ...event,
  doc: event.doc === '{}' ? '{"clockSuspect":true}' : `{"clockSuspect":true,${event.doc.slice(1)}`,
});

interface Checked {
  poster: Poster;
  admitted: NewEvent[];
  refused: RefusedEvents;
  ignored: IgnoredNames;
}

/** Events that are checked without a look at the clock. */
const AT_ONCE = 25;

function check(checked: Checked, value: unknown, index: number): void {
  const result = admitEvent(value, checked.poster, checked.ignored);
  if (result.ok) checked.admitted.push(result.event);
  else checked.refused.add(result, index);
}

async function checkAll(checked: Checked, values: readonly unknown[]): Promise<void> {
  for (const [index, value] of values.entries()) {
    if (index % AT_ONCE === 0) await timeSlice();
    check(checked, value, index);
  }
}

function noteBeside(ignored: IgnoredNames, body: object): void {
  for (const name in body) if (name !== 'events') ignored.note(name.slice(0, 128));
}

function unwrap(body: unknown): { values: unknown[]; batch: boolean } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest([faultAt('', 'event_or_batch', { list: '{"events": [...]}' })]);
  }
  const { events } = body as { events?: unknown };
  if (events === undefined) return { values: [body], batch: false };
  if (!Array.isArray(events)) throw badRequest([faultAt('events', 'event_list')]);
  if (events.length === 0 || events.length > MAX_BATCH) {
    throw badRequest([faultAt('events', 'event_count', { most: MAX_BATCH, size: events.length })]);
  }
  return { values: events, batch: true };
}
