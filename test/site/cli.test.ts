// `fieldline-site` as a technician types it, against a running site.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { displayWidth } from '../../common/terminal/table.ts';
import { runCommand } from '../../site/cli/main.ts';
import { siteTable } from '../../site/cli/table/table.ts';
import { type, type Typed, typeUnwritten } from '../support/command.ts';
import { startSiteProgram } from '../support/deployment.ts';
import { type Program, Scene } from '../support/process.ts';
import { request, signedCall } from '../support/request.ts';

const scene = new Scene();
let site: Program;
beforeAll(async () => {
  site = await startSiteProgram(scene);
});
afterAll(() => scene.close());

const command = (...argv: string[]): Promise<Typed> =>
  type('site/main.ts', argv, { CORE_DATA_DIR: site.options.dataDir, CORE_INSTANCE: 'site-1' });
const after = (text: string, label: string): string =>
  new RegExp(`^ *${label} +(\\S+)$`, 'm').exec(text)?.[1] ?? '';
const post = async (keyId: string, secret: string, key: string): Promise<number> =>
  (
    await signedCall({
      url: site.url,
      key: { keyId, secret },
      method: 'POST',
      path: '/api/core/events',
      body: JSON.stringify({ idempotency_key: key, type: 'fire.smoke' }),
    })
  ).status;

test('a camera is added, listed, given a new secret and removed', async () => {
  const added = await command('node', 'add', '--tenant', '集团', '--name', '北门 摄像机');
  // It says that nobody but this machine reaches the site.
  expect(added).toMatchObject({ code: 1, err: '' });
  const [keyId, secret] = [after(added.out, 'key id'), after(added.out, 'secret')].map(String) as [
    string,
    string,
  ];
  expect(added.out).toContain('/api/core/events');
  expect(await post(keyId, secret, 'a')).toBe(201);

  await command('node', 'add', '--tenant', 'acme', '--name', 'gate', '--key-id', 'gate-1');
  const { out } = await command('node', 'list');
  const [head = '', ...rows] = out.trimEnd().split('\n');
  expect(rows).toHaveLength(2);
  const since = displayWidth(head.slice(0, head.indexOf('SINCE')));
  expect(rows.map((row) => displayWidth(row.slice(0, row.search(/\d{4}-\d\d-\d\d \d\d:/))))).toEqual([
    since,
    since,
  ]);

  const rotated = await command('node', 'rotate', keyId, '--overlap-hours', '0');
  expect(await post(keyId, after(rotated.out, 'secret'), 'b')).toBe(201);
  expect(await post(keyId, secret, 'c')).toBe(401);
  expect(await command('node', 'remove', keyId)).toMatchObject({ code: 0 });
  expect(await post(keyId, after(rotated.out, 'secret'), 'd')).toBe(401);
});

test('an admin key is made, listed with its last use, rotated and withdrawn, in the language of the terminal', async () => {
  const secretIn = (out: string): string => /fla_[\w-]{43}/.exec(out)?.[0] ?? '';
  const works = async (secret: string): Promise<number> =>
    (
      await request({
        url: site.url,
        method: 'GET',
        path: '/api/core/nodes',
        headers: { 'x-admin-key': secret },
      })
    ).status;
  const added = await command('admin-key', 'add', 'script');
  expect(added).toMatchObject({ code: 0, err: '' });
  expect(await works(secretIn(added.out))).toBe(200);
  expect((await command('admin-key', 'list')).out).toMatch(
    /^script +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +\d{4}-\S+ \S+ +127\.0\.0\.1 +-$/m,
  );
  const rotated = await command('admin-key', 'rotate', 'script', '--overlap-hours', '0', '--lang', 'zh');
  expect(rotated.out).toContain('旧密钥及用它登录的会话已失效');
  expect([await works(secretIn(added.out)), await works(secretIn(rotated.out))]).toEqual([401, 200]);
  expect((await command('admin-key', 'remove', 'script')).out).toContain('script is withdrawn');
  expect(await works(secretIn(rotated.out))).toBe(401);
  expect(await command('admin-key', 'remove', 'script')).toMatchObject({ code: 2 });
});

test('login shows a code that opens a session, with the addresses of the page and a QR code', async () => {
  const shown = await command('login');
  expect(shown).toMatchObject({ code: 0, err: '' });
  expect(shown.out).toContain(`  ${site.url}\n`);
  expect(shown.out).toMatch(/[▀█▄]{20}/);
  expect(shown.out).toContain('Note: only this machine reaches that address.');
  const plain = await command('login', '--no-qr', '--lang', 'zh');
  expect(plain.out).not.toMatch(/█/);
  const code = /^ {2}([0-9A-Z]{4}-[0-9A-Z]{4})$/m.exec(plain.out)?.[1];
  const answer = await request({
    url: site.url,
    method: 'POST',
    path: '/api/core/session/login',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'fieldline' },
    body: JSON.stringify({ code }),
  });
  expect(JSON.parse(answer.text)).toMatchObject({ name: 'local', role: 'operator' });
});

test('a site with an admin key that can be guessed does not start, and says why', async () => {
  const { code, err } = await type('site/main.ts', ['run'], {
    CORE_DATA_DIR: path.join(scene.dir, 'weak'),
    CORE_LISTEN: '127.0.0.1:0',
    CORE_ADMIN_KEY_REF: 'env:WEAK',
    WEAK: '1',
  });
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(
      /CORE_ADMIN_KEY_REF: the admin key that env:WEAK holds is too weak: it has 1 character, and must have at least 24\. Make one with: openssl/,
    ),
  ]);
});

test('the status tells how it goes, also to a program', async () => {
  const words = await command('status');
  expect(words).toMatchObject({ code: 0, err: '' });
  expect(words.out).toMatch(/^site +site-1, version /m);
  expect(words.out).toMatch(/^storing +yes/m);
  expect(words.out).toContain('no headquarters is configured');
  const { code, out } = await command('status', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    running: true,
    exit: 0,
    storing: { ok: true },
    state: 'well',
    uplink: { role: 'site', enabled: false },
    alarms: [],
  });
});

test('status and checks name headquarters that the running site does not use yet', async () => {
  const env = {
    CORE_DATA_DIR: site.options.dataDir,
    CORE_INSTANCE: 'site-1',
    CORE_UPLINK_URL: 'http://127.0.0.1:1',
    CORE_UPLINK_KEY_REF: 'env:NONE',
  };
  const status = await type('site/main.ts', ['status'], env);
  expect(status.code).toBe(1);
  expect(status.out).toMatch(/^● TAKE A LOOK/);
  expect(status.out).toMatch(
    /^headquarters +the configuration names headquarters, and the running site does not/m,
  );
  expect(status.out).toContain('systemctl restart fieldline-site');
  const told = await type('site/main.ts', ['status', '--json'], env);
  expect(JSON.parse(told.out)).toMatchObject({ exit: 1, restartWanted: true, state: 'well' });
  const check = await type('site/main.ts', ['check'], env);
  expect(check).toMatchObject({ code: 1, err: '' });
  expect(check.out).toMatch(
    /^LOOK +headquarters +the configuration names it.* systemctl restart fieldline-site$/m,
  );
});

test('a site that does not run is said so, in one line and with exit code 2', async () => {
  const dir = path.join(scene.dir, 'nowhere');
  mkdirSync(dir);
  const status = await type('site/main.ts', ['status'], { CORE_DATA_DIR: dir });
  expect(status.code).toBe(2);
  expect(status.out).toContain('NOT RUNNING');
  const list = await type('site/main.ts', ['node', 'list'], { CORE_DATA_DIR: dir });
  expect(list).toMatchObject({ code: 2, out: '' });
  expect(list.err).toContain('is it running');
  expect(list.err.trimEnd().split('\n')).toHaveLength(1);
});

test('a disk that takes no writes is told at once, of a running site too, with what to do', async () => {
  const dir = path.join(scene.dir, 'unwritten');
  mkdirSync(dir);
  for (const env of [{ CORE_DATA_DIR: dir }, { CORE_DATA_DIR: site.options.dataDir }]) {
    const said = await typeUnwritten('site/main.ts', ['status'], env);
    expect(said.code).toBe(2);
    expect(said.out).not.toContain('ALL IS WELL');
    expect(said.out).toMatch(/^the disk under \S+ takes no writes .*Put another in its place/m);
    const check = await typeUnwritten('site/main.ts', ['check'], env);
    expect(check.out).toMatch(/^BAD +data +the disk under \S+ takes no writes/m);
  }
});

test('parked items: an empty list, and what cannot be done is explained', async () => {
  expect(await command('parked', 'list')).toMatchObject({ code: 0, out: 'Nothing is parked.\n' });
  const replay = await command('parked', 'replay');
  expect(replay.code).toBe(2);
  expect(replay.err).toContain('CORE_UPLINK_URL');
  const discard = await command('parked', 'discard', 'events', '7', '--by', 'li');
  expect(discard.err).toContain('A parked item 7 of events');
});

test('a wrong command line is told what is wrong, what was perhaps meant, and how it is typed', async () => {
  const wrong: [argv: string[], told: string][] = [
    [['node', 'add', '--overlap-hours', 'x'], 'there is no option --overlap-hours here'],
    [['node', 'add', '--tenat', 'acme'], 'there is no option --tenat here (did you mean --tenant?)'],
    [['node', 'add'], '--tenant is missing\n  --name is missing'],
    [
      ['node', 'rotate', '--overlap-hours', 'x'],
      'KEY is missing\n  --overlap-hours must be a number, not "x"',
    ],
    [
      ['parked', 'discard', 'event', '7', '--by', 'li'],
      'CHANNEL must be one of events, verdicts, not "event"',
    ],
    [['alarms', 'clear', 'a', 'b', '--by', 'li'], 'there are more arguments than this command takes'],
    [['node'], '"node" needs a subcommand: add, list, rotate, try, password, remove'],
    [['statsu'], 'there is no command "statsu" (did you mean status?)'],
    [['node', 'lst'], 'there is no command "node lst" (did you mean list?)'],
    [['node', 'list', '--lang', 'fr'], '--lang is zh or en'],
  ];
  for (const [argv, told] of wrong) {
    const { code, out, err } = await command(...argv);
    expect([code, out, err.includes('    at ')], argv.join(' ')).toEqual([2, '', false]);
    expect(err).toContain(`fieldline-site: ${told}`);
    if (!argv.includes('fr'))
      expect(err).toMatch(/\nUsage: fieldline-site [^\n]+\nHelp: fieldline-site.* --help\n$/);
  }
  const chinese = await command('nod', 'list', '--lang', 'zh');
  expect(chinese.err).toMatch(/^fieldline-site: 没有命令“nod”（是否想输入 node？）\n用法：/);
});

const neverRead = (): never => {
  throw new Error('a help needs no configuration');
};

test('a help that is asked for does nothing, says how it is typed, and ends with 0', async () => {
  for (const { name, summary } of siteTable.commands.filter((one) => one.name !== 'help')) {
    let out = '';
    const terminal = { out: (text: string) => void (out += text) };
    const argv = [...name.split(' '), '--help', 'x', '--nonsense', '--lang', 'zh'];
    expect(await runCommand(argv, { env: {}, readConfig: neverRead, terminal }), name).toBe(0);
    expect(out.startsWith(`用法：fieldline-site ${name}`), name).toBe(true);
    expect(out).toContain(summary.zh);
  }
  expect(await command('run', '--help')).toMatchObject({ code: 0, err: '' });
});

test('each list is there for programs, and alarms and disk can be looked at', async () => {
  const lists = ['node list', 'admin-key list', 'parked list', 'alarms list'];
  for (const list of lists) {
    const { code, out } = await command(...list.split(' '), '--json');
    expect([code, JSON.parse(out)], list).toEqual([0, expect.objectContaining({ items: expect.any(Array) })]);
  }
  expect(await command('alarms', 'list')).toMatchObject({ code: 0, out: 'No alarm stands.\n' });
  const disk = await command('disk', 'status', '--lang', 'zh');
  expect(disk).toMatchObject({ code: 0, out: expect.stringMatching(/^状态 +空间充足\n剩余\/总量 +\S+ GiB/) });
  expect(JSON.parse((await command('disk', 'status', '--json')).out)).toMatchObject({ level: 'ok' });
});

test('where the terminal is Chinese the commands are, and keys and codes stay as they are', async () => {
  const env = { CORE_DATA_DIR: site.options.dataDir, CORE_INSTANCE: 'site-1', LANG: 'zh_CN.UTF-8' };
  const setup = (...argv: string[]): Promise<Typed> =>
    type('site/main.ts', ['setup', '--file', path.join(scene.dir, 'zh', 'site.env'), ...argv], env);
  const added = await type(
    'site/main.ts',
    ['node', 'add', '--tenant', 'acme', '--name', '东门', '--key-id', 'east-1'],
    env,
  );
  expect(added.out).toMatch(/^请将以下内容填入摄像机[^]*\n {2}密钥 ID {3}east-1\n {2}密钥 {6}fln_\S+\n/);
  const [again, parked, refused, saved, english] = await Promise.all([
    type('site/main.ts', ['node', 'add', '--tenant', 'acme', '--name', '东门', '--key-id', 'east-1'], env),
    type('site/main.ts', ['parked', 'list'], env),
    setup('--instance', '北门', '--no-uplink'),
    setup('--instance', 'north', '--url', 'http://127.0.0.1:1', '--key', 'a:b', '--no-test'),
    type('site/main.ts', ['parked', 'list', '--lang', 'en'], env),
  ]);
  expect(again).toMatchObject({
    code: 2,
    err: 'fieldline-site: 密钥 ID 已被占用，请换一个（The key id east-1 is taken; choose another one.）\n',
  });
  expect(parked).toMatchObject({ code: 0, out: '没有搁置的数据。\n' });
  expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('站点名称只能用字母') });
  expect(saved).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^已保存到 [^\n]*\n[^\n]*systemctl restart fieldline-site\n$/),
  });
  expect(english.out).toBe('Nothing is parked.\n');
});

test('version and help need no running site', async () => {
  expect(await type('site/main.ts', ['version'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^fieldline-site \d+\.\d+\.\d+\n$/),
  });
  expect((await type('site/main.ts', ['--help'])).out).toMatch(/^ {2}node add +register a camera/m);
});

test('a camera that cannot sign is added by its kind, listed with it, tried and removed', async () => {
  const added = await command(
    ...['node', 'add', '--tenant', 'acme', '--name', 'yard', '--kind', 'hikvision'],
    ...['--key-id', 'yard-1', '--channel', '1=cam-yard', '--auth', 'basic'],
  );
  expect(added).toMatchObject({ code: 0, err: '' });
  expect(added.out).toMatch(/^ {2}path \(URL\) +\/in\/[\w-]{32}$/m);
  expect(added.out).toMatch(/^ {2}password +[A-Za-z0-9]{16}$/m);
  expect(added.out).toContain('Notify Surveillance Center');
  expect((await command('node', 'list')).out).toMatch(/^yard-1 +acme +yard +hikvision /m);
  expect((await command('node', 'list', '--json')).out).not.toContain('/in/');
  expect(await command('node', 'try', 'yard-1', '--seconds', '1')).toMatchObject({ code: 1 });
  expect((await command('node', 'rotate', 'yard-1')).out).toContain('/in/');
  expect(await command('node', 'add', '--tenant', 'a', '--name', 'b', '--kind', 'webhook')).toMatchObject({
    code: 2,
    err: expect.stringContaining('fields.type') as string,
  });
  expect(await command('node', 'remove', 'yard-1')).toMatchObject({ code: 0 });
  expect((await command('node', 'list')).out).not.toContain('yard-1');
});
