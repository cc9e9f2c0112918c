import type { Clock } from '../../clock.ts';
import { consumerSees, type ConsumerFilter } from '../event/decide.ts';
import type { EventPort } from '../event/port.ts';
import type { EventRecord } from '../event/record.ts';
import type { Watermark } from '../event/watermark.ts';

/** Rows read for one batch at most, so that a narrow filter cannot make one request read the whole store. */
const MAX_SCAN = 10_000;
/** Rows read at a time: with the largest payloads still a bounded piece of memory. */
const SCAN_STEP = 250;

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
  /** Characters of event text at most; a batch of unusually large events ends early, with `hasMore`. */
  maxText: number;
}

/**
 * The batch that a consumer is to have next, by pull or by push (spec 2, "Pull rules"). The watermark must
 * have observed the head.
 */
export async function scanEvents(
  from: { events: EventPort; watermark: Watermark; clock: Clock },
  filter: ConsumerFilter,
  options: ScanOptions,
): Promise<Batch> {
  const { limit, includeTest, maxText } = options;
  const items: EventRecord[] = [];
  let cursor = options.after;
  let text = 0;
  for (let scanned = 0; scanned < MAX_SCAN && text < maxText;) {
    const step = items.length === 0 ? Math.min(limit, SCAN_STEP) : SCAN_STEP;
    const rows = await from.events.page(cursor, step);
    const visible = from.watermark.cut(rows, from.clock.now());
    for (const [index, event] of visible.entries()) {
      cursor = event.id;
      if (!consumerSees(filter, event, includeTest)) continue;
      items.push(event);
      text += event.doc.length;
      if (items.length === limit) {
        const more = index < visible.length - 1 || (rows.length === step && visible.length === rows.length);
        return { items, nextCursor: cursor, hasMore: more };
      }
    }
    scanned += rows.length;
    if (visible.length < rows.length || rows.length < step)
      return { items, nextCursor: cursor, hasMore: false };
  }
  return { items, nextCursor: cursor, hasMore: true };
}
