// The wall clock is set back an hour and forward a day while site and headquarters run; the monotonic clock
// goes on.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../common/clock.ts';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import type { Site } from '../../site/app.ts';
import { CameraClient } from '../support/camera-client.ts';
import { HOUR } from '../support/clock.ts';
import { type Call, SettableClock, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Consumer, Ledger, listAll } from '../support/ledger.ts';
import { longTest } from '../support/long.ts';
import { Scene } from '../support/process.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

interface Pair {
  site: Site;
  atSite: Call;
  atHub: Call;
  key: SigningKey;
}

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

async function startPair(siteClock: Clock, hubClock: Clock): Promise<Pair> {
  const { hub, call: atHub } = await startHubHere(scene, hubClock);
  const issued = jsonOf<SigningKey>(
    expectStatus(await atHub('POST', '/api/core/sites', { instance: 'site-1', tenants: ['acme'] }), 201),
  );
  const keyFile = path.join(scene.dir, 'uplink-key');
  writeFileSync(keyFile, `${issued.keyId}:${issued.secret}`);
  const env = {
    CORE_UPLINK_URL: hub.url,
    CORE_UPLINK_KEY_REF: `file:${keyFile}`,
    CORE_UPLINK_INTERVAL_MS: '200',
  };
  const { site, call: atSite, node } = await startSiteHere(scene, { clock: siteClock, env });
  return { site, atSite, atHub, key: await node('gate') };
}

async function judge(atSite: Call, id: number): Promise<void> {
  expectStatus(
    await atSite('POST', `/api/core/events/${id}/verdict`, { verdict: 'confirmed', by: 'li' }),
    200,
  );
}

async function sawAll(consumer: Consumer, ledger: Ledger): Promise<void> {
  await until(`${consumer.name} has seen every event`, async () => {
    await consumer.round(50);
    return consumer.seen.length >= ledger.told.size;
  });
}

async function judgedAlike({ atSite, atHub }: Pair, judged: number): Promise<void> {
  await until('headquarters has every verdict', async () => {
    const { items } = jsonOf<{ items: unknown[] }>(
      await atHub('GET', '/api/core/events/list?verdict=confirmed&limit=1000'),
    );
    return items.length === judged;
  });
  const view = (events: Awaited<ReturnType<typeof listAll>>): string[] =>
    events.map((event) => `${event.idempotencyKey} ${event.verdict}`).sort();
  expect(view(await listAll(atHub))).toEqual(view(await listAll(atSite)));
}

longTest(
  'both clocks are set back an hour and forward a day: nothing is hidden, skipped or doubled',
  { timeout: 600_000 },
  async () => {
    const clock = new SettableClock();
    const pair = await startPair(clock, clock);
    const ledger = new Ledger();
    const camera = new CameraClient({ name: 'a', url: pair.site.url, key: pair.key, ledger, now: clock.now });
    scene.onClose(() => camera.close());
    const consumers = [new Consumer('at-site', pair.atSite), new Consumer('at-hub', pair.atHub)];
    for (const consumer of consumers) await consumer.register();
    let judged = 0;
    for (const step of [0, -HOUR, 0, 25 * HOUR, -HOUR, -24 * HOUR]) {
      clock.offset += step;
      const told = await camera.post(30);
      for (const { id } of told.slice(0, 5)) await judge(pair.atSite, id);
      judged += 5;
      // Every second time the consumers lag behind across the next step.
      if (step !== 0) for (const consumer of consumers) await sawAll(consumer, ledger);
    }
    await judgedAlike(pair, judged);
    for (const consumer of consumers) {
      await sawAll(consumer, ledger);
      expect(consumer.oddities).toEqual([]);
      expect(ledger.faultsOf(consumer.seen)).toEqual([]);
    }
    const changes = await pair.site.store.verdicts.changes(0, 1000);
    expect(
      changes.every((change, index) => index === 0 || change.at >= (changes[index - 1] as { at: number }).at),
      'change times never fall',
    ).toBe(true);
  },
);

test(
  'a site whose clock alone is wrong is told so, and goes on when it is set right',
  { timeout: 600_000 },
  async () => {
    const clock = new SettableClock();
    const pair = await startPair(clock, systemClock);
    const ledger = new Ledger();
    clock.offset = HOUR;
    // A camera with the right time is refused with the server's, by which it corrects itself.
    const late = await signedCall({
      url: pair.site.url,
      key: pair.key,
      method: 'POST',
      path: '/api/core/events',
      body: '{}',
    });
    const refusal = jsonOf<{ error: string; serverTime: string }>(expectStatus(late, 401));
    expect(refusal.error).toBe('clock_skew');
    const skew = Date.parse(refusal.serverTime) - Date.now();
    expect(Math.abs(skew - HOUR)).toBeLessThan(HOUR / 2);
    const camera = new CameraClient({
      name: 'a',
      url: pair.site.url,
      key: pair.key,
      ledger,
      now: () => Date.now() + skew,
    });
    scene.onClose(() => camera.close());
    const told = await camera.post(30);
    await judge(pair.atSite, (told[0] as { id: number }).id);

    const standing = async (): Promise<string[]> =>
      jsonOf<{ items: { key: string }[] }>(await pair.atSite('GET', '/api/core/alarms')).items.map(
        (alarm) => alarm.key,
      );
    await until('the alarm clock_skewed', async () => (await standing()).includes('clock_skewed'));
    clock.offset = 0;
    const right = new CameraClient({ name: 'b', url: pair.site.url, key: pair.key, ledger });
    scene.onClose(() => right.close());
    await right.post(10);
    const consumer = new Consumer('at-hub', pair.atHub);
    await consumer.register();
    await sawAll(consumer, ledger);
    await judgedAlike(pair, 1);

    expect(ledger.faultsOf(consumer.seen)).toEqual([]);
    await until('the alarm is cleared', async () => !(await standing()).includes('clock_skewed'));
  },
);
