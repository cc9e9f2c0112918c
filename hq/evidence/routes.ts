import * as z from 'zod/mini';
import { actorOf } from '../../common/http/caller.ts';
import { described } from '../../common/http/described.ts';
import { forbidden } from '../../common/http/error.ts';
import { saying } from '../../common/http/fault/fault.ts';
import { type Call, type Route, route } from '../../common/http/route.ts';
import {
  fileOfEvent,
  MAX_PIECE,
  MAX_PREVIEW,
  PREVIEWS_PATH,
  statesRequest,
} from '../../common/uplink/evidence.ts';
import { PROTOCOL } from '../../common/uplink/wire.ts';
import type { CallingSite } from './named.ts';
import type { PieceReceiver } from './pieces.ts';
import type { PreviewReceiver } from './previews.ts';
import type { SiteStates } from './site-states.ts';

export interface EvidenceRouteParts {
  states: SiteStates;
  pieces: PieceReceiver;
  previews: PreviewReceiver;
  /** Names that a site continues, its own apart. */
  continued: (instance: string) => Promise<readonly string[]>;
  epoch: () => string;
}

const statesAnswer = z
  .object({
    protocol: z.int(),
    epoch: z.string(),
    /** Offered files that are here already. */
    here: z.array(z.object(fileOfEvent)),
  })
  .register(described, { id: 'EvidenceStatesTaken' });
const pieceAnswer = z
  .object({ wantId: z.string(), offset: z.int(), size: z.int(), done: z.boolean() })
  .register(described, { id: 'EvidencePiece' });

/** What sites call with evidence. */
export function siteEvidenceRoutes(parts: EvidenceRouteParts): Route[] {
  return [statesRoute(parts), pieceRoute(parts), previewRoute(parts)];
}

function statesRoute({ states, continued, epoch }: EvidenceRouteParts): Route {
  return route({
    method: 'POST',
    path: '/api/core/uplink/evidence/states',
    tag: 'Uplink',
    access: ['site'],
    summary: 'Take what a site says of the files that headquarters wants, and what it offers',
    description:
      'For sites only; the wire format may change with the protocol number. `states` say what becomes of ' +
      'wanted files, `offers` name files that the site sends by itself, `gone` those that it deleted. What ' +
      'is wanted comes with the inbox. Doing it again changes nothing.',
    body: statesRequest,
    compressed: true,
    replies: { 200: { description: 'Which offered files are here already', schema: statesAnswer } },
    errors: { 403: 'forbidden' },
    handle: async (call) => {
      const caller = await speakerOf(call, continued);
      if (call.body.instance !== caller.instance)
        throw forbidden(`This key is of ${caller.instance}; it cannot speak for another site.`);
      const here = await states.take(caller, call.body);
      return { body: { protocol: PROTOCOL, epoch: epoch(), here } };
    },
  });
}

function pieceRoute({ pieces, continued }: EvidenceRouteParts): Route {
  return route({
    method: 'PUT',
    path: '/api/core/uplink/evidence/{want_id}',
    tag: 'Uplink',
    access: ['site'],
    params: z.strictObject({
      want_id: z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/, saying('wrong_form'))),
    }),
    query: z.strictObject({ offset: z.coerce.number().check(z.int(), z.minimum(0)) }),
    raw: true,
    maxBody: MAX_PIECE,
    summary: 'Take a piece of a wanted file; the answer leaves when it is on the disk',
    description:
      'For sites only. The body is the bytes from `offset` on. A piece without bytes asks how much is ' +
      'held. ' +
      'The last piece is answered when size and SHA-256 of the whole are checked and the file is kept. ' +
      '404: it is not wanted any more.',
    replies: { 200: { description: 'How much is held', schema: pieceAnswer } },
    errors: {
      404: 'not_found',
      409: 'evidence_offset',
      422: 'evidence_mismatch',
      503: 'evidence_unavailable',
      507: 'evidence_limit, storage_full',
    },
    handle: async (call) => {
      const { owned } = await speakerOf(call, continued);
      const { want_id: wantId } = call.params;
      const { offset } = call.query;
      const bytes = call.raw ?? Buffer.alloc(0);
      return { body: await pieces.take({ wantId, offset, bytes, owned, actor: actorOf(call) }) };
    },
  });
}

function previewRoute({ previews, continued }: EvidenceRouteParts): Route {
  return route({
    method: 'PUT',
    path: PREVIEWS_PATH,
    tag: 'Uplink',
    access: ['site'],
    query: z.strictObject(fileOfEvent),
    raw: true,
    maxBody: MAX_PREVIEW,
    summary: 'Take a preview of a picture that is still at its site',
    description:
      'For sites only. The body is a JPEG, which is shown in the place of the file until this is here. It ' +
      "takes the tenant's room and goes with its event. `stored` is false where the file or a preview is " +
      'here. Sending it again changes nothing.',
    replies: {
      200: {
        description: 'Whether it was stored',
        schema: z.object({ stored: z.boolean() }).register(described, { id: 'PreviewTaken' }),
      },
    },
    errors: {
      404: 'not_found',
      422: 'preview_unreadable',
      503: 'evidence_unavailable',
      507: 'evidence_limit, storage_full',
    },
    handle: async (call) => {
      const { owned } = await speakerOf(call, continued);
      const jpeg = call.raw ?? Buffer.alloc(0);
      return {
        body: { stored: await previews.take({ file: call.query, jpeg, owned, actor: actorOf(call) }) },
      };
    },
  });
}

async function speakerOf(
  { actor }: Pick<Call, 'actor'>,
  continued: EvidenceRouteParts['continued'],
): Promise<CallingSite> {
  if (actor.kind !== 'key') throw forbidden('An uplink is signed with the key of its site.');
  return { instance: actor.subject, owned: new Set([actor.subject, ...(await continued(actor.subject))]) };
}
