// Notifications of a site without channels, while site and headquarters are killed in turn and answers are
// lost: each reaches the robot of headquarters, under one id, and the site says of each that it was
// delivered.
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { runs } from '../support/campaign.ts';
import {
  registerNode,
  registerSite,
  startHubProgram,
  startSiteProgram,
  TENANT,
  uplinkEnv,
} from '../support/deployment.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { longTest } from '../support/long.ts';
import { createHubDatabase } from '../support/postgres.ts';
import { Scene } from '../support/process.ts';
import { Link } from '../support/proxy.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

const EVENTS = runs(6, 12);

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

longTest(
  'nothing is lost, and nothing goes out under a second id',
  async () => {
    const robot = await new HttpPeer().open();
    robot.respond = () => ({ body: '{"errcode":0}' });
    scene.onClose(() => robot.close());
    const database = await createHubDatabase();
    scene.onClose(() => database.drop());
    const hub = await startHubProgram(scene, database.url);
    hub.env.AGENT_CHANNEL_NETWORKS = '127.0.0.1/32';
    await hub.kill();
    await hub.start();
    const robots = {
      tenant_code: TENANT,
      channel: 'chat',
      name: 'duty',
      format: 'wecom',
      url: `${robot.url}/duty`,
    };
    expectStatus(await hub.api('POST', '/api/agent/channels', robots), 201);
    const link = new Link(hub.options.port, seededRandom(7));
    await link.listen();
    scene.onClose(() => link.close());
    const keyFile = path.join(scene.dir, 'uplink-key');
    await registerSite(hub, keyFile);
    const site = await startSiteProgram(scene, { ...uplinkEnv(link.url, keyFile), AGENT_ENABLED: 'true' });
    const rule = {
      tenant_code: TENANT,
      name: 'tell',
      kind: 'response',
      body: {
        priority: 1,
        enabled: true,
        match: {},
        action: { kind: 'notify', message: '{camera}', channels: ['chat'], cooldown_s: 0 },
      },
    };
    expectStatus(await site.api('POST', '/api/core/objects/rules', rule), 201);
    const key = await registerNode(site, 'gate');
    const raise = async (camera: string): Promise<void> => {
      const body = JSON.stringify({
        idempotency_key: camera,
        type: 't.t',
        site_ref: 's',
        camera_ref: camera,
      });
      expectStatus(
        await signedCall({ url: site.url, key, method: 'POST', path: '/api/core/events', body }),
        201,
      );
    };
    const rows = async (): Promise<{ state: string; deliveredBy: string | null }[]> =>
      jsonOf<{ items: { state: string; deliveredBy: string | null }[] }>(
        expectStatus(await site.api('GET', '/api/core/notifications?limit=100'), 200),
      ).items;

    for (let index = 0; index < EVENTS; index += 1) {
      await raise(`c${index}`);
      if (index % 3 !== 2) continue;
      const program = index % 2 === 0 ? site : hub;
      await until('it is written', async () => (await rows()).length === index + 1, 30_000);
      await program.kill();
      link.down('silent');
      await program.start();
      link.up({ breaksWithin: 4_000 });
    }
    link.up();
    await until(
      'the site knows of each that it was delivered',
      async () => (await rows()).filter(({ state }) => state === 'sent').length === EVENTS,
      120_000,
    );
    expect(new Set((await rows()).map(({ deliveredBy }) => deliveredBy))).toEqual(new Set(['duty']));
    const ids = Map.groupBy(robot.heard, ({ body }) => body.toString());
    expect(ids.size).toBe(EVENTS);
    for (const heard of ids.values())
      expect(new Set(heard.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  },
  300_000,
);
