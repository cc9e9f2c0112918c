import * as z from 'zod/mini';
import { pagedList, viewPage } from '../../cursor.ts';
import type { Actor } from '../../http/actor.ts';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { limitParam, pageOf } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime, parseTime } from '../../time.ts';
import { tenantCode, zonedTime } from '../event/schema.ts';
import type { AuditEntry, AuditFilter, AuditPort } from './port.ts';

const ENTRIES = pagedList('audit', ['number', 'string']);

const name = z.optional(z.string().check(z.maxLength(256)));
/** Actions with commas between. */
const without = z.pipe(
  z.string().check(z.minLength(1), z.maxLength(1024)),
  z.transform((names) => names.split(',')),
);
const entryView = z
  .object({
    id: z.string(),
    at: z.string(),
    actor: z.string(),
    action: z.string(),
    subject: z.string(),
    tenantCode: z.nullable(z.string()),
    before: z.unknown(),
    after: z.unknown(),
  })
  .register(described, { id: 'AuditEntry' });

/** Who changed what, when and from where. */
export function auditRoutes(audit: AuditPort): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/core/audit',
      tag: 'Operation',
      access: ['admin', 'session'],
      permission: 'audit.view',
      query: z.strictObject({
        tenant_code: z.optional(tenantCode),
        actor: name,
        action: name,
        without: z.optional(without),
        subject: name,
        since: z.optional(zonedTime),
        until: z.optional(zonedTime),
        limit: limitParam(100, 1000),
        cursor: name,
      }),
      summary: 'The audit trail, newest first',
      description:
        '`actor` is who did it, such as `user:li` or `admin`, wherever they called from, or `user:li from ' +
        '10.0.0.7`; `subject` what it was done to, such as `event:12`. `without` leaves actions out, with ' +
        'commas between: `evidence.stored,evidence.requested`. A session is not shown what knowledge ' +
        'objects said. `since` belongs to the times asked for, `until` does not.',
      replies: { 200: { description: 'A page of entries', schema: pageOf(entryView) } },
      handle: async ({ actor, query }) => {
        const after = ENTRIES.positionOf(query.cursor);
        const rows = await audit.list(
          filterOf(query, tenantFor(actor, query.tenant_code)),
          after && { at: after[0], id: after[1] },
          query.limit + 1,
        );
        const page = ENTRIES.page(rows, query.limit, ({ at, id }) => [at, id]);
        return { body: viewPage(page, (entry) => viewOf(entry, actor)) };
      },
    }),
  ];
}

function filterOf(
  {
    actor,
    action,
    subject,
    since,
    until,
    without: left,
  }: Partial<Record<'actor' | 'action' | 'subject' | 'since' | 'until', string>> & { without?: string[] },
  tenant: string | null,
): AuditFilter {
  const [from, to] = [since, until].map((time) =>
    time === undefined ? undefined : (parseTime(time) ?? undefined),
  );
  const named = { actor, action, subject, without: left, since: from, until: to };
  return {
    tenantCode: tenant,
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
  };
}

/** Rows of knowledge stand in the audit whole, and may be above the clearance of whoever is logged in. */
const ABOVE_CLEARANCE = /^knowledge\./;

function viewOf(entry: AuditEntry, actor: Actor): z.infer<typeof entryView> {
  const withheld = actor.kind === 'session' && ABOVE_CLEARANCE.test(entry.action);
  return { ...entry, ...(withheld ? { before: null, after: null } : {}), at: formatTime(entry.at) };
}
