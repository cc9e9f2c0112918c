import * as z from 'zod/mini';
import { severalOf } from '../../http/fault/several.ts';
import { parseTime } from '../../time.ts';
import { siteGroupParam } from '../instance/schema.ts';
import { verdictValues } from '../verdict/schema.ts';
import type { EventFilter, VerdictFilter } from './port.ts';
import { code, eventKinds, eventSources, eventType, severities, tenantCode, zonedTime } from './schema.ts';

const severitiesAsked = severalOf(severities, 'what_severities');

/** A verdict that is asked for; `none`: there is none. */
const verdictOrNone = z.enum([...verdictValues, 'none']);

/** What lists and statistics of events filter by alike. */
export const weighedFilters = {
  severity: z.optional(severitiesAsked.form),
  verdict: z.optional(verdictOrNone),
  corrected_to: z.optional(verdictOrNone),
  standing: z.optional(verdictOrNone),
};

/** What GET /api/core/events/list filters by. */
export const listFilters = {
  ...weighedFilters,
  tenant_code: z.optional(tenantCode),
  type: z.optional(eventType),
  source: z.optional(z.enum(eventSources)),
  kind: z.optional(z.enum(eventKinds)),
  site_ref: z.optional(code(128)),
  camera_ref: z.optional(code(128)),
  instance: z.optional(code(128)),
  site_group: siteGroupParam,
  since: z.optional(zonedTime),
  until: z.optional(zonedTime),
  include_test: z._default(z.enum(['true', 'false']), 'false'),
};
type FilterQuery = z.infer<z.ZodMiniObject<typeof listFilters>>;

/** What a query names of `weighedFilters`. */
export function weighedOf(
  query: z.infer<z.ZodMiniObject<typeof weighedFilters>>,
): VerdictFilter & Pick<EventFilter, 'severities'> {
  return present({
    severities: query.severity === undefined ? undefined : severitiesAsked.read(query.severity),
    verdict: query.verdict,
    correctedTo: query.corrected_to,
    standing: query.standing,
  });
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
/** Without the members that are not given. */
const present = <T extends object>(all: T): Present<T> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Present<T>;

/** @param tenant null: all tenants, for operators */
export function filterOf(query: FilterQuery, tenant: string | null): EventFilter {
  const { type, source, kind, site_ref: siteRef, camera_ref: cameraRef } = query;
  const [since, until] = [query.since, query.until].map((time) =>
    time === undefined ? null : parseTime(time),
  );
  const named = {
    type,
    source,
    kind,
    siteRef,
    cameraRef,
    since: since ?? undefined,
    until: until ?? undefined,
  };
  const includeTest = query.include_test === 'true';
  return { tenantCode: tenant, includeTest, ...weighedOf(query), ...present(named) };
}
