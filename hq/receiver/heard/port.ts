import type { KeptReport } from '../../../common/uplink/site-report.ts';

/** What the last call of a site told. */
export interface LastSeen {
  /** Epoch ms. */
  at: number;
  version: string;
  report: KeptReport | null;
}

/** What only the page of one site shows of a report. */
export type ReportLists = Pick<KeptReport, 'cameras' | 'camera_refs' | 'parked' | 'hours'>;

/** Which sites have called, and what they told then. */
export interface HeardPort {
  /** By instance, and of each report what lists show: no cameras, parked items and hours. */
  lastSeen(): Promise<Map<string, LastSeen>>;
  /** With the whole report; null: it was not heard yet. */
  lastSeenOf(instance: string): Promise<LastSeen | null>;
  /** When each was heard last, epoch ms. */
  heard(): Promise<Map<string, number>>;
}
