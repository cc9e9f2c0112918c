// Versions of the site at headquarters, and one that goes out.
import { INSTANCE } from '../../support/deployment.ts';
import { release } from '../../support/release.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import type { Filled } from './fill.ts';
import { made } from './made.ts';

/** @returns the id of a rollout that paused, since the one site that there is refuses it */
export async function addUpgrades(rig: Filled): Promise<string> {
  const { hub } = rig;
  for (const version of ['9.0.0', '9.1.0']) await release({ hub, adminKey: hub.adminKey }, version);
  const body = { version: '9.1.0', sites: [INSTANCE, 'tunnel-8'], waves: ['100%'] };
  const { id } = await made<{ id: string }>(rig, '/api/core/rollouts', body);
  await until('it has paused', async () => {
    const answer = await hub.api('GET', `/api/core/rollouts/${id}`);
    return jsonOf<{ state: string }>(expectStatus(answer, 200)).state === 'paused';
  });
  return id;
}
