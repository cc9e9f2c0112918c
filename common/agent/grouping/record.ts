import type { IncidentLayer } from '../../core/incident/schema.ts';

/** From the threshold rule of the tenant (spec 3, "Threshold rule"). */
export interface LinkLimits {
  /** `traj_min_link`, 0 to 1. */
  minLink: number;
  /** `traj_link_gap_s` in milliseconds. */
  linkGapMs: number;
  /** `traj_same_cam_gap_s` in milliseconds. */
  sameCameraGapMs: number;
}

/**
 * A run of events that belong together in one layer. It becomes a group when it is `ripe`; from then on its
 * members are written back. Times are epoch milliseconds of the events.
 */
export interface ChainRecord {
  tenantCode: string;
  /** Of the group. */
  sourceKey: string;
  layer: IncidentLayer;
  /** What its events have in common. */
  chainKey: string;
  siteRef: string;
  pointRef: string | null;
  firstAt: number;
  lastAt: number;
  /** Camera of the latest event. */
  lastCamera: string;
  /** Event types in L2, sources in L3: without repetition. */
  traits: string[];
  size: number;
  ripe: boolean;
  /** Members that are not written back yet, in the order in which they came. */
  pending: number[];
  /** Steady milliseconds of the last change. */
  touchedAt: number;
}
