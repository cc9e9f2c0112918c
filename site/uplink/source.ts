import type { EventPort } from '../../common/core/event/port.ts';
import type { VerdictPort } from '../../common/core/verdict/port.ts';
import { renderChangeItem } from '../../common/uplink/change-item.ts';
import { renderEventItem } from '../../common/uplink/event-item.ts';
import { type ChannelName, TARGET_BYTES } from '../../common/uplink/wire.ts';
import type { WorkPort, WorkState } from './work/port.ts';

/** One item in its wire form. */
export interface SourceItem {
  /** Event id or change number. */
  position: number;
  /** Verdicts channel: time of the change, epoch ms. */
  at: number | null;
  /** JSON text. */
  text: string;
}

/** What a channel sends, read from the store in order of position. */
export interface Source {
  readonly name: ChannelName;
  /** A request stays below so many bytes before compression, unless one item alone is larger. */
  readonly targetBytes: number;
  /** Items after a position that may be sent now, ascending, at most `limit`. */
  read(after: number, limit: number): Promise<SourceItem[]>;
  /** One item by its position; null when it is no longer kept. */
  one(position: number): Promise<SourceItem | null>;
  /** Newest position, and the oldest that is still kept. */
  bounds(): Promise<{ head: number; oldest: number }>;
}

/**
 * Events read at a time, so that memory stays bounded with the largest: one may have 64 KiB of payload and as
 * much beside it.
 */
const READ_STEP = 32;

export function eventSource(events: EventPort): Source {
  return {
    name: 'events',
    targetBytes: TARGET_BYTES,
    read: (after, limit) => readEvents(events, after, limit),
    one: async (position) => {
      const event = await events.get(position);
      return event && { position, at: null, text: renderEventItem(event) };
    },
    bounds: async () => {
      const { highWaterMark, oldest } = await events.bounds();
      return { head: highWaterMark, oldest };
    },
  };
}

/** Stops reading once there is enough for one request. */
async function readEvents(events: EventPort, after: number, limit: number): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  let bytes = 0;
  while (items.length < limit && bytes < TARGET_BYTES) {
    const step = Math.min(READ_STEP, limit - items.length);
    const page = await events.page(items.at(-1)?.position ?? after, step);
    for (const event of page) {
      const text = renderEventItem(event);
      bytes += text.length;
      items.push({ position: event.id, at: null, text });
    }
    if (page.length < step) break;
  }
  return items;
}

/**
 * Changes are sent in their order; the first one whose event has not been sent ends the batch (DESIGN.md,
 * "Uplink").
 * @param eventsCursor position that headquarters has answered on the events channel
 */
export function changeSource(verdicts: VerdictPort, eventsCursor: () => number): Source {
  const item = (change: Awaited<ReturnType<VerdictPort['changes']>>[number]): SourceItem => ({
    position: change.changeNo,
    at: change.at,
    text: renderChangeItem(change),
  });
  return {
    name: 'verdicts',
    targetBytes: TARGET_BYTES,
    read: async (after, limit) => {
      const changes = await verdicts.changes(after, limit);
      const sent = eventsCursor();
      const early = changes.findIndex((change) => change.eventId > sent);
      return (early < 0 ? changes : changes.slice(0, early)).map(item);
    },
    one: async (position) => {
      const [change] = await verdicts.changes(position - 1, 1);
      return change?.changeNo === position ? item(change) : null;
    },
    bounds: async () => {
      const [head, [first]] = await Promise.all([verdicts.newestChangeNo(), verdicts.changes(0, 1)]);
      return { head, oldest: first?.changeNo ?? head + 1 };
    },
  };
}

/** Requests of the work channel are small, so that they leave the line to the others. */
const WORK_TARGET_BYTES = 256 * 1024;

/**
 * Tasks and groups in the order of their last changes; the first one whose events have not gone up yet ends
 * the batch. Items never fall out of retention, so there are no gaps to report.
 * @param eventsCursor position that headquarters has answered on the events channel
 */
export function workSource(work: WorkPort, eventsCursor: () => number): Source {
  const itemOf = ({ changeNo, at, text }: WorkState): SourceItem => ({ position: changeNo, at, text });
  return {
    name: 'work',
    targetBytes: WORK_TARGET_BYTES,
    read: async (after, limit) => {
      const how = { eventsThrough: eventsCursor(), maxBytes: WORK_TARGET_BYTES };
      return work.read(after, limit, how).map(itemOf);
    },
    one: async (position) => {
      const state = work.one(position);
      return state && itemOf(state);
    },
    bounds: async () => ({ head: work.head(), oldest: 1 }),
  };
}
