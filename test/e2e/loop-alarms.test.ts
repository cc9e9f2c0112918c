// Background work that fails for good is an alarm in both programs, whoever made the loop.
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { AlarmRecord } from '../../common/core/alarm/port.ts';
import { silentLogger } from '../../common/log.ts';
import { Loop } from '../../common/loop.ts';
import { startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';

const scenes: Scene[] = [];
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close();
});

type Stores = { alarms: { list(filter: object, limit: number): Promise<AlarmRecord[]> } };

const programs = {
  site: async (scene: Scene) => (await startSiteHere(scene)).site,
  hub: async (scene: Scene) => (await startHubHere(scene)).hub,
};

/** Every loop that a program starts is one more of this class, and nothing else has to be done for it. */
test.each(['site', 'hub'] as const)(
  'a loop of the %s that fails is an alarm until it works',
  async (name) => {
    const scene = new Scene();
    scenes.push(scene);
    const program = await programs[name](scene);
    const { store } = program as typeof program & { store: Stores };
    const standing = async (): Promise<AlarmRecord[]> =>
      (await store.alarms.list({ tenantCode: null, includeCleared: false }, 100)).filter(({ key }) =>
        key.startsWith('loop_failing'),
      );
    let broken = true;
    let minutes = 0;
    const loop = new Loop({
      name: 'any work',
      interval: 1,
      backoff: { first: 1, cap: 1, jitter: 0 },
      log: silentLogger(),
      monotonic: () => (minutes += 1) * 60_000,
      round: () => (broken ? Promise.reject(new Error('no such table')) : Promise.resolve()),
    });
    loop.start();
    try {
      while ((await standing()).length === 0) await setImmediate();
      expect(await standing()).toMatchObject([
        { key: 'loop_failing:any work', severity: 'critical', tenantCode: null },
      ]);
      expect((await standing())[0]?.message).toContain('no such table');
      broken = false;
      while ((await standing()).length > 0) await setImmediate();
    } finally {
      await loop.stop();
      await program.stop();
    }
  },
);
