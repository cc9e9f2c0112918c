import * as z from 'zod/mini';
import { actorOf, tenantFor } from '../../common/http/caller.ts';
import { listOf } from '../../common/http/list.ts';
import { type Route, route } from '../../common/http/route.ts';
import type { Source } from './record.ts';
import {
  acceptInput,
  recomputeInput,
  sourceChange,
  sourceInput,
  sourceParams,
  sourcesQuery,
  sourceView,
} from './schema.ts';
import type { SourceService } from './service.ts';
import { viewSource } from './view.ts';

const TAG = 'Dataset sources';
const PATH = '/api/dataset/sources';
const access = ['admin', 'session'] as const;
const view = { access, tag: TAG, permission: 'integration.view' } as const;
const manage = { access, tag: TAG, permission: 'integration.manage' } as const;
const shown = { 200: { description: 'The source', schema: sourceView } };
const TAKEN = 'source_exists, processor_taken';

/** Business systems that datasets are pulled from (spec 2, "Dataset subscription"). */
export function sourceRoutes(service: SourceService, now: () => number): Route[] {
  const reply = (source: Source) => ({ body: viewSource(source, now()) });
  return [
    route({
      ...view,
      method: 'GET',
      path: PATH,
      query: sourcesQuery,
      summary: 'The sources with the state of each dataset',
      replies: {
        200: {
          description: 'The sources',
          schema: listOf(sourceView),
        },
      },
      handle: async ({ actor, query }) => ({
        body: {
          items: (await service.list(tenantFor(actor, query.tenant_code))).map((source) =>
            viewSource(source, now()),
          ),
          nextCursor: null,
          hasMore: false,
        },
      }),
    }),
    route({
      ...manage,
      method: 'POST',
      path: PATH,
      body: sourceInput,
      summary: 'Add a business system and the datasets to pull from it; the first pull begins at once',
      description:
        'Calls are signed with the key `key_id` and the secret that `secret_ref` names: one of PUT ' +
        '/api/core/secrets/{name} for the use `dataset`, this tenant and the host of `base_url`. ' +
        '`schedule` is a cron expression of five or six fields in Beijing time; where both its day ' +
        'fields are limited, a day must fit both. Each run reads the ' +
        'last `overlap_seconds` before the cursor again, so that rows which the source committed late ' +
        'are not lost; rows that are known are not processed again. `processor` says ' +
        "what a dataset feeds; a tenant's processor is fed by one source. The first read of the " +
        'descriptor makes the declared fields the contract. Business events are told for ' +
        'what changes after the first complete pull of a dataset, not for what that pull finds; in a ' +
        'recompute only for rows beyond the position reached before it.',
      replies: { 201: { description: 'The source', schema: sourceView } },
      errors: { 409: TAKEN },
      handle: async (call) => ({
        status: 201,
        ...reply(
          await service.create(
            {
              ...call.body,
              tenant_code: tenantFor(call.actor, call.body.tenant_code) ?? call.body.tenant_code,
            },
            actorOf(call),
          ),
        ),
      }),
    }),
    route({
      ...view,
      method: 'GET',
      path: `${PATH}/{id}`,
      params: sourceParams,
      summary: 'One source with the state of each dataset, also while a run is under way',
      replies: shown,
      errors: { 404: 'not_found' },
      description:
        '`lastRun` is the run under way while its `endedAt` is null: `rows` so far, and the `position` ' +
        'reached. `lagSeconds` is how far what has landed is behind the present; null until the first ' +
        'pull is complete. ' +
        '`offered` is what the source declares now, where that is not the contract; nothing is taken ' +
        'until it is accepted. `rowsKept` and `bytesKept` are what a dataset takes; all that are pulled ' +
        'for a tenant have together at most CORE_DATASET_TENANT_ROWS and CORE_DATASET_TENANT_BYTES. A ' +
        'page beyond that is not taken: `lastError` says so, an alarm too, and the pull goes on from ' +
        'there once there is room.',
      handle: async ({ actor, params }) => reply(await service.get(params.id, actor.tenantCode)),
    }),
    route({
      ...manage,
      method: 'PATCH',
      path: `${PATH}/{id}`,
      params: sourceParams,
      body: sourceChange,
      summary: 'Change a source; a run under way ends and goes on with the new settings',
      replies: shown,
      description:
        'A dataset that `datasets` leaves out goes with its rows; a new one, or one with another ' +
        'processor, begins from the start. Where a run was under way or had failed, or a ' +
        'dataset is not there whole yet, the next one begins at once, otherwise by the schedule.',
      errors: { 404: 'not_found', 409: TAKEN },
      handle: async (call) =>
        reply(await service.change(call.params.id, call.actor.tenantCode, call.body, actorOf(call))),
    }),
    route({
      ...manage,
      method: 'DELETE',
      path: `${PATH}/{id}`,
      params: sourceParams,
      summary: 'Remove a source with its landed rows and what was made of them',
      errors: { 404: 'not_found' },
      replies: { 200: { description: 'Removed', schema: z.object({ removed: z.boolean() }) } },
      handle: async (call) => {
        await service.remove(call.params.id, call.actor.tenantCode, actorOf(call));
        return { body: { removed: true } };
      },
    }),
    route({
      ...manage,
      method: 'POST',
      path: `${PATH}/{id}/sync`,
      params: sourceParams,
      summary: 'Pull now',
      replies: shown,
      errors: { 404: 'not_found', 409: 'source_disabled' },
      handle: async (call) => reply(await service.sync(call.params.id, call.actor.tenantCode, actorOf(call))),
    }),
    route({
      ...manage,
      method: 'POST',
      path: `${PATH}/{id}/recompute`,
      params: sourceParams,
      body: recomputeInput,
      bodyOptional: true,
      summary: 'Read datasets again from the start, ignoring the cursor',
      replies: shown,
      description:
        'Every dataset of the source unless `datasets` names some. Every row is processed again; what ' +
        'the source no longer has is deleted at the end. What was landed answers until then.',
      errors: { 404: 'not_found', 409: 'source_disabled' },
      handle: async (call) =>
        reply(
          await service.recompute(call.params.id, call.actor.tenantCode, call.body.datasets, actorOf(call)),
        ),
    }),
    route({
      ...manage,
      method: 'POST',
      path: `${PATH}/{id}/accept`,
      params: sourceParams,
      body: acceptInput,
      summary: 'Make what the source declares now the contract of a dataset',
      replies: shown,
      description:
        '`schema_version` is that of the `offered` contract which was looked at. The pull goes on at ' +
        'once from where it stood; recompute to fill new fields of old rows. A contract that lacks what ' +
        'the processor of the dataset needs is not taken: 409 `contract_unusable`, with what is missing.',
      errors: { 404: 'not_found', 409: 'nothing_offered, other_version_offered, contract_unusable' },
      handle: async (call) =>
        reply(
          await service.accept(
            call.params.id,
            call.actor.tenantCode,
            { dataset: call.body.dataset, schemaVersion: call.body.schema_version },
            actorOf(call),
          ),
        ),
    }),
  ];
}
