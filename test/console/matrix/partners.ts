// Partners of headquarters: who is told, who asks, whose data is pulled.
import { DatasetSource } from '../../support/dataset-source.ts';
import { TENANT } from '../../support/deployment.ts';
import { OddReceiver } from '../../support/odd-receiver.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import type { Filled } from './fill.ts';

/** @returns the id of a webhook with a delivery that came and one that was refused */
export async function addIntegration(rig: Filled): Promise<string> {
  const { hub, scene } = rig;
  const call = async <T>(method: string, path: string, body?: object): Promise<T> =>
    jsonOf<T>(expectStatus(await hub.api(method, path, body), 200, 201, 202));
  const receiver = await new OddReceiver().open();
  scene.onClose(() => receiver.close());
  const add = async (name: string, path: string): Promise<string> => {
    const body = { tenant_code: TENANT, name, callback_url: `${receiver.url}${path}`, events: 'all' };
    const { id } = await call<{ id: string }>('POST', '/api/integration/webhooks', body);
    await call('POST', `/api/integration/webhooks/${id}/test`);
    const deliveries = `/api/integration/webhooks/${id}/deliveries`;
    await until(`${name} was tried`, async () => {
      const { items } = await call<{ items: { response_code: number | null }[] }>('GET', deliveries);
      return typeof items[0]?.response_code === 'number';
    });
    return id;
  };
  const webhook = await add('总包 ERP', '/200');
  await add('监理平台', '/500');
  await call('POST', '/api/integration/clients', { tenant_code: TENANT, name: '报表系统' });
  await call('POST', '/api/core/events/subscribe', {
    consumer: 'analysis',
    tenant_code: TENANT,
    start_cursor: 0,
  });
  await call('POST', '/api/core/sites', { instance: 'tunnel-8', tenants: [TENANT] });
  await call('POST', '/api/core/sites/tunnel-8/requests', { what: 'status' });
  await addSource(rig, call);
  return webhook;
}

type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

async function addSource(rig: Filled, call: Call): Promise<void> {
  const peer = await new DatasetSource({
    projects: { code: 'string', name: 'string' },
    ncrs: { title: 'string' },
  }).open();
  rig.scene.onClose(() => peer.close());
  peer.put('projects', 1, { code: 'P1', name: '地铁八号线' });
  peer.put('ncrs', 1, { title: '裂缝' });
  const secret = { tenant_code: TENANT, use: 'dataset', host: new URL(peer.url).host, secret: 'x' };
  await call('PUT', '/api/core/secrets/erp', secret);
  const { id } = await call<{ id: string }>('POST', '/api/dataset/sources', {
    tenant_code: TENANT,
    name: '项目管理系统',
    base_url: peer.url,
    key_id: 'k',
    secret_ref: 'erp',
    schedule: '0 3 * * *',
    datasets: [{ dataset: 'projects' }, { dataset: 'ncrs' }],
  });
  await until('the first pull is over', async () => {
    const { datasets } = await call<{ datasets: { completedAt: string | null }[] }>(
      'GET',
      `/api/dataset/sources/${id}`,
    );
    return datasets.every(({ completedAt }) => completedAt !== null);
  });
}
