// How long a person waits for the first table of the console: events, of one hundred thousand.
import type { Browser } from 'playwright-core';
import { systemClock } from '../../common/clock.ts';
import { silentLogger } from '../../common/log.ts';
import { openHubStore } from '../../hq/stores.ts';
import { startChromium } from '../support/chromium.ts';
import { createDatabase, startTestPostgres } from '../support/postgres.ts';
import type { Bench } from './bench.ts';
import { fillSeason } from './lists-data.ts';
import type { Program } from './program.ts';
import { atMost, median, ms, whole, type Row } from './table.ts';

const EVENTS = 100_000;
const RUNS = 7;
const TARGET_MS = 1_000;
const USER = { name: 'bench', password: 'correct horse battery', role: 'operator' };

/** In the page: from the navigation to now, and to what came before, ms. */
const MARKS = `(() => {
  const [page] = performance.getEntriesByType('navigation');
  const of = (part) => performance.getEntriesByType('resource').filter(({ name }) => name.includes(part))[0];
  const end = (part) => of(part)?.responseEnd ?? NaN;
  return { table: performance.now(), page: page.responseEnd, session: end('/api/core/session'),
    asked: of('/api/core/events/list')?.startTime ?? NaN, rows: end('/api/core/events/list') };
})()`;

type Marks = Record<'table' | 'page' | 'session' | 'asked' | 'rows', number>;

export async function measureConsole(bench: Bench): Promise<Row[]> {
  const postgres = await startTestPostgres({});
  const browser = await startChromium();
  try {
    const database = await createDatabase(postgres.url);
    const store = await openHubStore({ url: database.url, clock: systemClock, log: silentLogger() });
    await fillSeason(store, { events: EVENTS, verdicts: 6_000, tasks: 2_000, incidents: 2_000 }, Date.now());
    while ((await store.eventIndex.round()).again);
    await store.pool.query('vacuum analyze');
    await store.close();
    const hub = await bench.start({
      program: 'hq',
      dir: bench.folder('console-hub'),
      env: { DATABASE_URL: database.url },
    });
    await hub.call('POST', '/api/core/users', USER);
    const rows = await waits(browser, hub);
    await hub.stop();
    return rows;
  } finally {
    await browser.close();
    await postgres.stop();
  }
}

/** Each run is a load of the page by somebody who was there before: the files are kept, the data is not. */
async function waits(browser: Browser, hub: Program): Promise<Row[]> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1366, height: 768 } });
  const page = await context.newPage();
  const url = `http://127.0.0.1:${hub.port}`;
  const table = page.locator('[data-row-key]').first();
  await page.goto(`${url}/events`);
  await page.locator('input[autocomplete="username"]').fill(USER.name);
  await page.locator('input[autocomplete="current-password"]').fill(USER.password);
  await page.locator('button[type="submit"]').click();
  await table.waitFor();
  const seen: Marks[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await page.goto(`${url}/events`, { waitUntil: 'commit' });
    await table.waitFor();
    seen.push(await page.evaluate<Marks>(MARKS));
  }
  await context.close();
  const of = (mark: keyof Marks): number => median(seen.map((one) => one[mark]));
  return [
    atMost(
      `console: first table of ${whole(EVENTS)} events, from the navigation, p50`,
      of('table'),
      TARGET_MS,
      ms,
    ),
    { what: '  slowest of the runs', measured: ms(Math.max(...seen.map((one) => one.table))) },
    {
      what: '  page answered, session answered, events asked for, answered',
      measured: (['page', 'session', 'asked', 'rows'] as const).map((mark) => ms(of(mark))).join(', '),
    },
  ];
}
