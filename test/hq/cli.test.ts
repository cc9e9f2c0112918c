// `fieldline-hq` as an operator types it, against a running hub.
import { once } from 'node:events';
import { mkdirSync, statSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readArchive } from '../../common/archive.ts';
import { runCommand } from '../../hq/cli/main.ts';
import { hubTable } from '../../hq/cli/table/table.ts';
import { type, type Typed, typeUnwritten } from '../support/command.ts';
import { startHubProgram } from '../support/deployment.ts';
import { clientOf, createDatabase, createHubDatabase } from '../support/postgres.ts';
import { freePort, Program, Scene } from '../support/process.ts';
import { signedCall } from '../support/request.ts';

const scene = new Scene();
let hub: Program;
beforeAll(async () => {
  const database = await createHubDatabase();
  scene.onClose(() => database.drop());
  hub = await startHubProgram(scene, database.url);
});
afterAll(() => scene.close());

const command = (...argv: string[]): Promise<Typed> =>
  type('hq/main.ts', argv, {
    CORE_DATA_DIR: hub.options.dataDir,
  });
const keyIn = (text: string): { keyId: string; secret: string } => {
  const [, keyId = '', secret = ''] = /^\s*(site-[\w-]+):(fls_\S+)$/m.exec(text) ?? [];
  return { keyId, secret };
};
/** 400 for a body that is no uplink request: the key opened the door. */
const knock = async (key: { keyId: string; secret: string }): Promise<number> =>
  (await signedCall({ url: hub.url, key, method: 'POST', path: '/api/core/uplink/events', body: '{}' }))
    .status;

test('a site is added, listed with its key, given a new secret and removed', async () => {
  expect((await command('site', 'list')).out).toContain('No site is registered');
  const added = await command('site', 'add', 'tunnel-7', '--tenant', 'acme', '--tenant', '集团');
  expect(added).toMatchObject({ code: 0, err: '' });
  expect(added.out).toContain('CORE_INSTANCE=tunnel-7');
  const key = keyIn(added.out);
  expect(await knock(key)).toBe(400);

  const { out } = await command('site', 'list');
  expect(out).toMatch(
    /^INSTANCE +TENANTS +KEYS +SINCE +SILENT AFTER +STATE +WAITS THERE +WAITS HERE +FAILED\n/,
  );
  expect(out).toContain(key.keyId);
  expect(out).toContain('acme, 集团');
  expect((await command('site', 'tenants', 'tunnel-7', '--tenant', 'acme')).out).toBe(
    'tunnel-7 may bring events of: acme\n',
  );

  const rotated = keyIn((await command('site', 'rotate', 'tunnel-7', key.keyId)).out);
  expect(rotated.keyId).toBe(key.keyId);
  expect([await knock(key), await knock(rotated)]).toEqual([400, 400]);
  expect(await command('site', 'remove', 'tunnel-7')).toMatchObject({ code: 0 });
  expect((await command('site', 'list')).out).toContain('No site is registered');
});

test('what the hub refuses is told in its words', async () => {
  await command('site', 'add', 'twice', '--tenant', 'acme');
  const again = await command('site', 'add', 'twice', '--tenant', 'acme');
  expect(again).toMatchObject({ code: 2, out: '' });
  expect(again.err).toBe(
    'fieldline-hq: The site twice is registered already; rotate its key, or remove it first.\n',
  );
  expect((await command('site', 'rotate', 'twice', 'site-none')).err).toContain(
    'The key site-none of the site twice',
  );
});

test('a hub that does not run is said so', async () => {
  const nowhere = path.join(scene.dir, 'nowhere');
  const silent = await type('hq/main.ts', ['site', 'list'], { CORE_DATA_DIR: nowhere });
  expect(silent).toMatchObject({ code: 2, out: '' });
  expect(silent.err).toContain(`the hub does not answer at ${nowhere}/admin.sock`);
});

test('the local socket is for the owner and the group alone, and a second process leaves it to the first', async () => {
  const socket = path.join(hub.options.dataDir, 'admin.sock');
  expect(statSync(socket).mode & 0o777).toBe(0o660);
  const { dataDir, env } = hub.options;
  const second = new Program({ main: 'hq/main.ts', dataDir, port: await freePort(), env: env ?? {} });
  scene.onClose(() => second.kill());
  await second.start();
  expect(await command('site', 'list')).toMatchObject({ code: 0 });
  await second.stop();
  expect(await command('site', 'list')).toMatchObject({ code: 0 });
});

test('a hub that ends in the middle of its answer is said so', async () => {
  const dying = http
    .createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{', () => response.destroy());
    })
    .listen(path.join(scene.dir, 'dying.sock'));
  await once(dying, 'listening');
  const socket = path.join(scene.dir, 'dying.sock');
  const cut = await type('hq/main.ts', ['site', 'list'], {
    CORE_DATA_DIR: hub.options.dataDir,
    CORE_ADMIN_SOCKET: socket,
  });
  dying.close();
  expect(cut).toEqual({
    code: 2,
    out: '',
    err:
      `fieldline-hq: the hub does not answer at ${socket}; is it running, and with the same ` +
      `CORE_DATA_DIR? See: systemctl status fieldline-hq (the answer broke off)\n`,
  });
});

test('a program that cannot start says in one line why, with no password in it', async () => {
  const run = (name: string, main: string, env: Record<string, string>): Promise<Typed> =>
    type(main, ['run'], { CORE_DATA_DIR: path.join(scene.dir, name), CORE_LOG_LEVEL: 'fatal', ...env });
  const runHub = (name: string, url: string): Promise<Typed> =>
    run(name, 'hq/main.ts', { DATABASE_URL: url, CORE_DOC_DIR: path.join(scene.dir, name) });
  const [unreachable, refused, taken] = await Promise.all([
    runHub('unreachable', 'postgres://me:hunter2@127.0.0.1:1/db'),
    runHub('refused', hub.env.DATABASE_URL?.replace(/\/[^/]+$/, '/no_such_database') ?? ''),
    run('taken', 'site/main.ts', { CORE_LISTEN: `127.0.0.1:${hub.options.port}` }),
  ]);
  expect([unreachable, refused, taken].map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(unreachable.err).toMatch(
    /^fieldline-hq: The database cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1\. Check DATABASE_URL.*\n$/,
  );
  expect(refused.err).toMatch(
    /^fieldline-hq: The database cannot be used: database "no_such_database" does not exist\. .*\n$/,
  );
  expect(taken.err).toMatch(
    /^fieldline-site: Cannot listen at 127\.0\.0\.1:\d+: another program listens there already\. Set CORE_LISTEN.*\n$/,
  );
});

test('a wrong command line is told what is wrong and how it is typed', async () => {
  const wrong = [['site', 'add', 'x'], ['site', 'rotate', 'x'], ['nonsense'], ['index'], ['migrate', 'now']];
  const typed = await Promise.all(wrong.map((argv) => command(...argv)));
  expect(typed.map(({ code, out }) => ({ code, out }))).toEqual(wrong.map(() => ({ code: 2, out: '' })));
  expect(
    typed.map(
      ({ err }) => /\nUsage: fieldline-hq [^\n]+\nHelp: fieldline-hq/.test(err) && !err.includes('    at '),
    ),
  ).toEqual(wrong.map(() => true));
});

test('a help that is asked for does nothing, needs no configuration, and ends with 0', async () => {
  const readConfig = (): never => {
    throw new Error('a help needs no configuration');
  };
  for (const { name } of hubTable.commands.filter((one) => one.name !== 'help')) {
    let out = '';
    const terminal = { out: (text: string) => void (out += text) };
    const argv = [...name.split(' '), '--help'];
    expect(await runCommand(argv, { env: {}, readConfig, terminal }), name).toBe(0);
    expect(out.startsWith(`Usage: fieldline-hq ${name}`), name).toBe(true);
  }
  const broken = { CORE_LISTEN: 'nonsense', DATABASE_URL: 'nonsense' };
  for (const name of ['migrate', 'run'])
    expect(await type('hq/main.ts', [name, '--help'], broken)).toMatchObject({ code: 0, err: '' });
});

test('status and check tell of the hub and its sites, in both languages and to programs, and when it is down', async () => {
  await command('site', 'add', 'tunnel-8', '--tenant', 'acme');
  const status = await command('status');
  expect([status.code, status.err]).toEqual([1, '']);
  expect(status.out).toMatch(/^● TAKE A LOOK[^]*\nthe database takes writes\nno alarm stands\n/);
  expect(status.out).toMatch(/^SITE +STATE +LAST HEARD[^]*^tunnel-8 +silent +never +- +0 +0 +-$/m);
  expect((await command('status', '--lang', 'zh')).out).toMatch(/^● 需要查看[^]*^tunnel-8 +失联 +从未/m);
  expect(JSON.parse((await command('status', '--json')).out)).toMatchObject({
    running: true,
    exit: 1,
    storing: true,
    sites: expect.arrayContaining([expect.objectContaining({ instance: 'tunnel-8', state: 'silent' })]),
  });
  const check = await command('check');
  expect(check).toMatchObject({ code: 1, err: '' });
  expect(check.out).toMatch(
    /^ok +service +runs, version \S+\nok +database [^]*^LOOK +sites +tunnel-8 is silent, never heard/m,
  );
  await command('site', 'remove', 'tunnel-8');

  const nowhere = { CORE_DATA_DIR: path.join(scene.dir, 'nowhere') };
  expect(await type('hq/main.ts', ['status'], nowhere)).toMatchObject({
    code: 2,
    out: expect.stringMatching(/^● NOT RUNNING\n/),
  });
  const down = await type('hq/main.ts', ['check', '--json'], nowhere);
  expect([down.code, JSON.parse(down.out)]).toMatchObject([
    2,
    { exit: 2, findings: [{ name: 'service', level: 'bad' }] },
  ]);
});

test('a disk that takes no writes, and a database that cannot be reached, are told with what to do', async () => {
  const unwritten = await typeUnwritten('hq/main.ts', ['status'], { CORE_DATA_DIR: hub.options.dataDir });
  expect(unwritten).toMatchObject({ code: 2, err: '' });
  expect(unwritten.out).toMatch(
    /^● NOT WELL[^]*^the disk under \S+ takes no writes .*Put another in its place/m,
  );

  const dir = path.join(scene.dir, 'away');
  mkdirSync(dir);
  const away = http.createServer((_request, response) =>
    response.writeHead(503).end('{"error":"store_away"}'),
  );
  await once(away.listen(path.join(dir, 'admin.sock')), 'listening');
  for (const asked of ['status', 'check']) {
    const said = await type('hq/main.ts', [asked], { CORE_DATA_DIR: dir });
    expect(said).toMatchObject({ code: 2, err: '' });
    expect(said.out).toMatch(/is PostgreSQL running, and its disk neither full nor read-only/);
  }
  away.close();
});

test('the archive for support holds what the hub tells, and no secret of its configuration', async () => {
  const file = path.join(scene.dir, 'bundle.tgz');
  const env = { ...hub.env, CORE_DATA_DIR: hub.options.dataDir };
  expect(await type('hq/main.ts', ['bundle', file], env)).toMatchObject({ code: 0, err: '' });
  const texts = new Map<string, string>();
  await readArchive(file, async (name, _size, parts) => {
    let text = '';
    for await (const part of parts) text += part.toString('utf8');
    texts.set(name, text);
  });
  expect([...texts.keys()]).toEqual(expect.arrayContaining(['about.json', 'uplink.json', 'alarms.json']));
  for (const text of texts.values()) expect(text).not.toMatch(/"error"|fls_/);
  expect(texts.get('about.json')).not.toContain(new URL(hub.env.DATABASE_URL ?? '').password);
  expect(await type('hq/main.ts', ['bundle', file], env)).toMatchObject({ code: 2 });
});

test('the commands speak Chinese where the terminal does, and each list is there for programs', async () => {
  const chinese = (...argv: string[]): Promise<Typed> => command(...argv, '--lang', 'zh');
  expect((await chinese('site', 'add', 'tunnel-9', '--tenant', 'acme')).out).toMatch(
    /^tunnel-9 的密钥，只显示这一次：\n\n {2}site-\S+:fls_\S+\n[^]*fieldline-site setup --instance tunnel-9/,
  );
  expect((await chinese('site', 'list')).out).toMatch(
    /^站点 +租户 +密钥 ID +登记时间 +失联时限 +状态 +站点待上传 +总部待办 +失败\n/,
  );
  expect((await chinese('site', 'add', 'tunnel-10', '--tenant', 'acme', '--code')).out).toMatch(
    /^tunnel-10 的接入码，十分钟内有效，只能用一次：\n\n {2}([0-9A-Z-]{9})\n[^]*fieldline-site setup --url http:\/\/[\d.]+:\d+ --code \1\n/,
  );
  expect((await command('site', 'list', '--json')).out).toMatch(/"instance":"tunnel-10",[^}]*"keys":\[\]/);
  for (const list of ['site list', 'user list', 'admin-key list', 'alarms list']) {
    const { code, out } = await command(...list.split(' '), '--json');
    expect([code, JSON.parse(out)], list).toEqual([0, expect.objectContaining({ items: expect.any(Array) })]);
  }
  for (const name of ['tunnel-9', 'tunnel-10']) await command('site', 'remove', name);
});

test('migrate brings an empty database up to date, and may be repeated', async () => {
  const database = await createDatabase();
  try {
    const env = {
      DATABASE_URL: database.url,
      CORE_DATA_DIR: path.join(scene.dir, 'other'),
      CORE_LOG_LEVEL: 'warn',
    };
    for (let time = 0; time < 2; time += 1)
      expect(await type('hq/main.ts', ['migrate'], env)).toMatchObject({
        code: 0,
        out: 'The database is at this version.\n',
      });
    const client = clientOf(database.url);
    await client.connect();
    const { rows } = await client
      .query('select count(*)::int as applied from schema_versions')
      .finally(() => client.end());
    expect((rows[0] as { applied: number }).applied).toBeGreaterThan(0);
  } finally {
    await database.drop();
  }
});

test('status counts every alarm that stands, also those that it does not name', async () => {
  const client = clientOf(String(hub.env.DATABASE_URL));
  await client.connect();
  try {
    await client.query(
      `insert into alarms (key, instance, tenant_code, severity, message, raised_at, last_at, count)
       select 'kept:' || n, 'hq', null, 'warning', 'it stands', n, n, 1 from generate_series(1, 520) as n`,
    );
    const { code, out } = await command('status');
    expect(code).toBe(1);
    expect(out).toMatch(/TAKE A LOOK[^]*5[0-9]{2} alarms stand/);
    expect((await command('check')).out).toMatch(/[0-9]+ more stand: fieldline-hq alarms list/);
  } finally {
    await client.query(`delete from alarms where key like 'kept:%'`);
    await client.end();
  }
});
