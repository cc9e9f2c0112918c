// A site's rules: from headquarters, from the cache, registered on the spot; and the rehearsal at the
// terminal.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RulesCache } from '../../common/agent/rule-set/cache.ts';
import { runCommand } from '../../site/cli/main.ts';
import { readSiteConfig } from '../../site/config.ts';
import {
  ADMIN_KEY,
  type HubHere,
  type SiteHere,
  startHubHere,
  startSiteHere,
} from '../support/in-process.ts';
import { freePort, Scene } from '../support/process.ts';
import { Link } from '../support/proxy.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

interface Status {
  ruleSource: Record<string, { source: string; fetchedAt: string | null }>;
  rules: number;
  badRules: { name: string; why: string[] }[];
  cache: { savedAt: string | null } | null;
  lastError: string | null;
}

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

const dataDir = (): string => path.join(scene.dir, 'site');
const cacheFile = (): string => path.join(dataDir(), 'rules_cache.json');
const rule = (name: string, tenant = 'acme') => ({
  tenant_code: tenant,
  kind: 'response',
  name,
  body: { match: { event_types: ['vehicle.*'] }, action: { kind: 'notify', message: `${name} {camera}` } },
});
const cached = (name: string) => ({
  tenantCode: 'acme',
  kind: 'response',
  name,
  version: 3,
  body: rule(name).body,
  by: 'li',
  createdAt: 1,
});
const FETCHED = Date.UTC(2026, 2, 1);

async function site(url: string, env: Record<string, string> = {}): Promise<SiteHere> {
  const keyFile = path.join(scene.dir, 'uplink-key');
  if (!readdirSync(scene.dir).includes('uplink-key')) writeFileSync(keyFile, 'site-none:fls_none');
  return startSiteHere(scene, {
    env: { CORE_UPLINK_URL: url, CORE_UPLINK_KEY_REF: `file:${keyFile}`, AGENT_TENANTS: 'acme', ...env },
  });
}
const nowhere = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`;
const status = async ({ call }: SiteHere): Promise<Status> =>
  jsonOf<Status>(expectStatus(await call('GET', '/api/agent/status'), 200));
const chosen = async ({ call }: SiteHere): Promise<string | null> => {
  const answer = await call('POST', '/api/agent/rules/explain', {
    tenant_code: 'acme',
    event: { type: 'vehicle.intrusion', camera_ref: 'c1' },
  });
  return jsonOf<{ choice: { ruleName: string | null } }>(expectStatus(answer, 200)).choice.ruleName;
};

async function hubWithSite(): Promise<HubHere> {
  const hub = await startHubHere(scene);
  const { keyId, secret } = jsonOf<{ keyId: string; secret: string }>(
    expectStatus(await hub.call('POST', '/api/core/sites', { instance: 'site-1', tenants: ['acme'] }), 201),
  );
  writeFileSync(path.join(scene.dir, 'uplink-key'), `${keyId}:${secret}`);
  return hub;
}

test(
  'headquarters cannot be reached at the first start, with a cache: its rules decide at once, and it is ' +
    'said since when',
  async () => {
    mkdirSync(dataDir(), { recursive: true });
    await new RulesCache(cacheFile()).write({
      fetchedAt: FETCHED,
      rules: [
        cached('night'),
        { ...cached('broken'), body: { priority: 'x' } },
        { ...cached('stranger'), tenantCode: 'other' },
      ],
    });
    const here = await site(await nowhere());
    expect(await chosen(here)).toBe('night');
    expect(await status(here)).toMatchObject({
      ruleSource: {
        response: { source: 'cache', fetchedAt: '2026-03-01T00:00:00.000Z' },
        threshold: { source: 'builtin', fetchedAt: null },
      },
      rules: 1,
      badRules: [{ name: 'broken' }],
    });
    const refused = expectStatus(await here.call('POST', '/api/agent/rules/reload'), 503);
    expect(jsonOf(refused)).toMatchObject({ error: 'rules_unreachable' });
    expect(await chosen(here)).toBe('night');
  },
);

test('without a cache: nothing matches, and a rule registered on the spot counts at once', async () => {
  const here = await site(await nowhere());
  expect(await chosen(here)).toBeNull();
  expect((await status(here)).ruleSource.response).toEqual({ source: 'builtin', fetchedAt: null });
  expectStatus(await here.call('POST', '/api/mind/rules', rule('local')), 201);
  expect(await chosen(here)).toBe('local');
  expect(readdirSync(dataDir())).not.toContain('rules_cache.json');
});

test("without headquarters' rules a critical event that nobody is told of raises an alarm", async () => {
  const hub = await hubWithSite();
  const link = new Link(Number(new URL(hub.hub.url).port), seededRandom(1));
  await link.listen();
  scene.onClose(() => link.close());
  link.down('refused');
  const here = await site(link.url, { AGENT_ENABLED: 'true' });
  const key = await here.node('gate');
  const post = async (idempotencyKey: string, severity: string): Promise<void> => {
    const body = JSON.stringify({
      ...{ idempotency_key: idempotencyKey, tenant_code: 'acme', type: 'fire.flame', kind: 'alert' },
      ...{ source: 'video', severity },
    });
    const url = here.site.url;
    expectStatus(await signedCall({ url, key, method: 'POST', path: '/api/core/events', body }), 201);
  };
  const decided = async (): Promise<number> =>
    jsonOf<{ items: unknown[] }>(expectStatus(await here.call('GET', '/api/agent/decisions'), 200)).items
      .length;
  const missing = async (): Promise<unknown[]> =>
    jsonOf<{ items: { key: string }[] }>(
      expectStatus(await here.call('GET', '/api/core/alarms'), 200),
    ).items.filter(({ key: name }) => name === 'rules_missing');
  await post('a', 'high');
  await until('a decision', async () => (await decided()) === 1);
  expect(await missing()).toEqual([]);
  expectStatus(await here.call('POST', '/api/mind/rules', rule('local')), 201);
  expect((await status(here)).ruleSource.response).toEqual({ source: 'builtin', fetchedAt: null });
  await post('b', 'critical');
  await until('the alarm', async () => (await missing()).length === 1);
  link.up();
  expectStatus(await here.call('POST', '/api/agent/rules/reload'), 200);
  expect(await missing()).toEqual([]);
});

test.each<[string, (text: string) => string]>([
  ['cut off', (text) => text.slice(0, text.length / 2)],
  ['with one letter changed', (text) => text.replace('night', 'might')],
  ['empty', () => ''],
  ['of something else', () => '{"rules":[]}'],
])('a cache that is %s is set aside with an alarm, and the site starts', async (_, damage) => {
  mkdirSync(dataDir(), { recursive: true });
  await new RulesCache(cacheFile()).write({ fetchedAt: FETCHED, rules: [cached('night')] });
  writeFileSync(cacheFile(), damage(readFileSync(cacheFile(), 'utf8')));
  const here = await site(await nowhere());
  expect(await chosen(here)).toBeNull();
  expect(readdirSync(dataDir()).filter((name) => name.startsWith('rules_cache.json'))).toEqual([
    expect.stringMatching(/^rules_cache\.json\.damaged-\d+$/),
  ]);
  const alarms = jsonOf<{ items: { key: string }[] }>(
    expectStatus(await here.call('GET', '/api/core/alarms'), 200),
  ).items;
  expect(alarms.map(({ key }) => key)).toContain('rules_cache_damaged');
});

test(
  'from headquarters: only the tenants served, kept in the cache, taken again when they change, and kept ' +
    'when it goes away',
  async () => {
    const hub = await hubWithSite();
    for (const one of [rule('night'), rule('secret', 'other')])
      expectStatus(await hub.call('POST', '/api/core/objects/rules', one), 201);
    const here = await site(hub.hub.url);
    const reload = async (): Promise<boolean> =>
      jsonOf<{ changed: boolean }>(expectStatus(await here.call('POST', '/api/agent/rules/reload'), 200))
        .changed;
    await until('the rules have come', async () => (await chosen(here)) === 'night');
    expect(await reload()).toBe(false);
    expect(readFileSync(cacheFile(), 'utf8')).toContain('night');
    expect(readFileSync(cacheFile(), 'utf8')).not.toContain('secret');
    // The same name registered here gives way.
    expectStatus(
      await here.call('POST', '/api/core/objects/rules', { ...rule('night'), body: { enabled: false } }),
      201,
    );
    expect(await chosen(here)).toBe('night');
    for (const target of ['/api/agent/rules', '/api/agent/status'])
      expect(jsonOf(await here.call('GET', target))).toMatchObject({
        givingWay: [{ tenantCode: 'acme', kind: 'response', name: 'night' }],
      });
    expectStatus(
      await hub.call('POST', '/api/core/objects/rules', {
        ...rule('night'),
        body: { ...rule('night').body, enabled: false },
      }),
      201,
    );
    expect(await reload()).toBe(true);
    expect(await chosen(here)).toBeNull();
    expect((await status(here)).ruleSource.response).toMatchObject({ source: 'core' });
    const name = 'tenant_code=acme&kind=response&name=night';
    expectStatus(await hub.call('DELETE', `/api/core/objects/rules?${name}`), 200);
    expect(await reload()).toBe(true);
    // That of the site does not give way any more; it is disabled.
    expect(await status(here)).toMatchObject({ givingWay: [], rules: 1 });
    await hub.hub.stop();
    expectStatus(await here.call('POST', '/api/agent/rules/reload'), 503);
    expect(await status(here)).toMatchObject({ ruleSource: { response: { source: 'core' } }, rules: 1 });
  },
);

test('a site whose tenants change at headquarters gets the rules of the new ones, as many as they may be', async () => {
  const hub = await hubWithSite();
  for (const one of [rule('night'), rule('day', 'other')])
    expectStatus(await hub.call('POST', '/api/core/objects/rules', one), 201);
  const here = await site(hub.hub.url, { AGENT_TENANTS: 'acme,other' });
  await until('the rules have come', async () => (await chosen(here)) === 'night');
  expectStatus(await hub.call('PATCH', '/api/core/sites/site-1', { tenants: ['other'] }), 200);
  expectStatus(await here.call('POST', '/api/agent/rules/reload'), 200);
  const { items } = jsonOf<{ items: { name: string }[] }>(
    expectStatus(await here.call('GET', '/api/agent/rules'), 200),
  );
  expect(items.map(({ name }) => name)).toEqual(['day']);
});

test('the tag of the list is also known as a proxy gives it back, and is another for other tenants', async () => {
  const hub = await startHubHere(scene);
  for (const one of [rule('night'), rule('day', 'other')])
    expectStatus(await hub.call('POST', '/api/core/objects/rules', one), 201);
  const get = (tenant: string, tag?: string): Promise<Response> =>
    fetch(`${hub.hub.url}/api/core/objects/rules?tenant_code=${tenant}`, {
      headers: { 'x-admin-key': ADMIN_KEY, ...(tag === undefined ? {} : { 'if-none-match': tag }) },
    });
  const tag = (await get('acme')).headers.get('etag') ?? '';
  for (const [tenant, given, expected] of [
    ['acme', tag, 304],
    ['acme', `W/${tag}`, 304],
    ['acme', `"x", ${tag}`, 304],
    ['other', tag, 200],
  ] as const)
    expect((await get(tenant, given)).status).toBe(expected);
  expectStatus(await hub.call('POST', '/api/core/objects/rules', rule('second', 'other')), 201);
  expect((await get('acme', tag)).status).toBe(304);
  expectStatus(await hub.call('POST', '/api/core/objects/rules', rule('night')), 201);
  expect((await get('acme', tag)).status).toBe(200);
});

test('RULES_CACHE_FILE=off writes nothing', async () => {
  const hub = await hubWithSite();
  expectStatus(await hub.call('POST', '/api/core/objects/rules', rule('night')), 201);
  const here = await site(hub.hub.url, { RULES_CACHE_FILE: 'off' });
  await until('the rules have come', async () => (await chosen(here)) === 'night');
  expect((await status(here)).cache).toBeNull();
  expect(readdirSync(dataDir()).filter((name) => name.startsWith('rules_cache'))).toEqual([]);
});

test('rules test: what a draft would do about a recording, with cooldown, shadowed rules and what is wrong', async () => {
  const [events, draft] = [path.join(scene.dir, 'events.jsonl'), path.join(scene.dir, 'draft.json')];
  const event = (at: string, more: object = {}) =>
    JSON.stringify({
      tenant_code: 'acme',
      type: 'vehicle.intrusion',
      severity: 'high',
      camera_ref: 'c1',
      occurred_at: `2026-03-01T${at}+08:00`,
      ...more,
    });
  writeFileSync(
    events,
    [
      event('23:00:00'),
      event('23:04:59'),
      event('23:05:00'),
      event('23:05:00', { type: 'fire.smoke' }),
      event('23:06:00', { severity: 'awful' }),
    ].join('\n'),
  );
  writeFileSync(
    draft,
    JSON.stringify([
      {
        tenant_code: 'acme',
        kind: 'response',
        name: 'night',
        body: {
          priority: 10,
          match: { event_types: ['vehicle.*'], hours: [20, 6] },
          action: { kind: 'notify', channels: ['inbox'], cooldown_s: 300 },
        },
      },
      {
        tenant_code: 'acme',
        kind: 'response',
        name: 'hidden',
        body: { priority: 20, match: { event_types: ['vehicle.intrusion'], hours: [22, 5] } },
      },
    ]),
  );
  let out = '';
  const config = readSiteConfig({ CORE_DATA_DIR: dataDir(), CORE_INSTANCE: 'site-1' });
  const run = (...argv: string[]): Promise<number | 'run'> =>
    runCommand(['rules', 'test', events, '--rules', draft, ...argv], {
      env: {},
      readConfig: () => config,
      terminal: { out: (text) => void (out += text) },
    });
  expect(await run('--json')).toBe(1);
  const rehearsal = JSON.parse(out) as {
    events: { line: number; suppressedBy: number | null; choice: { ruleName: string | null } }[];
    faults: { line: number }[];
    shadowed: { name: string }[];
    unused: { name: string }[];
  };
  expect(
    rehearsal.events.map(({ line, suppressedBy, choice }) => [line, choice.ruleName, suppressedBy]),
  ).toEqual([
    [1, 'night', null],
    [2, 'night', 1],
    [3, 'night', null],
    [4, null, null],
  ]);
  expect(rehearsal).toMatchObject({
    faults: [{ line: 5 }],
    shadowed: [{ name: 'hidden' }],
    unused: [{ name: 'hidden' }],
  });
  out = '';
  await run('--why');
  expect(out).toMatch(/20 hidden: It would match, but an earlier rule decides/);
  expect(out).toContain('shadowed: acme/hidden can never decide, night takes all that it matches');
  expect(out.slice(out.indexOf('line 1:'))).not.toMatch(/\p{Script=Han}/u);
  out = '';
  await run('--why', '--lang', 'zh');
  expect(out).toContain('20 hidden: 可匹配，但由前面的规则决定。');
  expect(out).toContain('20 hidden: 事件类型 fire.smoke 不在 vehicle.intrusion 之中。');
  expect(out).toContain('被遮蔽：acme/hidden 永远不会生效');
});
