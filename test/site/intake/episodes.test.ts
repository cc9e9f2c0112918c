// What happens to an alarm while the store is busy with it.
import { expect, test } from 'vitest';
import { Episodes } from '../../../site/intake/episode/episodes.ts';
import { alarmKey } from '../../../site/intake/episode/identity.ts';
import type { DevicePort } from '../../../site/intake/port.ts';
import type { AlarmIdentity, Device, Episode, Occurrence } from '../../../site/intake/record.ts';

const device: Device = {
  keyId: 'cam',
  kind: 'hikvision',
  tokenHash: '',
  secretRef: null,
  config: {},
  createdAt: 0,
  tenantCode: 'acme',
  name: 'gate',
};

const identityOf = (word: string): AlarmIdentity => ({
  device: null,
  channel: null,
  word,
  rule: null,
  object: null,
  each: null,
});

const occurrence = (state: 'active' | 'ended', alarm = 'a'): Occurrence => ({
  what: 'occurrence',
  state,
  repeats: true,
  identity: identityOf(alarm),
  id: null,
  rawType: 'x',
  type: 'x',
  known: true,
  severity: null,
  kind: 'alert',
  serial: null,
  channel: null,
  cameraName: null,
  title: null,
  description: null,
  time: null,
  late: false,
  payload: {},
  pictures: [],
  pictureUrls: [],
});

/** A store whose writing can be held up, and whose events can be refused. */
class Rig {
  rows = new Map<string, Episode>();
  events: string[] = [];
  refused = new Set<string>();
  hold: Promise<void> | null = null;
  at = 1_000_000;
  episodes: Episodes;

  constructor() {
    const devices: Pick<DevicePort, 'unsettled' | 'episode' | 'save' | 'prune'> = {
      unsettled: () => Promise.resolve([]),
      episode: (keyId, alarm) => Promise.resolve(this.rows.get(`${keyId} ${alarm}`) ?? null),
      save: async (episodes) => {
        const rows = structuredClone(episodes);
        const { hold } = this;
        // The order of writing is that of the calls.
        for (const row of rows) this.rows.set(`${row.keyId} ${row.alarm}`, row);
        await hold;
      },
      prune: () => Promise.resolve(),
    };
    this.episodes = new Episodes({
      devices: devices as DevicePort,
      clock: { now: () => this.at, monotonic: () => this.at, newId: () => '' },
      storeEvent: async (pending) => {
        await this.hold;
        if (this.refused.has(pending)) throw new Error('no room');
        return this.events.push(pending);
      },
    });
  }

  row(alarm: string): Episode | undefined {
    return this.rows.get(`cam ${alarmKey(identityOf(alarm))}`);
  }

  report(state: 'active' | 'ended', alarm = 'a') {
    return this.episodes.report(device, occurrence(state, alarm), {
      event: async () => `${alarm} ${this.events.length}`,
      known: () => Promise.resolve(null),
    });
  }

  /** Holds up what is written from now on. @returns what lets it go on */
  stop(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.hold = promise;
    return () => {
      this.hold = null;
      resolve();
    };
  }
}

test('an alarm that begins anew while its end is being written stands', async () => {
  const rig = new Rig();
  await rig.report('active');
  const goOn = rig.stop();
  const over = rig.report('ended');
  await Promise.resolve();
  await Promise.resolve();
  const again = rig.report('active');
  goOn();
  expect([(await over).outcome, (await again).outcome]).toEqual(['ended', 'stored']);
  expect((await rig.report('active')).outcome).toBe('repeated');
  expect(rig.events).toHaveLength(2);
});

test('an event that cannot be stored keeps no other alarm from its end', async () => {
  const rig = new Rig();
  rig.refused.add('bad 0');
  await expect(rig.report('active', 'bad')).rejects.toThrow('no room');
  await rig.report('active', 'good');
  rig.at += 60_000;
  await expect(rig.episodes.sweep(() => device)).rejects.toThrow('an alarm could not be stored yet');
  expect(rig.row('good')).toMatchObject({ endedBy: 'silence' });
  expect(rig.row('bad')).toMatchObject({ pending: 'bad 0', closedAt: null });
  rig.refused.clear();
  await rig.episodes.sweep(() => device);
  expect(rig.events).toEqual(['good 0', 'bad 0']);
});

test('what fell silent and begins anew while the others are looked at is written as it stands now', async () => {
  const rig = new Rig();
  await rig.report('active', 'old');
  rig.refused.add('slow 1');
  await expect(rig.report('active', 'slow')).rejects.toThrow('no room');
  rig.refused.clear();
  rig.at += 60_000;
  const goOn = rig.stop();
  const sweep = rig.episodes.sweep(() => device);
  for (let n = 0; n < 5; n += 1) await Promise.resolve();
  const again = rig.report('active', 'old');
  goOn();
  await Promise.all([sweep, again]);
  expect((await again).outcome).toBe('stored');
  expect(rig.row('old')).toMatchObject({ closedAt: null, openedAt: rig.at });
  expect((await rig.report('active', 'old')).outcome).toBe('repeated');
});

test('an alarm that makes room for another is over in the store too', async () => {
  const rig = new Rig();
  for (let number = 0; number < 1_002; number += 1) {
    rig.at += 1;
    await rig.report('active', `alarm ${number}`);
  }
  const open = [...rig.rows.values()].filter(({ closedAt }) => closedAt === null);
  expect(open).toHaveLength(1_000);
  expect(rig.row('alarm 0')).toMatchObject({ endedBy: 'silence', pending: null });
});
