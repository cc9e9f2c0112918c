import * as z from 'zod/mini';
import { pagedList, viewPage } from '../../cursor.ts';
import type { Actor } from '../../http/actor.ts';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { forbidden } from '../../http/error.ts';
import { limitParam, pageOf } from '../../http/list.ts';
import { redactUrl } from '../../http/outbound/redact-url.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime, formatTimeOrNull } from '../../time.ts';
import { tenantCode } from '../event/schema.ts';
import { consumerName } from '../subscription/schema.ts';
import type { EvidenceJob, EvidenceJobPort } from './port.ts';

const JOBS = pagedList('evidence-jobs', ['number', 'string']);

const jobStates = ['pending', 'done', 'failed'] as const;
const jobView = z
  .object({
    id: z.string(),
    eventId: z.int(),
    tenantCode: z.string(),
    name: z.string(),
    consumer: z.string(),
    putUrl: z.string(),
    state: z.enum(jobStates),
    attempts: z.int(),
    nextAt: z.nullable(z.string()),
    lastError: z.nullable(z.string()),
    createdAt: z.string(),
    settledAt: z.nullable(z.string()),
  })
  .register(described, { id: 'EvidenceJob' });

/** The uploads to consumers' addresses. */
export function jobRoute(jobs: EvidenceJobPort): Route {
  return route({
    method: 'GET',
    path: '/api/core/evidence/jobs',
    tag: 'Evidence',
    access: ['admin', 'session', 'consumer'],
    permission: 'events.view',
    scopes: ['evidence.read'],
    query: z.strictObject({
      tenant_code: z.optional(tenantCode),
      consumer: z.optional(consumerName),
      state: z.optional(z.enum(jobStates)),
      limit: limitParam(100, 1000),
      cursor: z.optional(z.string().check(z.maxLength(256))),
    }),
    summary:
      'Files that consumers asked for in their push receipts, newest first, and how their upload goes; ' +
      "a consumer's key sees its own",
    replies: { 200: { description: 'A page of jobs', schema: pageOf(jobView) } },
    handle: async ({ actor, query }) => {
      const consumer = consumerFor(actor, query.consumer);
      const filter = {
        tenantCode: tenantFor(actor, query.tenant_code),
        ...(query.state === undefined ? {} : { state: query.state }),
        ...(consumer === undefined ? {} : { consumer }),
      };
      const after = JOBS.positionOf(query.cursor);
      const rows = await jobs.list(filter, after && { createdAt: after[0], id: after[1] }, query.limit + 1);
      const page = JOBS.page(rows, query.limit, ({ createdAt, id }) => [createdAt, id]);
      return { body: viewPage(page, viewOf) };
    },
  });
}

/** A consumer sees what it asked for itself. @throws 403 when it names another */
function consumerFor(actor: Actor, wanted: string | undefined): string | undefined {
  if (actor.kind !== 'key') return wanted;
  if (wanted !== undefined && wanted !== actor.subject)
    throw forbidden('You may only ask for your own uploads.');
  return actor.subject;
}

/** What opens the address stays here. */
function viewOf(job: EvidenceJob): z.infer<typeof jobView> {
  const { id, eventId, name, consumer, state, attempts, lastError } = job;
  return {
    id,
    eventId,
    tenantCode: job.tenantCode,
    name,
    consumer,
    putUrl: redactUrl(job.putUrl),
    state,
    attempts,
    nextAt: state === 'pending' ? formatTime(job.nextAt) : null,
    lastError,
    createdAt: formatTime(job.createdAt),
    settledAt: formatTimeOrNull(job.settledAt),
  };
}
