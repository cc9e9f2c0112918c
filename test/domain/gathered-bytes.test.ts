import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GatheredBytes } from '../../common/http/body/gathered-bytes.ts';

test('holds what was pushed and not taken out, whatever the pieces', () => {
  const step = fc.oneof(
    fc.record({ push: fc.integer({ min: 0, max: 200_000 }), fill: fc.nat(255) }),
    fc.record({ drop: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.constant({ take: true }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const gathered = new GatheredBytes();
      let held = Buffer.alloc(0);
      for (const one of steps) {
        if ('push' in one) {
          const piece = Buffer.alloc(one.push, one.fill);
          gathered.push(piece);
          held = Buffer.concat([held, piece]);
        } else if ('drop' in one) {
          const bytes = Math.floor(one.drop * held.length);
          gathered.drop(bytes);
          held = held.subarray(bytes);
        } else {
          expect(gathered.take().equals(held)).toBe(true);
          held = Buffer.alloc(0);
        }
        expect(gathered.bytes.equals(held)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

test('takes at most twice its bytes, or what is expected at most, however small the pieces are', () => {
  const gathered = new GatheredBytes(1_000_000);
  for (let n = 0; n < 900_000; n += 1) gathered.push(Buffer.from([n & 255]));
  expect(gathered.length).toBe(900_000);
  expect(gathered.room).toBeLessThanOrEqual(1_000_000);
  expect(gathered.bytes[899_999]).toBe(899_999 & 255);
  gathered.drop(899_000);
  expect(gathered.room).toBeLessThanOrEqual(2_000);
});
