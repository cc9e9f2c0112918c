// How long a person waits for the first table of the console: of one hundred thousand events, of a thousand
// sites.
import type { Browser, Page } from 'playwright-core';
import { systemClock } from '../../common/clock.ts';
import { silentLogger } from '../../common/log.ts';
import type { KeptReport } from '../../common/uplink/site-report.ts';
import { openHubStore } from '../../hq/stores.ts';
import { startChromium, startKeptChromium } from '../support/chromium.ts';
import { createDatabase, startTestPostgres } from '../support/postgres.ts';
import type { Bench } from './bench.ts';
import { fillSeason } from './lists-data.ts';
import type { Program } from './program.ts';
import { atMost, median, ms, type Row, whole } from './table.ts';

const EVENTS = 100_000;
const SITES = 1_000;
const RUNS = 7;
const TARGET_MS = 400;
/** On a telephone, where nothing changes. */
const IDLE_KB_A_MINUTE = 100;
const FIRST_PAGE_KB = 300;
const IDLE_SECONDS = 60;
const USER = { name: 'bench', password: 'correct horse battery', role: 'operator' };

/** In the page: notes when the first row has been drawn, ms since the navigation. */
const MARK = `(() => {
  const look = new MutationObserver(() => {
    if (document.querySelector('[data-row-key]') === null) return;
    look.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.table = performance.now(); }));
  });
  look.observe(document, { childList: true, subtree: true });
})()`;

/** In the page: from the navigation to now, and to what came before, ms. @param list path of what is asked */
const marks = (list: string): string => `(() => {
  const [page] = performance.getEntriesByType('navigation');
  const of = (part) => performance.getEntriesByType('resource').filter(({ name }) => name.includes(part))[0];
  const end = (part) => of(part)?.responseEnd ?? NaN;
  return { table: table, page: page.responseEnd, session: end('/api/core/session'),
    asked: of('${list}')?.startTime ?? NaN, rows: end('${list}') };
})()`;

type Marks = Record<'table' | 'page' | 'session' | 'asked' | 'rows', number>;

/** As a site of twenty cameras tells of itself. */
const report = (at: string): KeptReport => ({
  at,
  state: 'ok',
  storing: true,
  zone: 'Asia/Shanghai',
  disk: { level: 'ok', room_bytes: 40_000_000_000, used_bytes: 9_000_000_000, refused: 0, days_left: 90 },
  shed: { evidence: 0, evidence_bytes: 0, observations: 0, events: 0, lost: 0, lost_bytes: 0 },
  clock_suspect: false,
  clock_offset_ms: 12,
  life_used_percent: 3,
  silent_cameras: 1,
  order: { run: 'run-1', no: 1 },
  alarms: [],
  cameras: Array.from({ length: 20 }, (_, index) => ({
    key_id: `cam-${index}`,
    name: `gate ${index}`,
    tenant: 'acme',
    last_event_at: at,
    events: 900,
    silent: index === 0,
  })),
  hours: Array.from({ length: 24 }, () => ({ at, received: 40, backlog: 2, room_bytes: 40_000_000_000 })),
});

export async function measureConsole(bench: Bench): Promise<Row[]> {
  const postgres = await startTestPostgres({});
  const browser = await startChromium();
  try {
    const database = await createDatabase(postgres.url);
    const now = Date.now();
    const store = await openHubStore({ url: database.url, clock: systemClock, log: silentLogger() });
    await fillSeason(store, { events: EVENTS, verdicts: 6_000, tasks: 2_000, incidents: 2_000 }, now);
    while ((await store.eventIndex.round()).again);
    await store.pool.query(
      `insert into sites (instance, tenants, continues, created_at, last_seen_at, version)
       select 'tunnel-' || n, '{acme}', '{}', $1, $1, '0.1.0' from generate_series(1, $2::int) n`,
      [now, SITES],
    );
    for (let no = 1; no <= SITES; no += 1)
      await store.sites.keepReport(`tunnel-${no}`, report(new Date(now).toISOString()));
    await store.pool.query('vacuum analyze');
    await store.close();
    const hub = await bench.start({
      program: 'hq',
      dir: bench.folder('console-hub'),
      env: { DATABASE_URL: database.url },
    });
    await hub.call('POST', '/api/core/users', USER);
    const rows = [...(await waits(bench.folder('console-browser'), hub)), ...(await weights(browser, hub))];
    await hub.stop();
    return rows;
  } finally {
    await browser.close();
    await postgres.stop();
  }
}

/** Each run is a load of the page by somebody who was there before: the files are kept, the data is not. */
async function waits(folder: string, { port }: Program): Promise<Row[]> {
  const context = await startKeptChromium(folder, {
    locale: 'en-GB',
    viewport: { width: 1366, height: 768 },
  });
  const page = await context.newPage();
  await page.addInitScript(MARK);
  const url = `http://127.0.0.1:${port}`;
  await page.goto(`${url}/events`);
  await page.locator('input[autocomplete="username"]').fill(USER.name);
  await page.locator('input[autocomplete="current-password"]').fill(USER.password);
  await page.locator('button[type="submit"]').click();
  const rows = [
    ...(await firstTable(page, `${url}/events`, '/api/core/events/list', `${whole(EVENTS)} events`)),
    ...(await firstTable(page, `${url}/sites`, '/api/core/uplink/sites?', `${whole(SITES)} sites`)),
  ];
  await context.close();
  return rows;
}

/** What a telephone takes from the network: for its first page, and while that stays open in a quiet time. */
async function weights(browser: Browser, { port }: Program): Promise<Row[]> {
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  let bytes = 0;
  let loaded = 0;
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(`http://127.0.0.1:${port}/now`);
  await page.locator('input[autocomplete="username"]').fill(USER.name);
  await page.locator('input[autocomplete="current-password"]').fill(USER.password);
  await page.locator('button[type="submit"]').click();
  await page.locator('main a[href^="/events/"]').first().waitFor();
  loaded = bytes;
  await page.waitForTimeout(10_000); // the other screens are loaded ahead meanwhile
  const before = bytes;
  await page.waitForTimeout(IDLE_SECONDS * 1_000);
  const idle = bytes - before;
  await context.close();
  const kB = (value: number): string => `${value.toFixed(0)} kB`;
  return [
    atMost('console: bytes until the first alarm stands on a telephone', loaded / 1_000, FIRST_PAGE_KB, kB),
    atMost(
      'console: a telephone that shows what is to be done, idle, a minute',
      (idle / 1_000) * (60 / IDLE_SECONDS),
      IDLE_KB_A_MINUTE,
      kB,
    ),
  ];
}

async function firstTable(page: Page, address: string, list: string, what: string): Promise<Row[]> {
  const row = page.locator('[data-row-key]').first();
  await row.waitFor();
  const seen: Marks[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await page.goto(address, { waitUntil: 'commit' });
    await page.waitForFunction(() => 'table' in globalThis);
    seen.push(await page.evaluate<Marks>(marks(list)));
  }
  const of = (mark: keyof Marks): number => median(seen.map((one) => one[mark]));
  return [
    atMost(`console: first table of ${what}, from the navigation, p50`, of('table'), TARGET_MS, ms),
    { what: '  slowest of the runs', measured: ms(Math.max(...seen.map((one) => one.table))) },
    {
      what: '  page answered, session answered, rows asked for, rows answered',
      measured: (['page', 'session', 'asked', 'rows'] as const).map((mark) => ms(of(mark))).join(', '),
    },
  ];
}
