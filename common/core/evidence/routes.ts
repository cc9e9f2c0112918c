import * as z from 'zod/mini';
import { decodeCursor, encodeCursor } from '../../cursor.ts';
import type { Actor } from '../../http/actor.ts';
import { fault, forbidden } from '../../http/error.ts';
import { route, type Route } from '../../http/route.ts';
import { redactUrl } from '../../http/redact-url.ts';
import { formatTime, formatTimeOrNull } from '../../time.ts';
import { idParam, limitParam, pageOf, tenantFor } from '../event/routes.ts';
import { tenantCode } from '../event/schema.ts';
import { actorOf } from '../key/routes.ts';
import { consumerName } from '../subscription/schema.ts';
import { fileHeaders } from './decide.ts';
import { farStates, type EvidenceJob, type EvidenceJobPort, type FarFile } from './port.ts';
import type { EvidenceService } from './service.ts';

/** Bytes of one file. */
const MAX_FILE = 256 * 1024 * 1024;

/** When a file that is not here is worth another look, seconds. */
const RETRY_S = '5';

const jobStates = ['pending', 'done', 'failed'] as const;
const nameParams = z.extend(idParam, { name: z.string().check(z.maxLength(128)) });
/** Where a file stands that is kept at a site. */
const farMembers = {
  instance: z.string(),
  /** That have come to headquarters. */
  bytes: z.int(),
  reason: z.nullable(z.string()),
  askedAt: z.nullable(z.string()),
  deletedAt: z.nullable(z.string()),
};
const fileView = z.object({
  name: z.string(),
  contentType: z.string(),
  size: z.int(),
  sha256: z.string(),
  state: z.enum(['announced', 'uploading', 'stored', ...farStates]),
  storedAt: z.nullable(z.string()),
  site: z.nullable(z.object(farMembers)),
});
const farView = z.object({
  name: z.string(),
  contentType: z.string(),
  size: z.int(),
  sha256: z.string(),
  state: z.enum(farStates),
  ...farMembers,
});
const jobView = z.object({
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
});
const tenantQuery = z.strictObject({ tenant_code: z.optional(tenantCode) });

/** Upload by nodes, reading by authorised callers, and the jobs that send a file to a consumer's address. */
export function evidenceRoutes(service: EvidenceService, jobs: EvidenceJobPort): Route[] {
  return [uploadRoute(service), ...readRoutes(service), jobRoute(jobs)];
}

function uploadRoute(service: EvidenceService): Route {
  const answer = z.object({
    eventId: z.int(),
    name: z.string(),
    size: z.int(),
    sha256: z.string(),
    stored: z.boolean(),
  });
  return route({
    method: 'PUT',
    path: '/api/core/events/{id}/evidence/{name}',
    tag: 'Evidence',
    access: ['node'],
    params: nameParams,
    stream: true,
    maxBody: MAX_FILE,
    summary:
      "Send a file that was announced with an event of the node's tenant; the answer leaves when it is " +
      'on the disk',
    description:
      'The signature is over the SHA-256 that was announced. Size and SHA-256 must be as announced, ' +
      'else 422 and nothing is stored. Sending it again is 200. The event must have arisen here: the ' +
      'files of a site are sent to that site.',
    replies: {
      201: { description: 'Stored', schema: answer },
      200: { description: 'It was stored already', schema: answer },
    },
    errors: {
      404: 'not_found',
      422: 'evidence_mismatch',
      503: 'evidence_unavailable',
      507: 'evidence_limit, storage_full',
    },
    handle: async (call) => {
      if (!call.stream) throw forbidden('Evidence is sent with a node key.');
      const { file, stored } = await service.upload({
        eventId: call.params.id,
        name: call.params.name,
        body: call.stream,
        actorText: (actor) => actorOf({ actor, ip: call.ip }),
      });
      return {
        status: stored ? 201 : 200,
        body: { eventId: call.params.id, name: file.name, size: file.size, sha256: file.sha256, stored },
      };
    },
  });
}

function readRoutes(service: EvidenceService): Route[] {
  const access = ['admin', 'session', 'consumer'] as const;
  const permission = 'events.view';
  const scopes = ['evidence.read'] as const;
  return [
    route({
      method: 'GET',
      path: '/api/core/events/{id}/evidence',
      tag: 'Evidence',
      access,
      permission,
      scopes,
      params: idParam,
      query: tenantQuery,
      summary: 'The files that an event announced, and which of them have come',
      description:
        'At headquarters a file of a site is `stored` when it is here. Otherwise `site` says where it is: ' +
        '`at_site`, not asked for; `asked`; `awaited`, the camera has not sent it there; `arriving`, with ' +
        'the `bytes` that have come; `deleted_at_site`, at `deletedAt`; `failed`, with the reason.',
      replies: {
        200: {
          description: 'The files',
          schema: z.object({ items: z.array(fileView), nextCursor: z.null(), hasMore: z.boolean() }),
        },
      },
      errors: { 404: 'not_found' },
      handle: async ({ actor, params, query }) => {
        const files = await service.list(params.id, actor.tenantCode ?? query.tenant_code ?? null);
        const items = files.map(({ name, contentType, size, sha256, state, storedAt, far }) => ({
          name,
          contentType,
          size,
          sha256,
          state,
          storedAt: formatTimeOrNull(storedAt),
          site: far && farPart(far),
        }));
        return { body: { items, nextCursor: null, hasMore: false } };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/events/{id}/evidence/{name}',
      tag: 'Evidence',
      access,
      permission,
      scopes,
      params: nameParams,
      query: tenantQuery,
      summary: 'One file, with the media type that was announced',
      description:
        'At headquarters a file of a site that is not here is asked for, unless the site sends none. ' +
        'The answer is then 202 and says how it stands; ask again later. `deleted_at_site` and `failed` ' +
        'are final for now; what failed is asked for once more.',
      replies: {
        200: { description: 'The bytes, with the announced media type', contentType: '*/*' },
        202: { description: 'The file is not here yet', schema: farView },
      },
      errors: { 404: 'not_found, evidence_missing', 503: 'evidence_unavailable' },
      handle: async (call) => {
        const { actor, params, query } = call;
        const tenant = actor.tenantCode ?? query.tenant_code ?? null;
        const opened = await service.open(params.id, params.name, tenant, actorOf(call));
        const { file } = opened;
        if (opened.kind === 'far') {
          const { far } = opened;
          const headers = { 'Cache-Control': 'no-store', 'Retry-After': RETRY_S };
          return { status: 202, headers, body: { ...file, state: far.state, ...farPart(far) } };
        }
        return { body: opened.content, contentType: file.contentType, headers: fileHeaders(file) };
      },
    }),
  ];
}

const farPart = ({ instance, bytes, reason, askedAt, deletedAt }: FarFile) => ({
  instance,
  bytes,
  reason,
  askedAt: formatTimeOrNull(askedAt),
  deletedAt: formatTimeOrNull(deletedAt),
});

function jobRoute(jobs: EvidenceJobPort): Route {
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
      const rows = await jobs.list(
        filter,
        query.cursor === undefined ? null : positionOf(query.cursor),
        query.limit + 1,
      );
      const items = rows.slice(0, query.limit);
      const last = rows.length > query.limit ? items.at(-1) : undefined;
      return {
        body: {
          items: items.map(viewOf),
          nextCursor: last ? encodeCursor('evidence-jobs', [last.createdAt, last.id]) : null,
          hasMore: last !== undefined,
        },
      };
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

function positionOf(cursor: string): { createdAt: number; id: string } {
  const [createdAt, id] = decodeCursor('evidence-jobs', cursor);
  if (typeof createdAt !== 'number' || typeof id !== 'string')
    throw fault('cursor', 'is not a cursor of this list; leave it out to start from the beginning');
  return { createdAt, id };
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
