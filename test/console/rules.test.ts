// The rules in a browser: what is in force, a version that is checked as it is written, and why it decides.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectStatus, jsonOf } from '../support/request.ts';
import { openConsoleRig, type ConsoleRig } from './rig.ts';

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
  await rig.addUser('chief', { role: 'operator' });
  await rig.addUser('viewer', { role: 'customer', tenant_code: 'acme', permissions: ['rules.view'] });
  for (const [tenant, name] of [
    ['acme', 'gate <b>at night</b>'],
    ['other', 'of somebody else'],
  ])
    expectStatus(
      await rig.hub.api('POST', '/api/core/objects/rules', {
        tenant_code: tenant,
        kind: 'response',
        name,
        body: { priority: 10, match: { event_types: ['vehicle.*'] }, action: { kind: 'notify' } },
      }),
      201,
    );
});
afterAll(() => rig.close());

test('a new version is checked as it is written, registered, and compared with the one before', async () => {
  const visit = await rig.visit();
  const { page } = visit;
  await visit.open('/login?back=%2Frules%3Ftenant%3Dacme');
  await visit.logIn('chief');
  await page.getByRole('button', { name: 'gate <b>at night</b>' }).click();
  await page.getByText('The first version').waitFor();
  await page.getByRole('button', { name: 'Register a new version' }).click();
  const body = page.getByLabel('Content (JSON)');
  const take = page.getByRole('button', { name: 'Register a rule' }).last();
  await body.fill('{"priority": "high"}');
  await page.getByText(/body\.priority/).waitFor();
  expect(await take.isDisabled()).toBe(true);
  await body.fill('{"priority": 20, "match": {"event_types": ["vehicle.*"]}, "action": {"kind": "notify"}}');
  await page.getByText('It would be taken').waitFor();
  await take.click();
  await page.getByText('Registered as version 2').waitFor();
  await page.getByRole('cell', { name: 'priority', exact: true }).waitFor();
  const { items } = jsonOf<{ items: { version: number; body: { priority: number } }[] }>(
    await rig.hub.api('GET', '/api/core/objects/rules?tenant_code=acme'),
  );
  expect(items).toMatchObject([{ version: 2, body: { priority: 20 } }]);
  visit.check();
});

test('a customer who may only look sees its own rules and no control', async () => {
  const visit = await rig.visit();
  const { page } = visit;
  await visit.open('/login?back=%2Frules');
  await visit.logIn('viewer');
  await page.getByRole('button', { name: 'gate <b>at night</b>' }).waitFor();
  expect(await page.getByText('of somebody else').count()).toBe(0);
  expect(await page.getByRole('button', { name: /Register/ }).count()).toBe(0);
  visit.check();
});
