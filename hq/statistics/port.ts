import type { StatsFilter } from '../../common/core/stats/port.ts';
import type { CameraCount, HourCount, Times } from './record.ts';

/** Left-closed, right-open, epoch ms, by time of occurrence. */
export interface StatisticsQuery {
  tenantCode: string;
  since: number;
  until: number;
  filter: StatsFilter;
  includeTest: boolean;
}

export interface SiteTimes extends Times {
  instance: string | null;
}

/** Each reading is of one moment. @throws AppError 503 stats_timeout after `withinMs` */
export interface StatisticsPort {
  /** Hours with events, in their order. Equal to a plain count over the rows. */
  hours(query: StatisticsQuery, withinMs: number): Promise<HourCount[]>;
  /** Every camera with events, in any order. Equal to a plain count over the rows. */
  cameras(query: StatisticsQuery, withinMs: number): Promise<CameraCount[]>;
  /**
   * Of alerts that occurred in the window and the index of events has taken, and of tasks other than reviews
   * that were created in it; together, and by the site that keeps them.
   */
  times(query: StatisticsQuery, withinMs: number): Promise<{ all: Times; sites: SiteTimes[] }>;
}
