// CORE_UPLINK_EVIDENCE_KBPS: kilobits (1,000 bits) a second that evidence takes at most.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pace } from '../../site/uplink/evidence/pace.ts';

test('over any stretch no more bits go than the cap allows, but for the piece under way', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: 100_000 }),
      fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 200 }),
      (kbps, durations) => {
        const pace = new Pace({ kbps });
        let [now, sent, last] = [0, 0, 0];
        for (const took of durations) {
          now += pace.wait(now);
          last = pace.pieceBytes;
          const started = now;
          now += took;
          pace.sent(last, started, now);
          sent += last;
          // One kilobit a second is one bit a millisecond.
          expect((sent - last) * 8).toBeLessThanOrEqual(kbps * started + 1e-3);
        }
      },
    ),
  );
});

test('pieces go one after another without a pause where there is no cap', () => {
  const pace = new Pace({ kbps: null });
  pace.sent(pace.pieceBytes, 0, 10);
  expect([pace.kbps, pace.wait(10)]).toEqual([null, 0]);
});

test('a cap of 80 lets 10,000 bytes go in a second', () => {
  const pace = new Pace({ kbps: 80 });
  expect(pace.pieceBytes).toBe(5_000);
  pace.sent(5_000, 0, 20);
  expect(pace.wait(20)).toBe(480);
  pace.sent(5_000, 500, 520);
  expect(pace.wait(520)).toBe(480);
});
