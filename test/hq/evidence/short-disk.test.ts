// A site whose disk runs short: its pictures are brought to headquarters first, and what could not be
// brought is told as lost at both ends.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SiteFacts } from '../../../site/status/schema.ts';
import { longTest } from '../../support/long.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { Joined } from './joined.ts';

const MIB = 1024 ** 2;

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

class ShortSite {
  readonly joined: Joined;
  #disk: { free: number };

  private constructor(joined: Joined, disk: { free: number }) {
    this.joined = joined;
    this.#disk = disk;
  }

  static async open(mode: string): Promise<ShortSite> {
    const disk = { free: 900 * MIB };
    const joined = await Joined.open(scene, {
      site: { CORE_UPLINK_EVIDENCE: mode },
      probe: () => ({ totalBytes: 1_000 * MIB, freeBytes: disk.free }),
    });
    return new ShortSite(joined, disk);
  }

  async facts(): Promise<SiteFacts['disk']> {
    return jsonOf<SiteFacts>(expectStatus(await this.joined.site.call('GET', '/api/core/site/status'), 200))
      .disk;
  }

  /** Something else fills the disk up to this room. */
  async leave(room: number): Promise<void> {
    const { roomBytes } = await this.facts();
    this.#disk.free += room - (roomBytes ?? 0);
  }

  /** @returns ids at headquarters of events with a picture each, by severity */
  async pictures(severities: readonly string[]): Promise<number[]> {
    const ids: number[] = [];
    for (const severity of severities) {
      const bytes = randomBytes(2_000);
      const id = await this.joined.event({ 'a.jpg': bytes }, { severity });
      await this.joined.upload(id, 'a.jpg', bytes);
      ids.push(await this.joined.newestAtHub(ids.length + 1));
    }
    return ids;
  }

  async stored(id: number): Promise<boolean> {
    return (await this.joined.listed(id))[0]?.state === 'stored';
  }
}

test('pictures that nobody asked for are brought to headquarters before anything is lost', async () => {
  const site = await ShortSite.open('on_demand');
  const ids = await site.pictures(['low', 'high', 'critical', 'medium']);
  for (const id of ids) expect((await site.joined.listed(id))[0]?.state).not.toBe('stored');
  await site.leave(0.8 * MIB);
  // The status is that of now, not that of the last round.
  expect((await site.facts()).level).toBe('short');
  for (const id of ids) await until(`the picture of ${id} is here`, () => site.stored(id));
  await until('the site has deleted what is here', async () => (await site.facts()).shed.evidence > 0);
  expect((await site.facts()).shed).toMatchObject({ lost: 0 });
  await site.leave(-MIB);
  await until('it is full', async () => (await site.facts()).level === 'full');
  expect((await site.facts()).shed).toMatchObject({ lost: 0 });
  for (const id of ids) expect(await site.stored(id)).toBe(true);
});

longTest(
  'what is deleted although it is nowhere else is lost, and told so by site and headquarters',
  async () => {
    const site = await ShortSite.open('none');
    const [low = 0, high = 0] = await site.pictures(['low', 'high']);
    await site.leave(-MIB);
    await until('a picture is lost', async () => (await site.facts()).shed.lost === 1);
    const { shed } = await site.facts();
    expect(shed).toMatchObject({ evidence: 0, lost: 1, lostBytes: 2_000 });
    const far = async (id: number) => (await site.joined.listed(id))[0];
    await until('headquarters knows', async () => (await far(low))?.state === 'lost');
    expect(await far(low)).toMatchObject({
      site: { text: expect.stringMatching(/^The file is lost: it was deleted/) as string },
    });
    expect((await far(high))?.state).toBe('at_site');
    for (const end of [site.joined.site, site.joined.hub]) {
      const alarm = await until('the alarm stands', async () => {
        const { items } = jsonOf<{ items: { key: string; severity: string; message: string }[] }>(
          await end.call('GET', '/api/core/alarms'),
        );
        return items.find(({ key }) => key === 'evidence_lost');
      });
      expect(alarm).toMatchObject({ severity: 'critical' });
      expect(alarm.message).toMatch(/^1 picture or clip of events is lost: deleted here for want of space/);
    }
  },
);
