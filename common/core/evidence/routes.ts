import * as z from 'zod/mini';
import { actorOf } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { forbidden } from '../../http/error.ts';
import { idParam, listOf } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { say } from '../../message.ts';
import { formatTimeOrNull } from '../../time.ts';
import { tenantCode } from '../event/schema.ts';
import type { Called, InstanceNames } from '../instance/record.ts';
import { fileHeaders, SMALL_TYPE, smallHeaders } from './decide.ts';
import { farMessage } from './far.ts';
import { farMessages } from './far-messages.ts';
import { jobRoute } from './job-route.ts';
import { type EvidenceJobPort, type RemoteFile, remoteFileStates } from './port.ts';
import type { EvidenceReader } from './reader.ts';
import type { EvidenceService } from './service.ts';

/** Bytes of one file. */
const MAX_FILE = 256 * 1024 * 1024;

/** When a file that is not here is worth another look, seconds. */
const RETRY_S = '5';

const nameParams = z.extend(idParam, { name: z.string().check(z.maxLength(128)) });
/** Where a file stands that is kept at a site. */
const farMembers = {
  instance: z.string(),
  /** That have come to headquarters. */
  bytes: z.int(),
  reason: z.nullable(z.string()),
  /** All of it for a person: as a code, in English and in Chinese. */
  code: z.string(),
  text: z.string(),
  textZh: z.string(),
  askedAt: z.nullable(z.string()),
  deletedAt: z.nullable(z.string()),
};
const fileView = z
  .object({
    name: z.string(),
    contentType: z.string(),
    size: z.int(),
    sha256: z.string(),
    state: z.enum(['announced', 'uploading', 'lost', 'stored', ...remoteFileStates]),
    storedAt: z.nullable(z.string()),
    site: z.nullable(z.object(farMembers)),
    /** A preview is here although the file is not: `size=small` answers with it. */
    preview: z.boolean(),
  })
  .register(described, { id: 'Evidence' });
const farView = z
  .object({
    name: z.string(),
    contentType: z.string(),
    size: z.int(),
    sha256: z.string(),
    state: z.enum(remoteFileStates),
    ...farMembers,
  })
  .register(described, { id: 'EvidenceOnItsWay' });
const tenantQuery = z.strictObject({ tenant_code: z.optional(tenantCode) });

/** Upload by nodes, reading by authorised callers, and the jobs that send a file to a consumer's address. */
export function evidenceRoutes(
  service: EvidenceService,
  reader: EvidenceReader,
  jobs: EvidenceJobPort,
  names: InstanceNames,
): Route[] {
  return [uploadRoute(service), listRoute(reader, names), fileRoute(reader, names), jobRoute(jobs)];
}

function uploadRoute(service: EvidenceService): Route {
  const answer = z
    .object({
      eventId: z.int(),
      name: z.string(),
      size: z.int(),
      sha256: z.string(),
      stored: z.boolean(),
    })
    .register(described, { id: 'StoredEvidence' });
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

const readers = {
  access: ['admin', 'session', 'consumer'],
  permission: 'events.view',
  scopes: ['evidence.read'],
} as const;

function listRoute(reader: EvidenceReader, names: InstanceNames): Route {
  return route({
    method: 'GET',
    path: '/api/core/events/{id}/evidence',
    tag: 'Evidence',
    ...readers,
    params: idParam,
    query: tenantQuery,
    summary: 'The files that an event announced, and which of them have come',
    description:
      '`lost` is a picture of a device that cannot sign: it came with its message, could not be kept, and ' +
      'comes no more. At headquarters a file of a site is `stored` when it is here. Otherwise `site` says ' +
      'where it is: `at_site`, not asked for; `asked`; `awaited`, the camera has not sent it there; ' +
      '`arriving`, with the `bytes` that have come; `lost`, deleted there at `deletedAt` before it had ' +
      'come; `failed`, with the reason. `text` and `textZh` say it to a person, and `code` is their code.',
    replies: {
      200: {
        description: 'The files',
        schema: listOf(fileView),
      },
    },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params, query }) => {
      const files = await reader.list(params.id, actor.tenantCode ?? query.tenant_code ?? null);
      const called = await names();
      const items = files.map(({ name, contentType, size, sha256, state, storedAt, far, preview }) => ({
        name,
        contentType,
        size,
        sha256,
        state,
        storedAt: formatTimeOrNull(storedAt),
        site: far && farPart(far, size, called),
        preview,
      }));
      return { body: { items, nextCursor: null, hasMore: false } };
    },
  });
}

function fileRoute(reader: EvidenceReader, names: InstanceNames): Route {
  return route({
    method: 'GET',
    path: '/api/core/events/{id}/evidence/{name}',
    tag: 'Evidence',
    ...readers,
    params: nameParams,
    query: z.extend(tenantQuery, { size: z.optional(z.enum(['small'])) }),
    summary: 'One file, with the media type that was announced',
    description:
      'At headquarters a file of a site that is not here is asked for, unless the site sends none. The ' +
      'answer is then 202 and says how it stands; ask again later. `lost` and `failed` are final for now; ' +
      'what failed is asked for once more. With `size=small` headquarters answers with a small picture for ' +
      'lists: a JPEG of at most 320 pixels a side, made of a JPEG, PNG, WebP or GIF of at most 32 MiB and ' +
      '50 million pixels. Of a picture that is still at its site the answer is its preview, where it has ' +
      'come, with the header `X-Preview: 1`, and the picture is not asked for. Of anything else, and at a ' +
      'site, the answer is 422 `no_small_picture`.',
    replies: {
      200: { description: 'The bytes, with the announced media type', contentType: '*/*' },
      202: { description: 'The file is not here yet', schema: farView },
    },
    errors: {
      404: 'not_found, evidence_missing, evidence_damaged',
      422: 'no_small_picture',
      503: 'evidence_unavailable, small_pictures_unavailable',
    },
    handle: async (call) => {
      const { actor, params, query } = call;
      const wanted = {
        eventId: params.id,
        name: params.name,
        tenantCode: actor.tenantCode ?? query.tenant_code ?? null,
        actor: actorOf(call),
      };
      const opened = await (query.size === 'small' ? reader.openSmall(wanted) : reader.open(wanted));
      const { file } = opened;
      if (opened.kind === 'far') {
        const { far } = opened;
        const headers = { 'Cache-Control': 'no-store', 'Retry-After': RETRY_S };
        return {
          status: 202,
          headers,
          body: { ...file, state: far.state, ...farPart(far, file.size, await names()) },
        };
      }
      if (opened.kind === 'preview')
        return {
          body: opened.content,
          contentType: SMALL_TYPE,
          headers: { ...smallHeaders(file, opened.size), 'X-Preview': '1' },
        };
      const { content } = opened;
      if (Buffer.isBuffer(content))
        return { body: content, contentType: SMALL_TYPE, headers: smallHeaders(file, content.length) };
      return { body: content, contentType: file.contentType, headers: fileHeaders(file) };
    },
  });
}

function farPart(far: RemoteFile, size: number, called: Called) {
  const { instance, bytes, reason, askedAt, deletedAt } = far;
  const message = farMessage(far, size, called);
  return {
    instance,
    bytes,
    reason,
    code: message.code,
    text: say(farMessages, message, 'en'),
    textZh: say(farMessages, message, 'zh'),
    askedAt: formatTimeOrNull(askedAt),
    deletedAt: formatTimeOrNull(deletedAt),
  };
}
