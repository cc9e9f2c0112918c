// `fieldline-hq user` against a running hub.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHubConfig } from '../../hq/config.ts';
import { runCommand } from '../../hq/cli/main.ts';
import { Browser } from '../support/browser.ts';
import { login, openSessionRig, PASSWORD, type SessionRig } from './session-rig.ts';

let rig: SessionRig;
beforeAll(async () => {
  rig = await openSessionRig();
});
afterAll(() => rig.close());

async function run(...argv: string[]): Promise<string> {
  let out = '';
  const passwords = { ask: async () => PASSWORD, read: async () => `${PASSWORD} piped` };
  const readConfig = () => readHubConfig({ CORE_DATA_DIR: rig.dataDir });
  const terminal = { out: (text: string) => void (out += text) };
  expect(await runCommand(['user', ...argv], { env: {}, readConfig, terminal, passwords })).toBe(0);
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
