// Lines of the table: sources of datasets, and the datasets that headquarters serves.
import type { HubStore } from '../../../hq/stores.ts';
import { at, bare, type Line, MISSING } from './line.ts';
import { TENANT, type World } from './world.ts';

const settings = async (
  w: World,
  more: { tenant_code?: string } & Record<string, unknown> = {},
): Promise<object> => ({
  tenant_code: TENANT,
  name: w.fresh('source'),
  base_url: 'http://127.0.0.1:9',
  key_id: 'k',
  secret_ref: await w.secret({
    use: 'dataset',
    host: '127.0.0.1:9',
    tenant_code: more.tenant_code ?? TENANT,
  }),
  schedule: '0 3 * * *',
  datasets: [{ dataset: 'rows' }],
  ...more,
});
const source = async (w: World, more: Record<string, unknown> = {}): Promise<string> =>
  ((await w.made('/api/dataset/sources', await settings(w, more))) as unknown as { id: string }).id;
const PATH = '/api/dataset/sources';

/** A source that offers another contract than its pinned one. */
async function offering(w: World, more: Record<string, unknown> = {}): Promise<string> {
  const id = await source(w, { enabled: false, ...more });
  const contract = (schemaVersion: string) =>
    JSON.stringify({
      key: 'rows',
      schemaVersion,
      granularity: 'a row',
      fields: [],
      updateFrequency: 'daily',
      earliest: null,
    });
  await (w.store as HubStore).pool.query(
    'update source_datasets set contract = $2, offered = $3 where source_id = $1',
    [id, contract('1'), contract('2')],
  );
  return id;
}

export const DATASETS: Record<string, Line> = {
  'GET /api/dataset/sources': {
    only: 'hub',
    good: async (w) => {
      await source(w);
      return at(`${PATH}?tenant_code=${TENANT}`);
    },
  },
  'POST /api/dataset/sources': {
    only: 'hub',
    good: async (w) => ({ body: await settings(w) }),
    more: {
      '409 source_exists': async (w) => {
        const name = w.fresh('source');
        await source(w, { name });
        return { body: await settings(w, { name }) };
      },
      '409 processor_taken': async (w) => {
        const tenant = w.fresh('tenant');
        const datasets = [{ dataset: 'rows', processor: 'ncrs' }];
        await source(w, { tenant_code: tenant, datasets });
        return { body: await settings(w, { tenant_code: tenant, datasets }) };
      },
      '400 validation_failed': async (w) => ({ body: await settings(w, { schedule: '99 * * * *' }) }),
    },
  },
  'GET /api/dataset/sources/{id}': {
    only: 'hub',
    good: async (w) => at(`${PATH}/${await source(w)}`),
    more: { '404 not_found': () => at(`${PATH}/${MISSING}`) },
  },
  'PATCH /api/dataset/sources/{id}': {
    only: 'hub',
    good: async (w) =>
      at(`${PATH}/${await source(w)}`, { enabled: false, datasets: [{ dataset: 'others' }] }),
    more: {
      '404 not_found': () => at(`${PATH}/${MISSING}`, { enabled: true }),
      '409 source_exists': async (w) => {
        const name = w.fresh('source');
        await source(w, { name });
        return at(`${PATH}/${await source(w)}`, { name });
      },
    },
  },
  'DELETE /api/dataset/sources/{id}': {
    only: 'hub',
    good: async (w) => at(`${PATH}/${await source(w)}`),
    more: { '404 not_found': () => at(`${PATH}/${MISSING}`) },
  },
  'POST /api/dataset/sources/{id}/sync': {
    only: 'hub',
    good: async (w) => at(`${PATH}/${await source(w)}/sync`),
    more: {
      '404 not_found': () => at(`${PATH}/${MISSING}/sync`),
      '409 source_disabled': async (w) => at(`${PATH}/${await source(w, { enabled: false })}/sync`),
    },
  },
  'POST /api/dataset/sources/{id}/recompute': {
    only: 'hub',
    good: async (w) => at(`${PATH}/${await source(w)}/recompute`, { datasets: ['rows'] }),
    more: {
      '404 not_found': async (w) => at(`${PATH}/${await source(w)}/recompute`, { datasets: ['others'] }),
      '409 source_disabled': async (w) => at(`${PATH}/${await source(w, { enabled: false })}/recompute`, {}),
    },
  },
  'POST /api/dataset/sources/{id}/accept': {
    only: 'hub',
    good: async (w) => at(`${PATH}/${await offering(w)}/accept`, { dataset: 'rows', schema_version: '2' }),
    more: {
      '404 not_found': async (w) =>
        at(`${PATH}/${await source(w)}/accept`, { dataset: 'others', schema_version: '2' }),
      '409 nothing_offered': async (w) =>
        at(`${PATH}/${await source(w)}/accept`, { dataset: 'rows', schema_version: '2' }),
      '409 other_version_offered': async (w) =>
        at(`${PATH}/${await offering(w)}/accept`, { dataset: 'rows', schema_version: '3' }),
      '409 contract_unusable': async (w) => {
        const more = {
          tenant_code: w.fresh('tenant'),
          datasets: [{ dataset: 'rows', processor: 'hazards' }],
        };
        return at(`${PATH}/${await offering(w, more)}/accept`, { dataset: 'rows', schema_version: '2' });
      },
    },
  },
  'GET /api/subscribe/v1/datasets': {
    only: 'hub',
    good: bare,
    unseen: { 429: 'takes 60 calls with one key; tried in test/domain/dataset-serve.test.ts' },
  },
  'GET /api/subscribe/v1/datasets/{key}': {
    only: 'hub',
    good: () => at(`/api/subscribe/v1/datasets/tasks?tenant=${TENANT}`),
    more: {
      '404 not_found': () => at(`/api/subscribe/v1/datasets/nothing?tenant=${TENANT}`),
      '400 validation_failed': () => at('/api/subscribe/v1/datasets/tasks?tenant=x&cursor=x'),
    },
    unseen: {
      429: 'takes 60 calls with one key; tried in test/domain/dataset-serve.test.ts',
      504: 'takes a query of ten seconds; tried in test/domain/dataset-serve.test.ts',
    },
  },
};
