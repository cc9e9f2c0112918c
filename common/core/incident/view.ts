import * as z from 'zod/mini';
import { described } from '../../http/described.ts';
import { translate } from '../../message.ts';
import { formatTime, formatTimeOrNull } from '../../time.ts';
import { refusalMessages } from '../../uplink/refusal-messages.ts';
import { type EventRecord, readDoc } from '../event/record.ts';
import { eventKinds, eventSources, severities } from '../event/schema.ts';
import { orderStates } from '../task/schema.ts';
import { verdictValues } from '../verdict/schema.ts';
import { realCount } from './aggregate.ts';
import type { GroupOrder, IncidentDetail, IncidentRecord, OrderedIncident } from './record.ts';
import { groupOrderKinds, incidentLayers, incidentStates } from './schema.ts';
import type { DetailPage } from './service.ts';

const text = z.nullable(z.string());
const id = z.nullable(z.int());
export const incidentView = z
  .object({
    id: z.int(),
    tenantCode: z.string(),
    /** The site that keeps it, and its id there; null: kept here. */
    instance: text,
    originId: id,
    sourceKey: text,
    layer: z.enum(incidentLayers),
    state: z.enum(incidentStates),
    siteRef: z.string(),
    pointRef: text,
    title: text,
    firstAt: z.string(),
    lastAt: z.string(),
    eventTypes: z.array(z.string()),
    sources: z.array(z.enum(eventSources)),
    severity: z.enum(severities),
    memberCount: z.int(),
    testMemberCount: z.int(),
    isTest: z.boolean(),
    firstAppearance: z.nullable(z.object({ eventId: z.int(), at: z.string() })),
    firstAppearanceLocked: z.boolean(),
    mergedInto: id,
    splitFrom: id,
    confirmedBy: text,
    confirmedAt: text,
    closedAt: text,
    /** How often people have decided on it; `seen` of a decision names it. */
    revision: z.int(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .register(described, { id: 'Incident' });

export function viewOf(group: IncidentRecord): z.infer<typeof incidentView> {
  const { firstEventId, firstEventAt } = group;
  return {
    id: group.id,
    tenantCode: group.tenantCode,
    instance: group.instance,
    originId: group.originId,
    sourceKey: group.sourceKey,
    layer: group.layer,
    state: group.state,
    siteRef: group.siteRef,
    pointRef: group.pointRef,
    title: group.title,
    firstAt: formatTime(group.firstAt),
    lastAt: formatTime(group.lastAt),
    eventTypes: group.eventTypes,
    sources: group.sources,
    severity: group.severity,
    memberCount: realCount(group),
    testMemberCount: group.testMemberCount,
    isTest: group.isTest,
    firstAppearance:
      firstEventId === null || firstEventAt === null
        ? null
        : { eventId: firstEventId, at: formatTime(firstEventAt) },
    firstAppearanceLocked: group.firstLocked,
    mergedInto: group.mergedInto,
    splitFrom: group.splitFrom,
    confirmedBy: group.confirmedBy,
    confirmedAt: formatTimeOrNull(group.confirmedAt),
    closedAt: formatTimeOrNull(group.closedAt),
    revision: group.revision,
    createdAt: formatTime(group.createdAt),
    updatedAt: formatTime(group.updatedAt),
  };
}

const eventSummary = z
  .object({
    id: z.int(),
    type: z.string(),
    kind: z.enum(eventKinds),
    source: z.enum(eventSources),
    severity: z.nullable(z.enum(severities)),
    occurredAt: text,
    receivedAt: z.string(),
    isTest: z.boolean(),
    verdict: z.nullable(z.enum(verdictValues)),
    correctedTo: z.nullable(z.enum(verdictValues)),
    title: text,
    siteRef: text,
    pointRef: text,
    cameraRef: text,
    cameraName: text,
    /** Where it arose. */
    instance: z.string(),
  })
  .register(described, { id: 'EventSummary' });
const memberView = z
  .object({
    eventId: z.int(),
    at: z.string(),
    isTest: z.boolean(),
    addedAt: z.string(),
    event: z.nullable(eventSummary),
  })
  .register(described, { id: 'IncidentMember' });
const otherView = z
  .object({
    id: z.int(),
    layer: z.enum(incidentLayers),
    state: z.enum(incidentStates),
    title: text,
    sharedCount: z.int(),
  })
  .register(described, { id: 'OtherIncident' });

const orderView = z
  .object({
    id: z.string(),
    kind: z.enum(groupOrderKinds),
    instance: z.string(),
    /** The group that it is about, and every group that it changes. */
    incidentId: z.int(),
    groups: z.array(z.int()),
    /** Events that are to be split off. */
    eventIds: z.array(z.int()),
    by: z.string(),
    state: z.enum(orderStates),
    /** Why the site did not carry it out: in English, as a code, and in Chinese. */
    reason: text,
    reasonCode: text,
    reasonZh: text,
    createdAt: z.string(),
    settledAt: text,
  })
  .register(described, { id: 'GroupOrder' });

/** The group as it is, and what its site was ordered to do. */
export const orderedView = z
  .object({ incident: incidentView, order: orderView })
  .register(described, { id: 'OrderedIncident' });

export const viewOfOrdered = ({ incident, order }: OrderedIncident): z.infer<typeof orderedView> => ({
  incident: viewOf(incident),
  order: viewOfOrder(order),
});

function viewOfOrder({ told, createdAt, settledAt, ...order }: GroupOrder): z.infer<typeof orderView> {
  return {
    id: order.id,
    kind: order.kind,
    instance: order.instance,
    incidentId: order.incidentId,
    groups: order.groups,
    eventIds: order.eventIds,
    by: order.by,
    state: order.state,
    reason: order.reason,
    reasonCode: told?.code ?? null,
    reasonZh: told && translate(refusalMessages, told, 'zh'),
    createdAt: formatTime(createdAt),
    settledAt: formatTimeOrNull(settledAt),
  };
}

export const detailView = z
  .extend(incidentView, {
    wentTo: id,
    members: z.array(memberView),
    nextCursor: text,
    hasMore: z.boolean(),
    otherLayers: z.array(otherView),
    /** At headquarters, of a group that a site keeps: the last orders to the site, newest first. */
    orders: z.optional(z.array(orderView)),
  })
  .register(described, { id: 'IncidentDetail' });

/** @param self name of this instance */
export function viewOfDetail(page: DetailPage, self: string): z.infer<typeof detailView> {
  return {
    ...viewOf(page.incident),
    wentTo: page.wentTo,
    members: page.members.map((one) => viewOfMember(one, self)),
    nextCursor: page.nextCursor,
    hasMore: page.hasMore,
    otherLayers: page.otherLayers,
    ...(page.orders && { orders: page.orders.map(viewOfOrder) }),
  };
}

function viewOfMember(
  { member, event }: IncidentDetail['members'][number],
  self: string,
): z.infer<typeof memberView> {
  const { eventId, at, isTest, addedAt } = member;
  return {
    eventId,
    at: formatTime(at),
    isTest,
    addedAt: formatTime(addedAt),
    event: event && summaryOf(event, self),
  };
}

function summaryOf(event: EventRecord, self: string): z.infer<typeof eventSummary> {
  const doc = readDoc(event);
  return {
    id: event.id,
    type: event.type,
    kind: event.kind,
    source: event.source,
    severity: event.severity,
    occurredAt: formatTimeOrNull(event.occurredAt),
    receivedAt: formatTime(event.originReceivedAt ?? event.receivedAt),
    isTest: event.isTest,
    verdict: event.verdict,
    correctedTo: event.correctedTo,
    title: doc.title ?? null,
    siteRef: doc.siteRef ?? null,
    pointRef: doc.pointRef ?? null,
    cameraRef: doc.cameraRef ?? null,
    cameraName: doc.cameraName ?? null,
    instance: event.instance ?? self,
  };
}
