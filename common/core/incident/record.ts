import type { Message } from '../../message.ts';
import type { EventRecord } from '../event/record.ts';
import type { EventSource, Severity } from '../event/schema.ts';
import type { OrderState } from '../task/schema.ts';
import type { GroupOrderKind, IncidentLayer, IncidentState } from './schema.ts';

/** What the service computes from the members of a group. Times are epoch milliseconds. */
export interface IncidentAggregate {
  /** Times of the first and the last member: when it occurred, when it was received where that is empty. */
  firstAt: number;
  lastAt: number;
  /** Without repetition, in byte order. */
  eventTypes: string[];
  sources: EventSource[];
  /** The highest; an event without one counts as medium. */
  severity: Severity;
  /** Test members included. */
  memberCount: number;
  testMemberCount: number;
  /** Whether every member is of the test flow. */
  isTest: boolean;
  /** First appearance: the earliest member, the smaller id of two at the same time. Both null in layer L3. */
  firstEventId: number | null;
  firstEventAt: number | null;
}

/**
 * One matter made of several events. Its facts are those of its member rows
 * (`IncidentMember`), with three exceptions that keep what a person was told:
 * a locked first appearance stays, a group that is left without members keeps
 * what it had but for the counts, and clearing does not make a test group of
 * one that was confirmed as real.
 */
export interface IncidentRecord extends IncidentAggregate {
  id: number;
  tenantCode: string;
  /** The site that keeps it, whose word is first; null: this instance. */
  instance: string | null;
  /** Its id there. */
  originId: number | null;
  /** Under which the agent writes it back; null for a group that a person split off. */
  sourceKey: string | null;
  layer: IncidentLayer;
  siteRef: string;
  pointRef: string | null;
  title: string | null;
  state: IncidentState;
  /** State before it was merged away; null unless closed. */
  stateBefore: IncidentState | null;
  /** Where it was merged to; null unless closed. The target may have been merged away in turn. */
  mergedInto: number | null;
  /** The group it was split off from. */
  splitFrom: number | null;
  /** First appearance is written once: set by the first confirm or split. */
  firstLocked: boolean;
  confirmedBy: string | null;
  confirmedAt: number | null;
  closedAt: number | null;
  /** Members cleared since it was merged away; 0 unless closed. */
  clearedCount: number;
  /**
   * How often people have decided on it: it tells a group that grew by its agent from one that somebody
   * confirmed, split, merged or took back.
   */
  revision: number;
  createdAt: number;
  updatedAt: number;
}

/** What a group keeps of an event, so that facts can be recomputed without it. */
export interface MemberEvent {
  eventId: number;
  /** Occurrence, or receipt where that is empty; epoch milliseconds. */
  at: number;
  type: string;
  source: EventSource;
  severity: Severity | null;
  isTest: boolean;
}

export interface IncidentMember extends MemberEvent {
  incidentId: number;
  tenantCode: string;
  layer: IncidentLayer;
  /**
   * Whether the event belongs to this group now: at most one such row per
   * event and layer. A group that was merged away keeps its rows as not live,
   * and gets further ones for what its agent adds, so that it can be restored.
   */
  live: boolean;
  addedAt: number;
}

/** A group with all its rows. */
export interface WholeIncident {
  incident: IncidentRecord;
  rows: readonly IncidentMember[];
}

export interface UpsertIncident {
  tenantCode: string;
  sourceKey: string;
  layer: IncidentLayer;
  siteRef: string;
  pointRef: string | null;
  title: string | null;
  /** Without repetition. */
  eventIds: readonly number[];
  /** Who called and from where, for the audit. */
  actor: string;
}

/** A decision of a person on one group. */
export interface IncidentCommand {
  id: number;
  /** Tenant that the caller is limited to; null: every tenant. */
  tenantCode: string | null;
  by: string;
  note: string | null;
  actor: string;
  /** Revisions of groups as the caller saw them, by id; a group that has another is not decided on. */
  seen?: Readonly<Record<number, number>>;
}

export interface SplitIncident extends IncidentCommand {
  eventIds: readonly number[];
}

export interface MergeIncidents extends IncidentCommand {
  /** Without repetition. */
  incidentIds: readonly number[];
}

/** An event that stayed in the group that has it in this layer. */
export interface Skipped {
  eventId: number;
  incidentId: number;
}

export type UpsertOutcome =
  /**
   * `incident` is the one that has the members: where the group of the source key was merged to, if it was
   * (`redirectedFrom`).
   */
  | {
      kind: 'upserted';
      incident: IncidentRecord;
      created: boolean;
      redirectedFrom: number | null;
      added: number[];
      skipped: Skipped[];
    }
  /** A new source key whose events all belong to other groups: there is nothing to make a group of. */
  | { kind: 'nothing'; skipped: Skipped[] }
  | { kind: 'unknown_events'; eventIds: number[] }
  /** The source key is of a group of this other layer. */
  | { kind: 'layer_mismatch'; layer: IncidentLayer };

/** The ids that are not there, or not the caller's. */
export type NotFound = { kind: 'not_found'; ids: number[] };
/** Groups that were merged away and can no longer be changed. */
export type ClosedIncidents = { kind: 'closed'; incidents: IncidentRecord[] };
/** Somebody decided on these since the caller saw them. */
export type ChangedIncidents = { kind: 'changed'; incidents: IncidentRecord[] };
/** A site keeps the group: it was ordered to do it. */
export type OrderedIncident = { kind: 'ordered'; incident: IncidentRecord; order: GroupOrder };
export type CommonRefusal = NotFound | ClosedIncidents | ChangedIncidents;

/** What headquarters ordered of the site that keeps a group, and what came of it. */
export interface GroupOrder {
  id: string;
  tenantCode: string;
  kind: GroupOrderKind;
  instance: string;
  incidentId: number;
  /** Every group that it is about, `incidentId` among them. */
  groups: number[];
  /** Events that are to be split off; empty of any other kind. */
  eventIds: number[];
  /** Who gave it. */
  by: string;
  state: OrderState;
  /** Why the site did not carry it out. */
  reason: string | null;
  /** The same as a message; null where there is no reason. */
  told: Message | null;
  createdAt: number;
  settledAt: number | null;
}

export type ConfirmOutcome =
  { kind: 'confirmed'; incident: IncidentRecord; changed: boolean } | OrderedIncident | CommonRefusal;

export type SplitOutcome =
  | { kind: 'split'; incident: IncidentRecord; splitOff: IncidentRecord }
  | { kind: 'not_members'; eventIds: number[] }
  | { kind: 'every_member' }
  | OrderedIncident
  | CommonRefusal;

export type MergeOutcome =
  | { kind: 'merged'; incident: IncidentRecord; merged: IncidentRecord[] }
  /** Of another tenant or layer than the target, or the target itself. */
  | { kind: 'not_mergeable'; faults: { id: number; reason: 'itself' | 'tenant' | 'layer' }[] }
  | OrderedIncident
  | CommonRefusal;

export type UnmergeOutcome =
  | { kind: 'unmerged'; incident: IncidentRecord; from: IncidentRecord }
  | { kind: 'not_merged'; incident: IncidentRecord }
  /** Former members were cleared, or belong to no group or another one than it was merged to. */
  | { kind: 'members_gone'; cleared: number; elsewhere: { eventId: number; incidentId: number | null }[] }
  /** It would leave this group without members. */
  | { kind: 'every_member'; incidentId: number }
  | OrderedIncident
  | ChangedIncidents
  | NotFound;

export interface ForgetOutcome {
  /** Events that were members. */
  events: number;
  /** Groups that were recomputed and stay, ascending. */
  recomputed: number[];
  /** Groups that were deleted, ascending. */
  deleted: number[];
}

export interface IncidentFilter {
  /** null: every tenant (operator). */
  tenantCode: string | null;
  /** Left out: every state but closed. */
  state?: IncidentState;
  layer?: IncidentLayer;
  siteRef?: string;
  /** That have this event now. */
  eventId?: number;
  /** Of the site that keeps it; null: those of this instance. */
  instance?: string | null;
  includeTest: boolean;
}

/** A group of another layer that has events in common. */
export interface OtherLayer {
  id: number;
  layer: IncidentLayer;
  state: IncidentState;
  title: string | null;
  sharedCount: number;
}

export interface IncidentDetail {
  incident: IncidentRecord;
  /** Where its members are now: the end of the chain of merges; null unless closed. */
  wentTo: number | null;
  /** By time, then event id. `event` is null when it is no longer kept. */
  members: { member: IncidentMember; event: EventRecord | null }[];
  otherLayers: OtherLayer[];
  /** At headquarters, of a group that a site keeps: what was ordered of the site, newest first. */
  orders?: GroupOrder[];
}
