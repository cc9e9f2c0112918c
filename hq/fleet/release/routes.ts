import * as z from 'zod/mini';
import { viewPage } from '../../../common/cursor.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { described } from '../../../common/http/described.ts';
import { fault, forbidden } from '../../../common/http/error.ts';
import { pageOf } from '../../../common/http/list.ts';
import { type Call, type Route, route } from '../../../common/http/route.ts';
import { formatTime, formatTimeOrNull } from '../../../common/time.ts';
import { manifestOf, MAX_PACKAGE } from '../../../common/uplink/upgrade/manifest.ts';
import { MAX_PACKAGE_PIECE, PACKAGE_PATH } from '../../../common/uplink/upgrade/record.ts';
import { siteKeyOf } from '../../receiver/sender.ts';
import type { PieceRoom } from './pieces.ts';
import type { Release } from './record.ts';
import {
  packageParams,
  pieceParams,
  pieceQuery,
  releaseInput,
  releaseParams,
  releasesQuery,
  type ReleaseView,
  releaseView,
} from './schema.ts';
import type { Caller, ReleaseService } from './service.ts';

const OPEN = { access: ['admin', 'session'], permission: 'releases.manage', tag: 'Releases' } as const;
const PATH = '/api/core/releases';
const ONE = `${PATH}/{version}`;

/** Releases for people, and the bytes of their packages for sites. */
export const releaseRoutes = (service: ReleaseService, pieces: PieceRoom): Route[] => [
  addRoute(service),
  listRoute(service),
  oneRoute(service),
  uploadRoute(service),
  removeRoute(service),
  pieceRoute(service, pieces),
];

const callerOf = (call: Pick<Call, 'actor' | 'ip'>): Caller => ({
  actor: actorOf(call),
  name: call.actor.name.slice(0, 256),
  tenantCode: call.actor.tenantCode,
});

const addRoute = (service: ReleaseService): Route =>
  route({
    ...OPEN,
    method: 'POST',
    path: PATH,
    body: releaseInput,
    summary: 'Add a release, by its signed document',
    description:
      'The document is as `fieldline-release sign` makes it; the packages that it names are uploaded ' +
      'afterwards. Where headquarters was given public keys (`CORE_RELEASE_KEYS`), one of them must have ' +
      'signed it. Each site checks it again by its own. The same document again is 200, another one of ' +
      'the same version 409. Not for callers who are bound to a tenant.',
    replies: {
      201: { description: 'Added', schema: releaseView },
      200: { description: 'It was there', schema: releaseView },
    },
    errors: {
      403: 'forbidden',
      409: 'release_exists',
      422: 'release_unsigned',
      503: 'release_keys_unreadable',
    },
    handle: async (call) => {
      const { release, created } = await service.add(call.body, callerOf(call));
      return { status: created ? 201 : 200, body: viewOf(service, release) };
    },
  });

const listRoute = (service: ReleaseService): Route =>
  route({
    ...OPEN,
    method: 'GET',
    path: PATH,
    query: releasesQuery,
    summary: 'The releases, the newest first',
    description:
      '`checkedWith` names the key of headquarters that the signature was checked with; null: headquarters ' +
      'has none that fits, and the sites alone check it. `complete`: all packages are here, and it can be ' +
      'rolled out. `inUse`: a rollout that is not over needs it.',
    replies: { 200: { description: 'A page of them', schema: pageOf(releaseView) } },
    errors: { 503: 'release_keys_unreadable' },
    handle: async ({ query: { cursor, limit } }) => ({
      body: viewPage(await service.list(cursor, limit), (one) => viewOf(service, one)),
    }),
  });

const oneRoute = (service: ReleaseService): Route =>
  route({
    ...OPEN,
    method: 'GET',
    path: ONE,
    params: releaseParams,
    summary: 'A release',
    replies: { 200: { description: 'The release', schema: releaseView } },
    errors: { 404: 'not_found', 503: 'release_keys_unreadable' },
    handle: async ({ params: { version } }) => ({ body: viewOf(service, await service.get(version)) }),
  });

const uploadRoute = (service: ReleaseService): Route =>
  route({
    ...OPEN,
    method: 'PUT',
    path: `${ONE}/packages/{architecture}`,
    params: packageParams,
    stream: true,
    maxBody: MAX_PACKAGE,
    summary: `Upload a package of a release, as the plain body; at most 256 MiB (${MAX_PACKAGE} bytes)`,
    description:
      'It must be the very file that the signed document names: its size and SHA-256 are compared while it ' +
      'comes, and of anything else nothing is kept. Of one that is here already nothing is read. It may ' +
      'take as long as it keeps coming, an hour at most. Not for callers who are bound to a tenant.',
    replies: {
      201: { description: 'Stored', schema: releaseView },
      200: { description: 'It was here', schema: releaseView },
    },
    errors: {
      400: 'validation_failed, body_incomplete',
      403: 'forbidden',
      404: 'not_found',
      413: 'body_too_large',
      422: 'package_mismatch',
      503: 'originals_unavailable',
      507: 'storage_full',
    },
    handle: async (call) => {
      const { stream, params } = call;
      if (!stream) throw forbidden('The package is the body of this call.');
      // Neither an admin key nor a session signs a body, so that nothing is to be compared with a digest.
      const by = callerOf({ actor: stream.prove({ sha256: '' }), ip: call.ip });
      const body = (): AsyncIterable<Buffer> => stream.read();
      const { release, stored } = await service.upload(params.version, params.architecture, { body, by });
      return { status: stored ? 201 : 200, body: viewOf(service, release) };
    },
  });

const removeRoute = (service: ReleaseService): Route =>
  route({
    ...OPEN,
    method: 'DELETE',
    path: ONE,
    params: releaseParams,
    summary: 'Delete a release with its packages, unless a rollout needs it',
    description: 'Not for callers who are bound to a tenant.',
    replies: {
      200: {
        description: 'Deleted',
        schema: z.object({ deleted: z.boolean() }).register(described, { id: 'ReleaseDeleted' }),
      },
    },
    errors: { 403: 'forbidden', 404: 'not_found', 409: 'release_in_use', 503: 'originals_unavailable' },
    handle: async (call) => {
      await service.remove(call.params.version, callerOf(call));
      return { body: { deleted: true } };
    },
  });

const pieceRoute = (service: ReleaseService, pieces: PieceRoom): Route =>
  route({
    method: 'GET',
    path: PACKAGE_PATH,
    tag: 'Uplink',
    access: ['site'],
    params: pieceParams,
    query: pieceQuery,
    summary: 'A piece of the package that a site was told to have',
    description:
      'For sites only. The bytes from `offset` on, `bytes` of them at most, and at most ' +
      `${MAX_PACKAGE_PIECE}; ` +
      'fewer at the end. 404: the site was not told to have it, or is not to any more. 503 ' +
      '`releases_later` while what sites bring waits, or too many fetch at a time.',
    replies: { 200: { description: 'The bytes', contentType: 'application/octet-stream' } },
    errors: { 404: 'not_found', 503: 'releases_later, originals_unavailable' },
    handle: async (call) => {
      const { subject } = siteKeyOf(call.actor);
      const { offset, bytes } = call.query;
      const wanted = await service.wanted(subject, call.params.sha256);
      const length = Math.min(bytes, wanted.size - offset);
      if (length < 1) throw fault('offset', 'at_most', { most: wanted.size - 1 });
      const body = await pieces.send(length, () => service.piece(wanted, offset, length));
      return {
        body,
        contentType: 'application/octet-stream',
        headers: { 'Content-Length': String(length), 'Cache-Control': 'private, no-store, no-transform' },
      };
    },
  });

function viewOf(service: ReleaseService, release: Release): ReleaseView {
  const { version, document, addedAt, addedBy, inUse, packages } = release;
  return {
    ...{ version, addedBy, inUse },
    madeAt: formatTime(manifestOf(document)?.made_at ?? addedAt),
    addedAt: formatTime(addedAt),
    key: document.key,
    checkedWith: service.checkedWith(release),
    complete: packages.every(({ storedAt }) => storedAt !== null),
    packages: packages.map(({ storedAt, ...one }) => ({ ...one, storedAt: formatTimeOrNull(storedAt) })),
  };
}
