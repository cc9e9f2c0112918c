// Settings from headquarters on real programs: put to use while the site runs, overruled by its technician,
// taken back after a kill at any moment and by a site that is cut off.
import { randomInt } from 'node:crypto';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InboxItem } from '../../common/uplink/inbox.ts';
import type { KeptSettings } from '../../site/settings/record.ts';
import { runs } from '../support/campaign.ts';
import {
  type Deployment,
  INSTANCE,
  registerSite,
  startDeployment,
  uplinkEnv,
} from '../support/deployment.ts';
import { SettableClock, startSiteHere, untilRun } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { type Answer, expectStatus, jsonOf, until } from '../support/request.ts';

interface View {
  version: number;
  state: string;
  by: string;
  reason: string | null;
  reasonZh: string | null;
  faults: { name: string; reason: string; reasonZh: string }[];
  settings: {
    name: string;
    set: number | string | null;
    inUse: { value: number | string | null; from: string } | null;
    overruled: boolean;
  }[];
}

const PATH = `/api/core/sites/${INSTANCE}/settings`;
const EVENTS = 'CORE_RETENTION_EVENTS_DAYS';
let scene: Scene;
let deployment: Deployment;
beforeAll(async () => {
  scene = new Scene();
  deployment = await startDeployment(scene, seededRandom(32), {
    siteEnv: { CORE_CAMERA_SILENT_HOURS: '48', CORE_LOG_LEVEL: 'warn' },
  });
});
afterAll(() => scene.close());

const patch = (values: object, more: object = {}): Promise<Answer> =>
  deployment.hub.api('PATCH', PATH, { values, ...more });
const set = async (values: object): Promise<View> =>
  jsonOf<{ settings: View }>(expectStatus(await patch(values), 200)).settings;
const view = async (): Promise<View> =>
  jsonOf<{ settings: View }>(expectStatus(await deployment.hub.api('GET', PATH), 200)).settings;
const comesTo = (state: string, version: number): Promise<View> =>
  until(`version ${version} is ${state}`, async () => {
    const found = await view();
    return found.state === state && found.version === version ? found : null;
  });
const of = ({ settings }: View, name: string): View['settings'][number] | undefined =>
  settings.find((one) => one.name === name);

/** What the site itself works by. */
async function keptDays(): Promise<number | null> {
  const answer = expectStatus(await deployment.site.api('GET', '/api/core/retention'), 200);
  return jsonOf<{ limits: { eventsDays: number | null } }>(answer).limits.eventsDays;
}

/** Of the store, whoever has it open. */
function kept(): KeptSettings | null {
  const file = new Database(path.join(deployment.site.options.dataDir, 'site.db'), { readonly: true });
  try {
    const text = file.prepare(`SELECT value FROM meta WHERE key = 'settings'`).pluck().get();
    return text === undefined ? null : (JSON.parse(String(text)) as KeptSettings);
  } finally {
    file.close();
  }
}

const draft = (version: number, days: number): InboxItem => ({
  ...{ no: 1, kind: 'settings', id: `${INSTANCE} ${version}` },
  body: { version, values: { [EVENTS]: days }, by: 'user:anna', at: Date.now() },
});

/** As though it had come just before the link was cut. */
function arrive(item: InboxItem): void {
  const file = new Database(path.join(deployment.site.options.dataDir, 'site.db'));
  file
    .prepare(
      `INSERT INTO uplink_inbox (kind, id, subject, body, received_at, failures, due_at)
       VALUES (?, ?, ?, ?, 0, 0, 0)`,
    )
    .run(item.kind, item.id, 'settings site', JSON.stringify(item.body));
  file.close();
}

test('set while it runs, overruled, refused with every fault; killed at its first start and while it tries', async () => {
  const { hub, site, link } = deployment;
  expect(await view()).toMatchObject({ version: 0, by: null });
  expect(await set({ [EVENTS]: 30, CORE_CAMERA_SILENT_HOURS: 12 })).toMatchObject({ state: 'waiting' });
  const first = await comesTo('in_force', 1);
  expect(of(first, EVENTS)).toMatchObject({ set: 30, inUse: { value: 30, from: 'headquarters' } });
  expect(of(first, 'CORE_CAMERA_SILENT_HOURS')).toMatchObject({
    ...{ set: 12, overruled: true, inUse: { value: 48, from: 'technician' } },
  });
  expect(of(first, 'CORE_BACKUP_ALARM_DAYS')?.inUse).toEqual({ value: 8, from: 'standard' });
  expect([await keptDays(), site.lives]).toEqual([30, 1]);

  const bad = expectStatus(await patch({ CORE_LISTEN: 'x', [EVENTS]: 1, CORE_LOG_LEVEL: 'loud' }), 400);
  for (const name of ['CORE_LISTEN', EVENTS, 'CORE_LOG_LEVEL']) expect(bad.text).toContain(name);
  expect(bad.text).toMatch(/\p{Script=Han}/u);
  expect((await patch({}, { expected_version: 0 })).status).toBe(409);
  expect((await hub.api('GET', '/api/core/sites/elsewhere/settings')).status).toBe(404);

  // It dies in its first start with them: what was before is in use again, which is nothing.
  await site.kill();
  site.spawn();
  await until('the first start with it is under way', () => Promise.resolve(kept()?.stage === 'starting'));
  await site.kill();
  await site.start();
  expect(await keptDays()).toBeNull();
  const back = await comesTo('taken_back', 1);
  expect([back.reason, back.reasonZh]).toEqual([
    'the site did not get through its first start with them',
    '站点带着新设置的第一次启动没有完成',
  ]);
  expect(of(back, EVENTS)?.set).toBeNull();

  // What is confirmed and was in use through a start is what a kill brings back.
  await set({ [EVENTS]: 60 });
  await comesTo('in_force', 2);
  const facts = expectStatus(await site.api('GET', '/api/core/site/status'), 200);
  expect(jsonOf<{ settings: object }>(facts).settings).toMatchObject({
    ...{ version: 2, state: 'in_force' },
    inUse: [{ name: EVENTS, value: 60 }],
  });
  await site.stop();
  await site.start();
  await until('it is proved', () => Promise.resolve(kept()?.inForce?.proved === true));
  await site.stop();
  link.down('refused');
  arrive(draft(3, 90));
  await site.start();
  await until('it is tried', () => Promise.resolve(kept()?.stage === 'trial'));
  await site.kill();
  await site.start();
  expect(await keptDays()).toBe(60);
  link.up();
  const stopped = await comesTo('taken_back', 3);
  expect(stopped.reason).toBe('the site stopped before it had reached headquarters with them');
  expect(of(stopped, EVENTS)).toMatchObject({ set: 60, inUse: { value: 60, from: 'headquarters' } });

  // The site has the last word, also where headquarters let something pass.
  await site.stop();
  const passed = draft(4, 1);
  arrive({ ...passed, body: { ...(passed.body as object), values: { [EVENTS]: 1, CORE_LISTEN: 'x' } } });
  await site.start();
  const refused = await comesTo('refused', 4);
  expect(refused.faults.map(({ name }) => name)).toEqual([EVENTS, 'CORE_LISTEN']);
  expect(refused.faults[1]).toMatchObject({
    reason: 'CORE_LISTEN cannot be set from headquarters at this site',
    reasonZh: '此站点不支持由总部设置 CORE_LISTEN',
  });
  expect([of(refused, EVENTS)?.set, await keptDays()]).toEqual([60, 60]);

  const actions = async (program: Deployment['hub'], action: string): Promise<unknown[]> =>
    jsonOf<{ items: unknown[] }>(
      expectStatus(await program.api('GET', `/api/core/audit?action=${action}&limit=50`), 200),
    ).items;
  expect(await actions(hub, 'settings.set')).toMatchObject([
    { before: { values: {} }, after: { version: 2, values: { [EVENTS]: 60 } }, subject: `site:${INSTANCE}` },
    { before: { version: 0 }, after: { version: 1 } },
  ]);
  expect(await actions(site, 'settings.taken_back')).toHaveLength(2);
  expect(await actions(site, 'settings.confirmed')).toHaveLength(2);
}, 180_000);

test('killed at any moment it comes up with what was before or with what was confirmed, and says which', async () => {
  const { site } = deployment;
  const rounds = runs(2, 12);
  for (let round = 1; round <= rounds; round += 1) {
    const before = await keptDays();
    const days = 100 + round;
    await set({ [EVENTS]: days });
    await new Promise((resolve) => setTimeout(resolve, randomInt(0, 400)));
    await site.kill();
    await site.start();
    // It may not have heard of it before: then it does now.
    const end = await until('headquarters knows', async () => {
      const { state } = await view();
      return state === 'in_force' || state === 'taken_back' ? state : null;
    });
    expect(await keptDays()).toBe(end === 'in_force' ? days : before);
  }
}, 180_000);

test('cut off after a change it takes it back by itself, and nothing is deleted sooner meanwhile', async () => {
  const { hub, link } = deployment;
  const keyFile = path.join(scene.dir, 'key-2');
  await registerSite(hub, keyFile, ['acme'], 'site-2');
  const clock = new SettableClock();
  const env = { ...uplinkEnv(link.url, keyFile), CORE_INSTANCE: 'site-2' };
  const own = new Scene();
  scene.onClose(() => own.close());
  const { site } = await startSiteHere(own, { clock, env });
  const { settings } = site.store;
  const told = () => settings.read().told?.state;
  link.down('refused');
  const { kind, id, body } = draft(1, 7);
  await site.store.inbox.take(
    [{ kind, id, body, subject: 'settings site' }],
    { hubEpoch: '', through: 0 },
    0,
  );
  await untilRun('it is tried', () => Promise.resolve(site.store.inbox.count('settings').waiting === 0));
  clock.pass(4 * 60_000);
  expect(told()).toBe('trying');
  clock.pass(61_000);
  await untilRun('it is taken back', () => Promise.resolve(told() === 'taken_back'));
  expect(settings.read()).toMatchObject({ inForce: null, stage: 'rest' });
  // Headquarters would refuse calls of a clock that is off.
  clock.offset = 0;
  link.up();
  await untilRun('headquarters hears of it', async () => {
    const answer = await hub.api('GET', '/api/core/sites/site-2/settings');
    return jsonOf<{ settings: View }>(answer).settings.reason?.includes('5 minutes') ?? false;
  });
}, 120_000);
