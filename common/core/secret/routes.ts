import * as z from 'zod/mini';
import { actorOf, tenantFor } from '../../http/caller.ts';
import { pageOf } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime } from '../../time.ts';
import type { NamedSecret } from './record.ts';
import { secretInput, secretParams, secretsQuery, secretView } from './schema.ts';
import type { SecretService } from './service.ts';

const PATH = '/api/core/secrets';
const common = { tag: 'Secrets', access: ['admin', 'session'], permission: 'secrets.manage' } as const;

const viewOf = ({
  name,
  tenantCode,
  use,
  host,
  createdAt,
  updatedAt,
}: NamedSecret): z.infer<typeof secretView> => ({
  name,
  tenantCode,
  use,
  host,
  createdAt: formatTime(createdAt),
  updatedAt: formatTime(updatedAt),
});

/**
 * What subscriptions, dataset sources and channels sign and open with, given by name (DESIGN.md, "Secrets").
 */
export function secretRoutes(service: SecretService): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: PATH,
      query: secretsQuery,
      summary:
        'The named secrets: what each is for and when it was given; the secrets themselves are never shown',
      replies: { 200: { description: 'The secrets', schema: pageOf(secretView) } },
      handle: async ({ actor, query }) => ({
        body: {
          items: (await service.list(tenantFor(actor, query.tenant_code))).map(viewOf),
          nextCursor: null,
          hasMore: false,
        },
      }),
    }),
    route({
      ...common,
      method: 'PUT',
      path: `${PATH}/{name}`,
      params: secretParams,
      body: secretInput,
      summary: 'Give a secret, or another in its place; it is sealed and never shown again',
      description:
        'A secret opens for one `use` (`push`: signing pushes to a consumer; `dataset`: signing pulls; ' +
        '`channel`: what a channel signs or sends with; `channel_address`: the whole address of a channel, ' +
        'for `url_ref`; `device`: what a camera is shown), for one `tenant_code` (left out: a subscription ' +
        'to every tenant, or a channel of the operators) and towards one `host`: that of the ' +
        'address with its port where the address names one, and with `:80` for an ' +
        '`http://` address that names none. Whatever names it for something else is refused, and where the ' +
        'address is changed to another host the secret must be given anew.',
      replies: {
        201: { description: 'Made', schema: secretView },
        200: { description: 'Put in the place of the one before', schema: secretView },
      },
      handle: async (call) => {
        const { secret, created } = await service.put(
          call.params.name,
          tenantFor(call.actor, call.body.tenant_code),
          call.body,
          actorOf(call),
        );
        return { status: created ? 201 : 200, body: viewOf(secret) };
      },
    }),
    route({
      ...common,
      method: 'DELETE',
      path: `${PATH}/{name}`,
      params: secretParams,
      query: secretsQuery,
      summary: 'Remove a secret; what names it is refused from then on, visibly',
      replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
      errors: { 404: 'not_found' },
      handle: async (call) => {
        await service.remove(call.params.name, tenantFor(call.actor, call.query.tenant_code), actorOf(call));
        return { body: { removed: true } };
      },
    }),
  ];
}
