import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { described } from '../../http/described.ts';
import { saying } from '../../http/fault/fault.ts';
import { code, eventSources, eventType, severities, tenantCode, zonedTime } from '../event/schema.ts';

/**
 * L1: same point, same kind, repeated; L2: same point, a series; L3: same site, correlation only (spec 2,
 * "Incident group").
 */
export const incidentLayers = ['L1', 'L2', 'L3'] as const;
export type IncidentLayer = (typeof incidentLayers)[number];

/** As the agent computed it; as a person confirmed it; split off by a person; merged away. */
export const incidentStates = ['auto', 'confirmed', 'split', 'closed'] as const;
export type IncidentState = (typeof incidentStates)[number];

/** What headquarters can order of a site that keeps a group. */
export const groupOrderKinds = ['confirm', 'split', 'merge', 'unmerge'] as const;
export type GroupOrderKind = (typeof groupOrderKinds)[number];

/** Events that one call may name; a larger group is written back in parts, since members are only added. */
export const MAX_EVENTS = 1000;
/** Groups that one merge may move in. */
export const MAX_MERGED = 100;

const id = z.int().check(z.minimum(1));
const by = code(128);
const note = z.optional(z.string().check(z.minLength(1), upTo(4000), z.regex(/\S/, saying('blank'))));
const eventIds = z.array(id).check(z.minLength(1), z.maxLength(MAX_EVENTS));

/** What the agent counted itself. It is compared with what the service computes, and never stored. */
const reportedFacts = z
  .strictObject({
    first_at: z.optional(zonedTime),
    last_at: z.optional(zonedTime),
    event_types: z.optional(z.array(eventType).check(z.maxLength(MAX_EVENTS))),
    sources: z.optional(z.array(z.enum(eventSources)).check(z.maxLength(MAX_EVENTS))),
    severity: z.optional(z.enum(severities)),
    member_count: z.optional(z.int().check(z.minimum(0))),
    test_member_count: z.optional(z.int().check(z.minimum(0))),
    is_test: z.optional(z.boolean()),
    first_appearance: z.optional(z.nullable(z.strictObject({ event_id: id, at: zonedTime }))),
  })
  .register(described, { id: 'ReportedFacts' });

/** Body of POST /api/core/incidents/upsert (DESIGN.md, "Incident groups"). */
export const upsertInput = z
  .strictObject({
    tenant_code: tenantCode,
    source_key: code(256),
    layer: z.enum(incidentLayers),
    site_ref: code(128),
    point_ref: z.optional(code(128)),
    title: z.optional(z.string().check(z.minLength(1), upTo(512))),
    event_ids: eventIds,
    facts: z.optional(reportedFacts),
  })
  .register(described, { id: 'IncidentUpsert' });
export type UpsertInput = z.infer<typeof upsertInput>;

/** Revisions of groups as the caller saw them, by id: where one has another by now, nothing is changed. */
const seen = z.optional(
  z
    .record(z.string().check(z.regex(/^[1-9]\d{0,15}$/)), z.int().check(z.minimum(0)))
    .check(z.refine((given) => Object.keys(given).length <= MAX_MERGED + 1)),
);

/** Body of confirm and of unmerge. */
export const confirmInput = z
  .strictObject({ by, note, seen })
  .register(described, { id: 'IncidentConfirmation' });
export const splitInput = z
  .strictObject({ by, note, seen, event_ids: eventIds })
  .register(described, { id: 'IncidentSplit' });
export const mergeInput = z
  .strictObject({
    by,
    note,
    seen,
    incident_ids: z.array(id).check(z.minLength(1), z.maxLength(MAX_MERGED)),
  })
  .register(described, { id: 'IncidentMerge' });
export type ConfirmInput = z.infer<typeof confirmInput>;
export type SplitInput = z.infer<typeof splitInput>;
export type MergeInput = z.infer<typeof mergeInput>;
