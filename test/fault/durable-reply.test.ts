// A camera is answered only when its event would survive the loss of power.
import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import type { Site } from '../../site/app.ts';
import { diskSync, type SyncLayer } from '../../site/store/engine/sync.ts';
import { type Call, SettableClock, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf, signedCall } from '../support/request.ts';

/** Syncs for real, but only while it is let; or fails. */
class GatedSync implements SyncLayer {
  readonly events = new EventEmitter();
  failure: Error | null = null;
  #held: (() => void)[] | null = null;

  open = diskSync.open.bind(diskSync);
  close = diskSync.close.bind(diskSync);

  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const go of held) go();
  }

  async fdatasync(fd: number): Promise<void> {
    if (this.#held) {
      const gate = new Promise<void>((resolve) => this.#held?.push(resolve));
      this.events.emit('held');
      await gate;
    }
    if (this.failure) throw this.failure;
    await diskSync.fdatasync(fd);
  }
}

let scene: Scene;
let sync: GatedSync;
/** Set forward, so that the watermark hides nothing. */
let clock: SettableClock;
let site: Site;
let atSite: Call;
let key: SigningKey;

const post = (name: string): Promise<Answer> =>
  signedCall({
    url: site.url,
    key,
    method: 'POST',
    path: '/api/core/events',
    now: clock.now(),
    body: JSON.stringify({ idempotency_key: name, type: 'vehicle.intrusion' }),
  });
const pulled = async (): Promise<string[]> =>
  jsonOf<{ items: { idempotencyKey: string }[] }>(
    expectStatus(await atSite('GET', '/api/core/events/since?consumer=agent'), 200),
  ).items.map((event) => event.idempotencyKey);

beforeEach(async () => {
  scene = new Scene();
  sync = new GatedSync();
  clock = new SettableClock();
  const started = await startSiteHere(scene, { clock, sync });
  ({ site, call: atSite } = started);
  key = await started.node('gate');
  expectStatus(
    await atSite('POST', '/api/core/events/subscribe', { consumer: 'agent', start_cursor: 0 }),
    201,
  );
});
afterEach(() => {
  sync.release();
  return scene.close();
});

test('no answer and no reader before the sync, both after it', async () => {
  expectStatus(await post('before'), 201);
  sync.hold();
  const held = once(sync.events, 'held');
  const answers: string[] = [];
  const waiting = ['one', 'two', 'three'].map((name) =>
    post(name).then((answer) => answers.push(`${name} ${answer.status}`)),
  );
  await held;
  // The same key again, while the first is not yet durable, waits for the same sync.
  waiting.push(post('one').then((answer) => answers.push(`one again ${answer.status}`)));
  clock.offset = 60_000;

  expect(await pulled()).toEqual(['before']);
  expect((await site.store.events.page(0, 100)).map((event) => event.idempotencyKey)).toEqual(['before']);
  expect((await site.store.events.bounds()).highWaterMark).toBe(1);
  expect(answers).toEqual([]);

  sync.release();
  await Promise.all(waiting);
  expect(answers.sort()).toEqual(['one 201', 'one again 200', 'three 201', 'two 201']);
  clock.offset = 120_000;
  expect((await pulled()).sort()).toEqual(['before', 'one', 'three', 'two']);
});

test('a verdict is answered, and goes into the change log, after the sync too', async () => {
  const {
    items: [event],
  } = jsonOf<{ items: { id: number }[] }>(expectStatus(await post('judged'), 201));
  sync.hold();
  const held = once(sync.events, 'held');
  let answered = false;
  const verdict = atSite('POST', `/api/core/events/${event?.id}/verdict`, {
    verdict: 'confirmed',
    by: 'li',
  }).finally(() => {
    answered = true;
  });
  await held;
  expectStatus(await atSite('GET', '/healthz'), 200);
  expect(await site.store.verdicts.changes(0, 10)).toEqual([]);
  expect(answered).toBe(false);
  sync.release();
  expectStatus(await verdict, 200);
  expect(await site.store.verdicts.changes(0, 10)).toHaveLength(1);
});

test('a sync that fails is a 503, nothing is stored any more, and the process is told to end', async () => {
  expectStatus(await post('kept'), 201);
  sync.failure = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  const answer = await post('lost');
  expect([answer.status, typeof jsonOf<{ error: string }>(answer).error]).toEqual([503, 'string']);
  expect(answer.text).not.toMatch(/EIO|fdatasync/);
  expect((await site.failed).message).toMatch(/EIO/);
  sync.failure = null;
  // The kernel may have dropped what it could not write: no later sync makes it good.
  expect((await post('later')).status).toBe(503);
  expect((await atSite('GET', '/readyz')).status).toBe(503);
  clock.offset = 60_000;
  expect(await pulled()).toEqual(['kept']);
});
