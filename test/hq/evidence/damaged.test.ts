// Pictures whose bytes have changed on the disk, at the site and at headquarters: nobody gets wrong bytes.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signedHeaders } from '../../../common/http/signing/signature.ts';
import { HttpPeer } from '../../support/http-peer.ts';
import { ADMIN_KEY } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { type Answer, expectStatus, jsonOf, request, until } from '../../support/request.ts';
import { digest, Joined } from './joined.ts';

const PICTURE = randomBytes(700_000);

interface Alarm {
  key: string;
  severity: string;
  message: string;
  messageZh: string;
}

type Call = (method: string, target: string, body?: object) => Promise<Answer>;

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

/** Changes one byte, and not the size. */
function change(dataDir: string, eventId: number, bytes: Buffer): void {
  const file = path.join(scene.dir, dataDir, 'evidence', '0', String(eventId), digest(bytes));
  const content = readFileSync(file);
  content[1_000] = (content[1_000] ?? 0) ^ 1;
  writeFileSync(file, content);
}

async function expectDamaged(call: Call, id: number, query = ''): Promise<void> {
  const answer = await call('GET', `/api/core/events/${id}/evidence/a.jpg${query}`);
  expect([answer.status, jsonOf<{ error: string }>(answer).error]).toEqual([404, 'evidence_damaged']);
}

async function alarmOf(call: Call): Promise<Alarm> {
  const found = async (): Promise<Alarm | undefined> =>
    jsonOf<{ items: Alarm[] }>(await call('GET', '/api/core/alarms')).items.find(
      ({ key }) => key === 'evidence_damaged',
    );
  return until('the alarm', found);
}

const damagedCount = async (url: string): Promise<string | undefined> => {
  const answer = await request({
    url,
    method: 'GET',
    path: '/metrics',
    headers: { 'x-admin-key': ADMIN_KEY },
  });
  return /^fieldline_evidence_damaged_total(?:\{.*\})? (\d+)$/m.exec(answer.text)?.[1];
};

test('what has changed at the site is not handed out, told, and lost to headquarters', async () => {
  const joined = await Joined.open(scene);
  const { camera, clock, site } = joined;
  const storage = await new HttpPeer().open();
  const consumer = await new HttpPeer().open();
  scene.onClose(() => Promise.all([storage.close(), consumer.close()]));
  const atSite = await joined.event({ 'a.jpg': PICTURE });
  await joined.upload(atSite, 'a.jpg', PICTURE);
  const id = await joined.newestAtHub();
  // Read before, so that the change is seen though the file was looked at.
  expectStatus(await site.call('GET', `/api/core/events/${atSite}/evidence/a.jpg`), 200);
  change('site', atSite, PICTURE);
  await expectDamaged(site.call, atSite);
  await expectDamaged(site.call, atSite);
  const alarm = await alarmOf(site.call);
  expect(alarm).toMatchObject({ severity: 'warning' });
  expect(alarm.message).toContain(`evidence file of the event ${atSite} has other bytes`);
  expect(alarm.messageZh).toContain('已损坏');
  expect(await damagedCount(site.site.url)).toBe('1');
  // A look at the file itself would ask for it again.
  expect((await joined.far(id, 'a.jpg')).state).toBe('asked');
  await until('headquarters is told', async () => (await joined.listed(id))[0]?.state === 'failed');
  expect((await joined.listed(id))[0]?.site?.reason).toContain('damaged on the disk of the site');
  // A consumer of the site does not get it either.
  consumer.respond = () => ({
    body: JSON.stringify({ evidence: [{ event_id: atSite, name: 'a.jpg', put_url: `${storage.url}/b` }] }),
  });
  const subscription = { consumer: 'c', push_url: consumer.url, start_cursor: 0 };
  expectStatus(await site.call('POST', '/api/core/events/subscribe', subscription), 201);
  const jobs = async () =>
    jsonOf<{ items: { state: string; lastError: string }[] }>(
      await site.call('GET', '/api/core/evidence/jobs'),
    ).items;
  await until('the job is given up', async () => (await jobs())[0]?.state === 'failed');
  expect((await jobs())[0]?.lastError).toContain('damaged');
  expect(storage.heard).toEqual([]);
  // The camera may send it again, and then it goes up.
  const target = `/api/core/events/${atSite}/evidence/a.jpg`;
  const headers = signedHeaders(camera, clock.now(), 'PUT', target, PICTURE);
  expectStatus(
    await request({ url: site.site.url, method: 'PUT', path: target, body: PICTURE, headers }),
    200,
  );
  expectStatus(await site.call('GET', target), 200);
  await until('it has come', async () => (await joined.get(id, 'a.jpg')).status === 200);
  expect((await joined.bytes(id, 'a.jpg')).equals(PICTURE)).toBe(true);
});

test('what has changed at headquarters is not handed out, small or whole, and told', async () => {
  const joined = await Joined.open(scene);
  const { hub } = joined;
  const atSite = await joined.event({ 'a.jpg': PICTURE });
  await joined.upload(atSite, 'a.jpg', PICTURE);
  const id = await joined.newestAtHub();
  await until('it has come', async () => (await joined.get(id, 'a.jpg')).status === 200);
  change('hq', id, PICTURE);
  await expectDamaged(hub.call, id);
  await expectDamaged(hub.call, id, '?size=small');
  expect((await alarmOf(hub.call)).message).toContain(`of the event ${id} `);
  expect(await damagedCount(hub.hub.url)).toBe('1');
});
