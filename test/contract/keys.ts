// The contract of KeyPort.
import { describe, expect, test } from 'vitest';
import { HOUR, TEST_START } from '../support/clock.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { keyRecord, range } from './samples.ts';

const EXISTS = { status: 409, code: 'key_exists' };

export function keyContract(make: MakeHarness): void {
  describe('keys', () => keys(make));
  describe('keys: rotation and removal', () => changes(make));
}

function keys(make: MakeHarness): void {
  const bench = useStores(make);

  test('keeps every member', async () => {
    const all = keyRecord('k', {
      purpose: 'consumer',
      tenantCode: null,
      scopes: ['events.read', 'tasks.write'],
      previousRef: 'env:OLD',
      previousUntil: TEST_START + 1,
    });
    await bench.stores.keys.add(all, 'admin');
    expect(await bench.stores.keys.get('k')).toEqual(all);
    expect(await bench.stores.keys.get('K')).toBeNull();
  });

  test('an id that is taken is refused, and what stands stays', async () => {
    await bench.stores.keys.add(keyRecord('k'), 'admin');
    await expect(
      bench.stores.keys.add(keyRecord('k', { tenantCode: 'other', purpose: 'site' }), 'admin'),
    ).rejects.toMatchObject(EXISTS);
    expect(await bench.stores.keys.get('k')).toEqual(keyRecord('k'));
  });

  test('an id of a removed key is never given again', async () => {
    await bench.stores.keys.add(keyRecord('k'), 'admin');
    await bench.stores.keys.remove('k', TEST_START + 1, 'admin');
    await expect(bench.stores.keys.add(keyRecord('k'), 'admin')).rejects.toMatchObject(EXISTS);
  });

  test('of twenty that add one id, one does', async () => {
    const settled = await Promise.allSettled(
      range(20, (i) => bench.stores.keys.add(keyRecord('k', { subject: `s${i}` }), 'admin')),
    );
    expect(settled.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    for (const outcome of settled)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(EXISTS);
  });

  test('lists the live keys of one purpose, by key id', async () => {
    for (const id of ['b', 'a10', 'a2', 'gone', 'B']) await bench.stores.keys.add(keyRecord(id), 'admin');
    await bench.stores.keys.add(keyRecord('site', { purpose: 'site', tenantCode: null }), 'admin');
    await bench.stores.keys.remove('gone', TEST_START, 'admin');
    expect((await bench.stores.keys.list('node')).map((key) => key.keyId)).toEqual(['B', 'a10', 'a2', 'b']);
    expect((await bench.stores.keys.list('site')).map((key) => key.keyId)).toEqual(['site']);
    expect(await bench.stores.keys.list('consumer')).toEqual([]);
  });

  test('is audited with who did it and the records around it, but for references to secrets', async () => {
    const { secretRef: _live, previousRef: _previous, ...added } = keyRecord('k');
    const rotated = { ...added, previousUntil: TEST_START + HOUR };
    const removed = { ...rotated, removedAt: TEST_START + 2 };
    await bench.stores.keys.add(keyRecord('k'), 'user:wu');
    await bench.stores.keys.rotate('k', 'file:/new', TEST_START + HOUR, TEST_START + 1, 'user:xi');
    await bench.stores.keys.remove('k', TEST_START + 2, 'user:yu');
    const entries = await bench.stores.audit.list({ tenantCode: null, subject: 'key:k' }, null, 10);
    expect(entries.map(({ id: _id, subject: _subject, ...entry }) => entry)).toEqual([
      {
        at: TEST_START + 2,
        actor: 'user:yu',
        action: 'key.removed',
        tenantCode: 'acme',
        before: rotated,
        after: removed,
      },
      {
        at: TEST_START + 1,
        actor: 'user:xi',
        action: 'key.rotated',
        tenantCode: 'acme',
        before: added,
        after: rotated,
      },
      {
        at: TEST_START,
        actor: 'user:wu',
        action: 'key.added',
        tenantCode: 'acme',
        before: null,
        after: added,
      },
    ]);
  });

  test('a refused addition leaves no audit entry', async () => {
    await bench.stores.keys.add(keyRecord('k'), 'admin');
    await expect(bench.stores.keys.add(keyRecord('k'), 'admin')).rejects.toMatchObject(EXISTS);
    expect(await bench.stores.audit.list({ tenantCode: null }, null, 10)).toHaveLength(1);
  });
}

function changes(make: MakeHarness): void {
  const bench = useStores(make);

  test('rotation keeps the secret of before, and only that one', async () => {
    await bench.stores.keys.add(keyRecord('k', { secretRef: 'file:/1' }), 'admin');
    expect(await bench.stores.keys.rotate('k', 'file:/2', TEST_START + HOUR, TEST_START, 'admin')).toBe(true);
    expect(await bench.stores.keys.get('k')).toEqual(
      keyRecord('k', { secretRef: 'file:/2', previousRef: 'file:/1', previousUntil: TEST_START + HOUR }),
    );
    expect(
      await bench.stores.keys.rotate('k', 'file:/3', TEST_START + 2 * HOUR, TEST_START + 1, 'admin'),
    ).toBe(true);
    expect(await bench.stores.keys.get('k')).toEqual(
      keyRecord('k', { secretRef: 'file:/3', previousRef: 'file:/2', previousUntil: TEST_START + 2 * HOUR }),
    );
  });

  test('a key that is missing or removed is not rotated, and nothing is audited', async () => {
    expect(await bench.stores.keys.rotate('k', 'file:/2', TEST_START, TEST_START, 'admin')).toBe(false);
    await bench.stores.keys.add(keyRecord('k'), 'admin');
    await bench.stores.keys.remove('k', TEST_START, 'admin');
    const removed = await bench.stores.keys.get('k');
    expect(await bench.stores.keys.rotate('k', 'file:/2', TEST_START, TEST_START, 'admin')).toBe(false);
    expect(await bench.stores.keys.get('k')).toEqual(removed);
    expect(await bench.stores.audit.list({ tenantCode: null, action: 'key.rotated' }, null, 10)).toEqual([]);
  });

  test('removal tells when, and happens once', async () => {
    await bench.stores.keys.add(keyRecord('k'), 'admin');
    expect(await bench.stores.keys.remove('k', TEST_START + 5, 'admin')).toBe(true);
    expect(await bench.stores.keys.get('k')).toMatchObject({ keyId: 'k', removedAt: TEST_START + 5 });
    expect(await bench.stores.keys.remove('k', TEST_START + 6, 'admin')).toBe(false);
    expect(await bench.stores.keys.get('k')).toMatchObject({ removedAt: TEST_START + 5 });
    expect(await bench.stores.keys.remove('missing', TEST_START, 'admin')).toBe(false);
    expect(await bench.stores.audit.list({ tenantCode: null, action: 'key.removed' }, null, 10)).toHaveLength(
      1,
    );
  });

  test('rotations at once leave one live secret and the one before it', async () => {
    await bench.stores.keys.add(keyRecord('k', { secretRef: 'file:/start' }), 'admin');
    // So that a store with connections has them open, and the rotations do meet.
    await Promise.all(range(10, () => bench.stores.keys.get('k')));
    const outcomes = await Promise.all(
      range(6, (i) => bench.stores.keys.rotate('k', `file:/${i}`, TEST_START + i, TEST_START, 'admin')),
    );
    expect(outcomes.every(Boolean)).toBe(true);
    const key = await bench.stores.keys.get('k');
    expect(key?.previousRef).not.toBe(key?.secretRef);
    expect(key?.previousRef).not.toBe('file:/start');
    expect(`file:/${(key?.previousUntil ?? 0) - TEST_START}`).toBe(key?.secretRef);
  });

  test('outlives a restart', async () => {
    await bench.stores.keys.add(keyRecord('k'), 'admin');
    await bench.stores.keys.add(keyRecord('gone'), 'admin');
    await bench.stores.keys.rotate('k', 'file:/2', TEST_START, TEST_START, 'admin');
    await bench.stores.keys.remove('gone', TEST_START, 'admin');
    const before = [await bench.stores.keys.get('k'), await bench.stores.keys.get('gone')];
    await bench.restart();
    expect([await bench.stores.keys.get('k'), await bench.stores.keys.get('gone')]).toEqual(before);
  });
}
