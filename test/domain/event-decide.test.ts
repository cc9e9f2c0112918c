import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ConsumerFilter,
  consumerSees,
  planIngest,
  typeMatches,
} from '../../common/core/event/decide.ts';
import { eventKey } from '../../common/core/event/port.ts';
import type { EventRecord, NewEvent } from '../../common/core/event/record.ts';
import { newEvent } from '../contract/samples.ts';

function record(id: number, event: NewEvent): EventRecord {
  const { origin: _, ...members } = event;
  return {
    ...members,
    id,
    receivedAt: 0,
    instance: null,
    originId: null,
    originReceivedAt: null,
    verdict: null,
    correctedTo: null,
  };
}

/** Few tenants, keys and contents, so that they meet. */
const events = fc.array(
  fc
    .record({
      tenant: fc.constantFrom('a', 'b'),
      key: fc.constantFrom('1', '2', '3', '4', '5'),
      title: fc.constantFrom('x', 'y'),
      severity: fc.constantFrom('low', null),
    })
    .map(({ tenant, key, title, severity }) =>
      newEvent(key, { tenantCode: tenant, severity, doc: JSON.stringify({ title }) }),
    ),
  { maxLength: 30 },
);

const keyOf = (event: NewEvent) => eventKey(event.tenantCode, event.idempotencyKey);
const contentOf = (event: NewEvent) => JSON.stringify([event.type, event.severity, event.doc]);

describe('planIngest', () => {
  test('stores the first of each unknown key, in order, and answers for every event', () => {
    fc.assert(
      fc.property(events, events, fc.integer({ min: 1, max: 1_000_000 }), (earlier, batch, firstId) => {
        const known = new Map<string, EventRecord>();
        for (const event of earlier)
          if (!known.has(keyOf(event))) known.set(keyOf(event), record(2_000_000 + known.size, event));
        const plan = planIngest(batch, known);
        const results = plan.results(firstId);

        const firsts = batch.filter(
          (event, index) =>
            !known.has(keyOf(event)) && batch.findIndex((other) => keyOf(other) === keyOf(event)) === index,
        );
        expect(plan.fresh).toEqual(firsts);
        expect(results).toHaveLength(batch.length);
        expect(results.filter((result) => !result.duplicate).map((result) => result.id)).toEqual(
          firsts.map((_, index) => firstId + index),
        );
        for (const [index, event] of batch.entries()) {
          const stored = known.get(keyOf(event));
          const first = stored ?? firsts.find((other) => keyOf(other) === keyOf(event));
          const result = results[index];
          expect(result?.id).toBe(
            stored?.id ?? firstId + firsts.findIndex((other) => keyOf(other) === keyOf(event)),
          );
          expect(result?.duplicate).toBe(stored !== undefined || !firsts.includes(event));
          expect(result?.conflicting).toBe(first !== undefined && contentOf(first) !== contentOf(event));
        }
      }),
    );
  });

  test('the same batch again is all duplicates, none in conflict', () => {
    fc.assert(
      fc.property(events, (batch) => {
        const plan = planIngest(batch, new Map());
        const stored = new Map(plan.fresh.map((event, index) => [keyOf(event), record(index + 1, event)]));
        const again = planIngest(plan.fresh, stored);
        expect(again.fresh).toEqual([]);
        expect(again.results(99)).toEqual(
          plan.fresh.map((_, index) => ({ id: index + 1, duplicate: true, conflicting: false })),
        );
      }),
    );
  });

  test('asked twice for results, or with another first id, it answers alike', () => {
    const plan = planIngest([newEvent('a'), newEvent('b'), newEvent('a')], new Map());
    expect(plan.results(5)).toEqual(plan.results(5));
    expect(plan.results(7).map((result) => result.id)).toEqual([7, 8, 7]);
  });

  test('JSON that means the same is no conflict; numbers, nesting and missing members count', () => {
    const conflict = (doc: string, other: string) =>
      planIngest([newEvent('k', { doc }), newEvent('k', { doc: other })], new Map()).results(1)[1]
        ?.conflicting;
    expect(conflict('{"a":1,"b":[1,2]}', '{ "b": [1, 2], "a": 1.0 }')).toBe(false);
    expect(conflict('{"a":1}', '{"a":"1"}')).toBe(true);
    expect(conflict('{"b":[1,2]}', '{"b":[2,1]}')).toBe(true);
    expect(conflict('{"a":{"b":null}}', '{"a":{}}')).toBe(true);
    expect(conflict('{}', '{"__proto__":{"x":1}}')).toBe(true);
  });
});

describe('typeMatches', () => {
  test.each([
    ['vehicle.intrusion', 'vehicle.intrusion', true],
    ['vehicle.intrusion', 'vehicle.intrusion.night', false],
    ['vehicle', 'vehicle.intrusion', false],
    ['vehicle.*', 'vehicle.intrusion', true],
    ['vehicle.*', 'vehicle.', true],
    ['vehicle.*', 'vehicle', false],
    ['vehicle.*', 'vehicles.x', false],
    ['vehicle*', 'vehicles.x', true],
    ['*', 'anything', true],
    ['*', '', true],
    ['vehicle.*.night', 'vehicle.x.night', false],
    ['VEHICLE.*', 'vehicle.x', false],
    ['vehicle.i.trusion', 'vehicle.intrusion', false],
  ])('%s and %s: %s', (pattern, type, expected) => expect(typeMatches(pattern, type)).toBe(expected));

  test('a type matches itself and every beginning of itself with *', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9_]+(\.[a-z0-9_]+){0,3}$/), fc.nat(), (type, cut) => {
        expect(typeMatches(type, type)).toBe(true);
        expect(typeMatches(`${type.slice(0, cut % (type.length + 1))}*`, type)).toBe(true);
      }),
    );
  });
});

describe('consumerSees', () => {
  const open: ConsumerFilter = { tenantCode: null, eventTypes: null, minSeverity: null };
  const sees = (filter: Partial<ConsumerFilter>, over: Partial<NewEvent> = {}, includeTest = false) =>
    consumerSees({ ...open, ...filter }, record(1, newEvent('k', over)), includeTest);

  test('without filters everything but test events', () => {
    expect(sees({})).toBe(true);
    expect(sees({}, { isTest: true })).toBe(false);
    expect(sees({}, { isTest: true }, true)).toBe(true);
    expect(sees({}, {}, true)).toBe(true);
  });

  test('its own tenant only', () => {
    expect(sees({ tenantCode: 'acme' })).toBe(true);
    expect(sees({ tenantCode: 'other' })).toBe(false);
  });

  test('any of its types, and of none of them nothing', () => {
    expect(sees({ eventTypes: ['person.*', 'vehicle.intrusion'] })).toBe(true);
    expect(sees({ eventTypes: ['person.*'] })).toBe(false);
    expect(sees({ eventTypes: [] })).toBe(false);
  });

  test('the four severities ascend, the least is included, and none counts as medium', () => {
    const order = ['low', 'medium', 'high', 'critical'] as const;
    for (const [least, minSeverity] of order.entries()) {
      for (const [rank, severity] of order.entries())
        expect(sees({ minSeverity }, { severity })).toBe(rank >= least);
      expect(sees({ minSeverity }, { severity: null })).toBe(least <= 1);
    }
  });

  test('all filters must agree', () => {
    const filter: Partial<ConsumerFilter> = {
      tenantCode: 'acme',
      eventTypes: ['vehicle.*'],
      minSeverity: 'high',
    };
    expect(sees(filter)).toBe(true);
    expect(sees(filter, { tenantCode: 'other' })).toBe(false);
    expect(sees(filter, { type: 'person.fall' })).toBe(false);
    expect(sees(filter, { severity: 'low' })).toBe(false);
    expect(sees(filter, { isTest: true })).toBe(false);
  });
});
