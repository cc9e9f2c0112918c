import type { EventPort } from '../../common/core/event/port.ts';
import { renderEventItem } from '../../common/uplink/event-item.ts';
import { type ChannelName, TARGET_BYTES } from '../../common/uplink/wire.ts';
import type { ChangePort, ChangeState } from './changes/port.ts';

/** One item in its wire form. */
export interface SourceItem {
  /** Event id or change number. */
  position: number;
  /** Of a change: when it was made, epoch ms. */
  at: number | null;
  /** JSON text. */
  text: string;
}

/** What a channel sends, read from the store in order of position. */
export interface Source {
  readonly name: ChannelName;
  /** A request stays below so many bytes before compression, unless one item alone is larger. */
  readonly targetBytes: number;
  /** Positions have gaps that are no loss. */
  readonly sparse: boolean;
  /** Items after a position that may be sent now, ascending, at most `limit`. */
  read(after: number, limit: number): Promise<SourceItem[]>;
  /** One item by its position; null when it is no longer kept. */
  one(position: number): Promise<SourceItem | null>;
  /** Newest position, and the one from which all is still kept. */
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
    sparse: false,
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

/** Requests of the log are small, so that they leave the line to the events. */
const CHANGES_TARGET_BYTES = 256 * 1024;

/**
 * The log in its order. A change has a number only once its event has gone up, so that nothing in it waits
 * for events (DESIGN.md, "One log up").
 * @param eventsCursor position that headquarters has answered on the events channel
 */
export function changeSource(changes: ChangePort, eventsCursor: () => number): Source {
  const itemOf = ({ changeNo, at, text }: ChangeState): SourceItem => ({ position: changeNo, at, text });
  return {
    name: 'verdicts',
    targetBytes: CHANGES_TARGET_BYTES,
    sparse: true,
    read: async (after, limit) => {
      const how = { eventsThrough: eventsCursor(), maxBytes: CHANGES_TARGET_BYTES };
      return changes.read(after, limit, how).map(itemOf);
    },
    one: async (position) => {
      const state = changes.one(position);
      return state && itemOf(state);
    },
    bounds: async () => ({ head: changes.head(), oldest: changes.oldest() }),
  };
}
