import * as z from 'zod/mini';
import { parseTime } from '../../time.ts';
import { verdictValues } from '../verdict/schema.ts';
import type { EventFilter } from './port.ts';
import {
  code,
  eventKinds,
  eventSources,
  eventType,
  severities,
  tenantCode,
  zonedTime,
  type Severity,
} from './schema.ts';
import { saidOf, saying } from '../../http/fault/fault.ts';

const severitiesIn = (text: string): Severity[] => severities.filter((one) => text.split(',').includes(one));
function isSeverityList(text: string): boolean {
  return text.split(',').every((one) => severities.some((known) => known === one));
}
const SEVERITIES_ONLY = saying('comma_list', {
  what: saidOf('what_severities'),
  values: severities.join(', '),
});

/** What GET /api/core/events/list filters by. */
export const listFilters = {
  tenant_code: z.optional(tenantCode),
  type: z.optional(eventType),
  verdict: z.optional(z.enum([...verdictValues, 'none'])),
  source: z.optional(z.enum(eventSources)),
  kind: z.optional(z.enum(eventKinds)),
  severity: z.optional(z.string().check(z.maxLength(64), z.refine(isSeverityList, SEVERITIES_ONLY))),
  site_ref: z.optional(code(128)),
  camera_ref: z.optional(code(128)),
  instance: z.optional(code(128)),
  since: z.optional(zonedTime),
  until: z.optional(zonedTime),
  include_test: z._default(z.enum(['true', 'false']), 'false'),
};
type FilterQuery = z.infer<z.ZodMiniObject<typeof listFilters>>;

/** @param tenant null: all tenants, for operators */
export function filterOf(query: FilterQuery, tenant: string | null): EventFilter {
  const { type, verdict, source, kind, site_ref: siteRef, camera_ref: cameraRef } = query;
  const [since, until] = [query.since, query.until].map((time) =>
    time === undefined ? null : parseTime(time),
  );
  const named = {
    severities: query.severity === undefined ? undefined : severitiesIn(query.severity),
    type,
    verdict,
    source,
    kind,
    siteRef,
    cameraRef,
    since: since ?? undefined,
    until: until ?? undefined,
  };
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  return { tenantCode: tenant, includeTest: query.include_test === 'true', ...given };
}
