import type { Stamp } from '../../clock.ts';
import type { AuditEntry } from '../audit/port.ts';
import type { IncidentMember, IncidentRecord } from './record.ts';

/** What finds the rows of a group, in a store that is divided by tenant too. */
export type IncidentKey = Pick<IncidentRecord, 'id' | 'tenantCode'>;

/**
 * Rows to write, in this order: what is dropped and hidden first, so that no
 * event has two live rows in a layer at any time.
 */
export interface IncidentPlan {
  dropMembers: { incident: IncidentKey; eventIds: number[] }[];
  /** Groups whose rows are no longer live. */
  hideMembers: IncidentKey[];
  addMembers: IncidentMember[];
  /** Groups whose rows become live again. */
  showMembers: IncidentKey[];
  insert: IncidentRecord[];
  update: IncidentRecord[];
  /** Ids of groups that have no rows any more. */
  remove: number[];
  audit: AuditEntry[];
}

export interface Decision<O> {
  outcome: O;
  /** null: nothing is written. */
  plan: IncidentPlan | null;
}

export function planOf(part: Partial<IncidentPlan>): IncidentPlan {
  return {
    dropMembers: [],
    hideMembers: [],
    addMembers: [],
    showMembers: [],
    insert: [],
    update: [],
    remove: [],
    audit: [],
    ...part,
  };
}

export interface AuditNote {
  actor: string;
  action: string;
  before: IncidentRecord | null;
  after: IncidentRecord | null;
  /** Members of the entry beside the state after the change. */
  also?: Record<string, unknown>;
}

/** An entry on the group that `after`, or else `before`, is. */
export function auditOf(note: AuditNote, stamp: Stamp): AuditEntry {
  const subject = note.after ?? note.before;
  if (!subject) throw new Error('an audit entry needs a group');
  const after = note.after && summaryOf(note.after);
  return {
    id: stamp.newId(),
    at: stamp.now,
    actor: note.actor,
    action: note.action,
    subject: `incident:${subject.id}`,
    tenantCode: subject.tenantCode,
    before: note.before && summaryOf(note.before),
    after: note.also ? { ...after, ...note.also } : after,
  };
}

function summaryOf(group: IncidentRecord): Record<string, unknown> {
  const {
    state,
    layer,
    sourceKey,
    mergedInto,
    splitFrom,
    memberCount,
    testMemberCount,
    firstAt,
    lastAt,
    severity,
    firstEventId,
    firstEventAt,
  } = group;
  return {
    state,
    layer,
    sourceKey,
    mergedInto,
    splitFrom,
    memberCount,
    testMemberCount,
    firstAt,
    lastAt,
    severity,
    firstEventId,
    firstEventAt,
  };
}
