import type { VerdictValue } from '../verdict/schema.ts';
import type { EventRecord, NewEvent } from './record.ts';
import type { EventKind, EventSource, Severity } from './schema.ts';

export interface IngestResult {
  id: number;
  duplicate: boolean;
  /** A duplicate whose content differs from what was stored first, or that is another instance's event. */
  conflicting: boolean;
  /** A duplicate of an event that arose at another instance than this one. */
  elsewhere?: OwnedElsewhere;
}

export interface OwnedElsewhere {
  /** Where the event that is held arose; null: at this store. */
  instance: string | null;
  /** The content is the same, where it is still kept. */
  sameContent: boolean;
  /** Id and receipt time there are the same too: one store under two names. */
  same: boolean;
}

export interface EventBounds {
  /** Smallest id still kept; `head + 1` when the store is empty. */
  oldest: number;
  /**
   * Largest id ever given out that is durable, 0 for none. Never falls, also
   * not when retention empties the table.
   */
  highWaterMark: number;
}

/** What is asked of the verdict on an event; `none`: there is none. */
export interface VerdictFilter {
  /** The first verdict. */
  verdict?: VerdictValue | 'none';
  /** What the first verdict was corrected to last. */
  correctedTo?: VerdictValue | 'none';
  /** The verdict as it stands: the last correction, or else the first verdict. */
  standing?: VerdictValue | 'none';
}

export interface EventFilter extends VerdictFilter {
  /** null: every tenant (operator). */
  tenantCode: string | null;
  type?: string;
  source?: EventSource;
  kind?: EventKind;
  /** Any of them; an event without a severity counts as medium. */
  severities?: readonly Severity[];
  siteRef?: string;
  cameraRef?: string;
  /** Where it arose; null: at this store. */
  instance?: string | null;
  /** It arose at one of these. */
  instances?: ReadonlySet<string>;
  /** Occurred at or after, epoch ms. */
  since?: number;
  /** Occurred before, epoch ms. */
  until?: number;
  includeTest: boolean;
}

/** What a reader may hold of events: rows, and bytes of their `doc`; a single larger event still goes. */
export interface Room {
  rows: number;
  bytes: number;
}

/** Events that follow one another under a filter. */
export interface Stretch {
  items: EventRecord[];
  /** It ended for want of room: there may be more. */
  more: boolean;
}

/** What a subscription's consumer is to see (spec 2, "Pull rules"). */
export interface VisibleTo {
  /** null: every tenant (operator). */
  tenantCode: string | null;
  /** Exact types, or beginnings with a trailing `*`; null: every type. */
  eventTypes: readonly string[] | null;
  /** Any of them; an event without a severity counts as medium. null: all, also what has none. */
  severities: readonly Severity[] | null;
  includeTest: boolean;
}

/** Events with `after` < id <= `through`. */
export interface IdRange {
  after: number;
  through: number;
}

export interface EventPort {
  /**
   * Stores a batch in one transaction and resolves when it is durable. An
   * event whose (tenant, idempotency key) is known, also earlier in the same
   * batch, is not stored again. New ids ascend in batch order and become
   * visible in id order across all writers. `receivedAt` is `now`, raised to
   * the last one used when the clock has stepped back.
   * @returns one result per event, in order
   * @throws AppError 507 storage_full
   */
  ingest(batch: readonly NewEvent[], now: number): Promise<IngestResult[]>;

  get(id: number): Promise<EventRecord | null>;

  /** Events by (tenant, idempotency key). Missing ones are absent from the map, keyed by `eventKey`. */
  byKeys(keys: readonly { tenantCode: string; idempotencyKey: string }[]): Promise<Map<string, EventRecord>>;

  /** Durable events with id > `after`, ascending, at most `limit`, of every tenant; the caller filters. */
  page(after: number, limit: number): Promise<EventRecord[]>;

  /** Durable events of the range that the filter lets through, ascending, as far as there is room. */
  visible(range: IdRange, filter: VisibleTo, room: Room): Promise<Stretch>;

  /** The newest event of the range that was received at or before this time, epoch ms; else `after`. */
  newestBefore(receivedAt: number, range: IdRange): Promise<number>;

  /** As `list`, as far as there is room. */
  newest(filter: EventFilter, before: number | null, room: Room): Promise<Stretch>;

  /** Newest first, id < `before` when given, at most `limit`. */
  list(filter: EventFilter, before: number | null, limit: number): Promise<EventRecord[]>;

  bounds(): Promise<EventBounds>;

  /**
   * How many durable events there are after a position, of the first `most` of every tenant, by all that a
   * subscription tells them apart by.
   */
  tally(after: number, most: number): Promise<EventTally[]>;
}

/** Events that a subscription does not tell apart, and how many they are. */
export type EventTally = Pick<EventRecord, 'tenantCode' | 'type' | 'severity' | 'isTest'> & { count: number };

export const eventKey = (tenantCode: string, idempotencyKey: string): string =>
  `${tenantCode}\u0000${idempotencyKey}`;
