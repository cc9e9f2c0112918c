// In which order a short disk sends and deletes evidence that exists nowhere else.
import { expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import type { NewEvent } from '../../../common/core/event/record.ts';
import { silentLogger } from '../../../common/log.ts';
import { DiskKeeper } from '../../../site/retention/keeper.ts';
import type { SiteStore } from '../../../site/store/open.ts';
import { room } from '../../support/evidence-room.ts';
import { anEvent, newDir, openStore, testClock } from '../store/support.ts';

const MIB = 1024 ** 2;
const going = new AbortController().signal;

/** Events 1 to 6, each with a picture; headquarters has the events. */
const EVENTS: readonly Partial<NewEvent>[] = [
  { severity: 'critical' },
  { severity: 'low' },
  { severity: 'high' },
  { severity: 'low' },
  { severity: 'critical', isTest: true },
  { severity: null },
];

async function rig(): Promise<{ store: SiteStore; keeper: DiskKeeper; leave: (room: number) => void }> {
  const dir = newDir();
  const clock = testClock();
  const disk = { free: 900 * MIB };
  const store = await openStore({ dir, clock });
  const keeper = new DiskKeeper({
    ...{ eviction: store.eviction, retention: store.retention, alarms: store.alarms },
    ...{ retentionHooks: [], evidence: store.evidence, facts: () => store.facts() },
    ...{ uplinked: true, sendsEvidence: true, limit: null, dataDir: dir, instance: 'site-1', clock },
    log: silentLogger(),
    probe: () => ({ totalBytes: 1_000 * MIB, freeBytes: disk.free }),
  });
  await store.events.ingest(
    EVENTS.map((more, at) => anEvent(`k${at + 1}`, more)),
    1,
  );
  for (const [at] of EVENTS.entries()) {
    const record = { tenantCode: 'north', eventId: at + 1, name: 'a.jpg', size: 10, storedAt: 1 };
    await store.evidence.store({ ...record, sha256: `${at}`.repeat(64) }, room(1e9), 'cam', stampOf(clock));
  }
  const sent = { channel: 'events', hubEpoch: 'hub', cursor: EVENTS.length, cursorAt: null } as const;
  await store.uplink.advance({ ...sent, accepted: 0, duplicates: 0, parked: [] }, 0);
  return { store, keeper, leave: (room) => (disk.free += room - keeper.now().room) };
}

const offered = (store: SiteStore): number[] =>
  store.evidenceWants.offers(100, 100).map(({ eventId }) => eventId);

async function kept(store: SiteStore): Promise<number[]> {
  const all = EVENTS.map((_, at) => at + 1);
  const here = await Promise.all(all.map((id) => store.evidence.ofEvent('north', id)));
  return all.filter((_, at) => here[at]?.length === 1);
}

test('a short disk has all of it offered, the worst first, and deletes nothing of it', async () => {
  const { store, keeper, leave } = await rig();
  expect(offered(store)).toEqual([]);
  leave(0.8 * MIB);
  await keeper.round(going);
  // The sixth has no severity, and counts as medium.
  expect(offered(store)).toEqual([1, 3, 6, 2, 4, 5]);
  expect(await kept(store)).toEqual([1, 2, 3, 4, 5, 6]);
  // What was offered is not offered in every round.
  const named = store.evidenceWants.offers(100, 100);
  await store.evidenceWants.told([], named, []);
  await keeper.round(going);
  expect(offered(store)).toEqual([]);
  expect(store.eviction.state().counts).toMatchObject({ evidence: 0, lost: 0 });
});

test('what headquarters holds goes first; then the least severe, and of these the oldest', async () => {
  const { store, keeper, leave } = await rig();
  await store.evidenceWants.held([{ tenantCode: 'north', eventKey: 'k1', name: 'a.jpg' }]);
  leave(0.8 * MIB);
  await keeper.round(going);
  expect(await kept(store)).toEqual([2, 3, 4, 5, 6]);
  expect(store.eviction.state().counts).toMatchObject({ evidence: 1, lost: 0 });
  leave(-MIB);
  await keeper.round(going);
  // Half of what there was, whatever a person says later.
  expect(await kept(store)).toEqual([3, 4, 6]);
  expect(store.eviction.state().counts).toMatchObject({ evidence: 1, lost: 2, lostBytes: 20 });
  await keeper.confirm({ actor: 'li', note: null });
  await keeper.round(going);
  expect(await kept(store)).toEqual([]);
  const alarms = await store.alarms.list({ tenantCode: null, includeCleared: false }, 10);
  const [lost] = alarms.filter(({ key }) => key === 'evidence_lost');
  expect(lost).toMatchObject({ severity: 'critical', details: { lost: 2 } });
  const [shed] = alarms.filter(({ key }) => key === 'disk_shed');
  expect(shed?.message).toMatch(/headquarters holds it: 1 evidence file/);
  // The events stay until headquarters has been told which of their pictures are lost.
  const ids = async () => (await store.events.page(0, 10)).map(({ id }) => id);
  expect(await ids()).toEqual([2, 3, 4, 5, 6]);
  await store.evidenceWants.told([], [], store.evidenceWants.goneUntold(100, 100));
  await keeper.round(going);
  expect(await ids()).toEqual([]);
});

test('what another headquarters held counts for nothing', async () => {
  const { store, keeper, leave } = await rig();
  await store.evidenceWants.held([{ tenantCode: 'north', eventKey: 'k1', name: 'a.jpg' }]);
  await store.uplink.rewind('events', EVENTS.length, 'another hub');
  leave(0.8 * MIB);
  await keeper.round(going);
  expect(await kept(store)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(offered(store)).toContain(1);
});
