// `fieldline-hq user` against a running hub.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../hq/cli/main.ts';
import { readHubConfig } from '../../hq/config.ts';
import { Browser } from '../support/browser.ts';
import { expectStatus, jsonOf, request } from '../support/request.ts';
import { login, openSessionRig, PASSWORD, type SessionRig } from './session-rig.ts';

let rig: SessionRig;
beforeAll(async () => {
  rig = await openSessionRig();
});
afterAll(() => rig.close());

const run = (...argv: string[]): Promise<string> => runNoun('user', ...argv);

async function runNoun(...argv: string[]): Promise<string> {
  let out = '';
  const passwords = {
    ask: async () => PASSWORD,
    askOnce: async () => PASSWORD,
    read: async () => `${PASSWORD} piped`,
  };
  const readConfig = () => readHubConfig({ CORE_DATA_DIR: rig.dataDir });
  const terminal = { out: (text: string) => void (out += text) };
  expect(await runCommand(argv, { env: {}, readConfig, terminal, passwords })).toBe(0);
  return out;
}
const enter = async (name: string, password?: string) =>
  (await login(new Browser(rig.hub.url), name, password)).status;

test('adds users, shows them, and lets nobody see a password', async () => {
  expect(await run('list')).toContain('There is no user');
  expect(await run('add', 'chief', '--role', 'operator')).toContain('chief may log in as operator');
  expect(
    await run(
      'add',
      'Chen',
      '--role',
      'customer',
      '--tenant',
      'acme',
      '--permission',
      'events.view',
      '--password-stdin',
    ),
  ).toContain('customer of acme');
  expect(await run('list')).toBe(
    'NAME   ROLE      TENANT  ENABLED  PERMISSIONS\nchen   customer  acme    yes      ' +
      'events.view\nchief  operator  all     yes      of the role\n',
  );
  expect([await enter('chief'), await enter('chen'), await enter('chen', `${PASSWORD} piped`)]).toEqual([
    200, 401, 200,
  ]);
});

test('makes an emergency account, and takes that back', async () => {
  expect(await run('emergency', 'chief')).toContain('is an emergency account');
  expect(await run('emergency', 'chief', '--off')).toContain('is no emergency account');
});

test('disables, enables and gives a new password', async () => {
  const browser = await rig.browser('chief');
  expect(await run('disable', 'chief')).toContain('may no longer log in');
  expect([(await browser.call('GET', '/api/core/session')).status, await enter('chief')]).toEqual([401, 401]);
  expect(await run('list')).toContain('disabled');
  await run('enable', 'chief');
  expect(await enter('chief')).toBe(200);
  expect(await run('password', 'chief', '--password-stdin')).toContain('new password');
  expect([await enter('chief'), await enter('chief', `${PASSWORD} piped`)]).toEqual([401, 200]);
});

test('says what is wrong', async () => {
  await expect(run('add', 'x')).rejects.toThrow('--role is missing');
  await expect(run('add', 'x', '--role', 'customer')).rejects.toThrow('--tenant is missing');
  await expect(run('add', 'x', '--role', 'operator', '--password', 'on the command line')).rejects.toThrow(
    'there is no option --password here',
  );
  await expect(run('add', 'chief', '--role', 'operator')).rejects.toThrow('There is a user chief already');
  await expect(run('disable', 'nobody')).rejects.toThrow('does not exist');
  await expect(run('frobnicate')).rejects.toThrow('there is no command "user frobnicate"');
});

test('lists the clients of the open interface with their last use, and lifts what is refused', async () => {
  const { client_id: id, client_secret: secret } = jsonOf<{ client_id: string; client_secret: string }>(
    expectStatus(
      await rig.admin('POST', '/api/integration/clients', { tenant_code: 'acme', name: 'erp' }),
      201,
    ),
  );
  const client = (...argv: string[]) => runNoun('client', ...argv);
  expect(await client('list', '--tenant', 'other')).toContain('There is no client');
  expect(await client('list')).toMatch(new RegExp(`${id} +erp +acme +enabled +never`));
  const token = (given: string) =>
    request({
      url: rig.hub.url,
      method: 'POST',
      path: '/open/v1/oauth/token',
      body: JSON.stringify({ client_id: id, client_secret: given }),
      headers: { 'content-type': 'application/json', 'x-tenant-code': 'acme' },
    });
  expectStatus(await token(secret), 200);
  for (let tries = 0; tries < 10; tries += 1) expectStatus(await token('wrong'), 401);
  expectStatus(await token(secret), 429);
  expect(await client('list')).toMatch(/enabled +\d{4}-.* 127\.0\.0\.1 until \d{4}-/);
  expect(await client('enable', id)).toContain('erp is enabled');
  expectStatus(await token(secret), 200);
  const listed = await client('list', '--json');
  expect((JSON.parse(listed) as { items: object[] }).items).toMatchObject([{ client_id: id, heldUp: [] }]);
});
