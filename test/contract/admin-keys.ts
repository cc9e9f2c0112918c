// The contract of AdminKeyPort.
import { describe, expect, test } from 'vitest';
import type { AdminKeyRecord } from '../../common/core/admin-key/port.ts';
import { AdminKeyRefusals } from '../../common/core/admin-key/refusals.ts';
import { silentLogger } from '../../common/log.ts';
import { HOUR, SECOND, TEST_START } from '../support/clock.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { range } from './samples.ts';

const EXISTS = { status: 409, code: 'key_exists' };
const record = (name: string, over: Partial<AdminKeyRecord> = {}): AdminKeyRecord => ({
  name,
  secretHash: `hash of ${name}`,
  previousHash: null,
  previousUntil: null,
  createdAt: TEST_START,
  createdBy: 'admin',
  lastUsedAt: null,
  lastUsedFrom: null,
  removedAt: null,
  ...over,
});

export function adminKeyContract(make: MakeHarness): void {
  describe('wrong admin keys', () => refusals(make));
  describe('admin keys', () => {
    const bench = useStores(make);
    const keys = () => bench.stores.adminKeys;
    const audited = async () =>
      (await bench.stores.audit.list({ tenantCode: null }, null, 100)).filter(({ subject }) =>
        subject.startsWith('admin_key:'),
      );

    test('a key is found by its digest, and listed by name', async () => {
      for (const name of ['script', 'console']) await keys().add(record(name), 'admin');
      expect(await keys().byHash('hash of script')).toEqual(record('script'));
      expect(await keys().byHash('hash of nobody')).toBeNull();
      expect(await keys().list()).toEqual([record('console'), record('script')]);
    });

    test('a name is given once, also of twenty at once and after it was withdrawn', async () => {
      const outcomes = await Promise.allSettled(
        range(20, (i) => keys().add(record('a', { secretHash: `h${i}` }), 'admin')),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(EXISTS);
      await keys().remove('a', TEST_START, 'admin');
      await expect(keys().add(record('a', { secretHash: 'another' }), 'admin')).rejects.toMatchObject(EXISTS);
    });

    test('a rotation keeps the digest before it, and the next one drops that', async () => {
      await keys().add(record('a'), 'admin');
      expect(await keys().rotate('a', 'second', TEST_START + HOUR, TEST_START + 1, 'admin')).toBe(true);
      const rotated = record('a', {
        secretHash: 'second',
        previousHash: 'hash of a',
        previousUntil: TEST_START + HOUR,
      });
      expect([await keys().byHash('second'), await keys().byHash('hash of a')]).toEqual([rotated, rotated]);
      await keys().rotate('a', 'third', TEST_START + HOUR, TEST_START + 2, 'admin');
      expect(await keys().byHash('hash of a')).toBeNull();
    });

    test('a withdrawn key is gone by each digest, once', async () => {
      await keys().add(record('a'), 'admin');
      await keys().rotate('a', 'second', TEST_START + HOUR, TEST_START, 'admin');
      expect(await keys().remove('a', TEST_START + 5, 'admin')).toBe(true);
      expect([await keys().byHash('second'), await keys().byHash('hash of a'), await keys().list()]).toEqual([
        null,
        null,
        [],
      ]);
      expect(await keys().remove('a', TEST_START + 6, 'admin')).toBe(false);
      expect(await keys().rotate('a', 'third', TEST_START, TEST_START, 'admin')).toBe(false);
    });

    test(
      'a use is noted and never moved back; that of the configured key makes its row, which nobody ' +
        'rotates or withdraws',
      async () => {
        await keys().add(record('a'), 'admin');
        await keys().used('a', TEST_START + 9, '10.0.0.7');
        await keys().used('a', TEST_START + 3, '10.0.0.8');
        for (const at of [5, 7]) await keys().used('admin', TEST_START + at, `10.0.0.${at}`);
        await keys().used('nobody', TEST_START, '10.0.0.9');
        expect(await keys().list()).toMatchObject([
          { name: 'a', lastUsedAt: TEST_START + 9, lastUsedFrom: '10.0.0.7' },
          { name: 'admin', secretHash: null, lastUsedAt: TEST_START + 7, lastUsedFrom: '10.0.0.7' },
        ]);
        expect(await keys().rotate('admin', 'x', TEST_START, TEST_START, 'admin')).toBe(false);
        expect(await keys().remove('admin', TEST_START, 'admin')).toBe(false);
      },
    );

    test('each change is audited with who did it, without a digest; a use is not', async () => {
      await keys().add(record('a'), 'admin from 10.0.0.1');
      await keys().rotate('a', 'second', TEST_START + HOUR, TEST_START + 1, 'admin:b from 10.0.0.2');
      await keys().used('a', TEST_START + 2, '10.0.0.7');
      await keys().remove('a', TEST_START + 3, 'local from local socket');
      const entries = await audited();
      expect(entries).toMatchObject([
        {
          action: 'admin_key.removed',
          actor: 'local from local socket',
          subject: 'admin_key:a',
          before: { removedAt: null },
          after: { removedAt: TEST_START + 3 },
        },
        {
          action: 'admin_key.rotated',
          actor: 'admin:b from 10.0.0.2',
          after: { previousUntil: TEST_START + HOUR },
        },
        { action: 'admin_key.added', actor: 'admin from 10.0.0.1', before: null, after: { name: 'a' } },
      ]);
      for (const secret of ['hash of a', 'second']) expect(JSON.stringify(entries)).not.toContain(secret);
    });

    test('outlives a restart', async () => {
      await keys().add(record('a'), 'admin');
      await keys().used('a', TEST_START + 2, '10.0.0.7');
      const before = await keys().list();
      await bench.restart();
      expect(await keys().list()).toEqual(before);
    });
  });
}

function refusals(make: MakeHarness): void {
  const bench = useStores(make);
  const open = (): AdminKeyRefusals => {
    const { loginAttempts: attempts, audit } = bench.stores;
    return new AdminKeyRefusals({ attempts, audit, clock: bench.clock, log: silentLogger() });
  };
  const told = async () =>
    (await bench.stores.audit.list({ tenantCode: null, action: 'admin_key.refused' }, null, 1000)).map(
      ({ subject, after }) => [subject, (after as { count: number }).count] as const,
    );

  test('every one is in the audit, at the latest a minute later or when the program stops', async () => {
    const refused = open();
    for (let tries = 0; tries < 4; tries += 1)
      expect(await refused.refuse('10.0.0.7')).toMatchObject({ status: 401 });
    expect(await told()).toEqual([['address:10.0.0.7', 1]]);
    await refused.round();
    expect(await told()).toHaveLength(1);
    bench.clock.advance(60 * SECOND);
    await refused.round();
    expect(await told()).toEqual([
      ['address:10.0.0.7', 3],
      ['address:10.0.0.7', 1],
    ]);
    for (let tries = 0; tries < 2; tries += 1) await refused.refuse('10.0.0.7');
    await refused.stop();
    expect((await told()).map(([, count]) => count)).toEqual([2, 3, 1]);
  });

  test('from a thousand addresses neither memory nor audit fill up, and those of a /64 count as one', async () => {
    const refused = open();
    for (let host = 0; host < 300; host += 1) await refused.refuse(`10.0.${host >> 8}.${host & 255}`);
    for (let host = 1; host < 5; host += 1) await refused.refuse(`2001:db8::${host}`);
    await refused.stop();
    const entries = await told();
    expect(entries.length).toBeLessThanOrEqual(102);
    expect(entries.reduce((sum, [, count]) => sum + count, 0)).toBe(304);
    bench.clock.advance(2 * HOUR);
    await refused.round();
    for (let host = 1; host < 5; host += 1) await refused.refuse(`2001:db8::${host}`);
    await refused.stop();
    expect(
      (await told())
        .filter(([subject]) => subject === 'address:2001:db8:0:0::/64')
        .map(([, count]) => count)
        .sort(),
    ).toEqual([1, 3]);
  });

  test('is refused all the same while the store takes no writes', async () => {
    const failing = new AdminKeyRefusals({
      attempts: { ...bench.stores.loginAttempts, begin: () => Promise.reject(new Error('full')) },
      audit: { ...bench.stores.audit, add: () => Promise.reject(new Error('full')) },
      clock: bench.clock,
      log: silentLogger(),
    });
    expect(await failing.refuse('10.0.0.7')).toMatchObject({ status: 401 });
  });
}
