// The business events that the hub tells subscribers of, and the bodies that they are told in (spec 1,
// "Events").
import * as z from 'zod/mini';
import { described } from '../../common/http/described.ts';

/** Of the business system, which may be beyond 2^53. */
const id = z.int();
const text = z.string();

/** Times in bodies are RFC 3339 with the fixed offset +08:00. */
const milestoneChanged = z
  .object({
    event: z.literal('milestone.changed'),
    project_id: id,
    milestone_id: id,
    code: z.nullable(text),
    name: z.nullable(text),
    /** 1 not started, 2 in progress, 3 done, 4 warning, 5 delayed. */
    status: z.int(),
    status_text: text,
    previous_status: z.int(),
    changed_at: text,
  })
  .register(described, { id: 'MilestoneChanged' });

const hazardMajor = z
  .object({
    event: z.literal('hazard.major'),
    project_id: id,
    hazard_id: id,
    title: z.nullable(text),
    level: z.nullable(z.int()),
    /** Where it is, as the business system or the field names the place. */
    site_ref: z.nullable(text),
    /** The core event that it arose from; null when a business system reported it. */
    event_id: z.nullable(z.int()),
    occurred_at: z.nullable(text),
  })
  .register(described, { id: 'HazardMajor' });

const ncrCreated = z
  .object({
    event: z.literal('ncr.created'),
    project_id: id,
    ncr_id: id,
    code: z.nullable(text),
    title: z.nullable(text),
    level: z.nullable(z.int()),
  })
  .register(described, { id: 'NcrCreated' });

const procurementDelay = z
  .object({
    event: z.literal('procurement.delay'),
    project_id: id,
    milestone_id: id,
    status: z.int(),
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

/** Id of the business system: up to 64 bits, which a JavaScript number does not hold. */
export type BusinessId = number | bigint;
type IdMember = 'project_id' | 'milestone_id' | 'hazard_id' | 'ncr_id' | 'caused_by_order';
type WithIds<T> = { [K in keyof T]: K extends IdMember ? BusinessId : T[K] };

/** What the business brings about. */
export type BusinessEvent =
  | WithIds<z.infer<typeof milestoneChanged>>
  | WithIds<z.infer<typeof hazardMajor>>
  | WithIds<z.infer<typeof ncrCreated>>
  | WithIds<z.infer<typeof procurementDelay>>;

/** @param digits of an integer of at most 64 bits */
export function businessId(digits: string): BusinessId {
  const id = Number(digits);
  return Number.isSafeInteger(id) ? id : BigInt(digits);
}

/** The text that receivers get; ids are written to the last digit. */
export const bodyText = (event: BusinessEvent | WebhookTest): string =>
  JSON.stringify(event, (_name, value: unknown) =>
    typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value,
  );

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
