// `npm start` as a user has it, and its camera against a peer that answers as it is told.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { signatureMatches, signedHeaders } from '../../common/http/signing/signature.ts';
import { findRunning } from '../../hq/store/embedded/process.ts';
import { lockStore } from '../../site/store/engine/lock.ts';
import { NODE_ENV, type, type Typed } from '../support/command.ts';
import { longTest } from '../support/long.ts';
import { removeState } from '../support/postgres.ts';
import { Scene } from '../support/process.ts';
import { programsBuilt } from '../support/programs.ts';
import { adminCall, jsonOf, request, until } from '../support/request.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const scene = new Scene();
// As root, Postgres runs under another account, which must be able to pass.
chmodSync(scene.dir, 0o711);
const state = path.join(scene.dir, 'state');
scene.onClose(() => removeState(path.join(state, 'hq')));
afterAll(() => scene.close());

const KEY = { keyId: 'gate-1', secret: 'fln_secret' };
const TARGET = '/api/core/events';

interface Posted {
  timestamp: number;
  signed: boolean;
  events: ({ idempotency_key: string; feedback_url: string } & Record<string, unknown>)[];
}
interface Reply {
  status: number;
  body: Record<string, unknown>;
  headers?: Record<string, string>;
}

const stored = ({ events }: Posted): Reply => ({
  status: 201,
  body: {
    items: events.map((event, index) => ({
      id: index + 1,
      idempotencyKey: event.idempotency_key,
      duplicate: false,
    })),
    rejected: [],
  },
});

/** A site that gives one answer after the other, the last one for ever, and remembers what came. */
async function peer(
  ...answers: ((posted: Posted) => Reply | Promise<Reply>)[]
): Promise<{ url: string; came: Posted[] }> {
  const came: Posted[] = [];
  const take = async (incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const timestamp = Number(incoming.headers['x-core-timestamp']);
    const signed = signatureMatches(
      [KEY.secret],
      { timestamp, method: 'POST', target: TARGET, body },
      String(incoming.headers['x-core-signature']),
    );
    const parsed = JSON.parse(body.toString('utf8')) as Posted['events'][number] & {
      events?: Posted['events'];
    };
    const posted = { timestamp, signed, events: parsed.events ?? [parsed] };
    const answer = answers[Math.min(came.length, answers.length - 1)] ?? stored;
    came.push(posted);
    const reply = await answer(posted);
    outgoing
      .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      .end(JSON.stringify(reply.body));
  };
  const server = http.createServer((incoming, outgoing) => void take(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`, came };
}

async function camera(
  url: string,
  ...more: string[]
): Promise<{ code: number | null; out: string; ledger: Record<string, unknown> }> {
  const argv = [
    '--site-url',
    url,
    '--key',
    KEY.keyId,
    '--secret-ref',
    'env:SECRET',
    '--rate',
    '100',
    ...more,
  ];
  const { code, out } = await type('packaging/demo/camera.ts', argv, { SECRET: KEY.secret });
  return { code, out, ledger: JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown> };
}
const keysOf = (posted: readonly Posted[]): string[] =>
  posted.flatMap(({ events }) => events.map((event) => event.idempotency_key));

describe('the camera', () => {
  test('signs, keeps what is not acknowledged, and sends it again in order', async () => {
    const busy: Reply = {
      status: 503,
      body: { error: 'overload', message: 'busy' },
      headers: { 'retry-after': '0' },
    };
    // A stranger's 200 names no event: it must not pass for storing.
    const { url, came } = await peer(
      () => busy,
      () => ({ status: 200, body: {} }),
      stored,
    );
    const file = path.join(scene.dir, 'ledger');
    const { code, ledger } = await camera(
      url,
      '--count',
      '6',
      '--batch',
      '4',
      '--name',
      'gate',
      '--run',
      'r1',
      '--ledger',
      file,
    );
    expect(code).toBe(0);
    expect(ledger).toMatchObject({ made: 6, stored: 6, refused: 0, dropped: 0, waiting: 0 });
    expect(came.every(({ signed }) => signed)).toBe(true);
    const keys = [1, 2, 3, 4, 5, 6].map((n) => `gate-r1-00000${n}`);
    expect(keysOf(came.slice(2))).toEqual(keys);
    expect(came.slice(0, 3).map(({ events }) => events[0]?.idempotency_key)).toEqual([
      keys[0],
      keys[0],
      keys[0],
    ]);
    expect(
      readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(keys);
  });

  test('takes the time from the site, and does not hammer one that is never content', async () => {
    const ahead = (): Reply => ({
      status: 401,
      body: { error: 'clock_skew', message: 'off', serverUnixSeconds: Math.floor(Date.now() / 1000) + 3600 },
    });
    const { url, came } = await peer(ahead, ahead, stored);
    const { code, out } = await camera(url, '--count', '1', '--json');
    expect(code).toBe(0);
    expect(came).toHaveLength(3);
    expect(Math.abs((came[1] as Posted).timestamp - Date.now() / 1000 - 3600)).toBeLessThan(60);
    expect(out).toContain('the site still finds the clock off');
  });

  test('counts and names what the site refuses, and does not send it again', async () => {
    const refuseFirst = (posted: Posted): Reply => {
      const { items, ...rest } = stored(posted).body as { items: object[] };
      return {
        status: 201,
        body: {
          ...rest,
          items: items.slice(1),
          rejected: [{ index: 0, error: 'validation_failed', message: 'type is wrong' }],
        },
      };
    };
    const { url, came } = await peer((posted) =>
      posted.events.length === 1
        ? { status: 400, body: { error: 'validation_failed', message: 'no' } }
        : refuseFirst(posted),
    );
    const { code, out, ledger } = await camera(url, '--count', '3');
    expect(code).toBe(1);
    expect(Number(ledger.stored) + Number(ledger.refused)).toBe(3);
    expect(new Set(keysOf(came)).size).toBe(keysOf(came).length);
    expect(out).toContain('REFUSED by the site');
  });

  test('the same seed and run see the same things', async () => {
    const { url, came } = await peer(stored);
    for (const seed of ['7', '7', '8'])
      await camera(
        url,
        '--count',
        '4',
        '--run',
        'again',
        '--seed',
        seed,
        '--listen',
        'off',
        '--quiet',
        '--tenant',
        'acme',
      );
    const all = came.flatMap(({ events }) => events).map(({ occurred_at: _, ...event }) => event);
    expect(all).toHaveLength(12);
    expect(all.slice(4, 8)).toEqual(all.slice(0, 4));
    expect(all.slice(8)).not.toEqual(all.slice(0, 4));
    expect(all[0]).toMatchObject({ tenant_code: 'acme', idempotency_key: 'camera-again-000001' });
  });

  test('hears a verdict only when its own key signed it', async () => {
    const answers: number[] = [];
    const { url } = await peer(async (posted) => {
      const { feedback_url: feedbackUrl, local_alert_no: localAlertNo } = posted
        .events[0] as Posted['events'][number];
      const body = JSON.stringify({ localAlertNo, eventId: 1, verdict: 'confirmed', by: 'li', reason: null });
      const { origin, pathname } = new URL(feedbackUrl);
      for (const secret of ['stolen', KEY.secret]) {
        const headers = {
          'content-type': 'application/json',
          ...signedHeaders({ ...KEY, secret }, Date.now(), 'POST', pathname, body),
        };
        answers.push((await request({ url: origin, method: 'POST', path: pathname, body, headers })).status);
      }
      return stored(posted);
    });
    const { out, ledger } = await camera(url, '--count', '1');
    expect(answers).toEqual([401, 204]);
    expect(ledger).toMatchObject({ feedbackHeard: 1 });
    expect(out).toContain('verdict=confirmed by=li');
  });

  longTest('gives up on a key that the site never took, and not on one that it took before', async () => {
    const refused = (): Reply => ({ status: 401, body: { error: 'bad_signature', message: 'No such key.' } });
    const { url, came } = await peer(refused);
    const argv = ['--site-url', url, '--key', 'gate-1', '--secret', 'wrong', '--rate', '100'];
    const typed = await type('packaging/demo/camera.ts', [...argv, '--count', '3']);
    expect([typed.code, came.length]).toEqual([1, 3]);
    expect(typed.err).toMatch(
      /^camera: the site does not take the key gate-1 with this secret \(No such key\.\)/,
    );
    const known = await peer(stored, refused, refused, refused, refused, stored);
    expect((await camera(known.url, '--count', '20', '--batch', '1')).code).toBe(0);
  });

  test('a wrong command line is told in words', async () => {
    for (const argv of [
      [],
      ['--bogus'],
      ['--site-url', 'http://x', '--key', 'k', '--secret-ref', 'file:/nowhere'],
      ['--site-url', 'http://x', '--key', 'k', '--secret', 's', '--rate', 'fast'],
    ]) {
      const typed = await type('packaging/demo/camera.ts', argv);
      expect(typed).toMatchObject({ code: 2, out: '' });
      expect(typed.err).toMatch(/^camera: /);
      expect(typed.err).not.toContain('    at ');
    }
  });
});

interface Demo {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  exit: Promise<number | null>;
}

/** Variables of the user that the demonstration must not take for its own. */
const FOREIGN = {
  DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/precious',
  CORE_ADMIN_KEY_REF: 'env:NOT_SET',
  CORE_INSTANCE: 'plant-9',
};

function start(): Demo {
  const argv = [
    path.join(ROOT, 'packaging/demo/start.ts'),
    '--state-dir',
    state,
    '--summary-seconds',
    '1',
    '--any-port',
  ];
  const child = spawn(process.execPath, argv, {
    cwd: scene.dir,
    env: { ...NODE_ENV, PATH: process.env.PATH ?? '', ...FOREIGN },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  scene.onClose(() => child.kill('SIGKILL'));
  return {
    child,
    out: () => out,
    err: () => err,
    exit: once(child, 'close').then(([code]) => code as number | null),
  };
}

const figures = (demo: Demo): number[] => {
  const line =
    demo
      .out()
      .trimEnd()
      .split('\n')
      .findLast((one) => one.startsWith('site 站点')) ?? '';
  return (
    /站点 (\d+) events.*总部 (\d+) events.*结论 (\d+) since the start, (\d+) of/
      .exec(line)
      ?.slice(1)
      .map(Number) ?? [0, 0, 0, 0]
  );
};
const shows = (demo: Demo, what: string, enough: (of: number[]) => boolean): Promise<true> =>
  until(what, async () => {
    if (demo.child.exitCode !== null) throw new Error(`the demonstration ended: ${demo.out()}${demo.err()}`);
    return enough(figures(demo));
  });

async function nothingLeft(urls: readonly string[]): Promise<void> {
  const ports = Object.values(
    JSON.parse(readFileSync(path.join(state, 'demo-ports.json'), 'utf8')) as Record<string, number>,
  );
  for (const url of [...urls, ...ports.map((port) => `http://127.0.0.1:${port}`)]) {
    await expect(request({ url, method: 'GET', path: '/' })).rejects.toThrow('ECONNREFUSED');
  }
  lockStore(path.join(state, 'site', 'site.lock')).release();
  lockStore(path.join(state, 'demo.lock')).release();
  expect(await findRunning(path.join(state, 'hq', 'postgres', 'data'))).toBeUndefined();
}

/** What the business system says comes out as a snapshot to a third system. */
async function aProjectIsShown([, keyFile = '', , , address = '']: readonly string[]): Promise<void> {
  const { origin } = new URL(address);
  const key = readFileSync(path.resolve(scene.dir, keyFile), 'utf8').trim();
  const client = jsonOf<object>(
    await adminCall(origin, key, 'POST', '/api/integration/clients', { tenant_code: 'demo', name: 'test' }),
  );
  const asked = await request({
    url: origin,
    method: 'POST',
    path: '/open/v1/oauth/token',
    headers: { 'x-tenant-code': 'demo', 'content-type': 'application/json' },
    body: JSON.stringify(client),
  });
  const token = jsonOf<{ data: { access_token: string } }>(asked).data.access_token;
  await until('the project has come with its milestones and its progress', async () => {
    const answer = await request({
      url: origin,
      method: 'GET',
      path: '/open/v1/project/LINE-7/snapshot',
      headers: { authorization: `Bearer ${token}` },
    });
    if (answer.status !== 200) return false;
    const { milestones_total: milestones, actual_progress: progress } = jsonOf<{
      data: { milestones_total: number; actual_progress: number | null };
    }>(answer).data;
    return milestones > 0 && progress !== null && progress > 0;
  });
}

/** What headquarters has to work with: a picture of the site, a task with a deadline, and a regulation. */
async function thereIsWork([, keyFile = '', , , address = '']: readonly string[]): Promise<void> {
  const { origin } = new URL(address);
  const key = readFileSync(path.resolve(scene.dir, keyFile), 'utf8').trim();
  const get = (at: string) => adminCall(origin, key, 'GET', at);
  await until('a picture of an event has come up', async () => {
    const { items } = jsonOf<{ items: { id: number }[] }>(await get('/api/core/events/list?limit=50'));
    const answers = await Promise.all(
      items.map(({ id }) => get(`/api/core/events/${id}/evidence/frame.jpg?tenant_code=demo&size=small`)),
    );
    return answers.some(
      ({ status, headers }) => status === 200 && /^image\//.test(headers['content-type'] ?? ''),
    );
  });
  await until('a task of a site has its deadline', async () => {
    const { items } = jsonOf<{ items: { dueAt: string | null; assigneeOrg: string | null }[] }>(
      await get('/api/core/objects/tasks?limit=50'),
    );
    return items.some(({ dueAt, assigneeOrg }) => dueAt !== null && assigneeOrg !== null);
  });
  const regulations = await get('/api/core/kb/docs?tenant_code=demo&status=effective&all_levels=1');
  expect(jsonOf<{ items: object[] }>(regulations).items).toHaveLength(1);
}

/** The command line of a program of the demonstration, beside it. */
const command = (program: 'site' | 'hq', ...argv: string[]): Promise<Typed> =>
  type(`${program}/main.ts`, argv, { CORE_DATA_DIR: path.join(state, program) });

/** What a newcomer types: `check` agrees with `status`, and a camera of a wrong tenant is told at once. */
async function theCommandLineTells(demo: Demo): Promise<void> {
  const checked = await command('site', 'check');
  expect(checked.out).toMatch(/^ok +headquarters +the running site is connected$/m);
  expect((await command('site', 'status')).out).toMatch(/^headquarters +connected/m);
  const added = await command('site', 'node', 'add', '--tenant', 'acme', '--name', 'gate-camera');
  expect(added).toMatchObject({
    code: 1,
    out: expect.stringContaining('does not take events of the tenant'),
  });
  const [, url = ''] = /address +(http:\S+)\/api\//.exec(added.out) ?? [];
  const [keyId = '', secret = ''] = [/^ +key id +(\S+)/m, /^ +secret +(\S+)/m].map(
    (line) => line.exec(added.out)?.[1] ?? '',
  );
  const argv = ['--site-url', url, '--key', keyId, '--secret', secret, '--count', '1'];
  expect(await type('packaging/demo/camera.ts', argv)).toMatchObject({ code: 0 });
  await until('the line of figures tells of what was parked', async () =>
    /, [1-9]\d* parked 搁置 \(npm run site -- parked list\), link up/.test(demo.out()),
  );
  expect((await command('site', 'parked', 'list')).out).toMatch(/tenant_not_allowed/);
  await until('headquarters has heard of it', async () =>
    (await command('hq', 'check')).out.includes('uplink_parked'),
  );
}

/** Who gave the first verdict is answered to whoever gives a second one. */
async function theFirstVerdictStands(url: string, key: string): Promise<void> {
  const judge = (by: string, verdict: object) =>
    adminCall(url, key, 'POST', '/api/core/events/2/verdict', { by, ...verdict });
  const first = jsonOf<{ by: string; verdict: string }>(await judge('first', { verdict: 'confirmed' }));
  const second = jsonOf<object>(await judge('second', { verdict: 'false_alarm', note: 'no' }));
  expect(second).toMatchObject({ verdict: first.verdict, by: first.by, changed: false });
}

describe('npm start', () => {
  // It builds the console itself, in the same folder.
  beforeAll(programsBuilt);

  test('brings events to headquarters and verdicts to the cameras, and ends cleanly', async () => {
    const demo = start();
    await shows(
      demo,
      'events at headquarters and a verdict at a camera',
      ([, hub = 0, , heard = 0]) => hub > 0 && heard > 0,
    );
    const pasted = [
      ...demo
        .out()
        // As a shell joins the lines of one command.
        .replaceAll(/ \\\n +/g, ' ')
        .matchAll(
          /curl -s -H "X-Admin-Key: \$\(cat '([^']+)'\)" (-H .*\s+-d '([^']+)' )?'?(http:\/\/[^\s']+)'?/g,
        ),
    ];
    expect(pasted).toHaveLength(7);
    for (const [, keyFile = '', , body, address = ''] of pasted) {
      const { origin, pathname, search } = new URL(address);
      const key = readFileSync(path.resolve(scene.dir, keyFile), 'utf8').trim();
      const answer = await adminCall(
        origin,
        key,
        body ? 'POST' : 'GET',
        pathname + search,
        body ? JSON.parse(body) : undefined,
      );
      expect([address, answer.status]).toEqual([
        address,
        pathname === '/api/integration/clients' ? 201 : 200,
      ]);
      expect(jsonOf<object>(answer)).toBeTypeOf('object');
    }
    await aProjectIsShown(
      pasted.find(([, , , , address]) => address?.endsWith('/api/integration/clients')) ?? [],
    );
    await thereIsWork(
      pasted.find(([, , , , address]) => address?.endsWith('/api/integration/clients')) ?? [],
    );
    await theCommandLineTells(demo);
    const [, keyFile = '', , , address = ''] = pasted.find(([, , , , at]) => at?.endsWith('/verdict')) ?? [];
    const key = readFileSync(path.resolve(scene.dir, keyFile), 'utf8').trim();
    await theFirstVerdictStands(new URL(address).origin, key);
    demo.child.kill('SIGINT');
    // Through npm a terminal's Ctrl-C may come twice.
    demo.child.kill('SIGINT');
    expect([await demo.exit, demo.err()]).toEqual([0, '']);
    await nothingLeft(pasted.map(([, , , , address = '']) => new URL(address).origin));
  });

  longTest('goes on from what it kept, and a program that dies is told with its log', async () => {
    const demo = start();
    await shows(demo, 'events of both runs', ([, hub = 0]) => hub > 5);
    const second = await type('packaging/demo/start.ts', ['--state-dir', state, '--any-port']);
    expect(second).toMatchObject({ code: 1, out: '' });
    expect(second.err).toContain('in use by another "npm start"');

    const log =
      readFileSync(path.join(state, 'logs', 'site.log'), 'utf8')
        .trimEnd()
        .split('\n')
        .findLast((line) => line.includes('site is ready')) ?? '';
    process.kill((JSON.parse(log) as { pid: number }).pid, 'SIGKILL');
    expect(await demo.exit).toBe(1);
    expect(demo.err()).toContain('site ended by itself (SIGKILL); its log ends with:');
    await nothingLeft([]);
  });

  longTest('programs end with a demonstration that is killed', async () => {
    const demo = start();
    await shows(demo, 'running', ([site = 0]) => site > 0);
    demo.child.kill('SIGKILL');
    await demo.exit;
    await until('nothing is left', () =>
      nothingLeft([]).then(
        () => true,
        () => false,
      ),
    );
  });
});
