import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { type ChannelName, FEATURES, PROTOCOL, TARGET_BYTES } from '../../../common/uplink/wire.ts';
import type { ParkedItem } from '../port.ts';
import type { SourceItem } from '../source.ts';

const compress = promisify(zlib.zstdCompress);
const ZSTD = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
/** Below this many bytes compression costs more than it saves. */
const PLAIN_BELOW = 512;

/** The members of a request before its cursor and items; see `UplinkRequest`. */
export interface Envelope {
  version: string;
  instance: string;
  epoch: string;
  head: number;
  oldest: number;
  /** JSON text of the report on this machine. */
  report?: string;
}

/** One encoded request. It keeps the bytes and the positions, not the items. */
export interface Batch {
  channel: ChannelName;
  epoch: string;
  /** Newest position when it was cut. */
  head: number;
  /** Cursor of the channel when the batch was cut. */
  after: number;
  /**
   * Equal to `after`, or larger where the items between are no longer kept; headquarters then notes the gap.
   */
  from: number;
  to: number;
  /** Position and time of each item, in order. */
  marks: { position: number; at: number | null }[];
  /**
   * Items of this range that headquarters refused and that are left out; they are parked once headquarters
   * has answered the range.
   */
  withheld: ParkedItem[];
  /** Calls that were asked for soon before it was cut; see `callSoon` of the channel. */
  asked: number;
  /** More items were waiting when it was cut. */
  more: boolean;
  body: Buffer;
  compressed: boolean;
}

/**
 * How many of `items` make one request: all, or as many as keep it under `TARGET_BYTES`; always at least one.
 */
export function cutCount(items: readonly SourceItem[], target = TARGET_BYTES): number {
  const units = items.reduce((sum, item) => sum + item.text.length + 1, 0);
  // A UTF-16 unit is at most three bytes of UTF-8: the exact count is rarely needed.
  if (units * 3 <= target) return items.length;
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    bytes += Buffer.byteLength(item.text) + 1;
    if (bytes > target && index > 0) return index;
  }
  return items.length;
}

/**
 * JSON text of a request; the report and the items, which are JSON text already, are inserted as they are.
 */
export function requestText(
  head: Envelope,
  cursor: { from: number; to: number; held?: number; at: number | null },
  items: readonly SourceItem[],
): string {
  const texts = items.map((item) => item.text).join(',');
  const { report, ...members } = head;
  const start = JSON.stringify({ protocol: PROTOCOL, features: FEATURES, ...members, cursor }).slice(0, -1);
  return `${start}${report === undefined ? '' : `,"report":${report}`},"items":[${texts}]}`;
}

/** Bytes to send; zstd level 1 on the thread pool. */
export async function encode(text: string): Promise<{ body: Buffer; compressed: boolean }> {
  const plain = Buffer.from(text);
  if (plain.length < PLAIN_BELOW) return { body: plain, compressed: false };
  return { body: await compress(plain, ZSTD), compressed: true };
}
