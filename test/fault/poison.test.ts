// Items that headquarters cannot take: parked with the reason, never in the way of the others, replayed once
// the cause is mended.
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CameraClient } from '../support/camera-client.ts';
import {
  alarms,
  channels,
  drained,
  INSTANCE,
  registerNode,
  startDeployment,
  TENANT,
} from '../support/deployment.ts';
import { Ledger, listAll } from '../support/ledger.ts';
import { type Program, Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';

interface Parked {
  channel: 'events' | 'verdicts';
  originId: number;
  state: string;
  error: string;
  message: string;
  count: number;
}

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

const parkedAt = async (site: Program, state = 'parked'): Promise<Parked[]> =>
  jsonOf<{ items: Parked[] }>(
    expectStatus(await site.api('GET', `/api/core/uplink/parked?state=${state}`), 200),
  ).items;

const summary = (items: readonly Parked[]): string[] =>
  items.map((item) => `${item.channel} ${item.originId} ${item.error}`).sort();

async function judge(site: Program, id: number): Promise<void> {
  expectStatus(
    await site.api('POST', `/api/core/events/${id}/verdict`, { verdict: 'confirmed', by: 'li' }),
    200,
  );
}

function inStore(site: Program, work: (db: Database.Database) => void): void {
  const db = new Database(path.join(site.options.dataDir, 'site.db'));
  try {
    work(db);
  } finally {
    db.close();
  }
}

test(
  'a foreign tenant, a broken document and an unknown event are parked, and the rest goes on',
  { timeout: 600_000 },
  async () => {
    const { site, hub, link } = await startDeployment(scene, seededRandom(1));
    const ledger = new Ledger();
    const cameraOf = async (name: string, tenant: string): Promise<CameraClient> => {
      const camera = new CameraClient({
        name,
        url: site.url,
        key: await registerNode(site, name, tenant),
        ledger,
      });
      scene.onClose(() => camera.close());
      return camera;
    };
    const own = await cameraOf('own', TENANT);
    const foreign = await cameraOf('foreign', 'globex');

    // One stretch that headquarters takes in part only: good, foreign, good, broken, good.
    link.down('refused');
    const first = await own.post(20);
    const [outside] = await foreign.post(1);
    const second = await own.post(20);
    if (!outside || !second[7]) throw new Error('the site stored less than was posted');
    const broken = second[7];
    await judge(site, outside.id);
    await judge(site, broken.id);
    await judge(site, (first[0] as { id: number }).id);
    await site.stop();
    let whole = '';
    inStore(site, (db) => {
      whole = db
        .prepare<[number], string>('SELECT doc FROM events WHERE id = ?')
        .pluck()
        .get(broken.id) as string;
      db.prepare('UPDATE events SET doc = ? WHERE id = ?').run('{"title": "half', broken.id);
    });
    link.up();
    await site.start();
    await drained(site);

    const goodKeys = [...first, ...second]
      .map(({ key }) => key)
      .filter((key) => key !== broken.key)
      .sort();
    expect(
      (await listAll((method, target) => hub.api(method, target)))
        .map((event) => event.idempotencyKey)
        .sort(),
    ).toEqual(goodKeys);
    const items = await parkedAt(site);
    expect(
      items
        .filter((item) => item.channel === 'events')
        .map((item) => item.originId)
        .sort((a, b) => a - b),
    ).toEqual([outside.id, broken.id]);
    expect(items.find((item) => item.originId === outside.id && item.channel === 'events')).toMatchObject({
      error: 'tenant_not_allowed',
      state: 'parked',
    });
    expect(
      items
        .filter((item) => item.channel === 'verdicts')
        .map((item) => item.error)
        .sort(),
    ).toEqual(['event_unknown', 'tenant_not_allowed']);
    expect(items.every((item) => item.message.length > 10)).toBe(true);
    expect((await alarms(site, false)).map((alarm) => alarm.key)).toContain('uplink_parked');
    const shown = await channels(site);
    expect([shown.events.parked, shown.verdicts.parked]).toEqual([2, 2]);

    // The channels go on.
    const later = await own.post(5);
    await judge(site, (later[0] as { id: number }).id);
    await drained(site);
    const [refused] = [
      jsonOf<{ replayed: unknown[]; refused: Parked[] }>(
        expectStatus(await site.api('POST', '/api/core/uplink/parked/replay', {}), 200),
      ),
    ];
    expect(refused.replayed).toEqual([]);
    expect(refused.refused).toHaveLength(4);

    // Both causes are mended.
    await site.stop();
    inStore(site, (db) => db.prepare('UPDATE events SET doc = ? WHERE id = ?').run(whole, broken.id));
    await site.start();
    expectStatus(await hub.api('PATCH', `/api/core/sites/${INSTANCE}`, { tenants: [TENANT, 'globex'] }), 200);
    const replay = jsonOf<{ replayed: unknown[]; refused: Parked[] }>(
      expectStatus(await site.api('POST', '/api/core/uplink/parked/replay', {}), 200),
    );
    expect(replay.refused).toEqual([]);
    expect(replay.replayed).toHaveLength(4);

    const there = await listAll((method, target) => hub.api(method, target));
    expect(there.map((event) => event.idempotencyKey).sort()).toEqual([...ledger.told.keys()].sort());
    expect(
      there
        .filter((event) => event.verdict === 'confirmed')
        .map((event) => event.originId)
        .sort((a, b) => a - b),
    ).toEqual(
      [first[0], outside, broken, later[0]].map((one) => (one as { id: number }).id).sort((a, b) => a - b),
    );
    expect(await parkedAt(site)).toEqual([]);
    expect(summary(await parkedAt(site, 'replayed'))).toHaveLength(4);
    await until(
      'the alarm is cleared',
      async () => !(await alarms(site, false)).some((alarm) => alarm.key === 'uplink_parked'),
    );
    expect(ledger.oddities).toEqual([]);
  },
);
