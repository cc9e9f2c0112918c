import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashKey } from '../../../site/store/key-index/hash.ts';
import type { KeyIndexLimits } from '../../../site/store/key-index/key-index.ts';
import { runs } from '../../support/campaign.ts';
import { anEvent, copyFiles, newDir, openStore, turns } from './support.ts';

const small: KeyIndexLimits = { fillAt: 40, idleAt: 1_000_000, idleMs: 60_000, fanout: 3 };

test('keys are found in memory, in runs, after merges, after reopening and after a crash', async () => {
  const dir = newDir();
  const store = await openStore({ dir, keyIndex: small });
  const key = (i: number) => `key-${(i * 7919) % 1000}-${i}`;
  for (let i = 0; i < 1000; i += 20)
    await store.events.ingest(
      Array.from({ length: 20 }, (_, k) => anEvent(key(i + k))),
      1,
    );
  await turns(200);
  expect(store.facts().keysInMemory).toBeLessThan(100);
  const again = Array.from({ length: 1000 }, (_, i) => anEvent(key(i)));
  const wanted = again.map((_, i) => ({ id: i + 1, duplicate: true, conflicting: false }));
  expect(await store.events.ingest(again, 1)).toEqual(wanted);
  // The same key of another tenant is another key.
  expect(await store.events.ingest([anEvent(key(5), { tenantCode: 'south' })], 1)).toEqual([
    { id: 1001, duplicate: false, conflicting: false },
  ]);
  const crashed = await openStore({ dir: copyFiles(dir), keyIndex: small });
  expect(await crashed.events.ingest(again, 1)).toEqual(wanted);
  await store.close();
  const reopened = await openStore({ dir, keyIndex: small });
  expect(await reopened.events.ingest(again, 1)).toEqual(wanted);
  expect(await reopened.events.ingest([anEvent(key(5), { tenantCode: 'south' })], 1)).toEqual([
    { id: 1001, duplicate: true, conflicting: false },
  ]);
  const found = await reopened.events.byKeys([
    { tenantCode: 'north', idempotencyKey: key(7) },
    { tenantCode: 'north', idempotencyKey: 'no' },
  ]);
  expect([...found.values()].map(({ id }) => id)).toEqual([8]);
});

test('a copy taken at any moment of writing and merging runs holds every key once', async () => {
  const dir = newDir();
  const store = await openStore({ dir, keyIndex: { ...small, fillAt: 10, fanout: 2 } });
  let stored = 0;
  for (let round = 0; round < 12; round += 1) {
    const batch = Array.from({ length: 13 }, (_, i) => anEvent(`r${round}-${i}`));
    await store.events.ingest(batch, 1);
    stored += batch.length;
    await turns(round % 5);
    const copy = await openStore({ dir: copyFiles(dir), keyIndex: small });
    const all = Array.from({ length: round + 1 }, (_, r) =>
      Array.from({ length: 13 }, (__, i) => anEvent(`r${r}-${i}`)),
    ).flat();
    expect((await copy.events.ingest(all, 1)).map(({ id, duplicate }) => [id, duplicate])).toEqual(
      all.map((_, i) => [i + 1, true]),
    );
    await copy.close();
  }
  expect(stored).toBe(156);
});

test('any mix of new and repeated keys is numbered as a plain map would', async () => {
  const keyOf = fc.oneof(
    fc.integer({ min: 0, max: 60 }).map(String),
    fc.string({ maxLength: 6, unit: 'grapheme' }),
    fc.constant('\ud800x'),
    fc.constant('a\u0000b'),
  );
  const batches = fc.array(fc.array(keyOf, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const store = await openStore({ keyIndex: { ...small, fillAt: 15, fanout: 2 } });
      const model = new Map<string, number>();
      for (const batch of all) {
        const results = await store.events.ingest(
          batch.map((key) => anEvent(key)),
          1,
        );
        const wanted = batch.map((key) => {
          const known = model.get(key);
          if (known === undefined) model.set(key, model.size + 1);
          return { id: model.get(key), duplicate: known !== undefined, conflicting: false };
        });
        expect(results).toEqual(wanted);
      }
      await store.close();
    }),
    { numRuns: runs(8, 25), endOnFailure: true },
  );
});

test('the hash separates tenant and key', () => {
  expect(hashKey('ab', 'c')).not.toBe(hashKey('a', 'bc'));
  const hashes = new Set(Array.from({ length: 200_000 }, (_, i) => hashKey('north', `cam-${i % 64}-${i}`)));
  expect(hashes.size).toBe(200_000);
});
