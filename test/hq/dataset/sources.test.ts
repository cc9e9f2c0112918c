// Dataset sources over the API of a hub: where they may lie, and what is left of them when they go.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostOf } from '../../../common/core/secret/decide.ts';
import { DatasetSource } from '../../support/dataset-source.ts';
import { HttpPeer, type Respond } from '../../support/http-peer.ts';
import { freePort } from '../../support/process.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { openSessionRig, type SessionRig } from '../session-rig.ts';

interface Shown {
  id: string;
  running: boolean;
  failures: number;
  lastError: string | null;
  lastErrorZh: string | null;
  datasets: { dataset: string; lastError: string | null; completedAt: string | null }[];
}

let rig: SessionRig;
let outside: DatasetSource;
let inside: DatasetSource;
beforeAll(async () => {
  const fields = { one: { size: 'integer' }, two: { size: 'integer' } } as const;
  [outside, inside] = [
    await new DatasetSource(fields).open(),
    await new DatasetSource(fields).open('127.0.0.2'),
  ];
  rig = await openSessionRig({ CORE_DATASET_NETWORKS: '127.0.0.2/32,10.0.0.0/8' });
});
afterAll(async () => {
  await rig.close();
  await outside.close();
  await inside.close();
});

/** The secret of whoever is at the address, under a name of its own. */
const refOf = (baseUrl: string): string => `at-${hostOf(baseUrl).replace(/[^0-9a-z]+/g, '-')}`;
const given = async (baseUrl: string): Promise<void> =>
  void expectStatus(
    await rig.admin('PUT', `/api/core/secrets/${refOf(baseUrl)}`, {
      tenant_code: 'acme',
      use: 'dataset',
      host: hostOf(baseUrl),
      secret: 'x',
    }),
    201,
    200,
  );
const body = (name: string, baseUrl: string) => ({
  tenant_code: 'acme',
  name,
  base_url: baseUrl,
  key_id: 'k',
  secret_ref: refOf(baseUrl),
  schedule: '0 3 * * *',
  datasets: [{ dataset: 'one' }, { dataset: 'two' }],
});
const get = async (id: string): Promise<Shown> =>
  jsonOf<Shown>(expectStatus(await rig.admin('GET', `/api/dataset/sources/${id}`), 200));
const alarms = async (id: string): Promise<string[]> =>
  jsonOf<{ items: { key: string }[] }>(
    expectStatus(await rig.admin('GET', '/api/core/alarms?tenant_code=acme'), 200),
  )
    .items.map(({ key }) => key)
    .filter((key) => key.includes(id))
    .sort();
async function added(name: string, baseUrl: string): Promise<Shown> {
  await given(baseUrl);
  const { id } = jsonOf<Shown>(
    expectStatus(await rig.admin('POST', '/api/dataset/sources', body(name, baseUrl)), 201),
  );
  await until(
    'the first pull is over',
    async () =>
      (await get(id)).datasets.every(
        ({ lastError, completedAt }) => lastError !== null || completedAt !== null,
      ) && !(await get(id)).running,
  );
  return get(id);
}

describe('a source outside CORE_DATASET_NETWORKS', () => {
  test.each([
    ['by address', (url: string) => url],
    ['by name', (url: string) => url.replace('127.0.0.1', 'localhost')],
    ['in IPv6 clothing', (url: string) => url.replace('127.0.0.1', '[::ffff:127.0.0.1]')],
  ])('%s is not connected to, and says which setting opens it', async (how, address) => {
    const shown = await added(how, address(outside.url));
    expect(shown.lastError).toMatch(/outside the allowed networks; allow it with CORE_DATASET_NETWORKS$/);
    expect([shown.failures, outside.heard]).toEqual([1, 0]);
  });

  test('inside them is read', async () => {
    const shown = await added('listed', inside.url);
    expect(shown).toMatchObject({ lastError: null, failures: 0 });
  });
});

describe('what is wrong with a source is said with what to look at', () => {
  const refusing =
    (status: number, ahead = 0): Respond =>
    () => ({
      status,
      headers: { date: new Date(rig.clock.now() + ahead).toUTCString() },
      body: '{"error":"bad_signature"}',
    });
  const listing =
    (...keys: string[]): Respond =>
    () => ({
      body: JSON.stringify({
        datasets: keys.map((key) => ({
          key,
          schemaVersion: '1',
          granularity: '',
          fields: [],
          updateFrequency: '',
          earliest: null,
        })),
      }),
    });

  test.each<[string, Respond, RegExp]>([
    [
      'the key or its secret',
      refusing(401),
      /^the source answered 401; look at key_id, and whether the secret behind secret_ref is the one .*$/,
    ],
    [
      'its clock, which is ahead',
      refusing(401, 3_600_000),
      /^the source answered 401; its clock is 3600 s ahead of that of headquarters, and a signature holds for 300 s: set the one that is wrong$/,
    ],
    [
      'its clock, which is behind',
      refusing(401, -301_000),
      /; its clock is 301 s behind that of headquarters, /,
    ],
    [
      'that it has moved',
      () => ({ status: 308, headers: { location: 'https://new.example/erp' } }),
      /^the source answered 308; redirects are not followed, base_url must be where they lead \(https:\/\/new\.example\/erp\)$/,
    ],
    [
      'the address',
      () => ({ status: 404 }),
      /^the source answered 404; look at base_url, which is what lies before \/api\/subscribe\/v1\/datasets, and at the tenant of the key$/,
    ],
    [
      'the name of a dataset',
      listing('ones', 'twos'),
      /^(?:one|two): The source does not list the dataset (?:one|two); it lists: ones, twos\.$/,
    ],
    ['a source without datasets', listing(), /it lists: none\.$/],
  ])('%s', async (what, respond, said) => {
    const peer = await new HttpPeer().open('127.0.0.2');
    peer.respond = respond;
    const shown = await added(what, peer.url);
    await peer.close();
    // The same for a Chinese reader.
    expect(shown.lastErrorZh).toMatch(/\p{Script=Han}/u);
    expect(shown.lastError).toMatch(said);
  });

  test('a secret that was removed', async () => {
    const { id } = await added('no secret', inside.url);
    expectStatus(await rig.admin('DELETE', `/api/core/secrets/${refOf(inside.url)}?tenant_code=acme`), 200);
    expectStatus(await rig.admin('POST', `/api/dataset/sources/${id}/sync`), 200);
    expect(await until('it was tried', async () => (await get(id)).lastError)).toBe(
      'the call cannot be signed: the secret cannot be used; the log of the program says why',
    );
    await given(inside.url);
  });

  test('an address where nothing listens', async () => {
    const url = `http://127.0.0.2:${await freePort()}`;
    expect((await added('nobody', url)).lastError).toBe(
      `nothing listens at ${url.slice('http://'.length)} (ECONNREFUSED); check the address and port, or wait until it is up again`,
    );
  });
});

test('the alarms of a dataset go with it', async () => {
  inside.version = '1';
  const kept = inside.fields;
  inside.fields = {};
  const { id } = await added('lists nothing', inside.url);
  inside.fields = kept;
  const keys = (...datasets: string[]): string[] =>
    datasets.map((dataset) => `dataset_contract:${id}:${dataset}`);
  expect(await alarms(id)).toEqual(keys('one', 'two'));
  expectStatus(
    await rig.admin('PATCH', `/api/dataset/sources/${id}`, {
      datasets: [{ dataset: 'two' }],
      enabled: false,
    }),
    200,
  );
  expect(await alarms(id)).toEqual(keys('two'));
  expectStatus(await rig.admin('DELETE', `/api/dataset/sources/${id}`), 200);
  expect(await alarms(id)).toEqual([]);
});

test('the alarm of a source goes with it', async () => {
  inside.version = '';
  const { id } = await added('broken', inside.url);
  const keys = [`dataset_source:${id}`];
  expect(await alarms(id)).toEqual(keys);
  const { items } = jsonOf<{ items: { key: string; messageZh: string }[] }>(
    expectStatus(await rig.admin('GET', '/api/core/alarms?tenant_code=acme'), 200),
  );
  for (const { messageZh } of items.filter(({ key }) => key.includes(id)))
    expect(messageZh).toMatch(
      /^数据源 broken 的 2 个数据集均无法拉取：数据集列表不符合本接口：成员 \S+ 不能为空/,
    );
  expectStatus(
    await rig.admin('PATCH', `/api/dataset/sources/${id}`, { datasets: [{ dataset: 'two' }] }),
    200,
  );
  expect(await alarms(id)).toEqual(keys);
  expectStatus(await rig.admin('DELETE', `/api/dataset/sources/${id}`), 200);
  // The run that the change began may just be raising it; it then takes it back itself.
  await until('the alarm is over', async () => (await alarms(id)).length === 0);
});

describe('a source that is changed', () => {
  const next = async (id: string): Promise<string | null> =>
    jsonOf<{ nextRunAt: string | null }>(
      expectStatus(await rig.admin('GET', `/api/dataset/sources/${id}`), 200),
    ).nextRunAt;
  const change = async (id: string, what: object): Promise<void> =>
    void expectStatus(await rig.admin('PATCH', `/api/dataset/sources/${id}`, what), 200);

  test('after it failed is tried at once with what was put right, otherwise by its schedule', async () => {
    const peer = await new HttpPeer().open('127.0.0.2');
    peer.respond = () => ({ status: 500 });
    inside.version = '1';
    const { id } = await added('put right', peer.url);
    await given(inside.url);
    await change(id, { base_url: inside.url, secret_ref: refOf(inside.url) });
    await until('it was pulled from the new address', async () =>
      (await get(id)).datasets.every(({ completedAt }) => completedAt !== null),
    );
    await until('the run is over', async () => !(await get(id)).running);
    const heard = inside.heard;
    await change(id, { name: 'put right for good' });
    // 03:00 of the same day in Beijing, where it is 08:00 already: tomorrow.
    expect([await next(id), inside.heard]).toEqual(['2026-03-01T19:00:00.000Z', heard]);
    await peer.close();
  });

  test('in the middle of a run goes on with the new settings, and disabled it shows no run', async () => {
    const asked = Promise.withResolvers<void>();
    const answers: (() => void)[] = [];
    inside.put('one', 1, { size: 1 });
    inside.answering = (response, body) => {
      answers.push(() => response.end(body));
      asked.resolve();
    };
    const { id } = jsonOf<Shown>(
      expectStatus(await rig.admin('POST', '/api/dataset/sources', body('held', inside.url)), 201),
    );
    await asked.promise;
    inside.answering = (response, page) => void response.end(page);
    await change(id, { page_rows: 10 });
    await until('it was pulled', async () =>
      (await get(id)).datasets.every(({ completedAt }) => completedAt !== null),
    );
    for (const answer of answers) answer();
    const ended = async () =>
      jsonOf<{ datasets: { lastRun: { endedAt: string | null } }[] }>(
        await rig.admin('GET', `/api/dataset/sources/${id}`),
      ).datasets.map(({ lastRun }) => lastRun.endedAt !== null);
    expect(await ended()).toEqual([true, true]);
    inside.answering = () => asked.resolve();
    expectStatus(await rig.admin('POST', `/api/dataset/sources/${id}/sync`), 200);
    await until('a run is under way', async () => (await ended()).includes(false));
    await change(id, { enabled: false });
    expect([await ended(), await next(id), (await get(id)).running]).toEqual([[true, true], null, false]);
  });
});
