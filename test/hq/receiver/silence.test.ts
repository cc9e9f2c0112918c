// A site that goes dark is an alarm by itself, once, until it calls again.
import { beforeEach, expect, test } from 'vitest';
import type { AlarmRecord } from '../../../common/core/alarm/port.ts';
import { silentLogger } from '../../../common/log.ts';
import { SiteAlarms } from '../../../hq/receiver/alarm/alarms.ts';
import { Contacts } from '../../../hq/receiver/contact/contacts.ts';
import { Silence } from '../../../hq/receiver/silence/silence.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { alarm } from '../../contract/samples.ts';
import { SECOND, TestClock } from '../../support/clock.ts';
import { hubStores } from '../store/hub.ts';

const MINUTE = 60 * SECOND;
const hub = hubStores();
let store: HubStore;
let clock: TestClock;
beforeEach(async () => {
  clock = new TestClock();
  store = await hub.open((await hub.database()).url, clock);
  for (const instance of ['tunnel', 'quarry', 'never'])
    await store.sites.add({ instance, tenants: ['acme'] }, clock.now(), 'admin');
});

interface OneHub {
  silence: Silence;
  call: (instance: string) => Promise<void>;
}

/** A process of headquarters. */
function processOf(self: string): OneHub {
  const log = silentLogger();
  const contacts = new Contacts({ sites: store.sites, clock, log });
  const siteAlarms = new SiteAlarms({ ...store, clock, log, self });
  const silence = new Silence({ ...store, contacts, siteAlarms, clock, log });
  contacts.onCall((instance) => silence.called(instance));
  return { silence, call: (instance) => contacts.note({ instance, version: '1' }) };
}

const standing = (): Promise<AlarmRecord[]> =>
  store.alarms.list({ tenantCode: null, includeCleared: false }, 100);
const keys = async (): Promise<string[]> => (await standing()).map(({ key }) => key).sort();

/** Time passes, and the processes look as they do. @param calling sites that call meanwhile */
async function pass(minutes: number, hubs: OneHub[], calling: string[] = []): Promise<void> {
  for (let halves = 0; halves < 2 * minutes; halves += 1) {
    clock.advance(MINUTE / 2);
    for (const { silence, call } of hubs) {
      for (const instance of calling) await call(instance);
      await silence.look();
    }
  }
}

async function begin(names = ['hq']): Promise<OneHub[]> {
  const hubs = names.map(processOf);
  for (const one of hubs) {
    for (const instance of ['tunnel', 'quarry']) await one.call(instance);
    await one.silence.look();
  }
  return hubs;
}

test('after ten minutes without a call the alarm stands, and the next call ends it', async () => {
  const hubs = await begin();
  const heard = new Date(clock.now()).toISOString();
  await pass(10, hubs, ['quarry']);
  expect(await keys()).toEqual([]);
  await pass(1, hubs, ['quarry']);
  expect(await standing()).toMatchObject([
    { key: 'site_silent:tunnel', severity: 'critical', tenantCode: null, details: { lastSeenAt: heard } },
  ]);
  await hubs[0]?.call('tunnel');
  await hubs[0]?.silence.look();
  expect(await keys()).toEqual([]);
});

test('each site has a time of its own, and one that is planned to be away has none', async () => {
  const hubs = await begin();
  await store.sites.change('tunnel', { silentAfterMinutes: 30 }, clock.now(), 'admin');
  await store.sites.change('quarry', { away: true }, clock.now(), 'admin');
  await pass(30, hubs);
  expect(await keys()).toEqual([]);
  await pass(1, hubs);
  expect(await keys()).toEqual(['site_silent:tunnel']);
  await store.sites.change('tunnel', { away: true }, clock.now(), 'admin');
  await store.sites.change('quarry', { away: false }, clock.now(), 'admin');
  await pass(1, hubs);
  expect(await keys()).toEqual(['site_silent:quarry']);
  await store.sites.remove('quarry', clock.now(), 'admin');
  await pass(1, hubs);
  expect(await keys()).toEqual([]);
});

test('of several processes of headquarters one raises it, and any ends it', async () => {
  const hubs = await begin(['hq-a', 'hq-b']);
  await pass(11, hubs, ['quarry']);
  expect(await standing()).toMatchObject([{ key: 'site_silent:tunnel', count: 1 }]);
  await hubs[1]?.call('tunnel');
  await hubs[1]?.silence.look();
  expect(await keys()).toEqual([]);
});

test('headquarters that was away calls nobody: its sites are given time to call again', async () => {
  await pass(11, await begin(), ['quarry']);
  expect(await keys()).toEqual(['site_silent:tunnel']);
  clock.advance(60 * MINUTE);
  const hubs = [processOf('hq')];
  await hubs[0]?.silence.look();
  expect(await keys()).toEqual(['site_silent:tunnel']);
  await pass(9, hubs);
  expect(await keys()).toEqual(['site_silent:tunnel']);
  await pass(2, hubs);
  expect(await keys()).toEqual(['site_silent:quarry', 'site_silent:tunnel']);
});

test('neither does one that could not look, or whose clock was set', async () => {
  const hubs = await begin();
  await pass(5, hubs, ['quarry', 'tunnel']);
  clock.wall += 30 * MINUTE;
  await pass(9, hubs);
  expect(await keys()).toEqual([]);
  clock.advance(20 * MINUTE);
  await hubs[0]?.silence.look();
  await pass(9, hubs);
  expect(await keys()).toEqual([]);
  await pass(2, hubs);
  expect(await keys()).toEqual(['site_silent:quarry', 'site_silent:tunnel']);
});

test('what a site reports under such a name neither hides the alarm nor ends with it', async () => {
  const hubs = await begin();
  await store.alarms.raise(alarm('site_silent:tunnel', { instance: 'quarry' }), clock.now());
  await pass(11, hubs, ['quarry']);
  expect((await standing()).map(({ instance }) => instance).sort()).toEqual(['hq', 'quarry']);
  await pass(1, hubs, ['quarry', 'tunnel']);
  expect((await standing()).map(({ instance }) => instance)).toEqual(['quarry']);
});

test('the figures say for how long each site was not heard, and after how long it is silent', async () => {
  const hubs = await begin();
  await store.sites.change('quarry', { away: true }, clock.now(), 'admin');
  clock.advance(90 * SECOND);
  const read = [];
  for (const metric of hubs[0]?.silence.metrics() ?? []) read.push(await metric.read());
  expect(read).toEqual([
    [
      { labels: { site: 'quarry' }, value: 90 },
      { labels: { site: 'tunnel' }, value: 90 },
    ],
    [{ labels: { site: 'tunnel' }, value: 600 }],
  ]);
});

test('a site is called by the name that people gave it, and by its own where one acts on it', async () => {
  await store.sites.change('tunnel', { displayName: 'Tunnel 7, north' }, clock.now(), 'admin');
  const hubs = await begin();
  await pass(15, hubs, ['quarry']);
  const [silent] = await standing();
  expect(silent?.message).toContain('Tunnel 7, north (tunnel)');
  expect(silent?.message).toContain('fieldline-hq site away tunnel.');
});
