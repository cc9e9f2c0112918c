import type { Stamp } from '../../common/clock.ts';
import type { HandedNotification, HandedResult } from '../../common/uplink/notification.ts';

/** A message that a site handed up, with the id of its event at headquarters; null: the event is not here. */
export interface Handed {
  item: HandedNotification;
  eventId: number | null;
}

/** What is known of the notifications of a site. */
export interface SiteNotifications {
  /** Messages that waited there, as it last said. */
  backlog: number;
  heardAt: number | null;
  takenTotal: number;
  lastTakenAt: number | null;
  /** Messages here, by the channels that they go through: on their way, and given up. */
  underWay: number;
  failed: number;
  /** When the first of those on their way came, epoch ms. */
  oldestUnderWayAt: number | null;
  /** Why the last of both did not go out. */
  lastError: string | null;
}

export interface SiteNotificationPort {
  /**
   * Keeps messages that are not known, one row for each enabled channel of the tenant, in one transaction.
   * What there is no channel for is not kept.
   * @param owned the site's own name and those that it continues
   */
  take(instance: string, owned: readonly string[], handed: readonly Handed[], stamp: Stamp): Promise<void>;
  /** How messages stand; of those that are not known nothing. */
  results(owned: readonly string[], ids: readonly string[]): Promise<Map<string, HandedResult>>;
  /** Rows of the site that are on their way, counted up to `most`. */
  underWay(instance: string, most: number): Promise<number>;
  heard(instance: string, backlog: number, now: number): Promise<void>;
  counts(): Promise<Map<string, SiteNotifications>>;
}
