// Evidence files at a real site: signed upload, what is refused, what a crash leaves, and the way to a
// consumer's storage.
import { hash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../common/clock.ts';
import { EvidenceFiles } from '../../common/core/evidence/files.ts';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { SettableClock, type SiteHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';

const BYTES = randomBytes(300_000);
const digest = (bytes: Buffer): string => hash('sha256', bytes, 'hex');
const announce = (name: string, bytes = BYTES, contentType = 'image/jpeg') => ({
  name,
  content_type: contentType,
  size: bytes.length,
  sha256: digest(bytes),
});

let scene: Scene;
let here: SiteHere;
let key: SigningKey;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

async function start(env: Record<string, string> = {}, clock: Clock = systemClock): Promise<void> {
  here = await startSiteHere(scene, { clock, env: { CORE_PUSH_NETWORKS: '127.0.0.0/8', ...env } });
  key = await here.node('cam');
}

async function posted(evidence: object[], by = key): Promise<number> {
  const body = JSON.stringify({
    idempotency_key: randomBytes(6).toString('hex'),
    type: 'vehicle.intrusion',
    evidence,
  });
  const answer = expectStatus(
    await signedCall({ url: here.site.url, key: by, method: 'POST', path: '/api/core/events', body }),
    201,
  );
  return jsonOf<{ items: { id: number }[] }>(answer).items[0]?.id ?? 0;
}

const put = (target: string, body: Buffer, by = key, signed: Buffer = body): Promise<Answer> =>
  request({
    url: here.site.url,
    method: 'PUT',
    path: target,
    body,
    headers: signedHeaders(by, Date.now(), 'PUT', target, signed),
  });
const at = (id: number, name: string): string => `/api/core/events/${id}/evidence/${name}`;
const states = async (id: number): Promise<string[]> =>
  jsonOf<{ items: { state: string }[] }>(await here.call('GET', `/api/core/events/${id}/evidence`)).items.map(
    ({ state }) => state,
  );
const evidenceDir = (): string => path.join(scene.dir, 'site', 'evidence');
const kept = (): string[] =>
  readdirSync(evidenceDir(), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => one.name)
    // The mark of the folder.
    .filter((name) => !name.startsWith('.'));

test('a file that was announced is stored, and read back safely', async () => {
  await start();
  const id = await posted([announce('a.jpg'), announce('page.html', BYTES, 'text/html')]);
  expect(await states(id)).toEqual(['announced', 'announced']);
  expect((await put(at(id, 'a.jpg'), BYTES)).status).toBe(201);
  expect((await put(at(id, 'a.jpg'), BYTES)).status).toBe(200);
  expect((await put(at(id, 'page.html'), BYTES)).status).toBe(201);
  expect(await states(id)).toEqual(['stored', 'stored']);
  expect(kept()).toEqual([digest(BYTES)]);
  const answer = await here.call('GET', at(id, 'a.jpg'));
  expect(answer.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': String(BYTES.length),
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline; filename="a.jpg"',
  });
  expect((await here.call('GET', at(id, 'page.html'))).headers['content-disposition']).toBe(
    'attachment; filename="page.html"',
  );
  const audit = jsonOf<{ items: object[] }>(await here.call('GET', '/api/core/audit?action=evidence.stored'));
  expect(audit.items).toHaveLength(2);
});

test('what is not the announced file is refused, and nothing is kept of it', async () => {
  await start();
  const id = await posted([announce('a.jpg')]);
  const other = Buffer.from(BYTES.toReversed());
  const stranger = await here.node('stranger', 'other');
  const colleague = await here.node('colleague');
  const table: [string, Answer | Promise<Answer>, number][] = [
    ['other bytes', put(at(id, 'a.jpg'), other), 422],
    ['fewer bytes', put(at(id, 'a.jpg'), BYTES.subarray(1)), 422],
    ['more bytes', put(at(id, 'a.jpg'), Buffer.concat([BYTES, BYTES])), 422],
    ['other bytes under the signature of the right ones', put(at(id, 'a.jpg'), other, key, BYTES), 422],
    ['a wrong secret', put(at(id, 'a.jpg'), BYTES, { ...key, secret: 'fln_wrong' }), 401],
    ['a key that there is not', put(at(id, 'a.jpg'), BYTES, { keyId: 'nobody', secret: 'x' }), 401],
    ['a node of another tenant', put(at(id, 'a.jpg'), BYTES, stranger), 404],
    ['a name that was not announced', put(at(id, 'b.jpg'), BYTES), 404],
    ['an event that there is not', put(at(id + 1, 'a.jpg'), BYTES), 404],
    ['no signature', request({ url: here.site.url, method: 'PUT', path: at(id, 'a.jpg'), body: BYTES }), 401],
  ];
  for (const [name, answer, status] of table) expect((await answer).status, name).toBe(status);
  expect(kept()).toEqual([]);
  expect(await states(id)).toEqual(['announced']);
  expect((await put(at(id, 'a.jpg'), BYTES, colleague)).status).toBe(201);
});

test.each([
  '..%2f..%2fsite.db',
  '%2e%2e%2fadmin-key',
  '..%5c..%5csite.db',
  '%2fetc%2fpasswd',
  'a.jpg%00.png',
  '.',
  '..',
  '%2e%2e',
  'a.jpg/',
  'a.jpg%2f..',
  '%c0%ae%c0%ae',
  'a%0d%0aX:b',
])('the path %s leads nowhere', async (name) => {
  await start();
  const id = await posted([announce('a.jpg')]);
  await put(at(id, 'a.jpg'), BYTES);
  for (const answer of [await here.call('GET', at(id, name)), await put(at(id, name), BYTES)]) {
    if (name !== 'a.jpg/' && !['.', '..', '%2e%2e'].includes(name))
      expect([400, 404]).toContain(answer.status);
    expect(answer.text).not.toContain('root:');
    expect(answer.text).not.toContain('SQLite format');
  }
  expect(kept()).toEqual([digest(BYTES)]);
});

test('the limit holds: what would pass it is refused before it is written, and told at once', async () => {
  await start({ CORE_EVIDENCE_LIMIT: String(BYTES.length + 50_000) });
  const second = randomBytes(300_000);
  const id = await posted([announce('a.jpg'), announce('b.jpg', second)]);
  expect((await put(at(id, 'a.jpg'), BYTES)).status).toBe(201);
  const refused = await put(at(id, 'b.jpg'), second);
  expect([refused.status, jsonOf<{ error: string }>(refused).error]).toEqual([507, 'evidence_limit']);
  // Sooner than the look of each minute.
  const standing = async (): Promise<boolean> =>
    (await here.call('GET', '/api/core/alarms')).text.includes('evidence_room:');
  await until('an alarm tells of it', standing, 45_000);
  expect(kept()).toEqual([digest(BYTES)]);
  expect((await put(at(id, 'a.jpg'), BYTES)).status).toBe(200);
});

test('while the folder is not mounted nothing is taken, read or written onto the mount point', async () => {
  await start();
  const id = await posted([announce('a.jpg'), announce('b.jpg')]);
  expectStatus(await put(at(id, 'a.jpg'), BYTES), 201);
  const away = path.join(scene.dir, 'away');
  renameSync(evidenceDir(), away);
  for (const mountPoint of [true, false]) {
    if (mountPoint) mkdirSync(evidenceDir());
    else rmdirSync(evidenceDir());
    for (const answer of [
      await put(at(id, 'b.jpg'), BYTES),
      await put(at(id, 'a.jpg'), BYTES),
      await here.call('GET', at(id, 'a.jpg')),
    ]) {
      expect([
        answer.status,
        jsonOf<{ error: string }>(answer).error,
        Number(answer.headers['retry-after']) > 0,
      ]).toEqual([503, 'evidence_unavailable', true]);
    }
    if (mountPoint) expect(readdirSync(evidenceDir())).toEqual([]);
  }
  // A start does not make it anew either.
  expect(new EvidenceFiles(evidenceDir()).sweep(Date.now())).toBe(0);
  expect(existsSync(evidenceDir())).toBe(false);
  renameSync(away, evidenceDir());
  expectStatus(await put(at(id, 'b.jpg'), BYTES), 201);
  expect((await here.call('GET', at(id, 'a.jpg'))).status).toBe(200);
});

test('a crash before the rename leaves nothing that is shown, and the next start removes the rest', async () => {
  let fail = true;
  here = await startSiteHere(scene, {
    fileSteps: {
      beforeRename: () => (fail ? Promise.reject(new Error('the power went')) : Promise.resolve()),
    },
  });
  key = await here.node('cam');
  const id = await posted([announce('a.jpg')]);
  expect((await put(at(id, 'a.jpg'), BYTES)).status).toBe(500);
  expect(await states(id)).toEqual(['announced']);
  const incoming = (name: string): string => path.join(evidenceDir(), 'incoming', name);
  const machine = hash('sha256', os.hostname()).slice(0, 8);
  const left = [`${machine}-999999999-left`, `${machine}-${process.pid}-left`, 'elsewhere-999999999-old'];
  const arriving = [`${machine}-${process.ppid}-arriving`, 'elsewhere-999999999-arriving'];
  for (const name of [...left, ...arriving]) writeFileSync(incoming(name), BYTES.subarray(0, 10));
  utimesSync(incoming('elsewhere-999999999-old'), 0, 0);
  expect(new EvidenceFiles(evidenceDir()).sweep(Date.now())).toBe(left.length);
  expect(readdirSync(incoming('')).sort()).toEqual(arriving.sort());
  for (const name of arriving) rmSync(incoming(name));
  fail = false;
  expect((await put(at(id, 'a.jpg'), BYTES)).status).toBe(201);
  expect(kept()).toEqual([digest(BYTES)]);
});

test(
  'a consumer names a file in its receipt and gets it, also when the camera sends it later and the ' +
    'storage fails at first',
  async () => {
    const clock = new SettableClock();
    await start({}, clock);
    const storage = await new HttpPeer().open();
    const consumer = await new HttpPeer().open();
    scene.onClose(() => Promise.all([storage.close(), consumer.close()]));
    expectStatus(
      await here.call('POST', '/api/core/events/subscribe', {
        consumer: 'c',
        push_url: consumer.url,
        start_cursor: 0,
      }),
      201,
    );
    consumer.respond = ({ body }) => {
      const { items } = JSON.parse(body.toString('utf8')) as { items: { id: number }[] };
      return {
        body: JSON.stringify({
          evidence: items.map((item) => ({
            event_id: item.id,
            name: 'a.jpg',
            put_url: `${storage.url}/b/${item.id}?sig=secret`,
            headers: { 'x-amz-acl': 'private', authorization: 'Bearer of-the-consumer' },
          })),
        }),
      };
    };
    storage.respond = () => ({ status: storage.heard.length === 1 ? 500 : 200 });
    const id = await posted([announce('a.jpg')]);
    const jobs = async () =>
      jsonOf<{ items: { state: string; attempts: number; lastError: string | null; putUrl: string }[] }>(
        await here.call('GET', '/api/core/evidence/jobs'),
      ).items;
    await until('the job waits for the file', async () =>
      (await jobs())[0]?.lastError?.includes('has not sent'),
    );
    for (const name of readdirSync(scene.dir, { recursive: true, encoding: 'utf8' }).filter((one) =>
      statSync(path.join(scene.dir, one)).isFile(),
    )) {
      const text = readFileSync(path.join(scene.dir, name), 'latin1');
      for (const secret of ['of-the-consumer', 'sig=secret'])
        expect(text.includes(secret), `${secret} in ${name}`).toBe(false);
    }
    expect((await put(at(id, 'a.jpg'), BYTES)).status).toBe(201);
    await until('the storage has failed once', async () => (await jobs())[0]?.attempts === 1);
    clock.offset = 10_000;
    await until('the job is done', async () => (await jobs())[0]?.state === 'done');
    expect(await jobs()).toMatchObject([
      { state: 'done', attempts: 2, lastError: null, putUrl: `${storage.url}/b/${id}` },
    ]);
    const last = storage.heard.at(-1);
    expect(last).toMatchObject({
      method: 'PUT',
      target: `/b/${id}?sig=secret`,
      headers: {
        'x-amz-acl': 'private',
        authorization: 'Bearer of-the-consumer',
        'content-type': 'image/jpeg',
        'content-length': String(BYTES.length),
      },
    });
    expect(last && digest(last.body)).toBe(digest(BYTES));
    const listed = jsonOf<{ items: { cursor: number; push: object }[] }>(
      await here.call('GET', '/api/core/events/subscriptions'),
    ).items;
    expect(listed).toMatchObject([
      { cursor: 0, pushCursor: id, push: { failures: 0, nextAt: null, lastError: null, receiptFaults: 0 } },
    ]);
  },
  300_000,
);
