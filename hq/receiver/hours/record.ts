/** One hour of a site, as it told. */
export interface SiteHour {
  /** Begin, epoch ms. */
  at: number;
  /** Events received in it. */
  received: number;
  /** Most events that waited to go up. */
  backlog: number;
  /** Least room on the disk, bytes; null where it was not measured. */
  roomBytes: number | null;
}
