// The demonstration goes on where a program gives no answer for a while.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ApiClient } from '../../common/terminal/api.ts';
import { Analyst } from '../../packaging/demo/analyst.ts';
import { Patience } from '../../packaging/demo/patience.ts';
import { until } from '../support/request.ts';

let server: http.Server;
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

test('a site that is frozen, or answers with a fault of its own, is asked again, and both are said', async () => {
  let state: 'well' | 'frozen' | 'failing' = 'well';
  let pulled = 0;
  server = http.createServer((request, response) => {
    if (state === 'frozen') return;
    if (request.url?.includes('/since')) pulled += 1;
    response.writeHead(state === 'well' ? 200 : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify(state === 'well' ? { items: [], nextCursor: 0, hasMore: false } : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const said: string[] = [];
  const api = new ApiClient({ at: { url }, whenSilent: 'nobody', whenLate: 'late', timeoutMs: 100 });
  const stop = new AbortController();
  const running = new Analyst(api, new Patience('the site', (text) => said.push(text))).run(stop.signal);
  const again = async (): Promise<void> => {
    const before = pulled;
    state = 'well';
    await until('it is pulled from again', () => Promise.resolve(pulled > before && said.length % 2 === 0));
  };
  await until('it is pulled from', () => Promise.resolve(pulled > 0));
  for (const trouble of ['frozen', 'failing'] as const) {
    state = trouble;
    await until('it is said', () => Promise.resolve(said.length % 2 === 1));
    await again();
  }
  stop.abort();
  await running;
  expect(said.map((text) => /does not answer|answers again/.exec(text)?.[0])).toEqual([
    'does not answer',
    'answers again',
    'does not answer',
    'answers again',
  ]);
});
