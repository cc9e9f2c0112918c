// Why the link to headquarters does not work, as a technician reads it in either language: a real site, a
// real hub.
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../site/cli/main.ts';
import { readSiteConfig } from '../../site/config.ts';
import { type } from '../support/command.ts';
import { type HubHere, SettableClock, startHubHere, startSiteHere } from '../support/in-process.ts';
import { freePort, Scene } from '../support/process.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';

const scene = new Scene();
const clock = new SettableClock();
let hub: HubHere;
let key: string;
let tls: https.Server;
const pem = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, '../support/tls', `${name}.pem`), 'utf8');
beforeAll(async () => {
  hub = await startHubHere(scene, clock);
  const made = await hub.call('POST', '/api/core/sites', { instance: 'site-1', tenants: ['acme'] });
  const { keyId, secret } = jsonOf<{ keyId: string; secret: string }>(expectStatus(made, 201));
  key = `${keyId}:${secret}`;
  tls = https.createServer({ cert: pem('receiver'), key: pem('receiver-key') }).listen(0, '127.0.0.1');
});
afterAll(async () => {
  tls.close();
  await scene.close();
});

interface Given {
  instance?: string;
  url?: string;
  key?: string;
}

/** `setup`, which tries the link first and saves nothing when it does not work. */
async function setup(language: 'en' | 'zh', given: Given): Promise<{ code: number; out: string }> {
  let out = '';
  const file = path.join(scene.dir, `${language}.env`);
  const argv = [
    'setup',
    '--file',
    file,
    '--instance',
    given.instance ?? 'site-1',
    '--url',
    given.url ?? hub.hub.url,
    '--key',
    given.key ?? key,
    '--lang',
    language,
  ];
  const config = readSiteConfig({ CORE_DATA_DIR: path.join(scene.dir, 'site') });
  const terminal = { out: (text: string) => void (out += text) };
  return { code: Number(await runCommand(argv, { env: {}, readConfig: () => config, terminal })), out };
}

async function bothSay(given: Given, en: RegExp, zh: RegExp): Promise<void> {
  const [english, chinese] = [await setup('en', given), await setup('zh', given)];
  expect([english.code, chinese.code]).toEqual([1, 1]);
  expect(english.out).toMatch(en);
  expect(english.out).not.toMatch(/\p{Script=Han}/u);
  expect(chinese.out).toMatch(zh);
  expect(chinese.out).toMatch(/^链路测试不通过：/);
  // Nothing of the English sentence is left between the particulars.
  expect(chinese.out).not.toMatch(/[a-z]{2,} [a-z]{2,} [a-z]{2,}/);
}

test('setup trusts the authority that it is given, and leaves it for the service', async () => {
  const front = https.createServer(
    { cert: pem('receiver'), key: pem('receiver-key') },
    (request, response) => {
      const { method, headers, url } = request;
      const onward = http.request(`${hub.hub.url}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    },
  );
  await once(front.listen(0, '127.0.0.1'), 'listening');
  const { port } = front.address() as AddressInfo;
  const file = path.join(scene.dir, 'authority', 'site.env');
  const ca = path.resolve(import.meta.dirname, '../support/tls/authority.pem');
  const given = ['--file', file, '--instance', 'site-1', '--url', `https://127.0.0.1:${port}`, '--key', key];
  const setUp = (...more: string[]) => type('site/main.ts', ['setup', ...given, ...more]);

  const refused = await setUp();
  expect([refused.code, existsSync(file)]).toEqual([1, false]);
  const none = path.join(scene.dir, 'none.pem');
  writeFileSync(none, 'no certificate');
  expect(await setUp('--ca', none)).toMatchObject({
    code: 2,
    err: expect.stringContaining('no certificate in PEM'),
  });
  expect(await setUp('--ca', ca)).toMatchObject({ code: 0, err: '' });
  const kept = path.join(path.dirname(file), 'headquarters-ca.pem');
  expect(readFileSync(file, 'utf8')).toContain(`NODE_EXTRA_CA_CERTS=${kept}\n`);
  expect(readFileSync(kept, 'utf8')).toBe(readFileSync(ca, 'utf8'));
  expect(await setUp()).toMatchObject({ code: 0, err: '' });
  front.close();
});

describe('setup refuses a link', () => {
  test('with another key', async () => {
    await bothSay({ key: 'nobody:nothing' }, /headquarters does not know this key/, /总部无法识别此密钥/);
    await bothSay({ key: `${key}x` }, /does not know this key, or the secret is mistyped/, /或密钥输入有误/);
  });

  test('with another name', async () => {
    await bothSay({ instance: 'site-2' }, /the key is not of the site site-2/, /密钥不属于站点 site-2/);
  });

  test('with another clock, and names that of headquarters', async () => {
    clock.offset = 3_600_000;
    await bothSay(
      {},
      /clock of this machine is wrong: headquarters has \d{4}-\d\d-\d\dT/,
      /总部时间为 \d{4}-\d\d-\d\dT/,
    );
    clock.offset = 0;
  });

  test('to where nothing listens, and names the address', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { host } = new URL(url);
    await bothSay(
      { url },
      new RegExp(`cannot be reached at ${url}/: nothing listens at ${host} \\(ECONNREFUSED\\)`),
      new RegExp(`连不上总部 ${url}/：${host} 没有程序监听（ECONNREFUSED）`),
    );
  });

  test('to a name that is not known', async () => {
    await bothSay(
      { url: 'http://headquarters.invalid' },
      /name of headquarters\.invalid (?:is not known|could not be looked up)/,
      /域名 headquarters\.invalid（(?:ENOTFOUND|EAI_AGAIN)）/,
    );
  });

  test('with a certificate of an unknown issuer, or without TLS at all', async () => {
    const { port } = tls.address() as AddressInfo;
    await bothSay(
      { url: `https://127.0.0.1:${port}` },
      /certificate of 127\.0\.0\.1:\d+ is of an issuer that is not known here/,
      /本机不信任 127\.0\.0\.1:\d+ 的证书颁发者（\w+）/,
    );
    await bothSay({ url: hub.hub.url.replace('http:', 'https:') }, /does not speak TLS/, /不使用 TLS/);
  });

  test('to another program', async () => {
    const other = http
      .createServer((_, answer) => answer.writeHead(404).end('not here'))
      .listen(0, '127.0.0.1');
    await once(other, 'listening');
    await bothSay(
      { url: `http://127.0.0.1:${(other.address() as AddressInfo).port}` },
      /answers 40\d, but not as headquarters does/,
      /返回 40\d，但不是总部的应答/,
    );
    other.close();
  });

  test('and saves one that works', async () => {
    expect((await setup('zh', {})).out).toMatch(/^总部有应答，密钥和站点名称正确。\n已保存到 /);
    expect((await setup('en', {})).out).toMatch(/^Headquarters answers, knows the key/);
  });
});

describe('a running site', () => {
  interface Facts {
    uplink: {
      channels: { lastError: string | null; lastErrorCode: string | null; lastErrorZh: string | null }[];
    };
    alarms: { key: string; code: string; message: string; messageZh: string }[];
  }

  test('tells the fault of its link, and the alarm of its clock with the seconds, in both languages', async () => {
    const keyFile = path.join(scene.dir, 'key');
    writeFileSync(keyFile, key);
    clock.offset = -3_600_000;
    const env = { CORE_UPLINK_URL: hub.hub.url, CORE_UPLINK_KEY_REF: `file:${keyFile}` };
    const here = await startSiteHere(scene, { env });
    const facts = await until('the clock is refused', async () => {
      const read = jsonOf<Facts>(expectStatus(await here.call('GET', '/api/core/site/status'), 200));
      return read.alarms.some(({ key: name }) => name === 'clock_skewed') ? read : null;
    });
    const failed = facts.uplink.channels.find(({ lastError }) => lastError !== null);
    expect(failed?.lastErrorCode).toBe('clock_ahead');
    expect(failed?.lastError).toMatch(/refused the time of this site, which is (?:3599|36\d\d) s ahead/);
    expect(failed?.lastErrorZh).toMatch(/本机时钟快 (?:3599|36\d\d) 秒，请校时/);
    const alarm = facts.alarms.find(({ code }) => code === 'clock_skewed');
    // Each call to headquarters measures the seconds anew.
    const english = /\d{4} s ahead; set the clock\. Nothing goes to headquarters until then\.$/m;
    const chinese = /本机时钟快 \d{4} 秒，请校时。校时之前暂停上传。$/m;
    expect(alarm?.message).toMatch(english);
    expect(alarm?.messageZh).toMatch(chinese);
    const { items } = jsonOf<{ items: { code: string; messageZh: string }[] }>(
      await here.call('GET', '/api/core/alarms'),
    );
    expect(items).toMatchObject([
      { code: 'clock_skewed', messageZh: expect.stringMatching(chinese) as string },
    ]);

    const saidWith = async (more: Record<string, string>, ...argv: string[]): Promise<string> => {
      let out = '';
      const config = readSiteConfig({
        CORE_DATA_DIR: path.join(scene.dir, 'site'),
        CORE_INSTANCE: 'site-1',
        ...more,
      });
      const terminal = { out: (text: string) => void (out += text) };
      await runCommand(argv, { env: {}, readConfig: () => config, terminal });
      return out;
    };
    const said = (...argv: string[]): Promise<string> => saidWith(env, ...argv);
    const screen = await said('status', '--lang', 'zh');
    expect(screen).toMatch(chinese);
    expect(screen).toMatch(/本机时钟快 (?:3599|36\d\d) 秒，请校时(?!。校时之前)/);
    expect(screen).not.toMatch(english);
    expect(await said('status', '--lang', 'en')).toMatch(english);
    expect(await said('check', '--lang', 'zh')).toMatch(/本机时钟不对：总部时间为/);
    expect(await said('check', '--lang', 'en')).toMatch(
      /the clock of this machine is wrong: headquarters has/,
    );
    // A shell that knows of no headquarters hears what the running site finds.
    expect(await saidWith({}, 'check')).toMatch(/^LOOK +headquarters +.*refused the time of this site/m);
    clock.offset = 0;
  });
});
