import * as z from 'zod/mini';
import { decodeCursor, encodeCursor } from '../../cursor.ts';
import { fault } from '../../http/error.ts';
import { route, type Route } from '../../http/route.ts';
import { formatTime } from '../../time.ts';
import { limitParam, pageOf, tenantFor } from '../event/routes.ts';
import { tenantCode } from '../event/schema.ts';
import type { AuditEntry, AuditPort } from './port.ts';

const name = z.optional(z.string().check(z.maxLength(256)));
const entryView = z.object({
  id: z.string(), at: z.string(), actor: z.string(), action: z.string(), subject: z.string(), tenantCode: z.nullable(z.string()),
  before: z.unknown(), after: z.unknown(),
});

/** Who changed what, when and from where. */
export function auditRoutes(audit: AuditPort): Route[] {
  return [route({
    method: 'GET', path: '/api/core/audit', tag: 'Operation', access: ['admin', 'session'], permission: 'audit.view',
    query: z.strictObject({ tenant_code: z.optional(tenantCode), action: name, subject: name, limit: limitParam(100, 1000), cursor: name }),
    summary: 'The audit trail, newest first', replies: { 200: { description: 'A page of entries', schema: pageOf(entryView) } },
    handle: async ({ actor, query }) => {
      const filter = {
        tenantCode: tenantFor(actor, query.tenant_code), ...(query.action === undefined ? {} : { action: query.action }),
        ...(query.subject === undefined ? {} : { subject: query.subject }),
      };
      const rows = await audit.list(filter, query.cursor === undefined ? null : positionOf(query.cursor), query.limit + 1);
      const items = rows.slice(0, query.limit);
      const last = rows.length > query.limit ? items.at(-1) : undefined;
      return {
        body: { items: items.map(viewOf), nextCursor: last ? encodeCursor('audit', [last.at, last.id]) : null, hasMore: last !== undefined },
      };
    },
  })];
}

function positionOf(cursor: string): { at: number; id: string } {
  const [at, id] = decodeCursor('audit', cursor);
  if (typeof at !== 'number' || typeof id !== 'string') throw fault('cursor', 'is not a cursor of this list; leave it out to start from the beginning');
  return { at, id };
}

function viewOf(entry: AuditEntry): z.infer<typeof entryView> {
  return { ...entry, at: formatTime(entry.at) };
}
