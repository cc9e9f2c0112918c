import type { SiteHour } from './record.ts';

/** The last days of sites by hours. */
export interface SiteHourPort {
  /**
   * Keeps what a site told, in the place of what it told before of the same hours, and deletes its hours
   * outside of the span.
   * @param span epoch ms, both ends belong to it
   */
  keep(instance: string, hours: readonly SiteHour[], span: { from: number; to: number }): Promise<void>;
  /** Oldest first. */
  of(instance: string): Promise<SiteHour[]>;
}
