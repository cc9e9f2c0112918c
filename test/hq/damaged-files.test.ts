// Files of the hub that are damaged, empty or a folder: it starts, or one sentence says why not.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { half } from '../support/campaign.ts';
import { type, type Typed } from '../support/command.ts';
import { startHubProgram } from '../support/deployment.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { createHubDatabase } from '../support/postgres.ts';
import { freePort, Program, Scene } from '../support/process.ts';

const scene = new Scene();
let url: string;
let whole: string;
beforeAll(async () => {
  const database = await createHubDatabase();
  scene.onClose(() => database.drop());
  url = database.url;
  const hub = await startHubProgram(scene, url);
  await hub.stop();
  whole = hub.options.dataDir;
});
afterAll(() => scene.close());

function damaged(name: string, text: string | null): string {
  const dataDir = path.join(scene.dir, `${name.replaceAll('/', '-')}-${text}`);
  cpSync(whole, dataDir, { recursive: true });
  const file = path.join(dataDir, name);
  rmSync(file, { recursive: true, force: true });
  if (text === null) mkdirSync(path.join(file, 'x'), { recursive: true });
  else writeFileSync(file, text);
  return dataDir;
}

const run = async (dataDir: string, port?: number): Promise<Typed> =>
  type('hq/main.ts', ['run'], {
    CORE_DATA_DIR: dataDir,
    CORE_LISTEN: `127.0.0.1:${port ?? (await freePort())}`,
    CORE_LOG_LEVEL: 'fatal',
    DATABASE_URL: url,
  });

const REFUSED: readonly [name: string, text: string | null, said: RegExp][] = [
  ['secrets/master-key', '', /are sealed with another master key than this hub has/],
  ['secrets/master-key', 'zzz', /are sealed with another master key than this hub has/],
  ['secrets/master-key', null, /master-key: is no regular file/],
  ['secrets/admin-key', null, /admin-key: is no regular file/],
  ['secrets', 'zzz', /secrets exists already \(EEXIST\)/],
  ['evidence.mark', null, /evidence\.mark cannot be read/],
];

test.each(half(REFUSED, 0))('%s with %j is refused in one sentence', async (name, text, said) => {
  const ended = await run(damaged(name, text));
  expect(ended).toMatchObject({ code: 2, out: '' });
  expect(ended.err).toMatch(/^fieldline-hq: [^\n]+\n$/);
  expect(ended.err).toMatch(said);
});

test('an address that another program has is told as that, and not as a fault of the database', async () => {
  const other = await new HttpPeer().open();
  scene.onClose(() => other.close());
  const ended = await run(whole, Number(new URL(other.url).port));
  expect(ended).toMatchObject({ code: 2, out: '' });
  expect(ended.err).toMatch(/^fieldline-hq: Cannot listen at 127[^\n]*\n$/);
  expect(ended.err).not.toContain('database');
});

test('an empty admin key is made anew', async () => {
  const dataDir = damaged('secrets/admin-key', '');
  const hub = new Program({
    main: 'hq/main.ts',
    dataDir,
    port: await freePort(),
    env: { DATABASE_URL: url },
  });
  scene.onClose(() => hub.kill());
  await hub.start();
  expect((await hub.api('GET', '/api/core/sites')).status).toBe(200);
  await hub.stop();
});
