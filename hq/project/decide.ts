// What of landed rows becomes the project model, and which business events a change tells (pure).
import { parseTime } from '../../common/time.ts';
import type { FieldValues, LandedRow } from '../dataset/record.ts';
import {
  type BusinessEvent,
  businessId,
  formatBeijing,
  milestoneStatusTexts,
} from '../integration/business-event.ts';

/** Milestone status codes (DESIGN.md, "Projects"). */
const STATUS_WARNING = 4;
const STATUS_DELAYED = 5;

const statusText = (status: number): string => milestoneStatusTexts[status] ?? `status ${status}`;

export const integer = (value: FieldValues[string] | undefined): number | null =>
  typeof value === 'number' ? Math.trunc(value) : null;
/** The digits of an id, which may be beyond 2^53. */
export const reference = (value: FieldValues[string] | undefined): string | null =>
  typeof value === 'number' ? String(Math.trunc(value)) : textOf(value);
/** Text where a double would round it. */
export const decimal = (value: FieldValues[string] | undefined): number | string | null =>
  typeof value === 'number' ? value : textOf(value);
export const textOf = (value: FieldValues[string] | undefined): string | null =>
  typeof value === 'string' ? value : null;
export const isTrue = (value: FieldValues[string] | undefined): boolean => value === true;

/** 0 to 100, whole; anything else is "not assessed". */
export function healthOf(value: FieldValues[string] | undefined): number | null {
  const score = typeof value === 'number' ? value : null;
  return score === null || score < 0 || score > 100 ? null : Math.round(score);
}

/** An order on the critical path that is not there yet and will come after the day it is required. */
export function isLate({ fields }: LandedRow): boolean {
  const [required, expected] = [textOf(fields.required_on), textOf(fields.expected_on)];
  return (
    isTrue(fields.critical_path) &&
    !isTrue(fields.received) &&
    required !== null &&
    expected !== null &&
    expected > required
  );
}

/** @param before the last status that the milestone had, also before it was deleted; null: it had none */
export function milestoneChanged(row: LandedRow, before: number | null, now: number): BusinessEvent | null {
  const [status, projectId] = [integer(row.fields.status), reference(row.fields.project_id)];
  if (row.deleted || before === null || status === null || status === before || projectId === null)
    return null;
  return {
    event: 'milestone.changed',
    project_id: businessId(projectId),
    milestone_id: businessId(row.pk),
    code: textOf(row.fields.code),
    name: textOf(row.fields.name),
    status,
    status_text: statusText(status),
    previous_status: before,
    changed_at: formatBeijing(timeOf(row, now)),
  };
}

export function ncrCreated(row: LandedRow, known: boolean): BusinessEvent | null {
  const projectId = reference(row.fields.project_id);
  if (row.deleted || known || projectId === null) return null;
  return {
    event: 'ncr.created',
    project_id: businessId(projectId),
    ncr_id: businessId(row.pk),
    code: textOf(row.fields.code),
    title: textOf(row.fields.title),
    level: integer(row.fields.level),
  };
}

/**
 * A hazard that is major and was not, or was not there. The number that a business system calls `event_id` is
 * its own: taken for an event of the core it could name anybody's, and receivers know by null that the hazard
 * is the business system's.
 */
export function hazardMajor(row: LandedRow, wasMajor: boolean): BusinessEvent | null {
  const projectId = reference(row.fields.project_id);
  if (row.deleted || !isTrue(row.fields.major) || wasMajor || projectId === null) return null;
  const occurred = parseTime(textOf(row.fields.occurred_at) ?? '');
  return {
    event: 'hazard.major',
    project_id: businessId(projectId),
    hazard_id: businessId(row.pk),
    title: textOf(row.fields.title),
    level: integer(row.fields.level),
    site_ref: textOf(row.fields.site_ref),
    event_id: null,
    occurred_at: occurred === null ? null : formatBeijing(occurred),
  };
}

export interface Drag {
  orderId: string;
  projectId: string | null;
  milestoneId: string | null;
  /** Status of this milestone that was told; null also where the order dragged another. */
  before: number | null;
  after: number | null;
}

/** A late order whose milestone is now at risk, or more so; one that recovers tells nothing. */
export function procurementDelay({
  orderId,
  projectId,
  milestoneId,
  before,
  after,
}: Drag): BusinessEvent | null {
  if (
    (after !== STATUS_WARNING && after !== STATUS_DELAYED) ||
    after <= (before ?? 0) ||
    projectId === null ||
    milestoneId === null
  )
    return null;
  return {
    event: 'procurement.delay',
    project_id: businessId(projectId),
    milestone_id: businessId(milestoneId),
    status: after,
    status_text: statusText(after),
    caused_by_order: businessId(orderId),
  };
}

const timeOf = (row: LandedRow, now: number): number => parseTime(row.updatedAt) ?? now;
