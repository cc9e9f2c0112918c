// Runs of events against what they must keep, whatever comes in whatever order.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cameraOf } from '../../common/agent/act/task.ts';
import { chainKeys, joinChains, linkScore } from '../../common/agent/grouping/decide.ts';
import type { ChainRecord, LinkLimits } from '../../common/agent/grouping/record.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import { docOf, newEvent } from '../contract/samples.ts';
import { TEST_START } from '../support/clock.ts';

const limits: LinkLimits = { minLink: 0.5, linkGapMs: 900_000, sameCameraGapMs: 120_000 };

const made = fc.record({
  second: fc.integer({ min: 0, max: 3_000 }),
  point: fc.constantFrom('p1', 'p2'),
  camera: fc.constantFrom('c1', 'c2', 'c3'),
  type: fc.constantFrom('a.b', 'c.d'),
  source: fc.constantFrom('video' as const, 'quick_photo' as const),
  isTest: fc.boolean(),
});

function record(
  id: number,
  {
    second,
    point,
    camera,
    type,
    source,
    isTest,
  }: {
    second: number;
    point: string;
    camera: string;
    type: string;
    source: 'video' | 'quick_photo';
    isTest: boolean;
  },
): EventRecord {
  return {
    ...newEvent(`k${id}`, {
      type,
      source,
      isTest,
      occurredAt: TEST_START + second * 1000,
      doc: docOf({ siteRef: 's', pointRef: point, cameraRef: camera }),
    }),
    id,
    receivedAt: TEST_START,
    instance: null,
    originId: null,
    originReceivedAt: null,
    verdict: null,
    correctedTo: null,
  };
}

/** Every run after every event, as a store would keep them. */
function run(events: readonly EventRecord[]): ChainRecord[] {
  const kept = new Map<string, ChainRecord>();
  for (const event of events) {
    const seen = [...kept.values()].sort((a, b) => b.lastAt - a.lastAt);
    for (const chain of joinChains(seen, { event, camera: cameraOf(event), steadyAt: 0 }, limits))
      kept.set(chain.sourceKey, chain);
  }
  return [...kept.values()];
}

test(
  'each event is in one run of each layer; a group has what its layer asks for; test events keep to ' +
    'themselves',
  () => {
    fc.assert(
      fc.property(fc.array(made, { maxLength: 40 }), (all) => {
        const events = all.map((one, index) => record(index + 1, one));
        const chains = run(events);
        for (const layer of ['L1', 'L2', 'L3'] as const) {
          const members = chains
            .filter((chain) => chain.layer === layer)
            .flatMap(({ pending }) => pending)
            .sort((a, b) => a - b);
          expect(members).toEqual(events.map(({ id }) => id));
        }
        for (const chain of chains) {
          const own = chain.pending.map((id) => events[id - 1]).filter((event) => event !== undefined);
          expect(chain.size).toBe(own.length);
          expect(new Set(own.map(({ isTest }) => isTest)).size).toBe(1);
          const types = new Set(own.map(({ type }) => type)).size;
          const sources = new Set(own.map(({ source }) => source)).size;
          expect(chain.ripe).toBe({ L1: own.length > 1, L2: types > 1, L3: sources > 1 }[chain.layer]);
          if (chain.layer === 'L1') expect(types).toBe(1);
          const times = own.map(({ occurredAt }) => occurredAt ?? 0).sort((a, b) => a - b);
          const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
          expect(Math.max(0, ...gaps)).toBeLessThanOrEqual(
            chain.layer === 'L1' ? limits.sameCameraGapMs : limits.linkGapMs * (1 - limits.minLink),
          );
        }
      }),
      { numRuns: 300 },
    );
  },
);

test('a link is worth 1 at once and 0 at the largest gap; without a site there is no group', () => {
  expect([0, 450_000, 900_000].map((gap) => linkScore(gap, limits))).toEqual([1, 0.5, 0]);
  expect([linkScore(0, { ...limits, linkGapMs: 0 }), linkScore(1, { ...limits, linkGapMs: 0 })]).toEqual([
    1, 0,
  ]);
  const event = record(1, {
    second: 0,
    point: 'p',
    camera: 'c',
    type: 'a.b',
    source: 'video',
    isTest: false,
  });
  expect(chainKeys({ ...event, doc: docOf({ cameraRef: 'c' }) })).toEqual([]);
  expect(chainKeys({ ...event, doc: docOf({ siteRef: 's' }) }).map(({ layer }) => layer)).toEqual(['L3']);
});
