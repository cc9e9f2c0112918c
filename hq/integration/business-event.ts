// The business events that the hub tells subscribers of, and the bodies that they are told in (spec 1,
// "Events").
import * as z from 'zod/mini';
import { described } from '../../common/http/described.ts';

const id = z.int();
const text = z.string();

/** Times in bodies are RFC 3339 with the fixed offset +08:00. */
const milestoneChanged = z
  .object({
    event: z.literal('milestone.changed'),
    project_id: id,
    milestone_id: id,
    code: text,
    name: text,
    /** 1 not started, 2 in progress, 3 done, 4 warning, 5 delayed. */
    status: id,
    status_text: text,
    previous_status: id,
    changed_at: text,
  })
  .register(described, { id: 'MilestoneChanged' });

const hazardMajor = z
  .object({
    event: z.literal('hazard.major'),
    project_id: id,
    hazard_id: id,
    title: text,
    level: id,
    /** Where it is, as the business system or the field names the place. */
    site_ref: z.nullable(text),
    /** The core event that it arose from; null when a business system reported it. */
    event_id: z.nullable(id),
    occurred_at: z.nullable(text),
  })
  .register(described, { id: 'HazardMajor' });

const ncrCreated = z
  .object({
    event: z.literal('ncr.created'),
    project_id: id,
    ncr_id: id,
    code: text,
    title: text,
    level: id,
  })
  .register(described, { id: 'NcrCreated' });

const procurementDelay = z
  .object({
    event: z.literal('procurement.delay'),
    project_id: id,
    milestone_id: id,
    status: id,
    status_text: text,
    caused_by_order: id,
  })
  .register(described, { id: 'ProcurementDelay' });

const webhookTest = z
  .object({ event: z.literal('webhook.test'), message: text, at: text })
  .register(described, { id: 'WebhookTest' });

/** Bodies by event type, in the order of the specification. */
export const EVENT_BODIES = {
  'milestone.changed': milestoneChanged,
  'hazard.major': hazardMajor,
  'ncr.created': ncrCreated,
  'procurement.delay': procurementDelay,
  'webhook.test': webhookTest,
} as const;

export const eventTypes = Object.keys(EVENT_BODIES) as [EventType, ...EventType[]];
export type EventType = keyof typeof EVENT_BODIES;

/** What a subscription may name: a test is sent on demand only. */
export const subscribableTypes = [
  'milestone.changed',
  'hazard.major',
  'ncr.created',
  'procurement.delay',
] as const satisfies readonly EventType[];
export type SubscribableType = (typeof subscribableTypes)[number];

export type WebhookTest = z.infer<typeof webhookTest>;

/** What the business brings about. */
export type BusinessEvent = z.infer<
  typeof milestoneChanged | typeof hazardMajor | typeof ncrCreated | typeof procurementDelay
>;

export const milestoneStatusTexts: Readonly<Record<number, string>> = {
  1: 'not started',
  2: 'in progress',
  3: 'done',
  4: 'warning',
  5: 'delayed',
};

const BEIJING_MS = 8 * 3_600_000;

/**
 * RFC 3339 with milliseconds and the fixed offset +08:00, as the open interface and the webhooks write times.
 * @param at epoch ms
 */
export function formatBeijing(at: number): string {
  return `${new Date(at + BEIJING_MS).toISOString().slice(0, -1)}+08:00`;
}
