import * as z from 'zod/mini';
import { viewPage } from '../../../common/cursor.ts';
import { may } from '../../../common/http/actor.ts';
import { tenantFor } from '../../../common/http/caller.ts';
import { forbidden } from '../../../common/http/error.ts';
import { pageOf } from '../../../common/http/list.ts';
import { type Call, type Route, route } from '../../../common/http/route.ts';
import { callerOf } from '../caller.ts';
import {
  clientChange,
  clientInput,
  clientListed,
  clientView,
  clientWithSecret,
  idPath,
  listByCreation,
  listQuery,
  rotateInput,
  viewClient,
  viewClientListed,
} from '../schema.ts';
import type { ClientService } from './service.ts';

const access = ['admin', 'session'] as const;
const tag = 'Integration';
const HOUR_MS = 3_600_000;
const CLIENTS = listByCreation('open-clients');

const SCOPES =
  'With `scopes` its access tokens (`Authorization: Bearer …`) open what these open to the key of a ' +
  'consumer, of its tenant alone, as the account `client:<client_id>`; only who may manage consumers gives ' +
  'them.';

/** @throws AppError 403 for whoever could give more than it has */
function scopesOf({
  actor,
  body,
}: Pick<Call, 'actor'> & { body: { scopes?: string[] | undefined } }): string[] {
  const given = [...new Set(body.scopes ?? [])];
  if (given.length > 0 && !may(actor, 'consumers.manage'))
    throw forbidden('Scopes are given by who may manage consumers (consumers.manage).');
  return given;
}

/** Management of open clients. */
export function clientRoutes(service: ClientService, now: () => number): Route[] {
  const permission = 'integration.manage';
  const once = { description: 'The client with its secret, shown this once', schema: clientWithSecret };
  const missing = { 404: 'not_found' };
  return [
    route({
      method: 'GET',
      path: '/api/integration/clients',
      tag,
      access,
      permission: 'integration.view',
      query: listQuery,
      summary: 'List the open clients, newest first',
      description:
        '`lastUsedAt` is when a client last got a token or was shown a snapshot; what another process of ' +
        'the hub served may come half a minute later. `heldUp` names the addresses from which its ' +
        'requests for ' +
        'tokens are refused, until when; `PATCH …/clients/{id}` with `"status": "enabled"` lifts that.',
      replies: { 200: { description: 'A page of clients', schema: pageOf(clientListed) } },
      handle: async ({ actor, query }) => {
        const rows = await service.list(
          tenantFor(actor, query.tenant_code),
          CLIENTS.positionOf(query.cursor),
          query.limit + 1,
        );
        const page = CLIENTS.page(rows, query.limit, ({ createdAt, clientId }) => [createdAt, clientId]);
        return { body: viewPage(page, (row) => viewClientListed(row, now())) };
      },
    }),
    route({
      method: 'POST',
      path: '/api/integration/clients',
      tag,
      access,
      permission,
      body: clientInput,
      summary: 'Create an open client',
      description:
        'The secret is kept as its hash only: whoever loses it rotates it, or deletes the client and ' +
        'creates another. ' +
        SCOPES,
      replies: { 201: once },
      handle: async (call) => {
        tenantFor(call.actor, call.body.tenant_code);
        const { client, secret } = await service.create(
          { tenantCode: call.body.tenant_code, name: call.body.name, scopes: scopesOf(call) },
          callerOf(call),
        );
        return { status: 201, body: { ...viewClient(client, now()), client_secret: secret } };
      },
    }),
    route({
      method: 'PATCH',
      path: '/api/integration/clients/{id}',
      tag,
      access,
      permission,
      params: idPath,
      body: clientChange,
      summary: 'Rename, enable or disable an open client, or give it other scopes',
      description:
        'Disabling ends its tokens at once, in every process; enabling it again does not bring them back. ' +
        'With `"status": "enabled"` whoever was held up after wrong secrets of this client may try again, ' +
        'also where it was enabled already. ' +
        SCOPES,
      replies: { 200: { description: 'The client as it is now', schema: clientView } },
      errors: missing,
      handle: async (call) => {
        const change = { ...call.body, ...(call.body.scopes ? { scopes: scopesOf(call) } : {}) };
        return { body: viewClient(await service.change(call.params.id, change, callerOf(call)), now()) };
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/integration/clients/{id}',
      tag,
      access,
      permission,
      params: idPath,
      summary: 'Delete an open client; its tokens end at once',
      replies: { 200: { description: 'Deleted', schema: z.object({ removed: z.boolean() }) } },
      errors: missing,
      handle: async (call) => {
        await service.remove(call.params.id, callerOf(call));
        return { body: { removed: true } };
      },
    }),
    route({
      method: 'POST',
      path: '/api/integration/clients/{id}/rotate',
      tag,
      access,
      permission,
      params: idPath,
      body: rotateInput,
      bodyOptional: true,
      summary: 'Give an open client a new secret; the old one works on for overlap_hours (default 24)',
      description:
        'With `overlap_hours: 0` the old secret ends at once. Rotating again ends the oldest. Tokens ' +
        'that were given stay valid. Whoever was held up after wrong secrets of this client may try again.',
      replies: { 200: once },
      errors: missing,
      handle: async (call) => {
        const { client, secret } = await service.rotate(
          call.params.id,
          call.body.overlap_hours * HOUR_MS,
          callerOf(call),
        );
        return { body: { ...viewClient(client, now()), client_secret: secret } };
      },
    }),
  ];
}
