// The installation of the dependencies before the first program of a fresh clone runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../support/sources.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'fieldline-install-'));
  const packages = {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0' },
    'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['plan9'] },
  };
  writeFileSync(path.join(root, 'package-lock.json'), JSON.stringify({ packages }));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Installs with a stand-in for npm. */
async function install(npm: string): Promise<{ code: number | null; err: string }> {
  const bin = path.join(root, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, 'npm'), `#!/bin/sh\n${npm}\n`);
  chmodSync(path.join(bin, 'npm'), 0o755);
  const program =
    `const { ensureInstalled } = await import(${JSON.stringify(pathToFileURL(path.join(ROOT, 'packaging/install.mjs')))});` +
    'const fail = (text) => { process.stderr.write(text); process.exit(1); };' +
    `await ensureInstalled(${JSON.stringify(root)}, fail);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { PATH: `${bin}:/usr/bin:/bin` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, err };
}

const NPM = `for one in a b; do mkdir -p node_modules/$one && echo {} > node_modules/$one/package.json; done
echo called >> called`;

test('says in both languages that it installs, and how many of the packages of this machine are there', async () => {
  const { code, err } = await install(NPM);
  expect(code).toBe(0);
  expect(err).toMatch(/^installing dependencies, once 正在安装依赖（仅首次） \.\.\.\n/);
  expect(err).toMatch(/\n {2}2 \/ 2 packages 软件包, \d+ s\n$/);
  expect(await install(NPM)).toEqual({ code: 0, err: '' });
  expect(readFileSync(path.join(root, 'called'), 'utf8')).toBe('called\n');
});

test('tells what npm said when it failed, and leaves no lock behind', async () => {
  const { code, err } = await install('echo no room; echo really >&2; exit 7');
  expect(code).toBe(1);
  for (const said of [
    /\n {2}downloading 正在下载, \d+ s\n/,
    /no room\n/,
    /really\n/,
    /\n"npm ci .*" failed$/,
  ])
    expect(err).toMatch(said);
  expect((await install(NPM)).code).toBe(0);
  expect(existsSync(path.join(root, '.fieldline/install.lock'))).toBe(false);
});
