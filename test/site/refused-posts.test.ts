// Cameras that post and are turned away: shown at the site, an alarm once it lasts, over when one is taken.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import type { SiteFacts } from '../../site/status/schema.ts';
import { SettableClock, type SiteHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';

const SIX_MINUTES = 6 * 60_000;

let scene: Scene;
let clock: SettableClock;
let here: SiteHere;
beforeEach(async () => {
  scene = new Scene();
  clock = new SettableClock();
  here = await startSiteHere(scene, { clock });
});
afterEach(() => scene.close());

let count = 0;
const post = (key: SigningKey, body: object = { idempotency_key: `e-${(count += 1)}`, type: 'fire' }) =>
  signedCall({
    url: here.site.url,
    key,
    method: 'POST',
    path: '/api/core/events',
    body: JSON.stringify(body),
    now: clock.now(),
  });
const facts = async (): Promise<SiteFacts> =>
  jsonOf(expectStatus(await here.call('GET', '/api/core/site/status'), 200));
const refusedOf = async ({ keyId }: { keyId: string }): Promise<SiteFacts['cameras'][number]['refused']> =>
  (await facts()).cameras.find((one) => one.keyId === keyId)?.refused ?? null;
const alarmsOf = async (): Promise<SiteFacts['alarms']> =>
  (await facts()).alarms.filter(({ key }) => key.startsWith('posts_refused:'));
/** A look at the cameras is every 15 s. */
const untilSeen = (what: string, alarms: number): Promise<unknown> =>
  until(what, async () => {
    clock.pass(15_000);
    return (await alarmsOf()).length === alarms;
  });
const codeOf = (answer: Answer): string => jsonOf<{ error: string }>(answer).error;

test('all that a camera posts is refused: it is shown, and an alarm stands until one is taken', async () => {
  const gate = await here.node('gate');
  const wrong = { ...gate, secret: 'not its own' };
  expect(codeOf(await post(wrong))).toBe('bad_signature');
  expect(await refusedOf(gate)).toMatchObject({ reason: 'bad_signature', count: 1 });
  clock.pass(SIX_MINUTES);
  for (let n = 0; n < 50; n += 1) await post(wrong);
  await untilSeen('the alarm stands', 1);
  const [alarm] = await alarmsOf();
  expect(alarm?.message).toMatch(/gate .*5\d messages since .*signature does not match/);
  expect(alarm?.messageZh).toContain('签名不符');
  expect((await facts()).state).toBe('look');
  expectStatus(await post(gate), 201);
  expect(await refusedOf(gate)).toBeNull();
  await untilSeen('the alarm is over', 0);
});

test('what has not the form of an event counts, and forged posts beside taken ones raise nothing', async () => {
  const [gate, tower] = [await here.node('gate'), await here.node('tower')];
  expectStatus(await post(gate, { type: 'fire' }), 400);
  expect(await refusedOf(gate)).toMatchObject({ reason: 'invalid', count: 1 });
  for (let n = 0; n < 20; n += 1) await post({ ...tower, secret: 'guessed' });
  expectStatus(await post(tower), 201);
  await post({ ...tower, secret: 'guessed' });
  for (let n = 0; n < 20; n += 1) await post({ keyId: `nobody-${n}`, secret: 'guessed' });
  clock.pass(SIX_MINUTES);
  await untilSeen('the alarm of the one stands', 1);
  expect((await alarmsOf()).map(({ key }) => key)).toEqual([`posts_refused:${gate.keyId}`]);
});

test('a device that posts from a network that is not its own is told of as well', async () => {
  const wanted = { tenant_code: 'acme', name: 'old cam', kind: 'hikvision', source_networks: ['10.0.0.0/8'] };
  const made = expectStatus(await here.call('POST', '/api/core/devices', wanted), 201);
  const device = jsonOf<{ keyId: string; path: string }>(made);
  const send = (): Promise<Answer> =>
    request({ url: here.site.url, method: 'POST', path: device.path, body: '{}' });
  expectStatus(await send(), 403);
  expect(await refusedOf(device)).toMatchObject({ reason: 'wrong_network', count: 1 });
  clock.pass(SIX_MINUTES);
  await untilSeen('the alarm stands', 1);
});
