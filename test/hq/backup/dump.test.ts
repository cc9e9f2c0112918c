// A backup in the format of `pg_dump`: where PostgreSQL's tools are there, and where they are not.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rowsOf } from '../../../hq/backup/dump.ts';
import { debianTools, startDebianPostgres } from '../../support/debian-postgres.ts';
import { epochOf } from '../../support/deployment.ts';
import { longTest } from '../../support/long.ts';
import { freePort, Program, Scene } from '../../support/process.ts';
import { expectStatus, signedCall } from '../../support/request.ts';
import { BackupRig, contentOf, filesIn, FILLED_EVENTS, query, tablesIn } from './rig.ts';

let scene: Scene;
beforeEach(() => void (scene = new Scene()));
afterEach(() => scene.close());

/** A folder with stand-ins for tools, as the only place where commands are looked for. */
function toolsOf(scripts: Record<string, string>): { PATH: string } {
  const PATH = path.join(scene.dir, 'bin');
  mkdirSync(PATH, { recursive: true });
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(path.join(PATH, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(PATH, name), 0o755);
  }
  return { PATH };
}

const MANY = `insert into store_facts select 'n' || n, repeat('\\ 塔吊' || chr(10), 1 + n % 50)
  from generate_series(1, 20000) n`;

longTest("a hub on a server of Debian's is copied by pg_dump, and is the same hub again", async () => {
  const tools = debianTools();
  const server = tools === null ? null : await startDebianPostgres(tools);
  if (server) scene.onClose(() => server.stop());
  const rig = await BackupRig.start(scene, server?.url);
  const key = await rig.fill();
  const epoch = await epochOf(rig.hub);
  const env = tools ? { PATH: `${tools}:/usr/bin:/bin` } : toolsOf({});
  await query(rig.url, MANY);
  await rig.hub.stop();
  const made = await rig.command(rig.here, ['backup', rig.file], env);
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toContain(`with ${FILLED_EVENTS} events`);
  const names = (await filesIn(rig.file)).map(({ name }) => name);
  // Elsewhere than on Debian the same is seen by COPY.
  if (tools) {
    expect(made.out).toMatch(/The tables are in it as pg_dump 1\d\.\S+ wrote them/);
    expect(names).toEqual(['manifest.json', 'secrets/master-key', 'secrets/admin-key', 'database.dump']);
  } else expect(made.out).toMatch(/by COPY: pg_dump is not installed/);
  const before = await contentOf(rig.url);

  const there = await rig.elsewhere();
  expect(await rig.command(there, ['restore', rig.file], env)).toMatchObject({ code: 0, err: '' });
  expect(await contentOf(there.url)).toEqual(before);
  const again = new Program({
    main: 'hq/main.ts',
    dataDir: there.dataDir,
    port: await freePort(),
    env: { ...rig.hub.options.env, DATABASE_URL: there.url },
  });
  scene.onClose(() => again.kill());
  await again.start();
  expect(await epochOf(again)).not.toBe(epoch);
  const knock = { url: again.url, key, method: 'POST', path: '/api/core/uplink/events', body: '{}' };
  expect((await signedCall(knock)).status).toBe(400);
  expectStatus(await again.api('POST', '/api/core/sites', { instance: 's2', tenants: ['acme'] }), 201);
  if (!tools) return;

  // Without pg_restore nothing is changed, and the words say what to do.
  const bare = { url: await rig.database(), dataDir: path.join(scene.dir, 'bare') };
  const refused = await rig.command(bare, ['restore', rig.file], toolsOf({}));
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringMatching(/and pg_restore \d+ or newer is not/),
  });
  expect(await tablesIn(bare.url)).toBe(0);
});

test('without a pg_dump that will do the tables go by COPY, and a line says why', async () => {
  const rig = await BackupRig.start(scene);
  const tried = async (scripts: Record<string, string>, ...more: string[]): Promise<string> => {
    const file = `${rig.file}-${tries++}`;
    const made = await rig.command(rig.here, ['backup', file, ...more], toolsOf(scripts));
    expect(made).toMatchObject({ code: 0, err: '' });
    expect((await filesIn(file)).map(({ name }) => name)).toContain('tables/sites');
    return made.out;
  };
  let tries = 0;
  const old = 'echo "pg_dump (PostgreSQL) 9.6.24"';
  const told = path.join(scene.dir, 'told');
  const failing = `if [ "$1" = --version ]; then echo "pg_dump (PostgreSQL) 99.1 (Debian 99.1-1)"; exit; fi
echo "$*" > ${told}; echo "$PGPASSWORD" >> ${told}
echo 'pg_dump: error: connection to server failed' >&2; exit 1`;
  expect(await tried({})).toMatch(/by COPY: pg_dump is not installed/);
  expect(await tried({ pg_dump: old })).toMatch(/by COPY: pg_dump 9\.6\.24 is older than the server, which/);
  const [, secret = '-'] = /:([^:@/]+)@/.exec(rig.url) ?? [];
  expect(await tried({ pg_dump: failing })).toMatch(
    /by COPY, for pg_dump failed: pg_dump: error: connection/,
  );
  const [words = '', password] = readFileSync(told, 'utf8').split('\n');
  expect(words).toMatch(/--format=custom .*--snapshot=\S+ --schema="public" .*--no-password/);
  expect([words.includes(secret), password]).toEqual([false, secret]);
  expect(await tried({ pg_dump: failing }, '--copy')).not.toMatch(/COPY/);
});

const table = { name: 'notes', columns: ['id', 'user'] };
const head =
  '\\restrict abc\n\nSET client_encoding = \'UTF8\';\nCOPY public.notes (id, "user") FROM stdin;\n';
const rows = '1\ta\\\\.b\n2\t\\N\n3\t\\\\.\n';

async function read(text: string, step: number): Promise<string> {
  async function* parts(): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
  }
  const read: Buffer[] = [];
  for await (const part of rowsOf(parts(), table)) read.push(part);
  return Buffer.concat(read).toString();
}

test('rows are read out of what pg_restore writes, however its bytes come', async () => {
  for (const step of [1, 2, 3, 7, 50, 1_000]) {
    expect(await read(`${head}${rows}\\.\n\n\n\\unrestrict abc\n`, step)).toBe(rows);
    expect(await read(`${head}\\.\n\n`, step)).toBe('');
  }
});

test('rows that end early, other columns and a table that is not there are errors', async () => {
  await expect(read(`${head}${rows}`, 9)).rejects.toThrow(/no end of notes/);
  await expect(read(head.replace('"user"', 'name'), 9)).rejects.toThrow(/other columns of notes/);
  await expect(read('SET x = 1;\n', 9)).rejects.toThrow(/no notes/);
});
