// From rows of tasks and groups to the items of the work channel, read in one go so that they agree.
import { asc, eq } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
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
import { incidentMembers, incidents, taskEntries, tasks, uplinkOrders } from '../../schema/tables.ts';

export interface WorkRow {
  changeNo: number;
  kind: WorkKind;
  subjectId: number;
  at: number;
  eventId: number;
  eventKey: string | null;
}

/** @param nameOf an event by its id @returns what reads the state behind a row; null where it is gone */
export function workStates(
  orm: BetterSQLite3Database,
  nameOf: (eventId: number) => EventName,
): (row: WorkRow) => WorkState | null {
  const taskOf = (id: number) => orm.select().from(tasks).where(eq(tasks.id, id)).get();
  return (row) => {
    const { changeNo, at } = row;
    if (row.kind === 'order') {
      const order = orm.select().from(uplinkOrders).where(eq(uplinkOrders.seq, row.subjectId)).get();
      if (!order) return null;
      const made = order.taskId === null ? undefined : taskOf(order.taskId);
      return { changeNo, at, text: JSON.stringify(orderItemOf(row, order, made)) };
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
      return { changeNo, at, text };
    }
    const group = orm.select().from(incidents).where(eq(incidents.id, row.subjectId)).get();
    if (!group) return null;
    const members = orm
      .select()
      .from(incidentMembers)
      .where(eq(incidentMembers.incidentId, group.id))
      .orderBy(asc(incidentMembers.eventId))
      .all();
    return { changeNo, at, text: JSON.stringify(groupItemOf(row, { group, members }, nameOf)) };
  };
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
  { group, members }: { group: IncidentRecord; members: readonly IncidentMember[] },
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
      members: members.map((member) => ({
        event: nameOf(member.eventId),
        at: member.at,
        type: member.type,
        source: member.source,
        severity: member.severity,
        is_test: member.isTest,
        live: member.live,
        added_at: member.addedAt,
      })),
    },
  };
}
