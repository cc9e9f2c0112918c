// An incident group of a site on the way up: as it stands when it is sent, or with what it has got since.
import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { code, eventSources, eventType, severities } from '../../core/event/schema.ts';
import { incidentLayers, incidentStates, MAX_EVENTS, upsertInput } from '../../core/incident/schema.ts';
import { clockTime, givenTime, orNull } from '../item.ts';
import { count, eventName, id, subjectHead } from './names.ts';

const MAX_MEMBERS = 100_000;

const member = z.object({
  event: eventName,
  at: givenTime,
  type: eventType,
  source: z.enum(eventSources),
  severity: orNull(z.enum(severities)),
  is_test: z.boolean(),
  live: z.boolean(),
  added_at: clockTime,
});

const { shape: placed } = upsertInput;
const group = z.object({
  source_key: orNull(placed.source_key),
  layer: z.enum(incidentLayers),
  site_ref: placed.site_ref,
  point_ref: orNull(code(128)),
  title: orNull(z.string().check(z.minLength(1), upTo(512))),
  state: z.enum(incidentStates),
  state_before: orNull(z.enum(incidentStates)),
  /** Ids at the site. */
  merged_into: orNull(id),
  split_from: orNull(id),
  first_at: givenTime,
  last_at: givenTime,
  event_types: z.array(eventType).check(z.maxLength(MAX_EVENTS)),
  sources: z.array(z.enum(eventSources)).check(z.maxLength(10)),
  severity: z.enum(severities),
  member_count: count,
  test_member_count: count,
  is_test: z.boolean(),
  first_event: orNull(eventName),
  first_event_at: orNull(givenTime),
  first_locked: z.boolean(),
  confirmed_by: orNull(code(128)),
  confirmed_at: orNull(clockTime),
  closed_at: orNull(clockTime),
  cleared_count: count,
  /** 0 of a site from before it. */
  revision: z._default(count, 0),
  updated_at: clockTime,
  /**
   * `members` are those that were added since this change, which headquarters has stored; null: all.
   */
  since: orNull(id),
  /** The rest of the members follows in an item that stands on this one. */
  more: z._default(z.boolean(), false),
  members: z.array(member).check(z.maxLength(MAX_MEMBERS)),
});

export const groupItem = z.object({ ...subjectHead, kind: z.literal('group'), group });
export type GroupItem = z.infer<typeof groupItem>;
