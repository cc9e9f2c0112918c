// Answers of sites are kept for thirty days, and go with their files.
import { hash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { type Asker, KEPT_DAYS, SiteRequests } from '../../../hq/fleet/request/service.ts';
import { until } from '../../support/request.ts';
import { hubStores, T0, testClock } from './hub.ts';

const DAY_MS = 24 * 3_600_000;
const SITE = 'site-1';
const FILE = Buffer.from('an archive');
const LI: Asker = { tenantCode: null, actor: 'li', name: 'Li' };
const asked = { device: null, lines: null, seconds: null, language: 'en' } as const;
const stores = hubStores();

test('an answer and its file are deleted after thirty days, one that is younger stays', async () => {
  const clock = testClock();
  const store = await stores.open((await stores.database()).url, clock);
  await store.pool.query(
    `insert into sites (instance, tenants, continues, created_at) values ($1, '{acme}', '{}', 1)`,
    [SITE],
  );
  const requests = new SiteRequests({ requests: store.siteRequests, clock, log: silentLogger() });
  onTestFinished(() => requests.loop.stop());
  const ask = async (): Promise<string> =>
    (await requests.ask(SITE, { what: 'bundle', minutes: 60, asked }, LI)).id;
  const answered = async (): Promise<string> => {
    const id = await ask();
    const file = { name: 'a.tar.gz', content_type: 'application/gzip', size: FILE.length };
    await store.pool.query(`update site_requests set state = 'done', file = $2 where id = $1`, [
      id,
      JSON.stringify({ ...file, sha256: hash('sha256', FILE) }),
    ]);
    expect(await requests.take(id, { offset: 0, bytes: FILE, owned: [SITE] })).toMatchObject({ done: true });
    return id;
  };
  const there = async (): Promise<string[]> =>
    (await requests.list(SITE, null)).rows.map(({ id }) => id).toSorted();
  const files = async (): Promise<string[]> => {
    const { rows } = await store.pool.query<{ id: string }>(
      'select request_id as id from site_request_pieces order by 1',
    );
    return rows.map(({ id }) => id);
  };

  const old = await answered();
  clock.set(T0 + 1);
  const young = await answered();
  const unsent = await ask();
  clock.set(T0 + KEPT_DAYS * DAY_MS);
  requests.loop.start();
  // What a round does beside it shows that there was one.
  await until('a round has run', async () => (await requests.get(SITE, unsent, null)).state === 'expired');
  expect([await there(), await files()]).toEqual([
    [old, young, unsent],
    [old, young],
  ]);

  clock.set(T0 + KEPT_DAYS * DAY_MS + 1);
  requests.loop.kick();
  await until('the old one is gone', async () => (await there()).length < 3);
  expect([await there(), await files()]).toEqual([[young, unsent], [young]]);
  expect((await requests.file(SITE, young, LI)).bytes.equals(FILE)).toBe(true);
});
