// The contracts of EvidencePort and EvidenceJobPort.
import { describe, expect, test } from 'vitest';
import type { EvidenceJob, EvidenceRecord, NewEvidenceJob } from '../../common/core/evidence/port.ts';
import { EvidenceRoomAlarms } from '../../common/core/evidence/room/alarms.ts';
import { byOwnName } from '../../common/core/instance/record.ts';
import { silentLogger } from '../../common/log.ts';
import { HOUR, SECOND, TEST_START } from '../support/clock.ts';
import { room } from '../support/evidence-room.ts';
import { type Bench, type MakeHarness, useStores } from './harness.ts';
import { pushJob, registered } from './push.ts';
import { range } from './samples.ts';

const file = (over: Partial<EvidenceRecord> = {}): EvidenceRecord => ({
  tenantCode: 'acme',
  eventId: 1,
  name: 'a.jpg',
  size: 100,
  sha256: 'a'.repeat(64),
  storedAt: TEST_START,
  ...over,
});

export function evidenceContract(make: MakeHarness): void {
  describe('evidence: files', () => files(make));
  describe('evidence: jobs', () => jobs(make));
}

/** Writes jobs the way they are written: with a push. */
async function written(bench: Bench, all: NewEvidenceJob[]): Promise<void> {
  const seen = (await bench.stores.subscriptions.get('c')) ?? (await registered(bench));
  const lease = { consumer: 'c', token: bench.clock.newId(), until: bench.clock.now() + SECOND };
  expect(await bench.stores.push.claim(seen, lease, bench.clock.now())).toBe(true);
  await bench.stores.push.delivered(
    lease,
    { pushed: true, cursor: 0, jobs: all, receiptFaults: 0, lastReceiptFault: null },
    bench.stamp(),
  );
}

function files(make: MakeHarness): void {
  const bench = useStores(make);

  test('a file is stored once, audited, and listed by name', async () => {
    const outcomes = await Promise.all(
      range(10, () =>
        bench.stores.evidence.store(file(), room(1_000), 'node:cam from 10.0.0.9', bench.stamp()),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...range(9, () => 'known'), 'stored']);
    expect(
      await bench.stores.evidence.store(file({ name: '0.jpg' }), room(1_000), 'node:cam', bench.stamp()),
    ).toBe('stored');
    await bench.restart();
    expect(await bench.stores.evidence.ofEvent('acme', 1)).toEqual([file({ name: '0.jpg' }), file()]);
    expect(await bench.stores.evidence.ofEvent('other', 1)).toEqual([]);
    expect(await bench.stores.evidence.ofEvent('acme', 2)).toEqual([]);
    const entries = await bench.stores.audit.list(
      { tenantCode: 'acme', action: 'evidence.stored' },
      null,
      10,
    );
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual(
      expect.objectContaining({
        actor: 'node:cam from 10.0.0.9',
        subject: 'event:1',
        after: { name: 'a.jpg', size: 100, sha256: 'a'.repeat(64) },
      }),
    );
  });

  test('the limit holds also for writers at once, to the byte', async () => {
    const outcomes = await Promise.all(
      range(10, (i) =>
        bench.stores.evidence.store(file({ eventId: i + 1 }), room(350), 'node:cam', bench.stamp()),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'over_limit')).toHaveLength(7);
    expect(await bench.stores.evidence.totalSize()).toBe(300);
    expect(
      await bench.stores.evidence.store(
        file({ eventId: 20, size: 50 }),
        room(350),
        'node:cam',
        bench.stamp(),
      ),
    ).toBe('stored');
    expect(
      await bench.stores.evidence.store(file({ eventId: 21, size: 1 }), room(350), 'node:cam', bench.stamp()),
    ).toBe('over_limit');
  });

  test('no tenant fills the share of another, and an alarm tells before a room is full', async () => {
    const { evidence, alarms } = bench.stores;
    const limits = room(1_000, { tenantPercent: 60 });
    const put = (tenantCode: string, eventId: number, size: number) =>
      evidence.store(file({ tenantCode, eventId, size }), limits, 'node:cam', bench.stamp());
    expect(await put('acme', 1, 550)).toBe('stored');
    expect(await put('acme', 2, 100)).toBe('over_tenant');
    expect(await put('other', 3, 400)).toBe('stored');
    expect(await put('other', 4, 100)).toBe('over_limit');
    const look = new EvidenceRoomAlarms({
      evidence,
      alarms,
      limits,
      self: 'here',
      names: byOwnName,
      clock: bench.clock,
      log: silentLogger(),
    });
    const standing = async () =>
      (await alarms.list({ tenantCode: null, includeCleared: false }, 10))
        .map(({ key, tenantCode, severity }) => `${key} ${tenantCode} ${severity}`)
        .sort();
    await look.look();
    expect(await standing()).toEqual(['evidence_room: null warning', 'evidence_room:acme acme warning']);
    await evidence.forget([file({ eventId: 1 })]);
    await look.look();
    expect(await standing()).toEqual([]);
  });
}

function jobs(make: MakeHarness): void {
  const bench = useStores(make);
  const all = () => bench.stores.evidenceJobs.list({ tenantCode: null }, null, 100);
  const one = async (id: string): Promise<EvidenceJob | undefined> =>
    (await all()).find((job) => job.id === id);

  test('no job goes to two claimers, and a claim holds for its lease', async () => {
    await written(
      bench,
      range(9, (i) => pushJob(`j${i}`)),
    );
    const claimed = (
      await Promise.all(range(12, () => bench.stores.evidenceJobs.claimDue(TEST_START, SECOND, 2)))
    )
      .flat()
      .map(({ id }) => id);
    const rest = (await bench.stores.evidenceJobs.claimDue(TEST_START, SECOND, 100)).map(({ id }) => id);
    expect([...claimed, ...rest].sort()).toEqual(range(9, (i) => `j${i}`));
    expect(await bench.stores.evidenceJobs.claimDue(TEST_START + SECOND - 1, SECOND, 100)).toEqual([]);
    expect(await bench.stores.evidenceJobs.claimDue(TEST_START + SECOND, SECOND, 100)).toHaveLength(9);
  });

  test('one job is read by its id as it stands, pending or settled; of another id there is none', async () => {
    await written(
      bench,
      ['a', 'b'].map((id) => pushJob(id)),
    );
    const { evidenceJobs } = bench.stores;
    expect(await evidenceJobs.get('a')).toEqual(await one('a'));
    expect(await evidenceJobs.get('a')).toMatchObject({ id: 'a', state: 'pending', attempts: 0 });
    await evidenceJobs.failed('a', 'refused', TEST_START + HOUR, TEST_START + 1);
    expect(await evidenceJobs.get('a')).toMatchObject({
      state: 'pending',
      attempts: 1,
      lastError: 'refused',
    });
    await evidenceJobs.done('a', TEST_START + 2);
    expect(await evidenceJobs.get('a')).toEqual(await one('a'));
    expect(await evidenceJobs.get('b')).toMatchObject({ id: 'b', state: 'pending' });
    expect(await evidenceJobs.get('c')).toBeNull();
  });

  test('done and failed are shown without what opened the address', async () => {
    await written(
      bench,
      ['a', 'b', 'c'].map((id) => pushJob(id)),
    );
    await bench.stores.evidenceJobs.done('a', TEST_START + 1);
    await bench.stores.evidenceJobs.failed('b', 'refused', TEST_START + HOUR, TEST_START + 1);
    await bench.stores.evidenceJobs.failed('c', 'too old', null, TEST_START + 2);
    expect(await one('a')).toMatchObject({
      state: 'done',
      attempts: 1,
      lastError: null,
      settledAt: TEST_START + 1,
      putUrl: 'https://store.example/bucket/a',
      access: null,
    });
    expect(await one('b')).toMatchObject({
      state: 'pending',
      attempts: 1,
      lastError: 'refused',
      nextAt: TEST_START + HOUR,
      access: 'sealed:secret-b',
    });
    expect(await one('c')).toMatchObject({
      state: 'failed',
      attempts: 1,
      lastError: 'too old',
      settledAt: TEST_START + 2,
      access: null,
    });
    expect(await bench.stores.evidenceJobs.counts()).toEqual({ pending: 1, failed: 1 });
    await bench.stores.evidenceJobs.failed('a', 'late', null, TEST_START + 3);
    expect(await one('a')).toMatchObject({ state: 'done' });
    expect(await bench.stores.evidenceJobs.postpone('a', TEST_START, null)).toBe(false);
  });

  test('one that waits for its file is put off, and the file wakes it', async () => {
    await written(bench, [pushJob('a'), pushJob('b', { name: 'b.jpg' })]);
    for (const id of ['a', 'b'])
      expect(await bench.stores.evidenceJobs.postpone(id, TEST_START + 600 * SECOND, 'not sent yet')).toBe(
        true,
      );
    expect(await bench.stores.evidenceJobs.claimDue(TEST_START, SECOND, 10)).toEqual([]);
    await bench.stores.evidence.store(file(), room(1_000), 'node:cam', bench.stamp());
    expect(await bench.stores.evidenceJobs.claimDue(TEST_START, SECOND, 10)).toMatchObject([
      { id: 'a', attempts: 0, lastError: 'not sent yet' },
    ]);
  });

  test('a job that was refused from the start is failed at once', async () => {
    await written(bench, [pushJob('a', { state: 'failed', lastError: 'kept elsewhere' })]);
    expect(await one('a')).toMatchObject({
      state: 'failed',
      lastError: 'kept elsewhere',
      settledAt: TEST_START,
      access: null,
    });
    expect(await bench.stores.evidenceJobs.claimDue(TEST_START + HOUR, SECOND, 10)).toEqual([]);
  });

  test('lists newest first, by filter and position', async () => {
    await written(bench, [pushJob('a'), pushJob('b', { tenantCode: 'other', consumer: 'd' })]);
    bench.clock.advance(5);
    await written(bench, [pushJob('c')]);
    const list = async (
      filter: Partial<Parameters<typeof bench.stores.evidenceJobs.list>[0]>,
      before: { createdAt: number; id: string } | null = null,
    ) =>
      (await bench.stores.evidenceJobs.list({ tenantCode: null, ...filter }, before, 10)).map(({ id }) => id);
    expect(await list({})).toEqual(['c', 'b', 'a']);
    expect(await list({}, { createdAt: TEST_START, id: 'b' })).toEqual(['a']);
    expect(await list({ tenantCode: 'acme' })).toEqual(['c', 'a']);
    expect(await list({ consumer: 'd' })).toEqual(['b']);
    await bench.stores.evidenceJobs.done('a', TEST_START);
    expect(await list({ state: 'done' })).toEqual(['a']);
  });
}
