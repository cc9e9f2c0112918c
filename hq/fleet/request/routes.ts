import * as z from 'zod/mini';
import { code } from '../../../common/core/event/schema.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { described } from '../../../common/http/described.ts';
import { type Call, type Route, route } from '../../../common/http/route.ts';
import { translate } from '../../../common/message.ts';
import { formatTime, formatTimeOrNull } from '../../../common/time.ts';
import { MAX_PIECE } from '../../../common/uplink/evidence.ts';
import { refusalMessages } from '../../../common/uplink/refusal-messages.ts';
import { REQUEST_FILE_PATH, requestId } from '../../../common/uplink/request/schema.ts';
import { siteKeyOf } from '../../receiver/sender.ts';
import { stateOf } from './decide.ts';
import type { RequestRow } from './record.ts';
import { requestInput, requestLine, requestView } from './schema.ts';
import { type Asker, BOUNDS, KEPT_DAYS, type SiteRequests } from './service.ts';

export interface RequestRouteParts {
  requests: SiteRequests;
  /** Names that a site continues, its own apart. */
  continued: (instance: string) => Promise<readonly string[]>;
  now: () => number;
}

const PATH = '/api/core/sites/{instance}/requests';
const look = { access: ['admin', 'session'], permission: 'sites.look_in', tag: 'Sites' } as const;
const siteParams = z.strictObject({ instance: code(128) });
const oneParams = z.strictObject({ instance: code(128), id: requestId });

/** Looking into sites: asked for here, answered by the sites over the uplink. */
export const requestRoutes = (parts: RequestRouteParts): Route[] => [
  askRoute(parts),
  listRoute(parts),
  oneRoute(parts),
  withdrawRoute(parts),
  fileRoute(parts),
  pieceRoute(parts),
];

const askerOf = (call: Pick<Call, 'actor' | 'ip'>): Asker => ({
  tenantCode: call.actor.tenantCode,
  actor: actorOf(call),
  name: call.actor.name.slice(0, 256),
});

const askRoute = ({ requests, now }: RequestRouteParts): Route =>
  route({
    ...look,
    method: 'POST',
    path: PATH,
    params: siteParams,
    body: requestInput,
    summary: 'Ask a site to look at something, or to start its service again',
    description:
      '`check` and `status` answer with what these commands say at the site, `log` with the last `lines` ' +
      'of the log of its service, `bundle` with the archive for support, which holds no secret, `picture` ' +
      'with what `device` shows now, `try` with what `device` sends within `seconds`; `restart` is ' +
      'answered once the service is up again, and is done once. It waits until the site has a link, and ' +
      'is not done once `expires_minutes` are over. Somebody who is bound to a tenant may ask sites of ' +
      'that tenant alone. ' +
      `A site has ${BOUNDS.open} open requests at most. Answers are kept for ${KEPT_DAYS} days, and of one ` +
      `site the last ${BOUNDS.kept}.`,
    replies: { 201: { description: 'It waits for the site', schema: requestView } },
    errors: { 404: 'not_found', 409: 'site_care_off, too_many_requests_open, too_many_requests_asked' },
    handle: async (call) => {
      const { what, expires_minutes: minutes, language, device, lines, seconds } = call.body;
      const asked = { device: device ?? null, lines: lines ?? null, seconds: seconds ?? null, language };
      const row = await requests.ask(call.params.instance, { what, minutes, asked }, askerOf(call));
      return { status: 201, body: viewOf(row, now()) };
    },
  });

const listRoute = ({ requests, now }: RequestRouteParts): Route =>
  route({
    ...look,
    method: 'GET',
    path: PATH,
    params: siteParams,
    summary: 'What a site was asked for, the newest first, without the texts of its answers',
    description:
      '`waiting`: at headquarters, until the site has a link; `sent`: to the site; `late`: it was sent, ' +
      'and its time went by without an answer; `failed`: the site tried; `refused`, `expired`: it did not; ' +
      '`withdrawn`: it was taken back here, and with a `sentAt` the site may have carried it out. ' +
      '`care`: whether the owner of the site lets headquarters look in, as it last said; null: it has not ' +
      'said, as one of an older version.',
    replies: {
      200: {
        description: 'The requests',
        schema: z
          .object({ care: z.nullable(z.enum(['on', 'off'])), items: z.array(requestLine) })
          .register(described, { id: 'SiteRequests' }),
      },
    },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params }) => {
      const { care, rows } = await requests.list(params.instance, actor.tenantCode);
      return { body: { care, items: rows.map((row) => lineOf(row, now())) } };
    },
  });

const oneRoute = ({ requests, now }: RequestRouteParts): Route =>
  route({
    ...look,
    method: 'GET',
    path: `${PATH}/{id}`,
    params: oneParams,
    summary: 'A request to a site, with the text of its answer',
    replies: { 200: { description: 'The request', schema: requestView } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params: { instance, id } }) => ({
      body: viewOf(await requests.get(instance, id, actor.tenantCode), now()),
    }),
  });

const withdrawRoute = ({ requests, now }: RequestRouteParts): Route =>
  route({
    ...look,
    method: 'DELETE',
    path: `${PATH}/{id}`,
    params: oneParams,
    summary: 'Withdraw a request that is open: `waiting`, `sent` or `late`',
    description:
      'One that waits here never goes to the site. One that was sent (`sentAt`) may be carried out there ' +
      'all the same: nothing calls it back, and an answer that comes is stored in place of `withdrawn`. ' +
      'It counts no longer as open. Asked again, it is answered the same.',
    replies: { 200: { description: 'The request, `withdrawn`', schema: requestView } },
    errors: { 404: 'not_found', 409: 'request_over' },
    handle: async (call) => {
      const { instance, id } = call.params;
      return { body: viewOf(await requests.withdraw(instance, id, askerOf(call)), now()) };
    },
  });

const fileRoute = ({ requests }: RequestRouteParts): Route =>
  route({
    ...look,
    method: 'GET',
    path: `${PATH}/{id}/file`,
    params: oneParams,
    summary: 'The file of an answer: the archive for support, or the picture',
    replies: { 200: { description: 'The bytes, of the type that the request names', contentType: '*/*' } },
    errors: { 404: 'not_found' },
    handle: async (call) => {
      const { instance, id } = call.params;
      const { file, bytes } = await requests.file(instance, id, askerOf(call));
      const how = file.content_type === 'application/gzip' ? 'attachment' : 'inline';
      return {
        body: bytes,
        contentType: file.content_type,
        headers: {
          'Cache-Control': 'private, no-store, no-transform',
          'Content-Security-Policy': "default-src 'none'; sandbox",
          'Content-Disposition': `${how}; filename="${file.name}"`,
        },
      };
    },
  });

const pieceRoute = ({ requests, continued }: RequestRouteParts): Route =>
  route({
    method: 'PUT',
    path: REQUEST_FILE_PATH,
    tag: 'Uplink',
    access: ['site'],
    params: z.strictObject({ request_id: requestId }),
    query: z.strictObject({ offset: z.coerce.number().check(z.int(), z.minimum(0)) }),
    raw: true,
    maxBody: MAX_PIECE,
    summary: 'Take a piece of the file of an answer; the answer leaves when it is stored',
    description:
      'For sites only. The body is the bytes from `offset` on. A piece without bytes asks how much is ' +
      'held. With the last one size and SHA-256 of the whole are checked. 404: it is not wanted.',
    replies: {
      200: {
        description: 'How much is held',
        schema: z.object({ offset: z.int(), done: z.boolean() }).register(described, { id: 'AnswerPiece' }),
      },
    },
    errors: { 404: 'not_found', 409: 'request_unanswered, answer_offset', 422: 'answer_mismatch' },
    handle: async (call) => {
      const { subject } = siteKeyOf(call.actor);
      const owned = [subject, ...(await continued(subject))];
      const bytes = call.raw ?? Buffer.alloc(0);
      const { offset } = call.query;
      return { body: await requests.take(call.params.request_id, { offset, bytes, owned }) };
    },
  });

const lineOf = (row: RequestRow, now: number): z.infer<typeof requestLine> => ({
  id: row.id,
  instance: row.instance,
  what: row.what,
  device: row.asked.device,
  state: stateOf(row, now),
  askedBy: row.askedBy,
  askedAt: formatTime(row.askedAt),
  expiresAt: formatTime(row.expiresAt),
  sentAt: formatTimeOrNull(row.sentAt),
  answeredAt: formatTimeOrNull(row.answeredAt),
  exit: row.exit,
  file: row.file && {
    name: row.file.name,
    contentType: row.file.content_type,
    size: row.file.size,
    sha256: row.file.sha256,
    held: row.held,
    whole: row.fileWhole,
  },
  reason: row.reason,
  reasonZh: row.told && translate(refusalMessages, row.told, 'zh'),
});

const viewOf = (row: RequestRow, now: number): z.infer<typeof requestView> => ({
  ...lineOf(row, now),
  text: row.text,
});
