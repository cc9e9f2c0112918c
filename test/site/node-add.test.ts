// `fieldline-site node add` beside a running site that is connected to a running headquarters.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type, type Typed } from '../support/command.ts';
import { type Deployment, INSTANCE, startDeployment, TENANT } from '../support/deployment.ts';
import { Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';

const scene = new Scene();
let running: Deployment;
beforeAll(async () => {
  running = await startDeployment(scene, seededRandom(7));
  await until('headquarters has said whose events it takes', async () => (await tenants())?.length === 1);
});
afterAll(() => scene.close());

const tenants = async (): Promise<string[] | null> =>
  jsonOf<{ tenants: string[] | null }>(
    expectStatus(await running.site.api('GET', '/api/core/uplink/status'), 200),
  ).tenants;
const add = (tenant: string, name: string): Promise<Typed> =>
  type('site/main.ts', ['node', 'add', '--tenant', tenant, '--name', name], {
    CORE_DATA_DIR: running.site.options.dataDir,
    CORE_INSTANCE: INSTANCE,
  });

test('it tells of a tenant that headquarters does not take here, until headquarters does', async () => {
  const refused = await add('other', 'yard');
  expect(refused).toMatchObject({ code: 1, err: '' });
  expect(refused.out).toContain('headquarters does not take events of the tenant other from this site');
  expect(refused.out).toContain(`fieldline-hq site tenants ${INSTANCE} --tenant ${TENANT} --tenant other`);
  expect((await add(TENANT, 'yard')).out).not.toContain('headquarters');

  const changed = { tenants: [TENANT, 'other'] };
  expectStatus(await running.hub.api('PATCH', `/api/core/sites/${INSTANCE}`, changed), 200);
  await until('the site has heard of it', async () => (await tenants())?.includes('other') === true);
  expect((await add('other', 'tower')).out).not.toContain('headquarters');
});

test('it names the camera that has the name already', async () => {
  await add(TENANT, 'gate');
  expect((await add(TENANT, 'gate')).out).toMatch(
    /the tenant acme has a camera gate already, with the key \S+\./,
  );
  expect((await add('other', 'gate')).out).not.toContain('has a camera gate already');
});

test('the address is the one on which the site listens, and one that only this machine reaches is said so', async () => {
  // The command line has another CORE_LISTEN than the site, as where it is typed in another shell.
  const { out } = await add(TENANT, 'quay');
  expect(out).toContain(`http://127.0.0.1:${running.site.options.port}/api/core/events`);
  expect(out).toContain('which only this machine reaches');
});
