import type { EventPort } from '../../common/core/event/port.ts';
import type { ChannelName } from '../../common/uplink/wire.ts';
import type { ChangePort } from './changes/port.ts';

/** Durable state of one uplink channel. Positions: event ids, or numbers of changes. */
export interface ChannelState {
  name: ChannelName;
  /** Epoch of the headquarters store that `cursor` counts against; null before the first answer. */
  hubEpoch: string | null;
  /** Headquarters has, or has refused, everything up to this position. */
  cursor: number;
  /** Verdicts channel: time of the change at `cursor`, epoch ms. */
  cursorAt: number | null;
  lastAckAt: number | null;
  sentTotal: number;
  duplicateTotal: number;
}

export type ParkedState = 'parked' | 'replayed' | 'discarded';

/** An item that headquarters refused; it never blocks the channel (DESIGN.md, "Uplink"). */
export interface ParkedItem {
  channel: ChannelName;
  /** Event id or change number. */
  originId: number;
  error: string;
  message: string;
}

export interface ParkedRecord extends ParkedItem {
  state: ParkedState;
  /** Times headquarters refused it. */
  count: number;
  firstAt: number;
  lastAt: number;
}

export interface Advance {
  channel: ChannelName;
  hubEpoch: string;
  cursor: number;
  cursorAt: number | null;
  accepted: number;
  duplicates: number;
  parked: ParkedItem[];
}

export interface UplinkStatePort {
  channel(name: ChannelName): ChannelState;
  /** Moves the cursor and parks what was refused, in one transaction. */
  advance(advance: Advance, now: number): Promise<void>;
  /** Lowers the cursor because headquarters holds less than it did; never raises it. */
  rewind(name: ChannelName, cursor: number, hubEpoch: string): Promise<void>;
  parked(filter: { channel?: ChannelName; state?: ParkedState }, limit: number): ParkedRecord[];
  /** @param error counts only those refused with this code */
  parkedCount(name: ChannelName, error?: string): number;
  /**
   * Result of sending parked items again: accepted ones become `replayed`, refused ones count once more.
   * Never moves a cursor.
   */
  replayed(
    channel: ChannelName,
    accepted: readonly number[],
    refused: readonly ParkedItem[],
    now: number,
  ): Promise<void>;
  /**
   * Discards an item, with an audit record; with an event what is parked of it alone, while groups go up
   * again without it. False when it is not parked.
   */
  discard(channel: ChannelName, originId: number, now: number, actor: string): Promise<boolean>;
  /** Bytes that wait after a position, an estimate from row sizes. @param waiting how many items do */
  backlogBytes(name: ChannelName, after: number, waiting: number): number;
  /** How many items after a position are kept; counts no further than `atMost`. */
  waiting(name: ChannelName, after: number, atMost: number): number;
  /** Receipt time of the first event, or time of the first change, after a position; null when none waits. */
  oldestUnsentAt(name: ChannelName, after: number): number | null;
}

/** The part of the store that the sender uses. */
export interface UplinkStore {
  events: EventPort;
  changes: ChangePort;
  uplink: UplinkStatePort;
  epoch(): string;
  /** Takes a new epoch and continues event ids after `known`. */
  renewEpoch(known: number): Promise<unknown>;
}
