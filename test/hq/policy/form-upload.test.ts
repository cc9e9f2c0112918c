// A policy file registered and uploaded in one form, and forms that are meant to do harm: each is refused by
// name, and nothing of it stays on the disk.
import { hash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { signedHeaders, type SigningKey } from '../../../common/http/signing/signature.ts';
import { type Answer, expectStatus, jsonOf, request, until } from '../../support/request.ts';
import { type DocumentView, errorOf, fresh, openPolicyRig, type PolicyRig, TENANT } from './rig.ts';

const LIMIT = 25 * 1024 * 1024;
const PATH = '/api/core/kb/docs/upload';
const BOUNDARY = 'a-boundary';

let rig: PolicyRig;
beforeAll(async () => {
  rig = await openPolicyRig();
});
afterAll(() => rig.close());
const incoming = (): Promise<string[]> => readdir(path.join(rig.dir, 'uploads-incoming'));
afterEach(async () => {
  expect(await incoming()).toEqual([]);
});

const texts = (more: Record<string, string> = {}): Record<string, string> => ({
  tenant_code: TENANT,
  src_system: 'manual',
  src_key: fresh('form'),
  title: '动火作业 "A"',
  version: '1',
  ...more,
});
const text = (name: string, value: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const FILE_HEAD =
  'Content-Disposition: form-data; name="file"; filename="a.md"\r\nContent-Type: text/markdown\r\n';
const filePart = (bytes: Buffer | string, head = FILE_HEAD): Buffer =>
  Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${head}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]);
const form = (...parts: (Buffer | string)[]): Buffer =>
  Buffer.concat([...parts.map((part) => Buffer.from(part)), Buffer.from(`--${BOUNDARY}--\r\n`)]);
const textParts = (values = texts()): Buffer =>
  Buffer.from(
    Object.entries(values)
      .map(([name, value]) => text(name, value))
      .join(''),
  );

const post = (body: Buffer | string, headers: Record<string, string> = {}): Promise<Answer> =>
  request({
    url: rig.hub.url,
    method: 'POST',
    path: PATH,
    body,
    headers: {
      'x-admin-key': rig.adminKey,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...headers,
    },
  });

describe('a form', () => {
  test('as browsers make it registers and stores; the same again changes nothing', async () => {
    const bytes = Buffer.from('第一条 总则\r\n--a-bound\r\n\r\r\n');
    const sent = new FormData();
    for (const [name, value] of Object.entries(texts())) sent.append(name, value);
    sent.append('file', new Blob([bytes], { type: 'text/markdown' }), '动火.md');
    const made = new Response(sent);
    const [body, type] = [Buffer.from(await made.arrayBuffer()), made.headers.get('content-type') ?? ''];
    const first = jsonOf<DocumentView & { created: boolean; stored: boolean; sha256: string }>(
      expectStatus(await post(body, { 'content-type': type }), 201),
    );
    expect(first).toMatchObject({
      created: true,
      stored: true,
      title: '动火作业 "A"',
      fileName: '动火.md',
      contentType: 'text/markdown',
      size: bytes.length,
      sha256: hash('sha256', bytes),
    });
    const read = await rig.admin(
      'GET',
      `/api/core/kb/docs/${first.docId}/file?tenant_code=${TENANT}&all_levels=1`,
    );
    expect(read.text).toBe(bytes.toString('utf8'));
    expect(jsonOf(expectStatus(await post(body, { 'content-type': type }), 200))).toMatchObject({
      docId: first.docId,
      created: false,
      stored: false,
    });
  });

  test('may have its file first, a number among its texts, and a file of exactly the limit', async () => {
    const { docId } = await rig.effective();
    const bytes = Buffer.alloc(LIMIT, 'bytes of a file ');
    const body = form(filePart(bytes), textParts(texts({ supersedes: String(docId) })));
    expect(jsonOf(expectStatus(await post(body), 201))).toMatchObject({ size: LIMIT, supersedes: docId });
  });

  test.each(['\r\n', '\r', `\r\n--${BOUNDARY.slice(0, -1)}`])(
    'keeps a file of nothing but %j',
    async (fill) => {
      const bytes = Buffer.alloc(1024 * 1024, fill);
      const answer = expectStatus(await post(form(textParts(), filePart(bytes))), 201);
      expect(jsonOf(answer)).toMatchObject({ size: bytes.length, sha256: hash('sha256', bytes) });
    },
  );

  test('of a caller who may not is refused before it is read', async () => {
    const bare = { 'x-admin-key': 'wrong', 'content-length': String(LIMIT) };
    expect((await post(form(textParts()), { 'x-admin-key': 'wrong' })).status).toBe(401);
    const head = Object.entries({ host: 'a', 'content-type': 'multipart/form-data', ...bare })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(new URL(rig.hub.url).port), '127.0.0.1');
      let got = '';
      socket.on('data', (part) => (got += String(part)));
      socket.on('error', reject);
      socket.on('close', () => resolve(got));
      socket.write(`POST ${PATH} HTTP/1.1\r\n${head}\r\n`);
    });
    expect(answer.slice(0, 12)).toBe('HTTP/1.1 401');
  });

  test('that is signed is proved before it is told that no key is for it', async () => {
    const node = jsonOf<SigningKey>(
      expectStatus(
        await rig.admin('POST', '/api/core/nodes', { tenant_code: TENANT, name: fresh('n') }),
        201,
      ),
    );
    const body = form(textParts(), filePart('x'));
    const send = (key: SigningKey): Promise<Answer> =>
      request({
        url: rig.hub.url,
        method: 'POST',
        path: PATH,
        body,
        headers: {
          'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
          ...signedHeaders(key, rig.clock.now(), 'POST', PATH, body),
        },
      });
    expect(errorOf(await send(node))).toEqual([403, 'forbidden']);
    expect(errorOf(await send({ ...node, secret: 'other' }))).toEqual([401, 'bad_signature']);
  });
});

const good = (): Buffer => textParts();
const disposition = (more: string): string => `Content-Disposition: form-data; ${more}\r\n`;
type Row = [name: string, status: number, error: string, body: () => Buffer | string, type?: string];
const HOSTILE: Row[] = [
  ['no boundary', 400, 'malformed_form', () => form(good()), 'multipart/form-data'],
  [
    'a boundary of 71 signs',
    400,
    'malformed_form',
    () => '',
    `multipart/form-data; boundary=${'a'.repeat(71)}`,
  ],
  ['another media type', 415, 'unsupported_media_type', () => '{}', 'application/json'],
  ['multipart of another kind', 415, 'unsupported_media_type', () => '', 'multipart/related; boundary=a'],
  [
    'a boundary that names another parser',
    400,
    'malformed_form',
    () => 'x'.repeat(999),
    'multipart/form-data; boundary=octet-stream',
  ],
  ['nothing at all', 400, 'malformed_form', () => form().subarray(0, 0)],
  ['a preamble', 400, 'malformed_form', () => Buffer.concat([Buffer.from('hello\r\n'), form(good())])],
  ['no end', 400, 'malformed_form', () => Buffer.concat([good(), filePart('x')])],
  [
    'an end in the middle of a part',
    400,
    'malformed_form',
    () => form(good(), filePart('x')).subarray(0, -20),
  ],
  ['headers without end', 400, 'malformed_form', () => `--${BOUNDARY}\r\nX: ${'y'.repeat(2 * 1024 * 1024)}`],
  [
    'a header of 2 KiB',
    400,
    'malformed_form',
    () => form(filePart('x', `${disposition(`name="${'n'.repeat(2048)}"`)}`)),
  ],
  ['another header', 400, 'malformed_form', () => form(filePart('x', `${FILE_HEAD}X-A: 1\r\n`))],
  [
    'the encoding 7bit, which formidable throws at',
    400,
    'malformed_form',
    () => form(filePart('x', `${disposition('name="title"')}Content-Transfer-Encoding: 7bit\r\n`)),
  ],
  [
    'base64',
    400,
    'malformed_form',
    () => form(filePart('eA==', `${FILE_HEAD}Content-Transfer-Encoding: base64\r\n`)),
  ],
  ['a part without a name', 400, 'malformed_form', () => form(filePart('x', disposition('filename="a"')))],
  [
    'a part named __proto__',
    400,
    'malformed_form',
    () => form(good(), text('__proto__', 'x'), filePart('x')),
  ],
  [
    'a file without a type',
    400,
    'malformed_form',
    () => form(filePart('x', disposition('name="file"; filename="a"'))),
  ],
  [
    '65 texts',
    400,
    'malformed_form',
    () => form(...Array.from({ length: 65 }, (_, at) => text(`t${at}`, 'x'))),
  ],
  [
    'texts of 64 KiB and more',
    413,
    'body_too_large',
    () => form(text('title', 'x'.repeat(65_537)), filePart('x')),
  ],
  [
    'a file of 25 MiB and a byte',
    413,
    'body_too_large',
    () => form(good(), filePart(Buffer.alloc(LIMIT + 1))),
  ],
  ['two files of one name', 400, 'validation_failed', () => form(good(), filePart('x'), filePart('y'))],
  [
    'a file where a text belongs',
    400,
    'validation_failed',
    () => form(filePart('x', FILE_HEAD.replace('"file"', '"title"'))),
  ],
  ['a text where the file belongs', 400, 'validation_failed', () => form(good(), text('file', 'x'))],
  ['no file', 400, 'validation_failed', () => form(good())],
  ['an empty file', 400, 'malformed_form', () => form(good(), filePart(''))],
  ['a text twice', 400, 'validation_failed', () => form(good(), text('title', 'again'), filePart('x'))],
  ['an unknown text', 400, 'validation_failed', () => form(good(), text('toString', 'x'), filePart('x'))],
  [
    'a name with a path',
    400,
    'validation_failed',
    () => form(good(), filePart('x', FILE_HEAD.replace('a.md', '../../a.md'))),
  ],
  [
    'NUL in a text',
    400,
    'validation_failed',
    () => form(textParts(texts({ title: 'a\u0000' })), filePart('x')),
  ],
  [
    'a number in words',
    400,
    'validation_failed',
    () => form(textParts(texts({ supersedes: '1e3' })), filePart('x')),
  ],
];

describe('refused', () => {
  test.each(HOSTILE)('%s: %i %s', async (_name, status, error, body, type) => {
    const answer = await post(body(), type === undefined ? {} : { 'content-type': type });
    expect(errorOf(answer)).toEqual([status, error]);
    expectStatus(await rig.admin('GET', '/api/core/version'), 200);
  });

  test('a form that comes compressed', async () => {
    const answer = await post(form(good()), { 'content-encoding': 'gzip' });
    expect(errorOf(answer)).toEqual([415, 'unsupported_media_type']);
  });

  test('any cut of a good form, changes nothing', async () => {
    const whole = form(textParts(), filePart('第一条'));
    for (let end = 0; end < whole.length - 2; end += 37)
      expect((await post(whole.subarray(0, end))).status).toBe(400);
  });

  test('a form whose caller goes in the middle leaves nothing behind', async () => {
    const body = form(good(), filePart(Buffer.alloc(4 * 1024 * 1024, 'x')));
    const socket = net.connect(Number(new URL(rig.hub.url).port), '127.0.0.1');
    socket.on('error', () => socket.destroy());
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nhost: a\r\nx-admin-key: ${rig.adminKey}\r\ncontent-length: ${body.length}\r\n` +
        `content-type: multipart/form-data; boundary=${BOUNDARY}\r\n\r\n`,
    );
    socket.write(body.subarray(0, 3 * 1024 * 1024));
    await until('the file is on the disk', async () => (await incoming()).length === 1);
    socket.destroy();
    await until('it is gone', async () => (await incoming()).length === 0);
  });
});
