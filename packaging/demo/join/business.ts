import type { ApiClient } from '../../../common/terminal/api.ts';
import { BUSINESS_DATASETS } from '../business-tables.ts';

/** Name of the source, and id of the key that it is pulled with. */
export const PROJECT_SYSTEM = 'demo-projects';

/** Makes headquarters pull from the business system; one that is joined already may have another port now. */
export async function joinBusiness(
  hub: ApiClient,
  { tenant, url, secret }: { tenant: string; url: string; secret: string },
): Promise<void> {
  await hub.call('PUT', `/api/core/secrets/${PROJECT_SYSTEM}`, {
    tenant_code: tenant,
    use: 'dataset',
    host: new URL(url).host,
    secret,
  });
  const settings = {
    name: PROJECT_SYSTEM,
    base_url: url,
    key_id: PROJECT_SYSTEM,
    secret_ref: PROJECT_SYSTEM,
    schedule: '*/15 * * * * *',
    overlap_seconds: 0,
    datasets: BUSINESS_DATASETS.map((dataset) => ({ dataset, processor: dataset })),
    enabled: true,
  };
  const { items } = await hub.call<{ items: { id: string; name: string; tenantCode: string }[] }>(
    'GET',
    '/api/dataset/sources',
  );
  const known = items.find((source) => source.name === PROJECT_SYSTEM && source.tenantCode === tenant);
  if (known) await hub.call('PATCH', `/api/dataset/sources/${known.id}`, settings);
  else await hub.call('POST', '/api/dataset/sources', { ...settings, tenant_code: tenant });
}
