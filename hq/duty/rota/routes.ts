import * as z from 'zod/mini';
import { tenantCode, zonedTime } from '../../../common/core/event/schema.ts';
import { actorOf, tenantFor } from '../../../common/http/caller.ts';
import { described } from '../../../common/http/described.ts';
import { listOf } from '../../../common/http/list.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { formatTime, parseTime } from '../../../common/time.ts';
import { isReachable } from '../call/decide.ts';
import { gapsIn } from './decide.ts';
import { OPERATORS, type Rota, type Span } from './record.ts';
import { rotaInput, rotaView, spanView } from './schema.ts';
import type { RotaService } from './service.ts';

const AHEAD_DAYS = 14;
const rotaParams = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(64)) });
const tenantQuery = z.strictObject({ tenant_code: z.optional(tenantCode) });
const view = { access: ['admin', 'session'], permission: 'duty.view', tag: 'Duty' } as const;
const manage = { access: ['admin', 'session'], permission: 'duty.manage', tag: 'Duty' } as const;

const personView = z
  .object({ name: z.string(), tenantCode: z.nullable(z.string()), reachable: z.boolean() })
  .register(described, { id: 'DutyPerson' });

/** Who is on duty when. */
export const rotaRoutes = (service: RotaService): Route[] => [
  listRoute(service),
  createRoute(service),
  changeRoute(service),
  removeRoute(service),
  spansRoute(service),
  peopleRoute(service),
];

const listRoute = (service: RotaService): Route =>
  route({
    ...view,
    method: 'GET',
    path: '/api/core/duty/rotas',
    query: tenantQuery,
    summary: 'List the duty rotas, with who is on duty now and the gaps of the next two weeks',
    description:
      '`tenantCode` null: a rota of the operators, for operational alarms and for tenants without one of ' +
      'their own. An alarm goes by the rota of its tenant that names its site, else by one that names a ' +
      'group which its site is in, else by the one of its tenant for all sites, else by one of the ' +
      'operators likewise.',
    replies: { 200: { description: 'The rotas, by name', schema: listOf(rotaView) } },
    handle: async ({ actor, query }) => {
      const rotas = await service.list(tenantFor(actor, query.tenant_code));
      const items = rotas.map((rota) => viewOf(rota, service.spans(rota, AHEAD_DAYS)));
      return { body: { items, nextCursor: null, hasMore: false } };
    },
  });

const createRoute = (service: RotaService): Route =>
  route({
    ...manage,
    method: 'POST',
    path: '/api/core/duty/rotas',
    body: rotaInput,
    summary: 'Make a duty rota',
    description:
      'Shifts go by the clock of `zone`, in summer time too; one whose end is not after its begin ends on ' +
      'the next day. Whoever is first in a shift is called first; each further one when nobody has taken ' +
      'over for `next_after_minutes`. `exceptions` put somebody in the place of another (a swap), of ' +
      'everybody (`away` null), or nobody (`instead` null).',
    replies: { 201: { description: 'Made', schema: rotaView } },
    errors: { 409: 'rota_exists' },
    handle: async (call) => {
      const bound = tenantFor(call.actor, call.body.tenant_code ?? undefined);
      const rota = await service.create(
        { ...call.body, tenant_code: bound },
        call.actor.tenantCode,
        actorOf(call),
      );
      return { status: 201, body: viewOf(rota, service.spans(rota, AHEAD_DAYS)) };
    },
  });

const changeRoute = (service: RotaService): Route =>
  route({
    ...manage,
    method: 'PUT',
    path: '/api/core/duty/rotas/{id}',
    params: rotaParams,
    query: z.strictObject({ seen_at: z.optional(zonedTime) }),
    body: rotaInput,
    summary: 'Change a duty rota; the tenant stays',
    description: '`seen_at`: its `updatedAt` as it was read; where it was changed since, 409 `rota_changed`.',
    replies: { 200: { description: 'The rota', schema: rotaView } },
    errors: { 404: 'not_found', 409: 'rota_exists, rota_changed' },
    handle: async (call) => {
      const seen = { bound: call.actor.tenantCode, seenAt: parseTime(call.query.seen_at ?? '') };
      const rota = await service.change(call.params.id, call.body, seen, actorOf(call));
      return { body: viewOf(rota, service.spans(rota, AHEAD_DAYS)) };
    },
  });

const removeRoute = (service: RotaService): Route =>
  route({
    ...manage,
    method: 'DELETE',
    path: '/api/core/duty/rotas/{id}',
    params: rotaParams,
    summary: 'Remove a duty rota; what it calls for now calls nobody further',
    replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
    errors: { 404: 'not_found' },
    handle: async (call) => {
      await service.remove(call.params.id, call.actor.tenantCode, actorOf(call));
      return { body: { removed: true } };
    },
  });

const spansRoute = (service: RotaService): Route =>
  route({
    ...view,
    method: 'GET',
    path: '/api/core/duty/rotas/{id}/spans',
    params: rotaParams,
    query: z.strictObject({
      days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(31)), AHEAD_DAYS),
    }),
    summary: 'Who is on duty from now on, stretch by stretch; one without people is a gap',
    replies: { 200: { description: 'The stretches, in order', schema: listOf(spanView) } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params, query }) => {
      const rota = await service.get(params.id, actor.tenantCode);
      return {
        body: { items: service.spans(rota, query.days).map(spanOf), nextCursor: null, hasMore: false },
      };
    },
  });

const peopleRoute = (service: RotaService): Route =>
  route({
    ...manage,
    method: 'GET',
    path: '/api/core/duty/people',
    query: tenantQuery,
    summary: 'Whom a rota can name: users who may see and judge alarms of the tenant',
    description: '`reachable`: a device or an address for e-mail is set.',
    replies: { 200: { description: 'The users, by name', schema: listOf(personView) } },
    handle: async ({ actor, query }) => {
      const people = await service.people(tenantFor(actor, query.tenant_code), actor.tenantCode);
      const items = people.map((one) => ({
        name: one.name,
        tenantCode: one.tenantCode,
        reachable: isReachable(one),
      }));
      return { body: { items, nextCursor: null, hasMore: false } };
    },
  });

const spanOf = ({ from, to, people }: Span) => ({ from: formatTime(from), to: formatTime(to), people });

const viewOf = (
  { tenantCode: of, createdAt, updatedAt, ...rota }: Rota,
  spans: readonly Span[],
): z.infer<typeof rotaView> => ({
  ...rota,
  tenantCode: of === OPERATORS ? null : of,
  createdAt: formatTime(createdAt),
  updatedAt: formatTime(updatedAt),
  onDuty: spans[0]?.people ?? [],
  gaps: gapsIn(spans).map(spanOf),
});
