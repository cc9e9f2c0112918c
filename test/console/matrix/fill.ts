// What headquarters has after some weeks of work, so that no screen of the console is empty.
import { randomBytes } from 'node:crypto';
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { MessageOf } from '../../../common/message.ts';
import { hubAlarmMessages } from '../../../hq/hub-messages.ts';
import { randomFrom, sceneEvent, scenes } from '../../../packaging/demo/scenes.ts';
import { plan } from '../../hq/tenant-plan.ts';
import {
  type Deployment,
  INSTANCE,
  registerNode,
  startDeployment,
  TENANT,
} from '../../support/deployment.ts';
import { clientOf, type TestDatabase } from '../../support/postgres.ts';
import type { Scene } from '../../support/process.ts';
import { seededRandom } from '../../support/random.ts';
import { expectStatus, jsonOf, signedCall, until } from '../../support/request.ts';
import type { Maker } from '../../support/served.ts';
import { drawn, type Field, FieldCamera } from '../field.ts';
import { PASSWORD, placeOf, type Started } from '../shared.ts';
import { addLibrary } from './library.ts';
import { made } from './made.ts';
import { addIntegration } from './partners.ts';
import { addUpgrades } from './upgrades.ts';

/** Of the site, not of the browser. */
const SITE_ZONE = 'Asia/Shanghai';
const HOUR = 3_600_000;

/** Of what is there, one of each that a screen of its own is for. */
export interface Ids {
  event: number;
  task: number;
  group: number;
  /** A group that is not decided on. */
  proposed: number;
  /** One that was merged away. */
  merged: number;
  document: number;
  /** A file of the library in review. */
  reviewed: number;
  report: number;
  webhook: string;
  /** One that paused by itself. */
  rollout: string;
}

/** Headquarters and a site with all of that. */
export type Filled = Pick<Deployment, 'hub' | 'site' | 'databaseUrl'> & Pick<Field, 'scene' | 'tenant'>;

const ENV = {
  CORE_DATASET_NETWORKS: '127.0.0.0/8',
  CORE_WEBHOOK_NETWORKS: '127.0.0.0/8',
  // Operators see its library.
  CORE_OPERATOR_TENANT: TENANT,
};

/** Of a run: each file walks the same. */
export async function worldOfRun(scene: Scene, database: TestDatabase): ReturnType<Maker> {
  scene.onClose(() => database.drop());
  const options = { hubEnv: ENV, siteEnv: { TZ: SITE_ZONE }, database };
  const deployment = await startDeployment(scene, seededRandom(1), options);
  const started: Started = { ...placeOf(deployment), tenant: TENANT, other: 'other' };
  const ids = await fill({ ...deployment, scene, tenant: TENANT });
  return () => ({ started, ids });
}

/** @throws when the hub refuses any of it */
async function fill(rig: Filled): Promise<Ids> {
  await addUsers(rig);
  const camera = await FieldCamera.open(rig);
  const events = await addEvents(rig);
  const { id: event } = await camera.post(
    { title: '渣土车驶入人行通道', camera_name: '三号洞口', severity: 'critical' },
    await drawn(200),
  );
  const task = await addTasks(rig, event);
  const groups = await addGroups(rig, events);
  await addRules(rig);
  await addAlarms(rig);
  await addRota(rig);
  await addPlan(rig);
  const files = await addLibrary(rig);
  const report = await addReports(rig);
  const webhook = await addIntegration(rig);
  // Its first call tells what it is; without data to send the next one comes after a while.
  await rig.site.stop();
  await rig.site.start();
  await until('the site has told of its cameras', async () => {
    const answer = await rig.hub.api('GET', `/api/core/uplink/status/${INSTANCE}`);
    return (jsonOf<{ cameras: object[] | null }>(answer).cameras?.length ?? 0) > 0;
  });
  const rollout = await addUpgrades(rig);
  return { event, task, ...groups, ...files, report, webhook, rollout };
}

/** One of each role. */
async function addUsers(rig: Filled): Promise<void> {
  await made(rig, '/api/core/users', { name: 'li.chief', password: PASSWORD, role: 'operator' });
  const owner = { name: 'owner', password: PASSWORD, role: 'customer', tenant_code: TENANT };
  await made(rig, '/api/core/users', owner);
}

/** Not in use, so that what the tests do calls nobody. */
async function addRota(rig: Filled): Promise<void> {
  const days = [1, 2, 3, 4, 5, 6];
  const shift = { days, begin: '08:00', end: '20:00', people: ['li.chief', 'owner'], weekly: true };
  await made(rig, '/api/core/duty/rotas', {
    ...{ tenant_code: TENANT, name: '隧道值班', zone: SITE_ZONE, first_week: '2026-11-23', enabled: false },
    ...{ shifts: [shift], sites: [INSTANCE] },
  });
}

async function addPlan(rig: Filled): Promise<void> {
  await made(rig, '/api/core/plans', plan(TENANT, INSTANCE, '一号隧道平面图'));
}

/** @returns the ids of events of two days, oldest first; some are judged */
async function addEvents(rig: Filled): Promise<number[]> {
  const { site, hub } = rig;
  const key = await registerNode(site, 'face-busy');
  const random = randomFrom(7);
  const run = randomBytes(3).toString('hex');
  const events = Array.from({ length: 36 }, (_, index) =>
    sceneEvent(
      { name: 'face-busy', run, tenant: null, feedbackUrl: null },
      index + 1,
      random,
      Date.now() - (36 - index) * 1.3 * HOUR,
    ),
  );
  const body = JSON.stringify({ events });
  const call = { url: site.url, key, method: 'POST', path: '/api/core/events', body };
  expectStatus(await signedCall(call), 201);
  const ids = await until('headquarters has the events', async () => {
    const { items } = jsonOf<{ items: { id: number }[] }>(
      await hub.api('GET', '/api/core/events/list?limit=50'),
    );
    return items.length >= events.length ? items.map(({ id }) => id).reverse() : undefined;
  });
  for (const [index, id] of ids.slice(0, 12).entries()) {
    const verdict = {
      verdict: index % 3 === 0 ? 'false_alarm' : 'confirmed',
      by: '王班长',
      note: '现场已核实',
    };
    await made(rig, `/api/core/events/${id}/verdict`, verdict);
  }
  return ids;
}

/** @returns the id of the one that is in work, on that event */
async function addTasks(rig: Filled, event: number): Promise<number> {
  const tasks = '/api/core/objects/tasks';
  const add = async (title: string, hours: number, more: object = {}): Promise<number> => {
    const due_at = new Date(Date.now() + hours * HOUR).toISOString();
    const body = { tenant_code: TENANT, type: 'disposal', severity: 'high', title, due_at, ...more };
    return (await made<{ id: number }>(rig, tasks, { assignee_org: '土建二队', ...body })).id;
  };
  const of = { tenant_code: TENANT, by: '王班长' };
  await add('清理三号洞口消防通道堆放的钢筋', -5, { severity: 'critical' });
  const rectify = await add('补装三层楼板北侧临边护栏', 30, { type: 'rectification', severity: 'medium' });
  for (const to of ['taken_over', 'completed'])
    await made(rig, `${tasks}/${rectify}/transition`, {
      ...of,
      to,
      result_code: to === 'completed' ? 'eliminated' : undefined,
    });
  const clause = {
    ...{ title: '施工现场交通管理办法', path: '第二章 / 第十二条', version: '2026', docId: 1, chunkId: 1 },
    text: '机动车辆不得驶入人行通道；确需通行的，应当设专人指挥并疏散行人。',
  };
  const critical = { event_id: event, severity: 'critical', body: { clause } };
  const id = await add('疏散人行通道并设专人指挥', 2, critical);
  await until('the site has made it', async () => {
    const task = jsonOf<{ instance: string | null }>(await rig.hub.api('GET', `${tasks}/${id}`));
    return task.instance !== null;
  });
  await made(rig, `${tasks}/${id}/transition`, { ...of, to: 'taken_over', note: '正在赶往现场' });
  return id;
}

/** @returns the ids of the one with most events, of one that is not decided on, and of one merged away */
async function addGroups(rig: Filled, events: number[]): Promise<Pick<Ids, 'group' | 'proposed' | 'merged'>> {
  const add = async (title: string, event_ids: number[], more: object = {}): Promise<number> => {
    const body = {
      tenant_code: TENANT,
      source_key: title,
      layer: 'L1',
      site_ref: 'tunnel-7',
      point_ref: 'P3',
      title,
    };
    return (await made<{ id: number }>(rig, '/api/core/incidents/upsert', { ...body, event_ids, ...more }))
      .id;
  };
  await add('堆场烟雾', events.slice(0, 3));
  const shed = await add('加工棚烟雾', events.slice(12, 14));
  const merged = await add('料仓烟雾', events.slice(14, 16));
  await made(rig, `/api/core/incidents/${shed}/merge`, { by: '王班长', incident_ids: [merged] });
  const proposed = await add('基坑临边', events.slice(3, 5), { layer: 'L2' });
  const group = await add('三号洞口反复闯入', events.slice(5, 12), { layer: 'L3' });
  await made(rig, `/api/core/incidents/${group}/confirm`, { by: '王班长', note: '同一辆车' });
  return { group, proposed, merged };
}

async function addRules(rig: Filled): Promise<void> {
  const add = (name: string, kind: string, body: object): Promise<unknown> =>
    made(rig, '/api/core/objects/rules', { tenant_code: TENANT, kind, name, body });
  for (const priority of [20, 10])
    await add('车辆闯入通知值班室', 'response', {
      priority,
      match: { event_types: ['vehicle.*'], min_severity: 'high' },
      action: { kind: 'notify' },
    });
  await add('瓦斯超限', 'response', {
    priority: 5,
    match: { event_types: ['tunnel.gas_high'] },
    action: { kind: 'notify' },
  });
  await add('threshold.agent', 'threshold', { judge_min_conf: 0.6 });
}

/** As the hub raises them; they stand until a person has dealt with them. */
async function addAlarms(rig: Filled): Promise<void> {
  const client = clientOf(rig.hub.env.DATABASE_URL ?? '');
  await client.connect();
  const told = (message: MessageOf<typeof hubAlarmMessages>, severity: string) => {
    const text = alarmText(hubAlarmMessages, message);
    return client.query(
      `insert into alarms (key, instance, severity, message, details, raised_at, last_at, count)
       values ($1, 'hq', $2, $3, $4, $5, $5, 2)`,
      [message.code, severity, text.message, JSON.stringify(text.details), Date.now() - 3 * HOUR],
    );
  };
  try {
    await told({ code: 'site_store_new', params: { site: INSTANCE, held: 12 } }, 'warning');
    await told({ code: 'uplink_two_senders', params: { site: INSTANCE } }, 'critical');
  } finally {
    await client.end();
  }
}

/** @returns the id of the last of them */
async function addReports(rig: Filled): Promise<number> {
  const kinds = ['false_alarm_case', 'shift_handover', 'checklist', 'weekly_report', 'monthly_report'];
  let id = 0;
  for (const [index, kind] of kinds.entries())
    ({ coreId: id } = await made<{ coreId: number }>(rig, '/api/core/objects/knowledge', {
      tenant_code: TENANT,
      src_system: '日报',
      src_pk: `k-${index}`,
      title: `${scenes[index]?.title ?? ''}处置小结`,
      kind,
      body: {
        sections: { 概况: { title: '概况', text: scenes[index]?.description ?? '', editable: 'human' } },
      },
      by: '李主任',
    }));
  return id;
}
