import type { Clock } from '../../clock.ts';
import { type ConsumerFilter, visibleTo } from '../event/decide.ts';
import type { EventPort } from '../event/port.ts';
import type { EventRecord } from '../event/record.ts';
import { type Watermark, WATERMARK_MS } from '../event/watermark.ts';

/** Ids that one statement looks at, and one batch: a narrow filter makes no request read the whole store. */
const STEP = 10_000;
const MAX_SCAN = 100_000;

export interface Batch {
  items: EventRecord[];
  /** Id of the last event looked at, also when the filters removed it. */
  nextCursor: number;
  hasMore: boolean;
}

export interface ScanOptions {
  /** Event id after which the batch begins. */
  after: number;
  limit: number;
  includeTest: boolean;
  /** Newest durable id. */
  highWaterMark: number;
  /** Bytes of event text at most; a batch of unusually large events ends early, with `hasMore`. */
  maxText: number;
}

export interface Served {
  events: EventPort;
  watermark: Watermark;
  clock: Clock;
}

/**
 * The newest id that may be served (spec 2, "Pull rules" 4); `after` where nothing behind it may be yet.
 */
export async function servedThrough(
  { events, watermark, clock }: Served,
  { after, highWaterMark }: Pick<ScanOptions, 'after' | 'highWaterMark'>,
): Promise<number> {
  watermark.observe(highWaterMark, clock.monotonic());
  const safe = { after: Math.min(Math.max(watermark.safe, after), highWaterMark), through: highWaterMark };
  if (safe.after === highWaterMark) return highWaterMark;
  return events.newestBefore(clock.now() - WATERMARK_MS, safe);
}

/**
 * The batch that a consumer is to have next, by pull or by push (spec 2, "Pull rules"). What the filters
 * remove is not read, and counts as looked at.
 */
export async function scanEvents(
  { events, watermark, clock }: Served,
  filter: ConsumerFilter,
  { after, limit, includeTest, highWaterMark, maxText }: ScanOptions,
): Promise<Batch> {
  const end = await servedThrough({ events, watermark, clock }, { after, highWaterMark });
  const asked = visibleTo(filter, includeTest);
  const items: EventRecord[] = [];
  let bytes = maxText;
  for (let from = after; from < end && from < after + MAX_SCAN;) {
    const through = Math.min(from + STEP, end);
    const room = { rows: limit - items.length, bytes };
    const found = await events.visible({ after: from, through }, asked, room);
    items.push(...found.items);
    const last = items.at(-1)?.id ?? after;
    if (found.more) return { items, nextCursor: last, hasMore: last < end };
    for (const { doc } of found.items) bytes -= Buffer.byteLength(doc);
    if (through === end) return { items, nextCursor: end, hasMore: false };
    from = through;
    if (items.length === limit || bytes <= 0) return { items, nextCursor: from, hasMore: true };
  }
  const looked = Math.max(after, Math.min(after + MAX_SCAN, end));
  return { items, nextCursor: looked, hasMore: looked < end };
}
