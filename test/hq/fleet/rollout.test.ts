// Rollouts in waves, with sites that speak the wire: who is told, what pauses them, and what people do then.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loopCounts, runAll } from '../../../common/loop.ts';
import type { RolloutView } from '../../../hq/fleet/rollout/schema.ts';
import { clientOf } from '../../support/postgres.ts';
import { release } from '../../support/release.ts';
import { type Answer, expectStatus, jsonOf, until } from '../../support/request.ts';
import { openSessionRig, type SessionRig } from '../session-rig.ts';
import { rolloutOf, sitesOf, stepsOf, untilRollout, WireSite } from './rig.ts';

let rig: SessionRig;
beforeAll(async () => {
  rig = await openSessionRig();
  await release(rig, '1.2.0');
  await release(rig, '1.3.0');
});
afterAll(() => rig.close());

const QUICK = { settle_minutes: 0 };
const start = (body: object): Promise<Answer> => rig.admin('POST', '/api/core/rollouts', body);
const begin = async (body: object): Promise<string> =>
  jsonOf<RolloutView>(expectStatus(await start({ version: '1.2.0', caution: QUICK, ...body }), 201)).id;
const act = async (id: string, what: string, body?: object): Promise<RolloutView> =>
  jsonOf(expectStatus(await rig.admin('POST', `/api/core/rollouts/${id}/${what}`, body), 200));
const register = (names: string[], more: object = {}): Promise<WireSite[]> =>
  Promise.all(names.map((name) => WireSite.register(rig, name, more)));
const alarmsOf = async (id: string): Promise<{ message: string; messageZh: string; severity: string }[]> =>
  jsonOf<{ items: { key: string; message: string; messageZh: string; severity: string }[] }>(
    expectStatus(await rig.admin('GET', '/api/core/alarms'), 200),
  ).items.filter(({ key }) => key === `rollout_paused:${id}`);

/** One round of the hub, whole. */
async function round(): Promise<void> {
  const before = loopCounts().get('rollouts')?.runs ?? 0;
  await until('a round', () => {
    runAll();
    return Promise.resolve((loopCounts().get('rollouts')?.runs ?? 0) >= before + 2);
  });
}

const toldOf = async (sites: readonly WireSite[]): Promise<string[]> => {
  const told: string[] = [];
  for (const site of sites) if ((await site.call())?.release) told.push(site.instance);
  return told;
};

test('waves go on one after the other, until all sites have it', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `w-${n}`);
  const sites = await register(names, { groups: ['Waves'] });
  const body = { version: '1.2.0', group: 'Waves', waves: ['1', '50%'], first: ['w-5'] };
  const preview = jsonOf(expectStatus(await rig.admin('POST', '/api/core/rollouts/preview', body), 200));
  expect(preview).toMatchObject({
    ...{ sites: 8, already: 0, unable: [], held: [] },
    waves: [
      { sites: 1, names: ['w-5'] },
      { sites: 3, names: ['w-0', 'w-1', 'w-2'] },
      { sites: 4, names: ['w-3', 'w-4', 'w-6', 'w-7'] },
    ],
  });
  const id = await begin({ ...body, hours: { from: 2, until: 4 }, caution: { settle_minutes: 30 } });
  await untilRollout(rig, id, ({ counts }) => counts.waiting === 1);
  expect(await toldOf(sites)).toEqual(['w-5']);
  const [, , , , , first] = sites as [WireSite, WireSite, WireSite, WireSite, WireSite, WireSite];
  expect(first.item).toMatchObject({ no: 1, hours: { from: 2, until: 4 }, by: 'admin' });
  for (const step of ['fetching', 'fetched', 'installing', 'installed'] as const) await first.tell(step);
  const through = await untilRollout(rig, id, ({ nextWaveAt }) => nextWaveAt !== null);
  expect(through).toMatchObject({ wave: 1, counts: { installed: 1, planned: 7 } });
  // It is not begun before all has been well for a while.
  rig.clock.advance(29 * 60_000);
  await round();
  expect((await rolloutOf(rig, id)).wave).toBe(1);
  rig.clock.advance(60_000);
  await untilRollout(rig, id, ({ wave, counts }) => wave === 2 && counts.waiting === 3);
  expect(await toldOf(sites)).toEqual(['w-0', 'w-1', 'w-2', 'w-5']);
  for (const site of sites.slice(0, 3)) await site.tell('installed');
  await untilRollout(rig, id, ({ nextWaveAt }) => nextWaveAt !== null);
  rig.clock.advance(30 * 60_000);
  await untilRollout(rig, id, ({ wave, counts }) => wave === 3 && counts.waiting === 4);
  for (const site of sites.filter(({ instance }) => ['w-3', 'w-4', 'w-6', 'w-7'].includes(instance))) {
    await site.call();
    await site.tell('installed');
  }
  await untilRollout(rig, id, ({ counts }) => counts.installed === 8);
  await round();
  rig.clock.advance(30 * 60_000);
  const done = await untilRollout(rig, id, ({ state }) => state === 'done');
  expect(done).toMatchObject({ failed: 0, changedBy: null, reason: null });
  const audit = jsonOf<{ items: { action: string; actor: string }[] }>(
    expectStatus(await rig.admin('GET', `/api/core/audit?subject=rollout:${id}`), 200),
  );
  expect(audit.items.map(({ action, actor }) => `${action} ${actor.split(' ')[0]}`).toReversed()).toEqual([
    ...['rollout.started admin', 'rollout.wave_begun system'],
    ...['rollout.wave_begun system', 'rollout.done system'],
  ]);
  expect((await rig.admin('POST', `/api/core/rollouts/${id}/pause`)).status).toBe(409);
  // All have it: another rollout of the same is over as soon as it begins.
  const again = await begin({ group: 'Waves' });
  expect(await untilRollout(rig, again, ({ state }) => state === 'done')).toMatchObject({
    counts: { already: 8 },
  });
});

test('a site that fails pauses it, takes back what has not begun, and is told to people', async () => {
  const [a, b, c] = (await register(['f-a', 'f-b', 'f-c', 'f-d'])) as [WireSite, WireSite, WireSite];
  const id = await begin({ sites: ['f-a', 'f-b', 'f-c', 'f-d'], waves: ['3', '100%'] });
  await untilRollout(rig, id, ({ counts }) => counts.waiting === 3);
  for (const site of [a, b, c]) await site.call();
  await a.tell('installing');
  await b.tell('fetched', { fetched: 5_000 });
  const why = { code: 'upgrade_older', params: { wanted: '1.2.0', runs: '0.1.0' } };
  await a.tell('taken_back', { reason: '1.2.0 is older than 0.1.0, which runs', told: why });
  const paused = await untilRollout(rig, id, ({ state }) => state === 'paused');
  expect(paused).toMatchObject({
    ...{ changedBy: null, failed: 1, reason: '1 site failed in wave 1, where at most 0 may: f-a' },
    reasonZh: '第 1 批有 1 个站点失败（最多允许 0 个）：f-a',
  });
  const [failed] = await sitesOf(rig, id, '&failed=true');
  expect(failed).toMatchObject({ instance: 'f-a', failed: true });
  expect(failed?.reasonZh).toContain('0.1.0');
  const alarm = await until('the alarm', async () => (await alarmsOf(id))[0]);
  expect(alarm).toMatchObject({ severity: 'warning' });
  expect([alarm.message, alarm.messageZh].every((text) => text.includes('f-a'))).toBe(true);
  // What was not begun is taken back; one that had begun meanwhile says so, and goes through.
  expect(await b.call()).toMatchObject({ no: 2, release: null });
  await b.tell('stopped');
  await c.tell('installing');
  await c.call();
  await c.tell('installed', { no: 1 });
  c.version = '1.2.0';
  await round();
  expect(await stepsOf(rig, id)).toMatchObject({
    ...{ 'f-a': 'taken_back', 'f-b': 'stopped', 'f-c': 'installed', 'f-d': 'planned' },
  });
  // It tries again, fails again, and is left out.
  await act(id, 'resume', { failed: 'again' });
  await untilRollout(rig, id, ({ counts }) => counts.waiting === 2);
  expect(await a.call()).toMatchObject({ no: 2, release: {} });
  await b.call();
  await b.tell('installed');
  await a.tell('refused');
  await untilRollout(rig, id, ({ state }) => state === 'paused');
  const gone = await act(id, 'resume', { failed: 'leave_out' });
  expect(gone).toMatchObject({ state: 'running', reason: null, changedBy: 'admin' });
  await untilRollout(rig, id, ({ wave }) => wave === 2);
  await until('the alarm is over', async () => (await alarmsOf(id)).length === 0);
  expect(await stepsOf(rig, id)).toMatchObject({ 'f-a': 'left_out', 'f-d': 'waiting' });
  // The one that was left out is free; the others are held.
  const held = await start({ version: '1.3.0', sites: ['f-a', 'f-b', 'f-d'] });
  expect(jsonOf(expectStatus(held, 409))).toMatchObject({ error: 'sites_held', details: ['f-b', 'f-d'] });
  const other = await begin({ version: '1.3.0', sites: ['f-a'] });
  await act(other, 'abort');
  await act(id, 'abort');
});

test('an abort stops what has not begun, and what is on its way goes on', async () => {
  const sites = await register(['x-a', 'x-b', 'x-c', 'x-d']);
  const [a, b] = sites as [WireSite, WireSite];
  const id = await begin({ sites: sites.map(({ instance }) => instance), waves: ['3'] });
  await untilRollout(rig, id, ({ counts }) => counts.waiting === 3);
  for (const site of sites) await site.call();
  await a.tell('installing');
  await b.tell('fetching');
  await act(id, 'abort');
  expect((await act(id, 'abort').catch((error: unknown) => error)) instanceof Error).toBe(true);
  expect(await stepsOf(rig, id)).toEqual({
    ...{ 'x-a': 'installing', 'x-b': 'stopping', 'x-c': 'stopping', 'x-d': 'left_out' },
  });
  expect(await b.call()).toMatchObject({ no: 2, release: null });
  await b.tell('stopped');
  await a.tell('installed');
  expect(await stepsOf(rig, id)).toMatchObject({ 'x-a': 'installed', 'x-b': 'stopped' });
  const seen = await rig.admin('GET', '/api/core/sites/x-a/upgrade');
  expect(jsonOf(expectStatus(seen, 200))).toMatchObject({ version: '1.2.0', step: 'installed', rollout: id });
});

test('a site that falls silent while it installs has failed; one that is too old holds nothing up', async () => {
  const [a] = (await register(['q-a'])) as [WireSite];
  await register(['q-old'], { features: ['settings'] });
  const caution = { ...QUICK, silent_minutes: 5 };
  const id = await begin({ sites: ['q-old', 'q-a'], waves: ['100%'], caution });
  await untilRollout(rig, id, ({ counts }) => counts.unable === 1 && counts.waiting === 1);
  await a.call();
  await a.tell('installing');
  for (let minutes = 0; minutes < 7; minutes += 1) {
    rig.clock.advance(59_000);
    await round();
  }
  await untilRollout(rig, id, ({ state, counts }) => state === 'paused' && counts.silent === 1);
  // It is heard again, and says that it went well: nothing has failed any more.
  await a.call();
  await a.tell('installed');
  expect((await act(id, 'resume')).failed).toBe(0);
  const done = await untilRollout(rig, id, ({ state }) => state === 'done');
  expect(done.counts).toEqual({ installed: 1, unable: 1 });
});

test('a site that is registered again, has another store or another name keeps its place', async () => {
  const [a, b] = (await register(['p-a', 'p-b'])) as [WireSite, WireSite];
  const id = await begin({ sites: ['p-a', 'p-b'], waves: ['100%'] });
  await untilRollout(rig, id, ({ counts }) => counts.waiting === 2);
  await a.call();
  await a.tell('fetching');
  expect((await a.call())?.no).toBe(1);
  // Another store of it was told nothing.
  await a.another();
  expect(await a.call()).toMatchObject({ no: 1, release: {} });
  // Removed, and there again.
  await b.call();
  expectStatus(await rig.admin('DELETE', '/api/core/sites/p-b'), 200);
  await untilRollout(rig, id, ({ counts }) => counts.gone === 1);
  const made = await rig.admin('POST', '/api/core/sites', { instance: 'p-new', tenants: ['acme'] });
  const key = jsonOf<{ keyId: string; secret: string }>(expectStatus(made, 201));
  expectStatus(await rig.admin('PATCH', '/api/core/sites/p-new', { continues: ['p-b'] }), 200);
  const renamed = b.renamed('p-new', key);
  await renamed.call();
  await renamed.tell('fetched');
  await untilRollout(rig, id, ({ counts }) => counts.fetched === 1);
  expect(await stepsOf(rig, id)).toEqual({ 'p-a': 'fetching', 'p-new': 'fetched' });
  await renamed.tell('installed');
  await a.tell('installed');
  await untilRollout(rig, id, ({ state }) => state === 'done');
});

test('people of a tenant reach their own sites and rollouts alone', async () => {
  await register(['t-acme', 't-acme2']);
  await register(['t-beta'], { tenants: ['beta'] });
  await register(['t-both'], { tenants: ['acme', 'beta'] });
  for (const tenant of ['acme', 'beta'])
    await rig.addUser(`${tenant}-keeper`, {
      ...{ role: 'customer', tenant_code: tenant, permissions: ['releases.manage'] },
    });
  const [acme, beta] = [await rig.browser('acme-keeper'), await rig.browser('beta-keeper')];
  const post = '/api/core/rollouts';
  const wanted = { version: '1.2.0', caution: QUICK };
  for (const sites of [['t-beta'], ['t-both'], ['t-acme', 't-beta'], ['nowhere']]) {
    expect((await acme.call('POST', post, { body: { ...wanted, sites } })).status).toBe(404);
    expect((await acme.call('POST', `${post}/preview`, { body: { version: '1.2.0', sites } })).status).toBe(
      404,
    );
  }
  const all = { version: '1.2.0', all: true };
  const preview = await beta.call('POST', `${post}/preview`, { body: all });
  expect(jsonOf(expectStatus(preview, 200))).toMatchObject({ sites: 1, waves: [{ names: ['t-beta'] }] });
  const made = await acme.call('POST', post, { body: { ...wanted, sites: ['t-acme'] } });
  const { id } = jsonOf<RolloutView>(expectStatus(made, 201));
  const operators = await begin({ sites: ['t-acme2'] });
  const idsOf = async (who: typeof acme): Promise<string[]> =>
    jsonOf<{ items: RolloutView[] }>(expectStatus(await who.call('GET', post), 200)).items.map(
      (one) => one.id,
    );
  expect([await idsOf(acme), await idsOf(beta)]).toEqual([[id], []]);
  for (const [who, other] of [
    [beta, id],
    [acme, operators],
    [acme, randomUUID()],
  ] as const) {
    for (const target of ['', '/sites'])
      expect((await who.call('GET', `${post}/${other}${target}`)).status).toBe(404);
    for (const what of ['pause', 'resume', 'abort'])
      expect((await who.call('POST', `${post}/${other}/${what}`, { body: {} })).status).toBe(404);
  }
  expect((await beta.call('GET', '/api/core/sites/t-acme/upgrade')).status).toBe(404);
  expectStatus(await acme.call('GET', '/api/core/sites/t-acme/upgrade'), 200);
  // A site that comes to bring what is another's is none of theirs from then on.
  expectStatus(await rig.admin('PATCH', '/api/core/sites/t-acme', { tenants: ['acme', 'beta'] }), 200);
  await untilRollout(rig, id, ({ counts }) => counts.gone === 1);
  await act(operators, 'abort');
});

test('of two hubs one decides, and what one has begun the other goes on with', async () => {
  const sites = await register(['h-a', 'h-b', 'h-c', 'h-d']);
  const peer = await rig.peer();
  const id = await begin({ sites: sites.map(({ instance }) => instance), waves: ['2', '100%'] });
  await untilRollout(rig, id, ({ counts }) => counts.waiting === 2);
  // Also where both look at the same time, each is told once.
  await Promise.all([round(), round()]);
  await peer.stop();
  const client = clientOf(rig.databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ no: number }>(
    'select no from site_upgrades where rollout_id = $1 order by instance',
    [id],
  );
  await client.end();
  expect(rows).toEqual([{ no: 1 }, { no: 1 }]);
  for (const site of sites.slice(0, 2)) {
    await site.call();
    await site.tell('installed');
  }
  await untilRollout(rig, id, ({ counts }) => counts.waiting === 2);
  for (const site of sites.slice(2)) {
    await site.call();
    await site.tell('installed');
  }
  await untilRollout(rig, id, ({ state }) => state === 'done');
});

test('a thousand sites in one rollout, told in steps and listed by pages', async () => {
  const client = clientOf(rig.databaseUrl);
  await client.connect();
  await client.query(
    `insert into sites (instance, tenants, continues, groups, created_at, features, version, last_seen_at)
     select 'k-' || lpad(n::text, 4, '0'), '{many}', '{}', '{Thousand}', 0, '{upgrade}', '0.1.0', $1
     from generate_series(0, 999) n`,
    [rig.clock.now()],
  );
  await client.end();
  const id = await begin({
    group: 'Thousand',
    waves: ['1', '100%'],
    caution: { ...QUICK, careful_waves: 0, fail_percent: 100 },
  });
  await untilRollout(rig, id, ({ counts }) => counts.waiting === 1);
  const set = clientOf(rig.databaseUrl);
  await set.connect();
  await set.query(`update rollout_sites set step = 'installed' where rollout_id = $1 and place = 0`, [id]);
  await set.end();
  const told = await untilRollout(rig, id, ({ counts }) => counts.waiting === 999);
  expect(told).toMatchObject({ sites: 1_000, wave: 2, counts: { installed: 1 } });
  const all = await sitesOf(rig, id);
  expect(new Set(all.map(({ instance }) => instance)).size).toBe(1_000);
  const [one] = await sitesOf(rig, id, '&q=k-0777');
  expect(one).toMatchObject({ place: 778, wave: 2, step: 'waiting' });
  expect(await act(id, 'pause')).toMatchObject({ state: 'paused', counts: { stopping: 999 } });
  await act(id, 'abort');
});
