/** What a project amounts to, as the open interface shows it (spec 1, "Project snapshot"). */
export interface ProjectSnapshot {
  projectCode: string;
  /** null: the business system states none. */
  projectName: string | null;
  /** Code of the business system; null: it states none. */
  status: number | null;
  /** 0 to 100; null when not assessed. */
  healthScore: number | null;
  /**
   * Percent, the equally weighted mean over the leaf WBS nodes, to two decimals; null without a leaf that
   * states it.
   */
  planProgress: number | null;
  /** As `planProgress`. */
  actualProgress: number | null;
  milestonesTotal: number;
  /** Milestones with the status 4 (warning) or 5 (delayed). */
  milestonesAtRisk: number;
  /** Nonconformities that are not closed. */
  openNcr: number;
}
