// `setup` at a terminal: what was typed stays, and only what does not work is asked for again. A real hub.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type } from '../support/command.ts';
import { type HubHere, startHubHere } from '../support/in-process.ts';
import { freePort, Scene } from '../support/process.ts';
import { expectStatus, jsonOf } from '../support/request.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const scene = new Scene();
let hub: HubHere;
let key: string;
beforeAll(async () => {
  hub = await startHubHere(scene);
  const made = await hub.call('POST', '/api/core/sites', { instance: 'site-1', tenants: ['acme'] });
  const { keyId, secret } = jsonOf<{ keyId: string; secret: string }>(expectStatus(made, 201));
  key = `${keyId}:${secret}`;
});
afterAll(() => scene.close());

const CURSOR = /\u001b\[[0-9;]*[A-Za-z]/g;
const fileOf = (name: string): string => path.join(scene.dir, name, 'site.env');

/** Types an answer to each question, at a terminal of its own. @returns what the terminal showed */
function atTerminal(argv: readonly string[], lines: readonly string[]): Promise<string> {
  const command = [process.execPath, 'site/main.ts', 'setup', ...argv].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: ROOT,
    env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
  });
  let shown = '';
  let answered = '';
  const left = [...lines];
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    shown += part.replaceAll(CURSOR, '');
    if (!shown.endsWith(': ') || shown === answered || left.length === 0) return;
    answered = shown;
    child.stdin.write(left.shift() ?? '');
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(shown.replaceAll('\r', '')));
  });
}

test('a key that is wrong is asked for again, and nothing else', async () => {
  const file = fileOf('again');
  const shown = await atTerminal(['--file', file], ['site-1\r', `${hub.hub.url}\r`, `${key}x\r`, `${key}\r`]);
  expect(shown).toContain('headquarters does not know this key');
  expect(shown.match(/Name of this site/g)).toHaveLength(1);
  expect(shown.match(/Address of headquarters/g)).toHaveLength(1);
  expect(shown.match(/or the key that it printed/g)).toHaveLength(2);
  expect(readFileSync(file, 'utf8')).toContain(`CORE_UPLINK_URL=${hub.hub.url}\n`);
  expect(readFileSync(path.join(path.dirname(file), 'uplink-key'), 'utf8')).toBe(`${key}\n`);
});

test('an address at which nobody answers, and a wrong name, are asked for again', async () => {
  const file = fileOf('address');
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const shown = await atTerminal(
    ['--file', file],
    ['site-2', nowhere, key, hub.hub.url, 'site-1'].map((line) => `${line}\r`),
  );
  expect(shown).toContain('nothing listens at');
  expect(shown).toContain('the key is not of the site site-2');
  expect(shown.match(/or the key that it printed/g)).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).toContain('CORE_INSTANCE=site-1\n');
});

test('whoever leaves in between has changed nothing', async () => {
  const file = fileOf('left');
  const shown = await atTerminal(['--file', file], ['site-1\r', `${hub.hub.url}\r`, `${key}x\r`, '\u0004']);
  expect(shown).toContain('Nothing was saved.');
  expect(existsSync(file)).toBe(false);
});

test('Enter keeps the key, of which no secret is shown; without a terminal it is kept too', async () => {
  const file = fileOf('kept');
  const first = ['--file', file, '--instance', 'site-1', '--url', 'http://127.0.0.1:1', '--no-test'];
  expect(await type('site/main.ts', ['setup', ...first, '--key', key])).toMatchObject({ code: 0 });
  const shown = await atTerminal(['--file', file], ['\r', `${hub.hub.url}\r`, '\r']);
  expect(shown).toContain(`[${key.slice(0, key.indexOf(':'))}:…]`);
  expect(shown).not.toContain(key.slice(key.indexOf(':') + 1));
  expect(shown).toContain('Headquarters answers');
  const again = ['setup', '--file', file, '--instance', 'site-1', '--url', `${hub.hub.url}/`];
  expect(await type('site/main.ts', again)).toMatchObject({ code: 0, err: '' });
  expect(readFileSync(path.join(path.dirname(file), 'uplink-key'), 'utf8')).toBe(`${key}\n`);
});

test('an option changes one thing alone, and the rest of what was saved stays', async () => {
  const file = fileOf('one');
  const first = ['--file', file, '--instance', 'site-1', '--url', 'http://127.0.0.1:1', '--no-test'];
  expect(await type('site/main.ts', ['setup', ...first, '--key', key])).toMatchObject({ code: 0 });
  const moved = await type('site/main.ts', ['setup', '--file', file, '--url', hub.hub.url]);
  expect(moved).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Headquarters answers') });
  const saved = readFileSync(file, 'utf8');
  expect(saved).toContain('CORE_INSTANCE=site-1\n');
  expect(saved).toContain(`CORE_UPLINK_URL=${hub.hub.url}\n`);
  const named = await type('site/main.ts', ['setup', '--file', file, '--instance', 'site-2']);
  expect(named).toMatchObject({ code: 1, out: expect.stringContaining('the key is not of the site site-2') });
  expect(readFileSync(file, 'utf8')).toBe(saved);
});

test('a file that is not there is named as such, in the language of the terminal', async () => {
  const argv = [
    'setup',
    '--file',
    fileOf('none'),
    '--instance',
    'site-1',
    '--url',
    hub.hub.url,
    '--key',
    key,
  ];
  const missing = path.join(scene.dir, 'no-authority.pem');
  for (const [option, name] of [
    ['--ca', missing],
    ['--key-file', missing],
  ] as const) {
    const en = await type('site/main.ts', [...argv, option, name]);
    expect(en).toEqual({ code: 2, out: '', err: `fieldline-site: there is no ${missing} (ENOENT)\n` });
    const zh = await type('site/main.ts', [...argv, option, name, '--lang', 'zh']);
    expect(zh.err).toBe(`fieldline-site: ${missing} 不存在（ENOENT）\n`);
  }
});

test('--restart restarts the service, and says so when that fails', async () => {
  const bin = path.join(scene.dir, 'bin');
  const told = path.join(scene.dir, 'told');
  mkdirSync(bin);
  const systemctl = path.join(bin, 'systemctl');
  writeFileSync(systemctl, `#!/bin/sh\necho "$@" >>${told}\n[ ! -e ${told}.fails ]\n`);
  chmodSync(systemctl, 0o755);
  const env = { PATH: `${bin}:${process.env.PATH}` };
  const argv = ['setup', '--file', fileOf('restart'), '--instance', 'site-1', '--no-uplink', '--restart'];
  const done = await type('site/main.ts', argv, env);
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining('The site was restarted.') });
  expect(readFileSync(told, 'utf8')).toBe('restart fieldline-site\n');
  writeFileSync(`${told}.fails`, '');
  const failed = await type('site/main.ts', [...argv, '--lang', 'zh'], env);
  expect(failed).toMatchObject({ code: 1, out: expect.stringContaining('站点没有重启成功') });
});

const codeFor = async (instance: string): Promise<string> =>
  jsonOf<{ code: string }>(expectStatus(await hub.call('POST', `/api/core/sites/${instance}/codes`), 201))
    .code;

test('a joining code gives name and key, once', async () => {
  const file = fileOf('joined');
  const code = await codeFor('site-1');
  const argv = ['setup', '--file', file, '--url', hub.hub.url, '--code', code.toLowerCase()];
  const joined = await type('site/main.ts', argv);
  expect(joined).toMatchObject({ code: 0, err: '' });
  expect(joined.out).toContain('has given the key of site-1');
  expect(joined.out).toContain('Headquarters answers');
  expect(readFileSync(file, 'utf8')).toContain('CORE_INSTANCE=site-1\n');
  const kept = readFileSync(path.join(path.dirname(file), 'uplink-key'), 'utf8').trim();
  expect(kept).not.toBe(key);
  expect(joined.out).not.toContain(kept);
  const again = await type('site/main.ts', [...argv, '--lang', 'zh']);
  expect(again).toMatchObject({ code: 1, out: expect.stringContaining('总部不认可本站使用此接入码') });
  // The key of the first time stays.
  expect(readFileSync(path.join(path.dirname(file), 'uplink-key'), 'utf8').trim()).toBe(kept);
});

test('a code is typed where a key may be; a wrong one is asked for again', async () => {
  const file = fileOf('typed-code');
  const answers = ['site-1', hub.hub.url, '0000-0000', await codeFor('site-1')];
  const shown = await atTerminal(
    ['--file', file],
    answers.map((line) => `${line}\r`),
  );
  expect(shown).toContain('headquarters does not know this code for this site');
  expect(shown.match(/Address of headquarters/g)).toHaveLength(1);
  expect(shown).toContain('Headquarters answers');
  expect(existsSync(file)).toBe(true);
});
