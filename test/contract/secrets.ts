// The contract of SecretPort.
import { describe, expect, test } from 'vitest';
import type { NamedSecret } from '../../common/core/secret/record.ts';
import { SECOND, TEST_START } from '../support/clock.ts';
import { type MakeHarness, useStores } from './harness.ts';

const secret = (name: string, more: Partial<NamedSecret> = {}): NamedSecret => ({
  name,
  tenantCode: 'acme',
  use: 'channel',
  host: 'sms.example',
  sealed: `sealed-${name}`,
  createdAt: TEST_START,
  updatedAt: TEST_START,
  ...more,
});

export function secretContract(make: MakeHarness): void {
  describe('named secrets', () => {
    const bench = useStores(make);
    const put = (one: NamedSecret) => bench.stores.secrets.put(one, 'li', bench.stamp());

    test('are kept whole under their tenant and name, one of no tenant too', async () => {
      const kept = [
        secret('a'),
        secret('a', { tenantCode: 'other', use: 'push', sealed: 's2' }),
        secret('a', { tenantCode: null, use: 'dataset', sealed: 's3' }),
      ];
      for (const one of kept) expect(await put(one)).toEqual({ secret: one, created: true });
      await bench.restart();
      for (const one of kept) expect(await bench.stores.secrets.get(one.tenantCode, 'a')).toEqual(one);
      expect(await bench.stores.secrets.get('nobody', 'a')).toBeNull();
      expect(await bench.stores.secrets.get('acme', 'b')).toBeNull();
    });

    test('one that is given again takes the place of the one before, but for when it was made', async () => {
      await put(secret('a'));
      const again = secret('a', {
        use: 'push',
        host: 'b.example',
        sealed: 'new',
        createdAt: TEST_START + SECOND,
        updatedAt: TEST_START + SECOND,
      });
      expect(await put(again)).toEqual({ secret: { ...again, createdAt: TEST_START }, created: false });
      expect(await bench.stores.secrets.get('acme', 'a')).toEqual({ ...again, createdAt: TEST_START });
    });

    test('are listed by tenant and name, all of them or those of one tenant', async () => {
      for (const one of [
        secret('b'),
        secret('a'),
        secret('c', { tenantCode: 'other' }),
        secret('z', { tenantCode: null }),
      ])
        await put(one);
      const names = async (tenantCode: string | null) =>
        (await bench.stores.secrets.list(tenantCode)).map((one) => [one.tenantCode, one.name]);
      expect(await names(null)).toEqual([
        [null, 'z'],
        ['acme', 'a'],
        ['acme', 'b'],
        ['other', 'c'],
      ]);
      expect(await names('acme')).toEqual([
        ['acme', 'a'],
        ['acme', 'b'],
      ]);
    });

    test("removal names one tenant's alone, and what is gone is gone once", async () => {
      await put(secret('a'));
      await put(secret('a', { tenantCode: null }));
      expect(await bench.stores.secrets.remove('other', 'a', 'li', bench.stamp())).toBeNull();
      expect(await bench.stores.secrets.remove('acme', 'a', 'li', bench.stamp())).toEqual(secret('a'));
      expect(await bench.stores.secrets.remove('acme', 'a', 'li', bench.stamp())).toBeNull();
      expect((await bench.stores.secrets.list(null)).map(({ tenantCode }) => tenantCode)).toEqual([null]);
    });

    test('changes are audited under their tenant, without the secret', async () => {
      await put(secret('a'));
      await put(secret('a', { host: 'b.example', sealed: 'sealed-later' }));
      await bench.stores.secrets.remove('acme', 'a', 'li', bench.stamp());
      const entries = await bench.stores.audit.list({ tenantCode: 'acme', subject: 'secret:a' }, null, 10);
      expect(entries.map(({ action }) => action).sort()).toEqual([
        'secret.changed',
        'secret.created',
        'secret.removed',
      ]);
      expect(entries.find(({ action }) => action === 'secret.changed')).toMatchObject({
        actor: 'li',
        before: { use: 'channel', host: 'sms.example' },
        after: { use: 'channel', host: 'b.example' },
      });
      expect(JSON.stringify(entries)).not.toContain('sealed');
    });

    test('two writers of one name at once leave one row', async () => {
      const outcomes = await Promise.all([
        put(secret('a', { sealed: 'one' })),
        put(secret('a', { sealed: 'two' })),
      ]);
      expect(outcomes.map(({ created }) => created).sort()).toEqual([false, true]);
      expect(await bench.stores.secrets.list('acme')).toHaveLength(1);
    });
  });
}
