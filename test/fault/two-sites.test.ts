// Two sites of one tenant and their headquarters, as real processes: merges from one to the other over
// outages, and keys that both use.
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import {
  alarms,
  drained,
  registerNode,
  registerSite,
  startHubProgram,
  startSiteProgram,
  TENANT,
  uplinkEnv,
} from '../support/deployment.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { listAll, type SeenEvent } from '../support/ledger.ts';
import { longTest } from '../support/long.ts';
import { createHubDatabase } from '../support/postgres.ts';
import { type Program, Scene } from '../support/process.ts';
import { Link } from '../support/proxy.ts';
import { seededRandom } from '../support/random.ts';
import { type Answer, expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

const NAMES = ['tunnel-7', 'plant-2'] as const;
type Name = (typeof NAMES)[number];

interface Site {
  name: Name;
  program: Program;
  link: Link;
  node: SigningKey;
  key: SigningKey;
}

let scene: Scene;
let hub: Program;
let camera: HttpPeer;
let sites: Record<Name, Site>;

beforeEach(async () => {
  scene = new Scene();
  const database = await createHubDatabase();
  scene.onClose(() => database.drop());
  hub = await startHubProgram(scene, database.url);
  camera = await new HttpPeer().open();
  scene.onClose(() => camera.close());
  const [tunnel, plant] = await Promise.all(NAMES.map((name) => startSite(name)));
  sites = { 'tunnel-7': tunnel as Site, 'plant-2': plant as Site };
});
afterEach(() => scene.close());

async function startSite(name: Name): Promise<Site> {
  const link = new Link(hub.options.port, seededRandom(1));
  await link.listen();
  scene.onClose(() => link.close());
  const keyFile = path.join(scene.dir, `key-of-${name}`);
  const key = await registerSite(hub, keyFile, [TENANT], name);
  const program = await startSiteProgram(
    scene,
    { CORE_INSTANCE: name, ...uplinkEnv(link.url, keyFile) },
    name,
  );
  return { name, program, link, key, node: await registerNode(program, 'gate') };
}

async function post(site: Site, key: string, more: object = {}): Promise<number> {
  const body = JSON.stringify({
    idempotency_key: key,
    tenant_code: TENANT,
    type: 'person.fall',
    severity: 'high',
    local_alert_no: key,
    feedback_url: `${camera.url}/${site.name}/${key}`,
    ...more,
  });
  const answer = await signedCall({
    url: site.program.url,
    key: site.node,
    method: 'POST',
    path: '/api/core/events',
    body,
  });
  return jsonOf<{ items: { id: number }[] }>(expectStatus(answer, 200, 201)).items[0]?.id ?? 0;
}

const list = (program: Program): Promise<SeenEvent[]> =>
  listAll((method, target) => program.api(method, target));
/** The id at headquarters. */
const at = async (site: Site, key: string): Promise<number> =>
  (
    await until(`${key} is at headquarters`, async () =>
      (await list(hub)).find((one) => one.instance === site.name && one.idempotencyKey === key),
    )
  ).id;
const judge = async (program: Program, id: number, body: object, kind = 'verdict'): Promise<Answer> =>
  expectStatus(
    await program.api('POST', `/api/core/events/${id}/${kind}`, { by: 'duty', ...body }),
    200,
    201,
  );
const status = async <T>(program: Program): Promise<T> =>
  jsonOf<T>(expectStatus(await program.api('GET', '/api/core/uplink/status'), 200));
/** A verdict is parked, and what was told to the camera of it, which comes after. */
const parkedWithFeedback = (program: Program): Promise<unknown> =>
  until('the verdict and what was told of it are parked', async () => {
    const [, verdicts] = (await status<SiteStatus>(program)).channels;
    return verdicts?.parked === 2;
  });
const told = async (program: Program, id: number): Promise<string> =>
  jsonOf<{ steps: { text: string; textZh: string }[] }>(
    expectStatus(await program.api('GET', `/api/core/events/${id}/timeline?tenant_code=${TENANT}`), 200),
  )
    .steps.map(({ text, textZh }) => `${text} ${textZh}`)
    .join('\n');
const heardBy = (site: Site, key: string): unknown[] =>
  camera.heard
    .filter(({ target }) => target === `/${site.name}/${key}`)
    .map(({ body }) => (JSON.parse(body.toString()) as { verdict: string }).verdict);

interface HubStatus {
  sites: {
    instance: string;
    events: { conflictTotal: number };
    verdicts: { conflictTotal: number };
    decisions: { waiting: number; refused: number; oldestWaitingAt: string | null };
  }[];
}
interface SiteStatus {
  channels: { name: string; parked: number; conflicts: number }[];
  decisions: { waiting: number | null; carriedOut: number; refused: number };
}
const statusOf = async ({ name }: Site): Promise<HubStatus['sites'][number] | undefined> =>
  (await status<HubStatus>(hub)).sites.find(({ instance }) => instance === name);

/** Of each event that both have, the verdicts are the same. */
async function expectAlike(): Promise<void> {
  const view = (events: SeenEvent[]) =>
    events
      .map(({ idempotencyKey, verdict, correctedTo }) => `${idempotencyKey} ${verdict} ${correctedTo}`)
      .sort();
  const there = await list(hub);
  for (const { name, program } of Object.values(sites)) {
    const here = (await list(program)).filter(({ idempotencyKey: key }) =>
      there.some((one) => one.idempotencyKey === key && one.instance === name),
    );
    expect(view(there.filter(({ instance }) => instance === name))).toEqual(view(here));
  }
}

longTest(
  'merges across sites are carried out over outages of all three, and the cameras hear of them',
  { timeout: 300_000 },
  async () => {
    const { 'tunnel-7': tunnel, 'plant-2': plant } = sites;
    const local: Record<string, number> = {};
    for (const key of ['t1', 't2', 't3', 't4']) local[key] = await post(tunnel, key);
    for (const key of ['p1', 'p2']) local[key] = await post(plant, key);
    const [t1, t2, t3, p1, p2] = [
      await at(tunnel, 't1'),
      await at(tunnel, 't2'),
      await at(tunnel, 't3'),
      await at(plant, 'p1'),
      await at(plant, 'p2'),
    ];

    // The site is cut off: what headquarters decides waits, and is seen to wait.
    tunnel.link.down('refused');
    expect(jsonOf(await judge(hub, t1, { verdict: 'merged', merged_into: p1 }))).toMatchObject({
      changed: true,
      pushedBack: false,
    });
    await judge(hub, t1, { verdict: 'merged', merged_into: p2, note: 'rather this' }, 'corrections');
    await judge(hub, t2, { verdict: 'merged', merged_into: t3, note: 'twice' });
    await judge(hub, p1, { verdict: 'merged', merged_into: t2, note: 'and back' });
    expect((await statusOf(tunnel))?.decisions).toMatchObject({
      waiting: 3,
      refused: 0,
      oldestWaitingAt: expect.any(String) as string,
    });
    expect(await told(hub, t1)).toContain(
      'The verdict waits to go down to tunnel-7. 研判结论等待下发到 tunnel-7。',
    );
    // Meanwhile the site merges into an event of its own that headquarters has not, and all three fall.
    local.t5 = await post(tunnel, 't5');
    await judge(tunnel.program, local.t4 ?? 0, { verdict: 'merged', merged_into: local.t5 });
    await tunnel.program.kill();
    await hub.kill();
    await plant.program.kill();
    await Promise.all([hub, tunnel.program, plant.program].map((program) => program.start()));
    tunnel.link.up();

    await until('nothing waits', async () =>
      (await status<HubStatus>(hub)).sites.every(({ decisions }) => decisions.waiting === 0),
    );
    await Promise.all([drained(tunnel.program), drained(plant.program)]);
    await expectAlike();
    const standing = await list(tunnel.program);
    expect(
      standing.map(({ idempotencyKey, verdict, correctedTo }) => [idempotencyKey, verdict, correctedTo]),
    ).toEqual([
      ['t1', 'merged', 'merged'],
      ['t2', 'merged', null],
      ['t3', null, null],
      ['t4', 'merged', null],
      ['t5', null, null],
    ]);
    await until('the cameras have heard', () =>
      Promise.resolve(
        [heardBy(tunnel, 't1').length, heardBy(tunnel, 't2').length, heardBy(plant, 'p1').length].join() ===
          '2,1,1',
      ),
    );
    // The target by its id where it is kept, by its name where it is not.
    expect(await told(tunnel.program, local.t1 ?? 0)).toMatch(
      /into the event p1 of plant-2.*到 plant-2 的事件 p1[^]*Corrected to merged into the event p2 of plant-2: rather this/,
    );
    expect(await told(tunnel.program, local.t2 ?? 0)).toContain(`into event ${local.t3}: twice`);
    expect(await told(plant.program, local.p1 ?? 0)).toContain('into the event t2 of tunnel-7: and back');
    expect(await told(hub, t1)).toContain(`into event ${p1}`);
    expect(await told(hub, await at(tunnel, 't4'))).toContain(`into event ${await at(tunnel, 't5')}`);
    for (const site of Object.values(sites)) {
      expect((await statusOf(site))?.decisions).toEqual({ waiting: 0, oldestWaitingAt: null, refused: 0 });
      // A site that was just started again has not heard from headquarters how many wait.
      await until(
        'the site knows what waits for it',
        async () => (await status<SiteStatus>(site.program)).decisions.waiting !== null,
      );
      expect((await status<SiteStatus>(site.program)).decisions).toMatchObject({ waiting: 0, refused: 0 });
      expect((await alarms(site.program, false)).map(({ key }) => key)).toEqual([]);
    }
    expect((await alarms(hub, false)).map(({ key }) => key)).toEqual([]);
  },
);

test(
  'a key that both use is a conflict at both ends, and each verdict stays with its own event',
  { timeout: 300_000 },
  async () => {
    const { 'tunnel-7': tunnel, 'plant-2': plant } = sites;
    await post(tunnel, 'cam-000001', { type: 'ppe.helmet', severity: 'low' });
    const held = await at(tunnel, 'cam-000001');
    const fire = await post(plant, 'cam-000001', {
      type: 'fire.smoke',
      severity: 'critical',
      occurred_at: '2026-03-01T08:00:00Z',
    });
    const own = await post(plant, 'own');
    await judge(plant.program, fire, { verdict: 'confirmed' });
    await judge(plant.program, own, { verdict: 'merged', merged_into: fire });
    await drained(plant.program);
    await judge(tunnel.program, 1, { verdict: 'false_alarm', note: 'a reflection' });
    await drained(tunnel.program);

    expect(
      (await list(hub)).map(({ instance, idempotencyKey, verdict }) => [instance, idempotencyKey, verdict]),
    ).toEqual([
      ['tunnel-7', 'cam-000001', 'false_alarm'],
      ['plant-2', 'own', 'merged'],
    ]);
    // Merged into plant-2's own event, not into the one that headquarters holds under that key.
    expect(await told(hub, await at(plant, 'own'))).toContain('into the event cam-000001 of plant-2');
    expect(jsonOf(await hub.api('GET', '/api/core/uplink/conflicts'))).toMatchObject({
      items: [
        {
          instance: 'plant-2',
          idempotencyKey: 'cam-000001',
          type: 'fire.smoke',
          severity: 'critical',
          occurredAt: '2026-03-01T08:00:00.000Z',
          heldBy: 'tunnel-7',
          heldId: held,
          originId: fire,
        },
      ],
    });
    const raised = await alarms(hub, false);
    expect(
      raised.find(({ key, instance }) => key === 'uplink_key_conflict:plant-2' && instance === 'hq')?.message,
    ).toMatch(/fire\.smoke, critical, occurred 2026-03-01T08:00:00\.000Z, key cam-000001.*of tunnel-7/);
    expect(raised.find(({ key }) => key === 'uplink_foreign_verdict:plant-2')?.message).toMatch(
      /confirmed by duty on event \d+ \(key cam-000001\) of tunnel-7/,
    );
    expect(await statusOf(plant)).toMatchObject({
      events: { conflictTotal: 1 },
      verdicts: { conflictTotal: 1 },
    });
    expect(await statusOf(tunnel)).toMatchObject({
      events: { conflictTotal: 0 },
      verdicts: { conflictTotal: 0 },
    });
    const metrics = (await hub.api('GET', '/metrics')).text;
    expect(metrics).toMatch(/^fieldline_events_conflicting_total 1$/m);
    expect(metrics).toMatch(/^fieldline_uplink_conflicts_total\{channel="verdicts"\} 1$/m);

    // At the site that was second.
    await parkedWithFeedback(plant.program);
    expect((await status<SiteStatus>(plant.program)).channels).toMatchObject([
      { name: 'events', parked: 1, conflicts: 1 },
      // The verdict, and what was told to the camera.
      { name: 'verdicts', parked: 2, conflicts: 2 },
    ]);
    expect(
      (await alarms(plant.program, false)).find(({ key }) => key === 'uplink_key_conflict')?.message,
    ).toMatch(/^1 event and 2 changes of verdicts, tasks or groups of this site are not at headquarters/);
    expect(jsonOf(await plant.program.api('GET', '/api/core/uplink/parked'))).toMatchObject({
      items: [
        { channel: 'events', originId: fire, error: 'key_of_another_instance' },
        { channel: 'verdicts', error: 'event_of_another_instance' },
        { channel: 'verdicts', error: 'event_of_another_instance' },
      ],
    });
    expect((await plant.program.api('GET', '/metrics')).text).toMatch(
      /^fieldline_uplink_conflicts\{channel="events"\} 1$/m,
    );
    expect((await alarms(tunnel.program, false)).map(({ key }) => key)).toEqual([]);
  },
);

test('the key of one site judges nothing of another', { timeout: 300_000 }, async () => {
  const { 'tunnel-7': tunnel, 'plant-2': plant } = sites;
  const fire = await post(tunnel, 'fire', { type: 'fire.smoke', severity: 'critical' });
  const held = await at(tunnel, 'fire');
  // By hand, as whoever has the key may; the site itself would not.
  await plant.program.stop();
  const item = (no: number, kind: string, body: object) => ({
    change_no: no,
    at: 1,
    tenant_code: TENANT,
    kind,
    body: { event_key: 'fire', at: 1, verdict: 'false_alarm', by: 'evil', note: 'nothing', ...body },
  });
  const items = [
    item(1, 'verdict', {}),
    item(2, 'correction', { id: 'c-1' }),
    item(3, 'verdict', { verdict: 'merged', merged_into_key: 'fire', merged_into_instance: 'plant-2' }),
  ];
  const body = JSON.stringify({
    protocol: 1,
    version: '0',
    instance: 'plant-2',
    epoch: 'of-nobody',
    head: 3,
    oldest: 1,
    cursor: { from: 0, to: 3 },
    items,
  });
  const answer = expectStatus(
    await signedCall({
      url: hub.url,
      key: plant.key,
      method: 'POST',
      path: '/api/core/uplink/verdicts',
      body,
    }),
    200,
  );
  expect(jsonOf(answer)).toMatchObject({
    accepted: 0,
    duplicates: 0,
    cursor: 3,
    rejected: [1, 2, 3].map((originId) => ({ originId, error: 'event_of_another_instance' })),
  });
  await judge(tunnel.program, fire, { verdict: 'confirmed' });
  await drained(tunnel.program);
  expect(await list(hub)).toMatchObject([{ id: held, verdict: 'confirmed', correctedTo: null }]);
  expect((await status<SiteStatus>(tunnel.program)).channels).toMatchObject([{ parked: 0 }, { parked: 0 }]);
  expect((await alarms(hub, false)).map(({ key }) => key)).toContain('uplink_foreign_verdict:plant-2');
});

test(
  'a decision on an event that its site no longer keeps is shown where it was given',
  { timeout: 300_000 },
  async () => {
    const { 'tunnel-7': tunnel } = sites;
    await post(tunnel, 'old');
    const held = await at(tunnel, 'old');
    tunnel.link.down('refused');
    // The site loses its data: what it brought is at headquarters only.
    await tunnel.program.stop();
    await judge(hub, held, { verdict: 'confirmed' });
    const empty = await startSiteProgram(scene, tunnel.program.env, 'tunnel-7-anew');
    tunnel.link.up();
    await until('the site has answered', async () => (await statusOf(tunnel))?.decisions.refused === 1);
    expect((await statusOf(tunnel))?.decisions).toEqual({ waiting: 0, oldestWaitingAt: null, refused: 1 });
    expect(
      (await alarms(hub, false)).find(({ key }) => key === 'uplink_decision_refused:tunnel-7')?.message,
    ).toContain(`on event ${held}: the event is not kept here`);
    expect(await told(hub, held)).toContain(
      'tunnel-7 did not carry out the verdict, and its camera does not hear of it: the event is not ' +
        'kept here',
    );
    expect((await status<SiteStatus>(empty)).decisions).toMatchObject({ refused: 1, waiting: 0 });
  },
);

test(
  'a site under another name brings nothing twice, and has its old events back once headquarters says so',
  { timeout: 300_000 },
  async () => {
    const { 'tunnel-7': tunnel, 'plant-2': plant } = sites;
    await plant.program.stop();
    const old = await post(tunnel, 'old');
    const held = await at(tunnel, 'old');
    await drained(tunnel.program);
    await tunnel.program.stop();
    const keyFile = path.join(scene.dir, 'key-of-tunnel-8');
    await registerSite(hub, keyFile, [TENANT], 'tunnel-8');
    Object.assign(tunnel.program.env, { CORE_INSTANCE: 'tunnel-8', ...uplinkEnv(tunnel.link.url, keyFile) });
    await tunnel.program.start();
    await judge(tunnel.program, old, { verdict: 'confirmed' });
    await post(tunnel, 'fresh');
    await parkedWithFeedback(tunnel.program);
    await drained(tunnel.program);
    expect(
      (await list(hub)).map(({ instance, idempotencyKey, verdict }) => [instance, idempotencyKey, verdict]),
    ).toEqual([
      ['tunnel-7', 'old', null],
      ['tunnel-8', 'fresh', null],
    ]);
    expect(
      (await alarms(hub, false)).find(({ key }) => key === 'uplink_site_renamed:tunnel-8')?.message,
    ).toContain('fieldline-hq site continue tunnel-8 --before tunnel-7');
    expect((await status<SiteStatus>(tunnel.program)).channels).toMatchObject([
      { parked: 0, conflicts: 0 },
      // The verdict, and what was told to the camera.
      { parked: 2, conflicts: 2 },
    ]);

    expectStatus(await hub.api('PATCH', '/api/core/sites/tunnel-8', { continues: ['tunnel-7'] }), 409);
    expectStatus(await hub.api('DELETE', '/api/core/sites/tunnel-7'), 200);
    expectStatus(await hub.api('PATCH', '/api/core/sites/tunnel-8', { continues: ['tunnel-7'] }), 200);
    expect(jsonOf(await tunnel.program.api('POST', '/api/core/uplink/parked/replay', {}))).toMatchObject({
      replayed: [{ channel: 'verdicts' }, { channel: 'verdicts' }],
      refused: [],
    });
    expect((await list(hub)).find(({ id }) => id === held)).toMatchObject({
      instance: 'tunnel-7',
      verdict: 'confirmed',
    });
    expect((await alarms(tunnel.program, false)).map(({ key }) => key)).toEqual([]);
    await judge(hub, held, { verdict: 'false_alarm', note: 'a shadow' }, 'corrections');
    await until(
      'the correction has come down',
      async () => (await list(tunnel.program)).find(({ id }) => id === old)?.correctedTo === 'false_alarm',
    );
  },
);
