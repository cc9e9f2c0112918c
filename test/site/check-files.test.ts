// `check` beside a site that does not run says of its files what the next start says and does.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type, type Typed } from '../support/command.ts';
import { startSiteProgram } from '../support/deployment.ts';
import { type Program, Scene } from '../support/process.ts';

const scene = new Scene();
let dir: string;
let kept: string;
beforeAll(async () => {
  const site: Program = await startSiteProgram(scene);
  await site.stop();
  dir = site.options.dataDir;
  kept = path.join(scene.dir, 'kept');
  execFileSync('cp', ['-a', dir, kept]);
});
afterAll(() => scene.close());
beforeEach(() => {
  rmSync(dir, { recursive: true });
  execFileSync('cp', ['-a', kept, dir]);
});

const said = (...argv: string[]): Promise<Typed> => type('site/main.ts', argv, { CORE_DATA_DIR: dir });
const at = (name: string): string => path.join(dir, name);
const gone = (name: string): void => rmSync(at(name), { recursive: true, force: true });
function folder(name: string): void {
  gone(name);
  mkdirSync(at(name));
}
function fifo(name: string): void {
  gone(name);
  execFileSync('mkfifo', [at(name)]);
}
function newer(): void {
  const db = new Database(at('site.db'));
  db.exec(`INSERT INTO schema_version VALUES (9999, '9999-later.sql', 9999, 0)`);
  db.close();
}

test.each<[string, () => void]>([
  ['a folder in the place of the store', () => folder('site.db')],
  ['a pipe in its place', () => fifo('site.db')],
  ['a link to nothing', () => (gone('site.db'), symlinkSync('/nowhere/site.db', at('site.db')))],
  ['a folder in the place of its log', () => folder('site.db-wal')],
  ['a folder in the place of its lock', () => folder('site.lock')],
  ['a store of newer code', newer],
])('refused by both in the same words: %s', async (_what, spoil) => {
  spoil();
  const check = await said('check');
  const start = await said('run');
  const words = start.err.trim().replace('fieldline-site: ', '');
  expect(start.code).toBe(2);
  expect(words).toMatch(/cannot be opened|newer version/);
  expect(check.code).toBe(2);
  expect(check.out).toContain(`BAD   store         ${words}`);
});

test.each<[string, string, () => void]>([
  ['secrets/seal-key must be a file', 'BAD', () => folder('secrets/seal-key')],
  ['secrets/admin-key must be a file', 'BAD', () => fifo('secrets/admin-key')],
  ['secrets must be a folder', 'BAD', () => (gone('secrets'), writeFileSync(at('secrets'), ''))],
  ['evidence must be a folder', 'BAD', () => (gone('evidence'), writeFileSync(at('evidence'), ''))],
  ['site.known must be a file', 'LOOK', () => folder('site.known')],
  ['site.db is empty or missing, and there was a store', 'BAD', () => writeFileSync(at('site.db'), '')],
  ['the next start sets the store aside', 'BAD', () => writeFileSync(at('site.db'), 'rubbish')],
])('said before the next start: %s', async (words, level, spoil) => {
  spoil();
  const { out } = await said('check');
  expect(out).toMatch(new RegExp(`^${level} .*${words}`, 'm'));
});

test('nothing is said of a site that is well, or was never started', async () => {
  const texts = ['must be', 'cannot be opened', 'BAD   store'];
  for (const text of texts) expect((await said('check')).out).not.toContain(text);
  rmSync(dir, { recursive: true });
  mkdirSync(dir);
  expect((await said('check')).out).toContain('there is none yet');
});
