// What the uplink of a site holds back, and what deleting leaves of the file.
import { expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import { DAY_MS } from '../../../common/core/retention/decide.ts';
import { RetentionService } from '../../../common/core/retention/service.ts';
import { silentLogger } from '../../../common/log.ts';
import type { SiteStore } from '../../../site/store/open.ts';
import { anEvent, aVerdict, openStore, type TestClock, testClock } from './support.ts';

const going = new AbortController().signal;

function serviceOn(store: SiteStore, clock: TestClock): RetentionService {
  return new RetentionService({
    retention: store.retention,
    alarms: store.alarms,
    retentionHooks: [],
    limits: { eventsDays: 30, auditDays: null, alarmsDays: null },
    holdUnsent: true,
    instance: 'site-1',
    clock,
    log: silentLogger(),
    pauseMs: 0,
  });
}

/** Ten events of the first day and twenty of the twentieth, on day 31. */
async function filled(
  changes: Parameters<typeof anEvent>[1] = {},
): Promise<{ store: SiteStore; clock: TestClock; service: RetentionService }> {
  const clock = testClock();
  const store = await openStore({ clock });
  const start = clock.wall;
  const events = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => anEvent(`k${from + i}`, changes));
  await store.events.ingest(events(1, 10), start);
  await store.events.ingest(events(11, 20), start + 20 * DAY_MS);
  clock.wall = start + 31 * DAY_MS;
  return { store, clock, service: serviceOn(store, clock) };
}

const sent = (
  store: SiteStore,
  channel: 'events' | 'verdicts',
  cursor: number,
  parked: number[] = [],
): Promise<void> =>
  store.uplink.advance(
    {
      channel,
      hubEpoch: 'hub',
      cursor,
      cursorAt: null,
      accepted: 1,
      duplicates: 0,
      parked: parked.map((originId) => ({ channel, originId, error: 'refused', message: 'no' })),
    },
    0,
  );

test('says what is held back and why, and lets go when it was sent or given up', async () => {
  const { store, clock, service } = await filled();
  const oldest = async () => (await store.events.bounds()).oldest;
  await store.verdicts.write(aVerdict(4), stampOf(clock));
  await sent(store, 'events', 8, [6]);
  expect((await service.status()).held).toEqual([
    { reason: 'not_sent', from: 9, events: 2 },
    { reason: 'parked', from: 6, events: 5 },
    { reason: 'verdict_not_sent', from: 4, events: 7 },
  ]);
  expect(await service.heldCount()).toBe(7);
  await service.round(going);
  expect(await oldest()).toBe(4);
  await sent(store, 'verdicts', 1);
  await service.round(going);
  expect(await oldest()).toBe(6);
  await store.uplink.discard('events', 6, 0, 'li');
  await service.round(going);
  expect(await oldest()).toBe(9);
  expect(store.uplink.parked({}, 10)).toEqual([]);
  await sent(store, 'events', 30);
  await service.round(going);
  expect(await oldest()).toBe(11);
  expect(await service.heldCount()).toBe(0);
});

test('an event stays until its task and its group have gone up, or were given up', async () => {
  const { store, clock, service } = await filled();
  const stamp = stampOf(clock);
  const named = { tenantCode: 'north', actor: 'li' };
  await store.tasks.create(
    {
      ...named,
      type: 'disposal',
      eventId: 7,
      title: 't',
      severity: 'high',
      assigneeOrg: null,
      dueAt: null,
      suppressed: false,
      body: {},
      by: 'li',
    },
    stamp,
  );
  await store.incidents.upsert(
    {
      ...named,
      sourceKey: 'g',
      layer: 'L1',
      siteRef: 's',
      pointRef: null,
      title: null,
      eventIds: [4, 5, 9],
    },
    stamp,
  );
  const apart = async () =>
    (await store.eviction.dropApart({ observationsOnly: false, after: 0, limit: 3, now: 0 })).ids;
  const sentWork = (cursor: number, parked: number[] = []) => sent(store, 'verdicts', cursor, parked);
  await sent(store, 'events', 30);
  await sentWork(0);
  expect((await service.status()).held).toEqual([{ reason: 'work_not_sent', from: 4, events: 7 }]);
  await service.round(going);
  expect((await store.events.bounds()).oldest).toBe(4);
  // Also where the disk is short.
  expect(await apart()).toEqual([6, 8, 10]);
  await sentWork(2, [2]);
  await service.round(going);
  expect((await store.events.bounds()).oldest).toBe(4);
  expect((await store.incidents.detail(1, null, 10))?.members).toHaveLength(3);
  await store.uplink.discard('verdicts', 2, 0, 'li');
  await service.round(going);
  expect((await store.events.bounds()).oldest).toBe(11);
});

test('an event stays until headquarters knows whether its camera heard; then nothing of it is left to send', async () => {
  const { store, clock, service } = await filled({
    doc: JSON.stringify({ feedbackUrl: 'http://10.0.0.9/x' }),
  });
  await store.verdicts.write(aVerdict(5), stampOf(clock));
  const [message] = await store.feedback.ofEvent(5, 10);
  await store.feedback.delivered(message?.id ?? '', clock.now());
  await sent(store, 'events', 30);
  await sent(store, 'verdicts', 1);
  await sent(store, 'verdicts', 1);
  await service.round(going);
  expect((await store.events.bounds()).oldest).toBe(5);
  expect((await service.status()).held).toEqual([{ reason: 'work_not_sent', from: 5, events: 6 }]);
  expect(
    (await store.eviction.dropApart({ observationsOnly: false, after: 0, limit: 2, now: 0 })).ids,
  ).toEqual([6, 7]);
  await sent(store, 'verdicts', 2);
  await service.round(going);
  expect((await store.events.bounds()).oldest).toBe(11);
  expect(await store.feedback.ofEvent(5, 10)).toEqual([]);
  // The verdict stays in the history for as long as that is kept.
  expect(store.changes.waiting(0, 10)).toBe(1);
});

test('an uplink that has gone back since holds what it has to send again', async () => {
  const { store, service } = await filled();
  await sent(store, 'events', 30);
  await store.uplink.rewind('events', 3, 'hub-2');
  await service.round(going);
  expect((await store.events.bounds()).oldest).toBe(4);
});

test('freed room is shown and filled again before the file grows', async () => {
  const clock = testClock();
  const store = await openStore({ clock });
  const doc = JSON.stringify({ title: 'x'.repeat(3_000) });
  const fill = (from: number) =>
    store.events.ingest(
      Array.from({ length: 400 }, (_, i) => anEvent(`k${from + i}`, { doc })),
      clock.wall,
    );
  await fill(0);
  const full = store.facts();
  expect(full.dbFreeBytes).toBe(0);
  while (
    (
      await store.retention.dropEvents({
        before: Infinity,
        through: 400,
        limit: 500,
        holdUnsent: false,
        now: 0,
      })
    ).events
  )
    continue;
  const { dbFreeBytes } = store.facts();
  expect(dbFreeBytes).toBeGreaterThan(1_000_000);
  await fill(1_000);
  expect(store.facts().dbFreeBytes).toBeLessThan(dbFreeBytes / 4);
});

test('a headquarters that was put back is told once which verdicts are kept here no more', async () => {
  const { store, clock } = await filled();
  await store.verdicts.write(aVerdict(4), stampOf(clock));
  await store.verdicts.write(aVerdict(20), stampOf(clock));
  await sent(store, 'events', 30);
  await sent(store, 'verdicts', 2);
  expect(store.changes.oldest()).toBe(1);
  const [before, now] = [clock.wall + DAY_MS, clock.wall + DAY_MS];
  await store.retention.dropEvents({ before, through: 30, limit: 100, holdUnsent: true, now });
  await store.retention.dropRecords({ kind: 'changes', before, limit: 100, holdUnsent: true, now });
  expect(store.changes.oldest()).toBe(3);
  await store.uplink.rewind('verdicts', 0, 'hub');
  expect(store.changes.oldest()).toBe(3);
  await sent(store, 'verdicts', 2);
  expect(store.changes.oldest()).toBe(1);
});

test('an event stays while its verdict is refused at headquarters, until that is given up', async () => {
  const { store, clock, service } = await filled();
  await store.verdicts.write(aVerdict(4), stampOf(clock));
  await sent(store, 'events', 30);
  await sent(store, 'verdicts', 1, [1]);
  expect((await service.status()).held).toEqual([{ reason: 'parked', from: 4, events: 7 }]);
  await service.round(going);
  expect((await store.events.bounds()).oldest).toBe(4);
  await store.uplink.discard('verdicts', 1, 0, 'li');
  await service.round(going);
  expect((await store.events.bounds()).oldest).toBe(11);
});
