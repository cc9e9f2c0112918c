// The serving side as a business system mounts it: a real listener, signed calls.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { datasetListener } from '../../common/dataset/listener.ts';
import type { DatasetDescriptor, WireRow } from '../../common/dataset/schema.ts';
import { DatasetService, type RowsQuery } from '../../common/dataset/service.ts';
import { signedHeaders } from '../../common/http/signing/signature.ts';
import { TestClock } from '../support/clock.ts';
import { rawExchange } from '../support/raw.ts';
import { type Answer, jsonOf, request, signedCall } from '../support/request.ts';

const clock = new TestClock();
const open: http.Server[] = [];
/** What the business system was told of. */
const failures: unknown[] = [];
afterEach(() => {
  open.splice(0).forEach((server) => server.close());
  expect(failures.splice(0)).toEqual([]);
});

const KEY = { keyId: 'reader', secret: 's3cret' };
const data = (count: number): WireRow[] =>
  Array.from(
    { length: count },
    (_, index) =>
      ({
        pk: String(index + 1),
        updated_at: `2026-02-28T00:00:00.${String(Math.floor(index / 3)).padStart(6, '0')}Z`,
        deleted: false,
        n: index,
      }) as WireRow,
  );

async function serve(
  rows: (query: RowsQuery) => Promise<WireRow[]>,
  queryMs?: number,
): Promise<(path: string, method?: string) => Promise<Answer>> {
  const service = new DatasetService({
    clock,
    lagMs: 60_000,
    ...(queryMs === undefined ? {} : { queryMs }),
    datasets: [
      {
        descriptor: {
          key: 'rows',
          schemaVersion: '1',
          granularity: 'a row',
          fields: [{ name: 'n', type: 'integer', measure: 'sum' }],
          updateFrequency: 'daily',
          earliest: null,
        },
        rows,
      },
    ],
  });
  const server = http.createServer(
    datasetListener({
      service,
      clock,
      key: (id) => (id === KEY.keyId ? { secrets: [KEY.secret], tenant: 'acme' } : null),
      onError: (error) => failures.push(error),
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (path, method = 'GET') =>
    signedCall({ url, key: KEY, method, path: `/api/subscribe/v1/datasets${path}`, now: clock.now() });
}

const all =
  (rows: WireRow[]) =>
  ({ after, upTo, limit }: RowsQuery): Promise<WireRow[]> =>
    Promise.resolve(
      rows
        .filter(
          (row) =>
            row.updated_at <= upTo &&
            (!after ||
              row.updated_at > after.updatedAt ||
              (row.updated_at === after.updatedAt && Number(row.pk) > Number(after.pk))),
        )
        .slice(0, limit),
    );

interface Page {
  items: WireRow[];
  nextCursor: string;
  hasMore: boolean;
  asOf: string;
}

describe('datasets served', () => {
  test('in pages after a cursor that is strictly greater; the same cursor gives the same page', async () => {
    const call = await serve(all(data(7)));
    expect(jsonOf<{ datasets: object[] }>(await call('')).datasets).toMatchObject([
      { key: 'rows', fields: [{ name: 'n', measure: 'sum' }] },
    ]);
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const path = `/rows?limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = jsonOf<Page>(await call(path));
      expect(jsonOf<Page>(await call(path))).toEqual(page);
      expect(page.asOf).toBe('2026-02-28T23:59:00.000000Z');
      seen.push(...page.items.map(({ pk }) => pk));
      cursor = page.nextCursor;
      if (!page.hasMore) break;
    }
    expect(seen).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(jsonOf<Page>(await call(`/rows?cursor=${encodeURIComponent(cursor)}`))).toMatchObject({
      items: [],
      nextCursor: cursor,
      hasMore: false,
    });
  });

  test('1000 rows unless asked otherwise, and 5000 at most', async () => {
    const call = await serve(({ limit }) => Promise.resolve(data(limit)));
    expect(jsonOf<Page>(await call('/rows')).items).toHaveLength(1000);
    expect((await call('/rows?limit=5001')).status).toBe(400);
    // As the specification writes the call, with nothing filled in.
    expect(jsonOf<Page>(await call('/rows?cursor=&limit=&tenant=')).items).toHaveLength(1000);
  });

  test('to signed calls only, of a known key, by GET, for its own tenant', async () => {
    const call = await serve(all(data(1)));
    expect((await call('/rows', 'POST')).status).toBe(405);
    expect((await call('/rows', 'DELETE')).headers.allow).toBe('GET');
    expect((await call('/rows?tenant=other')).status).toBe(404);
    expect((await call('/nothing')).status).toBe(404);
    expect((await call('/rows?cursor=17')).status).toBe(400);
    const url = `http://127.0.0.1:${(open[0]?.address() as AddressInfo).port}`;
    const path = '/api/subscribe/v1/datasets';
    expect(jsonOf(await request({ url, method: 'GET', path }))).toMatchObject({
      error: 'unauthorized',
      message: expect.stringContaining('X-Core-Key') as string,
    });
    expect(
      jsonOf(
        await signedCall({ url, key: { ...KEY, keyId: 'nobody' }, method: 'GET', path, now: clock.now() }),
      ),
    ).toMatchObject({ error: 'bad_signature' });
    expect(
      (await signedCall({ url, key: { ...KEY, secret: 'wrong' }, method: 'GET', path, now: clock.now() }))
        .status,
    ).toBe(401);
    expect(
      jsonOf(await signedCall({ url, key: KEY, method: 'GET', path, now: clock.now() - 400_000 })),
    ).toMatchObject({ error: 'clock_skew' });
  });

  test.each([
    '//',
    '/%zz',
    '/api/subscribe/v1/datasets/%zz',
    '/api/subscribe/v1/datasets//rows',
    '/api/subscribe/v1/datasetsrows',
  ])('not at %s', async (path) => {
    await serve(all(data(1)));
    const url = `http://127.0.0.1:${(open[0]?.address() as AddressInfo).port}`;
    expect(await signedCall({ url, key: KEY, method: 'GET', path, now: clock.now() })).toMatchObject({
      status: 404,
      text: expect.stringContaining('not_found') as string,
    });
  });

  // undici sends no request for a path that is none.
  test('not at *', async () => {
    await serve(all(data(1)));
    const url = `http://127.0.0.1:${(open[0]?.address() as AddressInfo).port}`;
    const headers = { host: 'x', connection: 'close', ...signedHeaders(KEY, clock.now(), 'GET', '*', '') };
    const head = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    expect(await rawExchange(url, `GET * HTTP/1.1\r\n${head}\r\n`, true)).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
  });

  test('60 calls a minute, then 429 with Retry-After', async () => {
    const call = await serve(all(data(1)));
    expect((await call('/rows')).headers).toMatchObject({
      'ratelimit-policy': '"calls";q=60;w=60',
      ratelimit: '"calls";r=59;t=60',
    });
    for (let count = 1; count < 60; count += 1) expect((await call('/rows')).status).toBe(200);
    const refused = await call('/rows');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    clock.advance(60_000);
    expect((await call('/rows')).status).toBe(200);
  });

  const row = (pk: string, second: number, more: object = {}): WireRow => ({
    pk,
    updated_at: `2026-02-28T00:00:0${second}.000001Z`,
    deleted: false,
    ...more,
  });
  const spoiltRows: [string, WireRow[], string][] = [
    [
      'a time of another form',
      [row('1', 1, { updated_at: '2026-02-28T00:00:01.000Z' })],
      'Row 1 of the dataset rows (pk 1): updated_at must be written like 2026-03-01T08:00:00.000001Z, ' +
        'in UTC and with six digits; it is 2026-02-28T00:00:01.000Z.',
    ],
    [
      'a key that is no whole number',
      [row(7.5 as never, 1)],
      'Row 1 of the dataset rows (pk 7.5): pk must be text of 1 to 256 characters, or an integer.',
    ],
    [
      'no word whether it is deleted',
      [row('1', 1, { deleted: undefined })],
      'Row 1 of the dataset rows (pk 1): deleted must be true or false.',
    ],
    [
      'a field that is not declared',
      [row('1', 1), row('2', 1, { colour: 'red' })],
      'Row 2 of the dataset rows (pk 2): the field colour is not declared.',
    ],
    [
      'an order of its own',
      [row('1', 2), row('2', 1)],
      'Row 2 of the dataset rows (pk 2): rows come by (updated_at, pk) and strictly after the cursor; ' +
        'before it is 2026-02-28T00:00:02.000001Z, pk 1.',
    ],
    [
      'the row of the cursor again',
      [row('9', 0)],
      'Row 1 of the dataset rows (pk 9): rows come by (updated_at, pk) and strictly after the cursor; ' +
        'before it is 2026-02-28T00:00:00.000001Z, pk 9.',
    ],
    [
      'rows that are held back',
      [row('1', 1, { updated_at: '2027-01-01T00:00:00.000000Z' })],
      'Row 1 of the dataset rows (pk 1): rows go up to upTo, 2026-0',
    ],
  ];
  test.each(spoiltRows)(
    'of a program that gives %s are not served, and the program is told',
    async (_what, rows, said) => {
      const call = await serve(() => Promise.resolve(rows));
      const answer = await call(`/rows?cursor=${encodeURIComponent('2026-02-28T00:00:00.000001Z|9')}`);
      expect([answer.status, answer.text.includes('Row')]).toEqual([500, false]);
      expect(failures.splice(0).map((error) => (error as Error).message)).toEqual([
        expect.stringContaining(said),
      ]);
    },
  );

  test.each<[string, object, string]>([
    [
      'a field of a type that is none',
      { fields: [{ name: 'n', type: 'int', measure: null }] },
      'The descriptor of the dataset rows is not valid: fields[0].type must be one of integer, ' +
        'decimal, string, boolean, date, time.',
    ],
    [
      'no granularity',
      { granularity: undefined },
      'The descriptor of the dataset rows is not valid: granularity is required.',
    ],
  ])('are not begun with %s', (_what, more, said) => {
    const descriptor = {
      key: 'rows',
      schemaVersion: '1',
      granularity: 'a row',
      fields: [],
      updateFrequency: 'daily',
      earliest: null,
      ...more,
    };
    const begun =
      (...descriptors: object[]) =>
      () =>
        new DatasetService({
          clock,
          lagMs: 0,
          datasets: descriptors.map((one) => ({ descriptor: one as DatasetDescriptor, rows: () => [] })),
        });
    expect(begun(descriptor)).toThrow(said);
    expect(
      begun({ ...descriptor, fields: [], granularity: '' }, { ...descriptor, fields: [], granularity: '' }),
    ).toThrow('The dataset rows is there twice.');
  });

  test('a query that takes too long is an error, and is told to end', async () => {
    let ended = false;
    const call = await serve(
      ({ signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            ended = true;
            reject(signal.reason as Error);
          }),
        ),
      20,
    );
    expect(jsonOf(await call('/rows'))).toMatchObject({ error: 'query_timeout' });
    expect(ended).toBe(true);
  });
});
