// From rows of the log to its items, each read in one go so that its parts agree.
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { withOnly } from '../../../../common/core/incident/aggregate.ts';
import type { IncidentMember, IncidentRecord } from '../../../../common/core/incident/record.ts';
import type { TaskRecord } from '../../../../common/core/task/record.ts';
import type { GroupItem } from '../../../../common/uplink/change/group.ts';
import type { ChangeKind } from '../../../../common/uplink/change/item.ts';
import { renderJudgement } from '../../../../common/uplink/change/judgement.ts';
import type { EventName } from '../../../../common/uplink/change/names.ts';
import type { OrderItem } from '../../../../common/uplink/change/order.ts';
import type { TaskItem } from '../../../../common/uplink/change/task.ts';
import type { ChangeState } from '../../../uplink/changes/port.ts';
import {
  groupAdditions,
  incidentMembers,
  incidents,
  taskEntries,
  tasks,
  uplinkOrders,
  verdictChanges,
} from '../../schema/tables.ts';
import { feedbackItemOf } from '../feedback-rows.ts';
import { readRequest } from './care-answer.ts';
import { GivenUpEvents } from './given-up.ts';
import { readLibrary } from './library-row.ts';
import { readSettings } from './settings-row.ts';
import { readUpgrade } from './upgrade-row.ts';

export interface ChangeRow {
  seq: number;
  /** null: its event has not gone up. */
  no: number | null;
  kind: ChangeKind;
  subjectId: number;
  at: number;
  eventId: number;
  eventKey: string | null;
  baseNo: number | null;
}

type Row = ChangeRow & { no: number };

/** Members of one item at most; 100,000 would be more than headquarters takes in one request. */
const MEMBERS_AT_ONCE = 1_000;

/** What is sent of a change: its text, and of a group what follows. */
type Sent = Pick<ChangeState, 'text'> & Partial<ChangeState>;

/** @param nameOf an event by its id @returns what reads the state behind a row; null where it is gone */
export function changeStates(
  orm: BetterSQLite3Database,
  nameOf: (eventId: number) => EventName,
): (row: Row) => ChangeState | null {
  const givenUp = new GivenUpEvents(orm);
  const judgement = (row: Row): Sent | null => readJudgement(orm, row);
  const readers: Record<ChangeKind, (row: Row) => Sent | null> = {
    verdict: judgement,
    correction: judgement,
    decision_refused: judgement,
    task: (row) => readTask(orm, row),
    group: (row) => readGroup(orm, row, givenUp, nameOf),
    order: (row) => readOrder(orm, row),
    library: ({ no, subjectId }) => textOf(readLibrary(orm, no, subjectId)),
    settings: ({ no }) => textOf(readSettings(orm, no)),
    upgrade: ({ no }) => textOf(readUpgrade(orm, no)),
    request: (row) => textOf(readRequest(orm, row)),
    feedback: (row) => textOf(feedbackItemOf(orm, { ...row, changeNo: row.no })),
  };
  return (row) => {
    const sent = readers[row.kind](row);
    return sent && { changeNo: row.no, at: row.at, last: null, mergedInto: null, ...sent };
  };
}

const textOf = (item: object | null): Sent | null => item && { text: JSON.stringify(item) };

function readJudgement(orm: BetterSQLite3Database, { no, subjectId }: Row): Sent | null {
  const entry = orm.select().from(verdictChanges).where(eq(verdictChanges.changeNo, subjectId)).get();
  return entry === undefined ? null : { text: renderJudgement(entry, no) };
}

function readOrder(orm: BetterSQLite3Database, row: Row): Sent | null {
  const order = orm.select().from(uplinkOrders).where(eq(uplinkOrders.seq, row.subjectId)).get();
  if (!order) return null;
  const made = order.taskId === null ? undefined : taskOf(orm, order.taskId);
  return textOf(orderItemOf(row, order, made));
}

const taskOf = (orm: BetterSQLite3Database, id: number): typeof tasks.$inferSelect | undefined =>
  orm.select().from(tasks).where(eq(tasks.id, id)).get();

function readTask(orm: BetterSQLite3Database, row: Row): Sent | null {
  const task = taskOf(orm, row.subjectId);
  if (!task) return null;
  const own = orm
    .select({ seq: taskEntries.seq, at: taskEntries.at, kind: taskEntries.kind, doc: taskEntries.doc })
    .from(taskEntries)
    .where(eq(taskEntries.taskId, task.id))
    .orderBy(asc(taskEntries.seq))
    .all();
  const item = taskItemOf(row, task, {
    entries: own as TaskItem['task']['entries'],
    orderId: task.orderId,
  });
  // The body is spliced in as it was written.
  return { text: JSON.stringify(item).replace('"body":null', () => `"body":${task.body}`) };
}

function readGroup(
  orm: BetterSQLite3Database,
  row: Row,
  givenUp: GivenUpEvents,
  nameOf: (eventId: number) => EventName,
): Sent | null {
  const whole = orm.select().from(incidents).where(eq(incidents.id, row.subjectId)).get();
  if (!whole) return null;
  const left = givenUp.leftOf(whole.id);
  const group = left ? withOnly(whole, left, whole.updatedAt) : whole;
  const members = membersOf(orm, row, left, MEMBERS_AT_ONCE + 1);
  const sent = members.slice(0, MEMBERS_AT_ONCE);
  const last = sent.length < members.length ? (sent.at(-1)?.eventId ?? null) : null;
  const item = groupItemOf(row, { group, members: sent, more: last !== null }, nameOf);
  return { text: JSON.stringify(item), last, mergedInto: group.mergedInto };
}

/**
 * Of a group: all, or those that it has got since its base.
 * @param left those that headquarters may have; null: every one
 * @param most -1: all of them
 */
function membersOf(
  orm: BetterSQLite3Database,
  row: Row,
  left: readonly IncidentMember[] | null,
  most: number,
): IncidentMember[] {
  const { incidentId, eventId } = incidentMembers;
  const added = orm
    .select({ id: groupAdditions.eventId })
    .from(groupAdditions)
    .where(eq(groupAdditions.groupId, row.subjectId));
  if (left !== null) {
    const named = row.baseNo === null ? null : new Set(added.all().map(({ id }) => id));
    const sent = left.filter((member) => named?.has(member.eventId) ?? true);
    return most < 0 ? sent : sent.slice(0, most);
  }
  return orm
    .select()
    .from(incidentMembers)
    .where(and(eq(incidentId, row.subjectId), row.baseNo === null ? undefined : inArray(eventId, added)))
    .orderBy(asc(eventId))
    .limit(most)
    .all();
}

type Unbodied = Omit<TaskItem, 'task'> & { task: { body: null } & Omit<TaskItem['task'], 'body'> };

/** An order whose message to the camera is yet to be tried is done; the flags come with a later answer. */
function orderItemOf(row: Row, order: typeof uplinkOrders.$inferSelect, task?: TaskRecord): OrderItem {
  return {
    change_no: row.no,
    tenant_code: order.tenantCode,
    kind: 'order',
    order_id: order.orderId,
    state: order.state === 'refused' ? 'refused' : 'done',
    reason: order.reason,
    told: order.told,
    task: task === undefined ? null : { id: task.id, created_at: task.createdAt },
    result: order.result,
  };
}

function taskItemOf(
  row: Row,
  task: TaskRecord,
  { entries, orderId }: { entries: TaskItem['task']['entries']; orderId: string | null },
): Unbodied {
  return {
    change_no: row.no,
    kind: 'task',
    tenant_code: task.tenantCode,
    id: task.id,
    created_at: task.createdAt,
    order_id: orderId,
    event: task.eventId === null ? null : { key: row.eventKey, id: task.eventId },
    task: {
      body: null,
      type: task.type,
      state: task.state,
      title: task.title,
      severity: task.severity,
      assignee_org: task.assigneeOrg,
      due_at: task.dueAt,
      suppressed: task.suppressed,
      escalated_at: task.escalatedAt,
      result_code: task.resultCode,
      created_by: task.createdBy,
      updated_at: task.updatedAt,
      taken_over_at: task.takenOverAt,
      completed_at: task.completedAt,
      closed_at: task.closedAt,
      cancelled_at: task.cancelledAt,
      entry_count: task.entryCount,
      step_count: task.stepCount,
      note_count: task.noteCount,
      refusal_count: task.refusalCount,
      entries,
    },
  };
}

function groupItemOf(
  row: Row,
  { group, members, more }: { group: IncidentRecord; members: readonly IncidentMember[]; more: boolean },
  nameOf: (eventId: number) => EventName,
): GroupItem {
  return {
    change_no: row.no,
    kind: 'group',
    tenant_code: group.tenantCode,
    id: group.id,
    created_at: group.createdAt,
    group: {
      source_key: group.sourceKey,
      layer: group.layer,
      site_ref: group.siteRef,
      point_ref: group.pointRef,
      title: group.title,
      state: group.state,
      state_before: group.stateBefore,
      merged_into: group.mergedInto,
      split_from: group.splitFrom,
      first_at: group.firstAt,
      last_at: group.lastAt,
      event_types: group.eventTypes,
      sources: group.sources,
      severity: group.severity,
      member_count: group.memberCount,
      test_member_count: group.testMemberCount,
      is_test: group.isTest,
      first_event: group.firstEventId === null ? null : nameOf(group.firstEventId),
      first_event_at: group.firstEventAt,
      first_locked: group.firstLocked,
      confirmed_by: group.confirmedBy,
      confirmed_at: group.confirmedAt,
      closed_at: group.closedAt,
      cleared_count: group.clearedCount,
      revision: group.revision,
      updated_at: group.updatedAt,
      since: row.baseNo,
      more,
      members: members.map((member) => memberItemOf(member, nameOf)),
    },
  };
}

function memberItemOf(
  member: IncidentMember,
  nameOf: (eventId: number) => EventName,
): GroupItem['group']['members'][number] {
  return {
    event: nameOf(member.eventId),
    at: member.at,
    type: member.type,
    source: member.source,
    severity: member.severity,
    is_test: member.isTest,
    live: member.live,
    added_at: member.addedAt,
  };
}
