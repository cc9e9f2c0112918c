import type { EventPort } from '../../common/core/event/port.ts';
import type { VerdictPort } from '../../common/core/verdict/port.ts';
import { renderChangeItem } from '../../common/uplink/change-item.ts';
import { renderEventItem } from '../../common/uplink/event-item.ts';
import { TARGET_BYTES, type ChannelName } from '../../common/uplink/wire.ts';

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
  /** Items after a position that may be sent now, ascending, at most `limit`. */
  read(after: number, limit: number): Promise<SourceItem[]>;
  /** One item by its position; null when it is no longer kept. */
  one(position: number): Promise<SourceItem | null>;
  /** Newest position, and the oldest that is still kept. */
  bounds(): Promise<{ head: number; oldest: number }>;
}

/** Events read at a time, so that memory stays bounded with the largest payloads. */
const READ_STEP = 250;

export function eventSource(events: EventPort): Source {
  return {
    name: 'events',
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
 * Changes are sent in their order; the first one whose event has not been sent ends the batch (design §6,
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
