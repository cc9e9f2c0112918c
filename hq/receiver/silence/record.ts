/** A site that was not heard for longer than this is silent, unless it has a time of its own. */
export const SILENT_AFTER_MINUTES = 10;
/** A week. */
export const MOST_SILENT_AFTER_MINUTES = 10_080;

/** When somebody is called for the silence of a site. */
export interface Watch {
  silentAfterMinutes: number;
  /** Planned to be away: nobody is called for its silence. */
  away: boolean;
}
