// Peers that answer without end, or with JSON that is small on the wire and large in memory: each reader of
// foreign bytes ends in a named state, with a bounded number of bytes held.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { RemoteRules } from '../../common/agent/rule-set/source.ts';
import { createModel } from '../../common/agent/summary/model.ts';
import { upTo } from '../../common/characters.ts';
import { systemClock } from '../../common/clock.ts';
import type { HttpClient } from '../../common/http/outbound/client.ts';
import { silentLogger } from '../../common/log.ts';
import { SourceReader } from '../../hq/dataset/fetch.ts';
import type { SourceRecord } from '../../hq/dataset/record.ts';
import { createHttpClient } from '../../hq/http-client.ts';
import { createDeliveryPost } from '../../hq/integration/post.ts';
import type { ClaimedDelivery } from '../../hq/integration/record.ts';
import { EmbedClient } from '../../hq/policy/embed/client.ts';
import { S3Originals } from '../../hq/policy/original/s3.ts';
import { OriginalTransfer } from '../../hq/policy/original/transfer.ts';
import { createHttpClient as createSiteClient } from '../../site/http-client.ts';
import { jsonOf } from '../../site/uplink/answer.ts';

const MB = 1024 * 1024;
const never = new AbortController().signal;

type Respond = (request: http.IncomingMessage, response: http.ServerResponse) => void;

let respond: Respond = () => undefined;
const server = http.createServer((request, response) => {
  request.resume();
  response.on('error', () => undefined);
  respond(request, response);
});
let url = '';
let dir = '';
let client: HttpClient;
let ofSite: HttpClient;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-foreign-'));
  client = createHttpClient();
  ofSite = createSiteClient();
});
afterAll(async () => {
  client.close();
  ofSite.close();
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await rm(dir, { recursive: true, force: true });
});

const PIECE = Buffer.alloc(64 * 1024, '0,');

/** What comes first, and then the same without end. */
const endless =
  (before = '', status = 200): Respond =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.write(before);
    const pour = (): void => {
      while (!response.destroyed) if (!response.write(PIECE)) return;
    };
    response.on('drain', pour);
    pour();
  };

const answering =
  (body: string | Buffer, status = 200): Respond =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body);

/** Of so many bytes: values of one byte each, and lists within each other. */
const zeros = (before: string, bytes: number, after: string): string =>
  `${before}${'0,'.repeat(bytes / 2)}0${after}`;
const deep = (before: string, bytes: number, after: string): string =>
  `${before}${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}${after}`;

/** What the process held more than before, at most, while it was done. Bytes. */
async function held(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const looking = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  await work();
  clearInterval(looking);
  return Math.max(most, process.memoryUsage.rss()) - before;
}

describe('an embedding service', () => {
  const texts = Array.from({ length: 32 }, (_, at) => `text ${at}`);
  const said = async (answer: Respond): Promise<unknown> => {
    respond = answer;
    const embedder = new EmbedClient({ url, model: 'm', key: () => null, timeoutMs: 60_000 });
    const outcome = await embedder.embed(texts).then(
      () => 'vectors',
      (error: { kind: string; message: string }) => [error.kind, error.message],
    );
    embedder.close();
    return outcome;
  };
  const TOO_LARGE = ['unavailable', 'the embedding service did not answer (answer_too_large)'];
  const BAD = ['bad_answer', 'the embedding service gave an answer that is not in the agreed format'];

  test('that answers without end, or with values without number, is said not to have answered', async () => {
    const most = await held(async () => {
      expect(await said(endless('{"data":['))).toEqual(TOO_LARGE);
      expect(await said(answering(zeros('{"data":[', 60 * MB, ']}')))).toEqual(TOO_LARGE);
      expect(await said(answering(zeros('{"data":[', 4 * MB, ']}')))).toEqual(BAD);
      expect(await said(answering(zeros('{"data":[{"embedding":[', 4 * MB, ']}]}')))).toEqual(BAD);
      expect(await said(answering(deep('{"data":', 4 * MB, '}')))).toEqual(BAD);
    });
    expect(most).toBeLessThan(400 * MB);
  });

  test('gives as many of the largest vectors as it was asked for', async () => {
    const vector = Array.from({ length: 4_096 }, (_, at) => -(at + 1) / 3e10);
    respond = answering(
      JSON.stringify({
        object: 'list',
        model: 'm',
        usage: { total_tokens: 1 },
        data: texts.map((_, index) => ({ object: 'embedding', index, embedding: vector })),
      }),
    );
    const embedder = new EmbedClient({ url, model: 'm', key: () => null, timeoutMs: 60_000 });
    expect(await embedder.embed(texts)).toHaveLength(32);
    embedder.close();
  });
});

test('a model that answers without end, or nested without end, gives a reason', async () => {
  const ask = createModel({ url, model: 'm', keyRef: null, timeoutMs: 60_000 }, client, { env: {} } as never);
  respond = endless('{"choices":[');
  expect(await ask('a', 'b', never)).toMatchObject({ error: expect.stringMatching(/262144|256/) as string });
  respond = answering(deep('{"choices":', 200_000, '}'));
  expect(await ask('a', 'b', never)).toEqual({ error: 'the model answered without a text' });
});

describe('rules of headquarters', () => {
  const pull = (answer: Respond): Promise<unknown> => {
    respond = answer;
    const remote = new RemoteRules({
      client: ofSite,
      url,
      key: () => ({ keyId: 'k', secret: 's' }),
      now: () => systemClock.now(),
    });
    return remote.pull(null, never);
  };

  test('without end, on one page or on many, are an error that a small machine survives', async () => {
    const page = JSON.stringify({ items: [{ message: 'a'.repeat(500_000) }], nextCursor: 'more' });
    const most = await held(async () => {
      await expect(pull(endless('{"items":['))).rejects.toThrow(/larger|more than/);
      await expect(pull(answering(zeros('{"items":[', 15 * MB, ']}')))).rejects.toThrow(/no list of rules/);
      await expect(pull(answering(deep('{"items":', 15 * MB, '}')))).rejects.toThrow(/no list of rules/);
      await expect(pull(answering(zeros('{"items":[', 10_000, ']}')))).rejects.toThrow(/no list of rules/);
      await expect(pull(answering(page))).rejects.toThrow(/larger|more than/);
    });
    expect(most).toBeLessThan(200 * MB);
  });

  test('on empty pages without end are an error too', async () => {
    await expect(pull(answering('{"items":[],"nextCursor":"more"}'))).rejects.toThrow(/without end/);
  });
});

test('an answer of headquarters that holds more than any is none', async () => {
  const most = await held(() => {
    for (const body of [zeros('{"rejected":[', 4 * MB, ']}'), deep('{"rejected":', 4 * MB, '}')])
      expect(jsonOf({ body: Buffer.from(body) })).toBeNull();
    return Promise.resolve();
  });
  expect(most).toBeLessThan(50 * MB);
  expect(jsonOf({ body: Buffer.from('{"rejected":[]}') })).toEqual({ rejected: [] });
});

test('a list where a text should be is a fault, however long it is', () => {
  const parsed = z.safeParse(z.string().check(upTo(3)), [0, 0, 0, 0]);
  expect(parsed.error?.issues.map(({ code }) => code)).toContain('invalid_type');
});

describe('an object store', () => {
  const KEY = 'kb/a/1/x';
  const store = (): S3Originals =>
    new S3Originals({
      endpoint: url,
      bucket: 'b',
      region: 'r',
      accessKey: 'a',
      secretKey: 'b',
      publicEndpoint: null,
    });
  const listed = async (place: S3Originals): Promise<number> => {
    let keys = 0;
    for await (const key of place.list('kb/')) keys += key.length > 0 ? 1 : 0;
    return keys;
  };
  const UNAVAILABLE = { status: 503, code: 'originals_unavailable' };

  test.each([200, 404, 500])('that says %s and then goes on without end is given up', async (status) => {
    respond = endless('<?xml version="1.0"?><ListBucketResult>', status);
    const place = store();
    const most = await held(async () => {
      for (const work of [() => place.check(), () => place.remove(KEY), () => listed(place)])
        await expect(work()).rejects.toMatchObject(UNAVAILABLE);
      if (status !== 200) await expect(place.open(KEY)).rejects.toMatchObject(UNAVAILABLE);
    });
    place.close();
    expect(most).toBeLessThan(300 * MB);
  });

  test('whose object has no end hands out nothing, and leaves nothing on the disk', async () => {
    respond = endless();
    const place = store();
    const transfer = new OriginalTransfer(place, path.join(dir, 'incoming'));
    await expect(
      transfer.give({ id: 1, tenantCode: 'a', sha256: '0'.repeat(64), size: 1_000 }),
    ).rejects.toMatchObject({ status: 500, code: 'original_damaged' });
    place.close();
    expect(await readdir(path.join(dir, 'incoming'))).toEqual([]);
  });

  test('whose list always has another page is given up', async () => {
    let pages = 0;
    respond = (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(
          '<ListBucketResult><IsTruncated>true</IsTruncated>' +
            `<NextContinuationToken>${(pages += 1)}</NextContinuationToken></ListBucketResult>`,
        );
    const place = store();
    await expect(listed(place)).rejects.toMatchObject(UNAVAILABLE);
    place.close();
    expect(pages).toBe(1_000);
  });
});

describe('a business system', () => {
  const page = (answer: Respond): Promise<unknown> => {
    respond = answer;
    const reader = new SourceReader({
      client,
      secretResolver: { open: () => Promise.resolve('secret') },
      clock: systemClock,
      log: silentLogger(),
    });
    return reader.page(
      { id: 's', tenantCode: 't', baseUrl: url, keyId: 'k', secretRef: 'r', pageRows: 5_000 } as SourceRecord,
      'd',
      null,
      never,
    );
  };

  test('whose page has no end, no bottom or values without number is read no further', async () => {
    const most = await held(async () => {
      await expect(page(endless('{"rows":['))).rejects.toMatchObject({ told: { code: 'source_unreached' } });
      await expect(page(answering(deep('{"rows":', 60 * MB, '}')))).rejects.toMatchObject({
        told: { code: expect.stringMatching(/source_no_json|source_too_large/) as string },
      });
      await expect(page(answering(zeros('{"rows":[', 60 * MB, ']}')))).rejects.toMatchObject({
        told: { code: 'source_too_large' },
      });
      await expect(page(endless('', 500))).rejects.toMatchObject({ told: { code: 'source_unreached' } });
    });
    expect(most).toBeLessThan(700 * MB);
  });
});

test('of what a webhook answers without end a piece is kept, and the delivery counts', async () => {
  const post = createDeliveryPost({
    client,
    secrets: { env: { S: 'whsec_0123456789012345678901234567890123456789' } } as never,
    clock: systemClock,
    version: '1',
  });
  const delivery = {
    eventId: 'e',
    event: 'a.b',
    body: '{}',
    url,
    secretRef: 'env:S',
    previousRef: null,
    previousUntil: null,
  };
  for (const [status, error] of [
    [200, false],
    [500, true],
  ] as const) {
    respond = endless('', status);
    const result = await post(delivery as unknown as ClaimedDelivery, never);
    expect([result.responseCode, result.error !== null]).toEqual([status, error]);
    expect(result.responseBody?.length).toBeLessThan(100_000);
  }
});
