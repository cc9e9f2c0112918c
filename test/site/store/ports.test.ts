import { expect, test } from 'vitest';
import { messagesOn } from '../../contract/samples.ts';
import { anEvent, aVerdict, copyFiles, newDir, openStore, testClock } from './support.ts';

const stampAt = (now: number) => ({ now, newId: testClock().newId });
const fresh = () => {
  const { newId } = testClock();
  return (now: number) => ({ now, newId });
};

test('verdicts: the first stands, corrections stand beside it, the log has no gaps', async () => {
  const dir = newDir();
  const store = await openStore({ dir });
  const stamp = fresh();
  await store.events.ingest(
    [
      anEvent('a', { doc: '{"feedbackUrl":"http://10.0.0.9/","localAlertNo":"7"}' }),
      anEvent('b'),
      anEvent('c'),
    ],
    1,
  );
  const written = await store.verdicts.write(aVerdict(1), stamp(100));
  expect(written).toMatchObject({ kind: 'written', verdict: { at: 100 }, awaitsSite: null });
  expect(await store.verdicts.write(aVerdict(1, { verdict: 'false_alarm' }), stamp(50))).toMatchObject({
    kind: 'unchanged',
    verdict: { verdict: 'confirmed' },
  });
  expect(await store.verdicts.write(aVerdict(9), stamp(50))).toEqual({ kind: 'no_event' });
  expect(await store.verdicts.write(aVerdict(2, { tenantCode: 'south' }), stamp(50))).toEqual({
    kind: 'tenant_mismatch',
  });
  expect(await store.verdicts.write(aVerdict(2, { verdict: 'merged', mergedInto: 2 }), stamp(50))).toEqual({
    kind: 'bad_target',
  });
  expect(
    await store.verdicts.write(
      aVerdict(2, { verdict: 'merged', mergedInto: 1, judged: { confidence: 0.5 } }),
      stamp(90),
    ),
  ).toMatchObject({ kind: 'written', verdict: { at: 100 } });
  const correction = { ...aVerdict(1, { verdict: 'false_alarm' }), id: 'c-1', note: 'a shadow' };
  expect(await store.verdicts.correct({ ...correction, eventId: 3 }, stamp(101))).toEqual({
    kind: 'no_verdict',
  });
  expect(await store.verdicts.correct(correction, stamp(101))).toMatchObject({ kind: 'written' });
  expect(await store.verdicts.correct(correction, stamp(102))).toMatchObject({
    kind: 'replayed',
    correction: { id: 'c-1', at: 101 },
  });
  expect(await store.verdicts.write(aVerdict(1, { decisionId: 'd-1' }), stamp(103))).toMatchObject({
    kind: 'unchanged',
  });
  expect(await store.verdicts.write(aVerdict(1, { decisionId: 'd-1' }), stamp(104))).toEqual({
    kind: 'answered',
  });

  const changes = await store.verdicts.changes(0, 10);
  expect(changes.map(({ changeNo, at, kind, eventId }) => [changeNo, at, kind, eventId])).toEqual([
    [1, 100, 'verdict', 1],
    [2, 100, 'verdict', 2],
    [3, 101, 'correction', 1],
    [4, 103, 'decision_refused', 1],
  ]);
  expect(await store.verdicts.newestChangeNo()).toBe(4);
  expect((await store.events.page(0, 10)).map(({ verdict, correctedTo }) => [verdict, correctedTo])).toEqual([
    ['confirmed', 'false_alarm'],
    ['merged', null],
    [null, null],
  ]);
  expect((await store.verdicts.get(2))?.judged).toEqual({ confidence: 0.5 });
  expect((await store.verdicts.corrections(1)).map(({ id }) => id)).toEqual(['c-1']);
  expect((await messagesOn(store, 1)).map(({ kind }) => kind)).toEqual(['verdict', 'correction']);
  const crashed = await openStore({ dir: copyFiles(dir) });
  expect(await crashed.verdicts.changes(0, 10)).toEqual(changes);
});

test('events are listed newest first, by tenant, type, verdict and test flag', async () => {
  const store = await openStore();
  await store.events.ingest(
    [
      anEvent('1'),
      anEvent('2', { type: '4711' }),
      anEvent('3', { tenantCode: 'south', severity: null, nodeKey: null }),
      anEvent('4', { isTest: true }),
    ],
    1,
  );
  await store.verdicts.write(aVerdict(2), stampAt(1));
  const ids = async (filter: object, before: number | null = null, limit = 10) =>
    (await store.events.list({ tenantCode: null, includeTest: true, ...filter }, before, limit)).map(
      ({ id }) => id,
    );
  expect(await ids({})).toEqual([4, 3, 2, 1]);
  expect(await ids({}, 3, 1)).toEqual([2]);
  expect(await ids({ tenantCode: 'north', includeTest: false })).toEqual([2, 1]);
  expect(await ids({ tenantCode: 'nobody' })).toEqual([]);
  expect(await ids({ type: '4711' })).toEqual([2]);
  expect(await ids({ verdict: 'none' })).toEqual([4, 3, 1]);
  expect(await ids({ verdict: 'confirmed' })).toEqual([2]);
  expect(await ids({ verdict: 'confirmed' }, 2)).toEqual([]);
  expect(await store.events.get(3)).toMatchObject({
    tenantCode: 'south',
    severity: null,
    nodeKey: null,
    type: 'vehicle.intrusion',
    isTest: false,
  });
  expect((await store.events.get(2))?.type).toBe('4711');
});

test('thousands of types and cameras are kept and found', async () => {
  const dir = newDir();
  const store = await openStore({ dir });
  const batch = Array.from({ length: 5_000 }, (_, i) =>
    anEvent(`k${i}`, { nodeKey: String(i), type: `t.${i}` }),
  );
  for (let i = 0; i < batch.length; i += 500) await store.events.ingest(batch.slice(i, i + 500), 1);
  await store.close();
  const again = await openStore({ dir });
  const page = await again.events.page(0, 5_000);
  expect(page.map(({ nodeKey, type }) => [nodeKey, type])).toEqual(
    batch.map(({ nodeKey, type }) => [nodeKey, type]),
  );
  expect(
    await again.events.list({ tenantCode: null, type: 't.4999', includeTest: true }, null, 5),
  ).toMatchObject([{ id: 5_000 }]);
});

test('a consumer starts at the newest event, and its cursor only ever rises', async () => {
  const store = await openStore();
  await store.events.ingest([anEvent('1'), anEvent('2'), anEvent('3')], 1);
  const filters = {
    tenantCode: null,
    eventTypes: ['vehicle.*'],
    minSeverity: 'high' as const,
    pushUrl: null,
    secretRef: null,
    enabled: true,
  };
  expect(await store.subscriptions.register('a', filters, null, 5, 'admin')).toMatchObject({
    created: true,
    subscription: { cursor: 3, pushCursor: 3 },
  });
  expect(await store.subscriptions.register('b', filters, 0, 5, 'admin')).toMatchObject({
    created: true,
    subscription: { cursor: 0 },
  });
  expect(await store.subscriptions.ack('b', 2, 6)).toEqual({ kind: 'acked', cursor: 2, moved: true });
  expect(await store.subscriptions.ack('b', 1, 6)).toEqual({ kind: 'acked', cursor: 2, moved: false });
  expect(await store.subscriptions.ack('b', 4, 6)).toEqual({ kind: 'ahead', head: 3 });
  expect(await store.subscriptions.ack('c', 1, 6)).toEqual({ kind: 'no_subscription' });
  const changed = await store.subscriptions.register(
    'b',
    { ...filters, eventTypes: null, enabled: false },
    0,
    7,
    'admin',
  );
  expect(changed).toMatchObject({
    created: false,
    subscription: { cursor: 2, eventTypes: null, enabled: false, createdAt: 5, updatedAt: 7 },
  });
  expect(await store.subscriptions.get('b')).toEqual(changed.subscription);
  expect((await store.subscriptions.list()).map(({ consumer }) => consumer)).toEqual(['a', 'b']);
  expect(
    (await store.audit.list({ tenantCode: null, subject: 'subscription:b' }, null, 5)).map(
      ({ action }) => action,
    ),
  ).toEqual(['subscription.changed', 'subscription.registered']);
});

test('keys rotate, and a removed key id stays taken', async () => {
  const store = await openStore();
  const key = {
    keyId: 'cam-1',
    purpose: 'node' as const,
    tenantCode: 'north',
    subject: 'cam-1',
    scopes: null,
    secretRef: 'file:/a',
    previousRef: null,
    previousUntil: null,
    createdAt: 1,
    removedAt: null,
  };
  await store.keys.add(key, 'admin');
  expect(await store.keys.rotate('cam-1', 'file:/b', 99, 2, 'admin')).toBe(true);
  expect(await store.keys.get('cam-1')).toEqual({
    ...key,
    secretRef: 'file:/b',
    previousRef: 'file:/a',
    previousUntil: 99,
  });
  expect(await store.keys.remove('cam-1', 3, 'admin')).toBe(true);
  expect(await store.keys.remove('cam-1', 3, 'admin')).toBe(false);
  expect(await store.keys.list('node')).toEqual([]);
  await expect(store.keys.add(key, 'admin')).rejects.toMatchObject({ code: 'key_exists' });
  expect(JSON.stringify(await store.audit.list({ tenantCode: 'north' }, null, 9))).not.toContain('file:');
});

test('feedback is claimed once, retried, delivered or given up', async () => {
  const store = await openStore();
  const stamp = fresh();
  const doc = '{"feedbackUrl":"http://10.0.0.9/"}';
  await store.events.ingest([anEvent('1', { doc }), anEvent('2', { doc })], 1);
  for (const id of [1, 2]) await store.verdicts.write(aVerdict(id), stamp(1_000));
  const due = 1_000_000;
  expect(await store.feedback.claimDue(1_000, 100, 5)).toEqual([]);
  const [first, second] = await store.feedback.claimDue(due, 100, 5);
  expect(await store.feedback.claimDue(due, 100, 5)).toEqual([]);
  expect((await store.feedback.claimDue(due + 100, 100, 1)).map(({ id }) => id)).toEqual([first?.id]);
  await store.feedback.failed(first?.id ?? '', 'refused', due + 500, due);
  expect(await store.feedback.get(first?.id ?? '')).toMatchObject({
    state: 'pending',
    attempts: 1,
    lastError: 'refused',
    nextAt: due + 500,
  });
  await store.feedback.delivered(first?.id ?? '', due + 501);
  await store.feedback.failed(second?.id ?? '', 'gone', null, due);
  expect(await messagesOn(store, 1)).toMatchObject([
    { state: 'delivered', attempts: 2, deliveredAt: due + 501 },
  ]);
  expect(await store.feedback.counts()).toEqual({ pending: 0, expired: 1, oldestPendingAt: null });
});

test('alarms count while they stand, and are raised anew after they were cleared', async () => {
  const store = await openStore();
  const alarm = {
    key: 'disk',
    instance: 'gate',
    tenantCode: null,
    severity: 'critical' as const,
    message: 'short',
    details: { free: 1 },
  };
  expect(await store.alarms.raise(alarm, 1)).toBe(true);
  expect(await store.alarms.raise({ ...alarm, message: 'shorter' }, 2)).toBe(false);
  expect(await store.alarms.list({ tenantCode: null, includeCleared: false }, 5)).toEqual([
    {
      ...alarm,
      message: 'shorter',
      raisedAt: 1,
      count: 2,
      lastAt: 2,
      clearedAt: null,
      takenBy: null,
      takenAt: null,
    },
  ]);
  expect(await store.alarms.clear('disk', 'gate', 3)).toBe(true);
  expect(await store.alarms.clear('disk', 'gate', 3)).toBe(false);
  expect(await store.alarms.list({ tenantCode: null, includeCleared: false }, 5)).toEqual([]);
  expect(await store.alarms.raise(alarm, 4)).toBe(true);
  expect(await store.alarms.list({ tenantCode: null, includeCleared: true }, 5)).toMatchObject([
    { raisedAt: 4, count: 1 },
  ]);
});

test('the uplink position rises, goes back only by rewind, and parked items keep their story', async () => {
  const store = await openStore();
  const { uplink } = store;
  await store.events.ingest([anEvent('1'), anEvent('2'), anEvent('3')], 7);
  expect(uplink.channel('events')).toEqual({
    name: 'events',
    hubEpoch: null,
    cursor: 0,
    cursorAt: null,
    lastAckAt: null,
    sentTotal: 0,
    duplicateTotal: 0,
  });
  expect(uplink.oldestUnsentAt('events', 0)).toBe(7);
  expect(uplink.backlogBytes('events', 0, 3)).toBe(3 * anEvent('1').doc.length);
  const parked = { channel: 'events' as const, originId: 2, error: 'bad', message: 'no' };
  await uplink.advance(
    {
      channel: 'events',
      hubEpoch: 'h',
      cursor: 3,
      cursorAt: null,
      accepted: 1,
      duplicates: 1,
      parked: [parked],
    },
    9,
  );
  expect(uplink.channel('events')).toMatchObject({
    cursor: 3,
    hubEpoch: 'h',
    lastAckAt: 9,
    sentTotal: 2,
    duplicateTotal: 1,
  });
  await uplink.rewind('events', 5, 'h2');
  expect(uplink.channel('events')).toMatchObject({ cursor: 3, hubEpoch: 'h2' });
  await uplink.rewind('events', 1, 'h2');
  expect(uplink.channel('events').cursor).toBe(1);
  expect(uplink.parkedCount('events')).toBe(1);
  await uplink.replayed('events', [], [parked], 10);
  expect(uplink.parked({ channel: 'events', state: 'parked' }, 5)).toEqual([
    { ...parked, state: 'parked', count: 2, firstAt: 9, lastAt: 10 },
  ]);
  await uplink.replayed('events', [2], [], 11);
  expect(uplink.parked({}, 5)).toMatchObject([{ state: 'replayed' }]);
  expect(await uplink.discard('events', 2, 12, 'cli')).toBe(false);
  await uplink.advance(
    {
      channel: 'verdicts',
      hubEpoch: 'h',
      cursor: 1,
      cursorAt: 4,
      accepted: 0,
      duplicates: 0,
      parked: [{ ...parked, channel: 'verdicts' }],
    },
    13,
  );
  expect(await uplink.discard('verdicts', 2, 14, 'cli')).toBe(true);
  expect(await store.audit.list({ tenantCode: null, action: 'uplink.discarded' }, null, 5)).toMatchObject([
    { actor: 'cli', subject: 'parked:verdicts:2' },
  ]);
});
