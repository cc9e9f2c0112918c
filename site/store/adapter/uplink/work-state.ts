// From rows of tasks and groups to the items of the work channel, read in one go so that they agree.
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { withOnly } from '../../../../common/core/incident/aggregate.ts';
import type { IncidentMember, IncidentRecord } from '../../../../common/core/incident/record.ts';
import type { TaskRecord } from '../../../../common/core/task/record.ts';
import type {
  EventName,
  GroupItem,
  OrderItem,
  TaskItem,
  WorkKind,
} from '../../../../common/uplink/work-item.ts';
import type { WorkState } from '../../../uplink/work/port.ts';
import {
  incidentMembers,
  incidents,
  taskEntries,
  tasks,
  uplinkOrders,
  workMembers,
} from '../../schema/tables.ts';
import { feedbackItemOf } from '../feedback-rows.ts';
import { GivenUpEvents } from './given-up.ts';

export interface WorkRow {
  changeNo: number;
  kind: WorkKind;
  subjectId: number;
  at: number;
  eventId: number;
  eventKey: string | null;
  baseNo: number | null;
}

/** Members of one item at most; 100,000 would be more than headquarters takes in one request. */
const MEMBERS_AT_ONCE = 1_000;

/** Of what is no group. */
const WHOLE = { last: null, mergedInto: null };

/** @param nameOf an event by its id @returns what reads the state behind a row; null where it is gone */
export function workStates(
  orm: BetterSQLite3Database,
  nameOf: (eventId: number) => EventName,
): (row: WorkRow) => WorkState | null {
  const givenUp = new GivenUpEvents(orm);
  const taskOf = (id: number) => orm.select().from(tasks).where(eq(tasks.id, id)).get();
  return (row) => {
    const { changeNo, at } = row;
    if (row.kind === 'order') {
      const order = orm.select().from(uplinkOrders).where(eq(uplinkOrders.seq, row.subjectId)).get();
      if (!order) return null;
      const made = order.taskId === null ? undefined : taskOf(order.taskId);
      return { changeNo, at, text: JSON.stringify(orderItemOf(row, order, made)), ...WHOLE };
    }
    if (row.kind === 'feedback') {
      const item = feedbackItemOf(orm, row);
      return item && { changeNo, at, text: JSON.stringify(item), ...WHOLE };
    }
    if (row.kind === 'task') {
      const task = taskOf(row.subjectId);
      if (!task) return null;
      const own = orm
        .select({ seq: taskEntries.seq, at: taskEntries.at, kind: taskEntries.kind, doc: taskEntries.doc })
        .from(taskEntries)
        .where(eq(taskEntries.taskId, task.id))
        .orderBy(asc(taskEntries.seq))
        .all();
      // The body is spliced in as it was written.
      const item = taskItemOf(row, task, {
        entries: own as TaskItem['task']['entries'],
        orderId: task.orderId,
      });
      const text = JSON.stringify(item).replace('"body":null', () => `"body":${task.body}`);
      return { changeNo, at, text, ...WHOLE };
    }
    const whole = orm.select().from(incidents).where(eq(incidents.id, row.subjectId)).get();
    if (!whole) return null;
    const left = givenUp.leftOf(whole.id);
    const group = left ? withOnly(whole, left, whole.updatedAt) : whole;
    const members = membersOf(orm, row, left, MEMBERS_AT_ONCE + 1);
    const sent = members.slice(0, MEMBERS_AT_ONCE);
    const last = sent.length < members.length ? (sent.at(-1)?.eventId ?? null) : null;
    const item = groupItemOf(row, { group, members: sent, more: last !== null }, nameOf);
    return { changeNo, at, text: JSON.stringify(item), last, mergedInto: group.mergedInto };
  };
}

/**
 * Of a group: all, or those that it has got since its base.
 * @param left those that headquarters may have; null: every one
 * @param most -1: all of them
 */
function membersOf(
  orm: BetterSQLite3Database,
  row: WorkRow,
  left: readonly IncidentMember[] | null,
  most: number,
): IncidentMember[] {
  const { incidentId, eventId } = incidentMembers;
  const added = orm
    .select({ id: workMembers.eventId })
    .from(workMembers)
    .where(eq(workMembers.groupId, row.subjectId));
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
function orderItemOf(row: WorkRow, order: typeof uplinkOrders.$inferSelect, task?: TaskRecord): OrderItem {
  return {
    change_no: row.changeNo,
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
  row: WorkRow,
  task: TaskRecord,
  { entries, orderId }: { entries: TaskItem['task']['entries']; orderId: string | null },
): Unbodied {
  return {
    change_no: row.changeNo,
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
  row: WorkRow,
  { group, members, more }: { group: IncidentRecord; members: readonly IncidentMember[]; more: boolean },
  nameOf: (eventId: number) => EventName,
): GroupItem {
  return {
    change_no: row.changeNo,
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
