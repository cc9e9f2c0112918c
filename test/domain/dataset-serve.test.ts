// The serving side as a business system mounts it: a real listener, signed calls.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { datasetListener } from '../../common/dataset/listener.ts';
import type { WireRow } from '../../common/dataset/schema.ts';
import { DatasetService, type RowsQuery } from '../../common/dataset/service.ts';
import { jsonOf, request, signedCall, type Answer } from '../support/request.ts';
import { TestClock } from '../support/clock.ts';

const clock = new TestClock();
const open: http.Server[] = [];
afterEach(() => open.splice(0).forEach((server) => server.close()));

const KEY = { keyId: 'reader', secret: 's3cret' };
const data = (count: number): WireRow[] => Array.from({ length: count }, (_, index) =>
  ({ pk: String(index + 1), updated_at: `2026-02-28T00:00:${String(Math.floor(index / 3)).padStart(2, '0')}.000001Z`, deleted: false, n: index }) as WireRow);

async function serve(rows: (query: RowsQuery) => Promise<WireRow[]>, queryMs?: number): Promise<(path: string, method?: string) => Promise<Answer>> {
  const service = new DatasetService({
    clock, lagMs: 60_000, ...(queryMs === undefined ? {} : { queryMs }),
    datasets: [{ descriptor: { key: 'rows', schemaVersion: '1', granularity: 'a row', fields: [{ name: 'n', type: 'integer', measure: 'sum' }], updateFrequency: 'daily', earliest: null }, rows }],
  });
  const server = http.createServer(datasetListener({ service, clock, key: (id) => (id === KEY.keyId ? { secrets: [KEY.secret], tenant: 'acme' } : null), onError: (error) => { throw error; } }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (path, method = 'GET') => signedCall({ url, key: KEY, method, path: `/api/subscribe/v1/datasets${path}`, now: clock.now() });
}

const all = (rows: WireRow[]) => ({ after, upTo, limit }: RowsQuery): Promise<WireRow[]> => Promise.resolve(rows.filter((row) =>
  row.updated_at <= upTo && (!after || row.updated_at > after.updatedAt || (row.updated_at === after.updatedAt && Number(row.pk) > Number(after.pk)))).slice(0, limit));

interface Page {
  items: WireRow[];
  nextCursor: string;
  hasMore: boolean;
  asOf: string;
}

describe('datasets served', () => {
  test('in pages after a cursor that is strictly greater; the same cursor gives the same page', async () => {
    const call = await serve(all(data(7)));
    expect(jsonOf<{ datasets: object[] }>(await call('')).datasets).toMatchObject([{ key: 'rows', fields: [{ name: 'n', measure: 'sum' }] }]);
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
    expect(jsonOf<Page>(await call(`/rows?cursor=${encodeURIComponent(cursor)}`))).toMatchObject({ items: [], nextCursor: cursor, hasMore: false });
  });

  test('1000 rows unless asked otherwise, and 5000 at most', async () => {
    const call = await serve(({ limit }) => Promise.resolve(data(limit)));
    expect(jsonOf<Page>(await call('/rows')).items).toHaveLength(1000);
    expect((await call('/rows?limit=5001')).status).toBe(400);
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
    expect((await request({ url, method: 'GET', path })).status).toBe(401);
    expect((await signedCall({ url, key: { ...KEY, secret: 'wrong' }, method: 'GET', path, now: clock.now() })).status).toBe(401);
    expect(jsonOf(await signedCall({ url, key: KEY, method: 'GET', path, now: clock.now() - 400_000 }))).toMatchObject({ error: 'clock_skew' });
  });

  test('60 calls a minute, then 429 with Retry-After', async () => {
    const call = await serve(all(data(1)));
    for (let count = 0; count < 60; count += 1) expect((await call('/rows')).status).toBe(200);
    const refused = await call('/rows');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
    clock.advance(60_000);
    expect((await call('/rows')).status).toBe(200);
  });

  test('a query that takes too long is an error, and is told to end', async () => {
    let ended = false;
    const call = await serve(({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => {
      ended = true;
      reject(signal.reason as Error);
    })), 20);
    expect(jsonOf(await call('/rows'))).toMatchObject({ error: 'query_timeout' });
    expect(ended).toBe(true);
  });
});
