// The hub's own Postgres: started, joined, taken over, stopped, under root and under a plain account.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findRunning } from '../../hq/store/embedded/process.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../hq/store/embedded/server.ts';
import { clientOf, createDatabase, removeState } from '../support/postgres.ts';

const flags = { fsync: 'off' };
const asRoot = process.getuid?.() === 0;
let dir: string;
let lines: string[];
let started: EmbeddedPostgres[];
const log = { info: (line: string) => void lines.push(line), warn: (line: string) => void lines.push(line) };

async function start(more: { port?: number; dir?: string } = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dir, log, flags, ...more });
  started.push(server);
  return server;
}

async function ask<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = clientOf(url);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

const portOf = (server: EmbeddedPostgres) => Number(new URL(server.url).port);

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), `fieldline-test-${process.pid}-`));
  await chmod(dir, 0o711);
  lines = [];
  started = [];
});

afterEach(async () => {
  for (const server of started) await server.stop();
  await removeState(dir);
});

test('starts, sorts by byte, keeps Unicode case rules, and guards its password', async () => {
  const server = await start();
  expect(server.owner).toBe(true);
  const sorted = await ask<{ v: string }>(
    server.url,
    `select v from (values ('a'), ('B'), ('é'), ('Z')) t(v) order by v`,
  );
  expect(sorted.map((row) => row.v)).toEqual(['B', 'Z', 'a', 'é']);
  expect(
    await ask(
      server.url,
      `select lower('É') as l, current_setting('server_encoding') as e, current_setting('TimeZone') as z`,
    ),
  ).toEqual([{ l: 'é', e: 'UTF8', z: 'UTC' }]);
  expect((await stat(path.join(dir, 'postgres', 'password'))).mode & 0o777).toBe(0o600);
  const wrong = new URL(server.url);
  wrong.password = 'wrong';
  await expect(ask(wrong.href, 'select 1')).rejects.toThrow(/password/);
});

test('keeps durability unless told otherwise', async () => {
  const server = await startEmbeddedPostgres({ dir, log });
  started.push(server);
  expect(
    await ask(server.url, `select current_setting('fsync') as f, current_setting('synchronous_commit') as s`),
  ).toEqual([{ f: 'on', s: 'on' }]);
});

test('a second hub joins; only the first one stops the server; stopping twice is harmless', async () => {
  const first = await start();
  const second = await start();
  expect(second).toMatchObject({ owner: false, url: first.url });
  await second.stop();
  expect(await ask(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await Promise.all([first.stop(), first.stop()]);
  expect(await findRunning(first.dataDir)).toBeUndefined();
  await first.stop();
});

test('hubs that start at the same moment share one server with one owner', async () => {
  const all = await Promise.all([start(), start(), start()]);
  expect(new Set(all.map((server) => server.url)).size).toBe(1);
  expect(all.filter((server) => server.owner)).toHaveLength(1);
});

test('a restart keeps data and port', async () => {
  const first = await start();
  await ask(first.url, 'create table kept as select 7 as n');
  await first.stop();
  const second = await start();
  expect(portOf(second)).toBe(portOf(first));
  expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
});

test('takes another port when its own is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const server = await start({ port });
  expect(portOf(server)).not.toBe(port);
  expect(lines.join('\n')).toContain(`port ${port} is taken`);
  taken.close();
});

describe('after a crash', () => {
  // A hub of its own, so that it can be killed.
  async function startElsewhere(): Promise<ChildProcess> {
    const module = path.resolve(import.meta.dirname, '../../hq/store/embedded/server.ts');
    const script = `
      const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
      const log = { info() {}, warn() {} };
      await startEmbeddedPostgres({ dir: ${JSON.stringify(dir)}, log, flags: { fsync: 'off' } });
      console.log('up');`;
    const hub = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(hub.stdout, 'data');
    return hub;
  }

  test('a hub that was killed leaves the server to the next, which then owns it', async () => {
    const hub = await startElsewhere();
    const pid = (await findRunning(path.join(dir, 'postgres', 'data')))?.pid;
    hub.kill('SIGKILL');
    const next = await start();
    expect(next.owner).toBe(true);
    expect((await findRunning(next.dataDir))?.pid).toBe(pid);
    await next.stop();
    expect(await findRunning(next.dataDir)).toBeUndefined();
  });

  test('Ctrl-C in the hub’s process group does not reach the server', async () => {
    const hub = await startElsewhere();
    const server = await findRunning(path.join(dir, 'postgres', 'data'));
    const groupOf = async (pid: number) =>
      (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[2];
    expect(await groupOf(server?.pid ?? 0)).toBe(String(server?.pid));
    hub.kill('SIGKILL');
    await (await start()).stop();
  });

  test('a server that was killed recovers what was committed', async () => {
    const first = await start();
    await ask(first.url, 'create table kept as select 7 as n; checkpoint');
    process.kill((await findRunning(first.dataDir))?.pid ?? 0, 'SIGKILL');
    const second = await start();
    expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  test('a lock file whose process id went to another program does not keep the server down', async () => {
    const first = await start();
    await first.stop();
    const account = await stat(first.dataDir);
    const other = spawn('sleep', ['60'], { uid: account.uid, gid: account.gid });
    await once(other, 'spawn');
    await writeFile(
      path.join(first.dataDir, 'postmaster.pid'),
      `${other.pid}\n${first.dataDir}\n0\n1\n\n127.0.0.1\n\nready\n`,
    );
    expect((await start()).owner).toBe(true);
    other.kill();
  });
});

test('says what Postgres said when it cannot start', async () => {
  await expect(startEmbeddedPostgres({ dir, log, flags: { no_such_setting: '1' } })).rejects.toThrow(
    /no_such_setting/,
  );
});

if (asRoot)
  test('as root, the server runs under another account', async () => {
    const server = await start();
    const running = await findRunning(server.dataDir);
    expect((await stat(`/proc/${running?.pid}`)).uid).not.toBe(0);
    expect((await stat(server.dataDir)).uid).not.toBe(0);
  });

if (asRoot)
  test('as root below a private folder, data is kept elsewhere, and found again once the folder is open', async () => {
    await chmod(dir, 0o700);
    const closed = path.join(dir, 'checkout');
    await mkdir(closed);
    const first = await start({ dir: closed });
    const link = path.join(closed, 'postgres', 'data');
    try {
      expect((await lstat(link)).isSymbolicLink()).toBe(true);
      expect(await readlink(link)).toBe(first.dataDir);
      expect(
        lines.filter((line) => line.includes(path.dirname(first.dataDir)) && line.includes('is kept in')),
      ).toHaveLength(1);
      await ask(first.url, 'create table kept as select 7 as n');
      await first.stop();
      await chmod(dir, 0o755);
      const second = await start({ dir: closed });
      expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
      await second.stop();
    } finally {
      await first.stop();
      await removeState(closed);
    }
  });

test('each test file gets a database of its own', async () => {
  const [one, two] = [await createDatabase(), await createDatabase()];
  await ask(one.url, 'create table only_here (n int)');
  expect(await ask(two.url, `select to_regclass('only_here') as t`)).toEqual([{ t: null }]);
  await one.drop();
  await two.drop();
  await expect(ask(one.url, 'select 1')).rejects.toThrow(/does not exist/);
});
