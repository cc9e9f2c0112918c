// A site whose response rules are at work loses a part of its store: it goes on where it stood, every new
// event makes its task, and none makes two.
import { closeSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import {
  alarms,
  type Deployment,
  drained,
  registerNode,
  startDeployment,
  TENANT,
} from '../support/deployment.ts';
import { longTest } from '../support/long.ts';
import { type Program, Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

const SEED = Number(process.env.FAULT_SEED ?? 20260306);
const PAGE = 4096;

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

interface TaskView {
  id: number;
  eventId: number | null;
}

async function post(site: Program, key: SigningKey, name: string, count: number): Promise<number[]> {
  const events = Array.from({ length: count }, (_, i) => ({
    idempotency_key: `${name}/${i}`,
    type: 'vehicle.intrusion',
    severity: 'high',
    site_ref: 's',
    camera_ref: `c${i % 7}`,
    title: `alarm ${i} of ${name}`,
  }));
  const body = JSON.stringify({ events });
  const answer = await signedCall({ url: site.url, key, method: 'POST', path: '/api/core/events', body });
  return jsonOf<{ items: { id: number }[] }>(expectStatus(answer, 201)).items.map(({ id }) => id);
}

async function tasks(site: Program): Promise<TaskView[]> {
  const found: TaskView[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await site.api('GET', `/api/core/objects/tasks?limit=1000${at}`);
    const page = jsonOf<{ items: TaskView[]; nextCursor: string | null }>(expectStatus(answer, 200));
    found.push(...page.items);
    cursor = page.nextCursor;
  }
  return found;
}

const agentIsThrough = (site: Program): Promise<unknown> =>
  until('the agent has come to every event', async () => {
    const answer = await site.api('GET', '/api/agent/status');
    return jsonOf<{ lag: number }>(expectStatus(answer, 200)).lag === 0;
  });

/** A joined site with a rule of headquarters that makes a task of every event. */
async function atWork(): Promise<Deployment & { key: SigningKey; file: string }> {
  const deployment = await startDeployment(scene, seededRandom(SEED));
  const { hub, site } = deployment;
  const action = { kind: 'notify', channels: ['inbox'], due_minutes: 60 };
  const rule = { priority: 1, enabled: true, match: {}, action };
  const named = { tenant_code: TENANT, name: 'tell', kind: 'response', body: rule };
  expectStatus(await hub.api('POST', '/api/core/objects/rules', named), 201);
  await site.stop();
  site.env.AGENT_ENABLED = 'true';
  await site.start();
  const key = await registerNode(site, 'gate');
  await until('the rule is here', async () => {
    await site.api('POST', '/api/agent/rules/reload', {});
    const answer = await site.api('GET', `/api/agent/rules?tenant_code=${TENANT}`);
    return answer.status === 200 && answer.text.includes('tell');
  });
  await post(site, key, 'before', 200);
  await agentIsThrough(site);
  await drained(site);
  expect(await tasks(site)).toHaveLength(200);
  await site.stop();
  return { ...deployment, key, file: path.join(site.options.dataDir, 'site.db') };
}

async function everyEventMakesItsTask({ site }: Deployment, name: string): Promise<void> {
  await site.start();
  expect((await alarms(site, false)).map(({ key }) => key)).toContain('store_salvaged');
  const key = await registerNode(site, name);
  const fresh = await post(site, key, name, 60);
  await agentIsThrough(site);
  const made = (await tasks(site)).map(({ eventId }) => eventId);
  expect(
    fresh.filter((id) => made.filter((one) => one === id).length !== 1),
    'without exactly one task',
  ).toEqual([]);
  const byHand = { tenant_code: TENANT, type: 'disposal', title: 'look there', severity: 'high' };
  expectStatus(await site.api('POST', '/api/core/objects/tasks', { ...byHand, event_id: fresh[0] }), 201);
  expectStatus(await site.api('POST', '/api/core/objects/tasks', byHand), 201);
  const failed = (await alarms(site)).filter(({ key: one }) => one.startsWith('agent_event_failed'));
  expect(failed).toEqual([]);
  await drained(site);
}

longTest(
  `its end cut off, and once more with a wrong bit in the schema (seed ${SEED})`,
  { timeout: 300_000 },
  async () => {
    const running = await atWork();
    const { file, site } = running;
    truncateSync(file, Math.floor((statSync(file).size * 0.7) / PAGE) * PAGE);
    await everyEventMakesItsTask(running, 'cut');
    await site.stop();
    truncateSync(file, Math.floor((statSync(file).size * 0.8) / PAGE) * PAGE);
    const at = readFileSync(file).indexOf('CREATE TABLE task_entries');
    const fd = openSync(file, 'r+');
    writeSync(fd, Buffer.from('X'), 0, 1, at + 3);
    closeSync(fd);
    await everyEventMakesItsTask(running, 'cut-and-flipped');
  },
);
