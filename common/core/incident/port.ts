import type { Stamp } from '../../clock.ts';
import type {
  ConfirmOutcome,
  ForgetOutcome,
  IncidentCommand,
  IncidentDetail,
  IncidentFilter,
  IncidentRecord,
  MergeIncidents,
  MergeOutcome,
  SplitIncident,
  SplitOutcome,
  UnmergeOutcome,
  UpsertIncident,
  UpsertOutcome,
} from './record.ts';

/**
 * Incident groups. Every change is audited in its transaction on
 * `incident:<id>`: `incident.created`, `incident.members_added`,
 * `incident.confirmed`, `incident.split`, `incident.split_off`,
 * `incident.merged`, `incident.closed`, `incident.unmerged`,
 * `incident.members_taken_back`, `incident.deleted`. Where writers of one tenant and layer stand in each
 * other's way three times: AppError 409 write_contention, retryable.
 */
export interface IncidentPort {
  /**
   * Creates the group of (tenant, source key), or adds members to it; nothing
   * else of a known group changes. Replays change nothing.
   */
  upsert(command: UpsertIncident, stamp: Stamp): Promise<UpsertOutcome>;
  confirm(command: IncidentCommand, stamp: Stamp): Promise<ConfirmOutcome>;
  /** Moves members into a new group in state split. */
  split(command: SplitIncident, stamp: Stamp): Promise<SplitOutcome>;
  /** Moves the members of all named groups into one, and closes them; all or none. */
  merge(command: MergeIncidents, stamp: Stamp): Promise<MergeOutcome>;
  /** Restores a group that was merged away, with its former members and what its agent has added since. */
  unmerge(command: IncidentCommand, stamp: Stamp): Promise<UnmergeOutcome>;
  /**
   * Takes events out of their groups, recomputes these and deletes those left
   * empty, except real ones that a person confirmed, and what a group that
   * stays was merged into. To be called after the events were deleted, in
   * batches of some thousands: only then can no writer add them again.
   */
  forgetEvents(eventIds: readonly number[], stamp: Stamp): Promise<ForgetOutcome>;
  get(id: number): Promise<IncidentRecord | null>;
  /** With at most `limit` members after a position. */
  detail(
    id: number,
    after: { at: number; eventId: number } | null,
    limit: number,
  ): Promise<IncidentDetail | null>;
  /** Last member first, then the larger id first; groups after `before` in that order. */
  list(
    filter: IncidentFilter,
    before: { lastAt: number; id: number } | null,
    limit: number,
  ): Promise<IncidentRecord[]>;
}
