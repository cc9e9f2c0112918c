// Every row of the state table of incident groups, and what is computed from members (spec 2, "Incident
// group").
import { describe, expect, test } from 'vitest';
import type { Stamp } from '../../common/clock.ts';
import { aggregateOf, withAdded, withOnly } from '../../common/core/incident/aggregate.ts';
import { decideConfirm, decideUpsert } from '../../common/core/incident/decide.ts';
import { differencesOf } from '../../common/core/incident/differences.ts';
import { decideMerge, decideUnmerge } from '../../common/core/incident/merge.ts';
import type {
  IncidentMember,
  IncidentRecord,
  MemberEvent,
  WholeIncident,
} from '../../common/core/incident/record.ts';
import { type IncidentState, incidentStates, type UpsertInput } from '../../common/core/incident/schema.ts';
import { decideSplit } from '../../common/core/incident/split.ts';
import { by, groupOf } from '../contract/incident-check.ts';

const NOW = 1_000_000;
const stamp = (): Stamp => {
  let issued = 0;
  return { now: NOW, newId: () => `id-${++issued}` };
};

const event = (eventId: number, over: Partial<MemberEvent> = {}): MemberEvent => ({
  eventId,
  at: eventId * 100,
  type: 'a',
  source: 'video',
  severity: 'high',
  isTest: false,
  ...over,
});

function whole(id: number, eventIds: number[], over: Partial<IncidentRecord> = {}): WholeIncident {
  const closed = over.state === 'closed';
  const incident: IncidentRecord = {
    id,
    tenantCode: 'acme',
    instance: null,
    originId: null,
    sourceKey: `key-${id}`,
    layer: 'L1',
    siteRef: 'site-a',
    pointRef: null,
    title: null,
    state: 'auto',
    stateBefore: closed ? 'auto' : null,
    mergedInto: closed ? 9 : null,
    splitFrom: null,
    firstLocked: false,
    confirmedBy: null,
    confirmedAt: null,
    closedAt: closed ? 1 : null,
    clearedCount: 0,
    revision: 0,
    createdAt: 1,
    updatedAt: 1,
    ...aggregateOf(
      'L1',
      eventIds.map((one) => event(one)),
    ),
    ...over,
  };
  const rows = eventIds.map((one): IncidentMember => ({
    ...event(one),
    incidentId: id,
    tenantCode: 'acme',
    layer: 'L1',
    live: !closed,
    addedAt: 1,
  }));
  return { incident, rows };
}
const seenOf = (...all: WholeIncident[]): Map<number, WholeIncident> =>
  new Map(all.map((one) => [one.incident.id, one]));
const live = incidentStates.filter((state) => state !== 'closed');

describe('states', () => {
  test('(new), upsert by the agent → auto', () => {
    const seen = { path: [], events: new Map([[1, event(1)]]), holders: new Map(), nextId: 5 };
    expect(decideUpsert(seen, groupOf('k', [1]), stamp()).outcome).toMatchObject({
      kind: 'upserted',
      created: true,
      incident: { id: 5, state: 'auto' },
    });
  });

  test.each<[IncidentState, IncidentState]>([
    ['auto', 'auto'],
    ['confirmed', 'confirmed'],
    ['split', 'split'],
  ])('%s, upsert → %s, members only added', (state, next) => {
    const { incident } = whole(1, [1], { state });
    const seen = { path: [incident], events: new Map([[2, event(2)]]), holders: new Map(), nextId: 0 };
    const { outcome, plan } = decideUpsert(seen, groupOf('k', [2]), stamp());
    expect(outcome).toMatchObject({ created: false, incident: { state: next, memberCount: 2 } });
    expect(plan).toMatchObject({ dropMembers: [], hideMembers: [], remove: [], insert: [] });
  });

  test('closed, upsert → the group it went to takes the members, and the closed one remembers them', () => {
    const path = [whole(1, [1], { state: 'closed', mergedInto: 2 }).incident, whole(2, [1, 2]).incident];
    const { outcome, plan } = decideUpsert(
      { path, events: new Map([[3, event(3)]]), holders: new Map(), nextId: 0 },
      groupOf('k', [3]),
      stamp(),
    );
    expect(outcome).toMatchObject({ incident: { id: 2, memberCount: 3 }, redirectedFrom: 1 });
    expect(plan?.addMembers.map(({ incidentId, live: isLive }) => [incidentId, isLive])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  test.each(live.filter((state) => state !== 'confirmed'))(
    '%s, confirm → confirmed, first appearance locked',
    (state) => {
      expect(decideConfirm(whole(1, [1], { state }).incident, by(1), stamp()).outcome).toMatchObject({
        kind: 'confirmed',
        changed: true,
        incident: { state: 'confirmed', firstLocked: true, confirmedAt: NOW },
      });
    },
  );

  test.each(live)(
    '%s, split → keeps its state, members form a group in state split, first appearance locked',
    (state) => {
      const { outcome, plan } = decideSplit(
        whole(1, [1, 2], { state }),
        { ...by(1), eventIds: [2] },
        7,
        stamp(),
      );
      expect(outcome).toMatchObject({
        kind: 'split',
        incident: { state, firstLocked: true },
        splitOff: { id: 7, state: 'split', firstLocked: true, sourceKey: null },
      });
      expect(plan?.audit.map(({ action, subject }) => [action, subject])).toEqual([
        ['incident.split', 'incident:1'],
        ['incident.split_off', 'incident:7'],
      ]);
    },
  );

  test.each(live.flatMap((a) => live.map((b): [IncidentState, IncidentState] => [a, b])))(
    '%s takes in %s: the target keeps its state, the other is closed',
    (a, b) => {
      const { outcome } = decideMerge(
        seenOf(whole(1, [1], { state: a }), whole(2, [2], { state: b })),
        { ...by(1), incidentIds: [2] },
        stamp(),
      );
      expect(outcome).toMatchObject({
        kind: 'merged',
        incident: { state: a, memberCount: 2 },
        merged: [{ state: 'closed', stateBefore: b, mergedInto: 1 }],
      });
    },
  );

  test.each(live)('closed, unmerge → %s as it was before', (stateBefore) => {
    const path = [whole(1, [1], { state: 'closed', stateBefore, mergedInto: 2 }), whole(2, [1, 2])];
    expect(decideUnmerge({ path, holders: new Map([[1, 2]]) }, by(1), stamp()).outcome).toMatchObject({
      kind: 'unmerged',
      incident: { state: stateBefore, mergedInto: null, closedAt: null },
      from: { id: 2, memberCount: 1 },
    });
  });

  const closed = whole(2, [2], { state: 'closed', mergedInto: 9 });
  test.each([
    ['confirm', decideConfirm(closed.incident, by(2), stamp())],
    ['split', decideSplit(closed, { ...by(2), eventIds: [2] }, 7, stamp())],
    ['merge', decideMerge(seenOf(closed, whole(1, [1])), { ...by(2), incidentIds: [1] }, stamp())],
    [
      'merge of it into another',
      decideMerge(seenOf(closed, whole(1, [1])), { ...by(1), incidentIds: [2] }, stamp()),
    ],
  ])('closed, %s → unchanged, refused', (_, { outcome, plan }) => {
    expect(outcome).toMatchObject({ kind: 'closed', incidents: [{ id: 2 }] });
    expect(plan).toBeNull();
  });
});

describe('facts', () => {
  test('added one by one they are those of all at once', () => {
    const all = [
      event(3, { at: 50, type: 'b' }),
      event(1, { severity: null }),
      event(2, { isTest: true, source: 'quick_photo' }),
      event(4, { at: 50, severity: 'critical' }),
    ];
    let group = withOnly(whole(1, [9]).incident, all.slice(0, 1), NOW);
    for (const one of all.slice(1)) group = withAdded(group, [one], NOW);
    expect(group).toMatchObject(aggregateOf('L1', all));
    expect(aggregateOf('L1', all)).toEqual({
      firstAt: 50,
      lastAt: 200,
      eventTypes: ['a', 'b'],
      sources: ['quick_photo', 'video'],
      severity: 'critical',
      memberCount: 4,
      testMemberCount: 1,
      isTest: false,
      firstEventId: 3,
      firstEventAt: 50,
    });
  });

  test.each([
    ['L1', 1],
    ['L2', 1],
    ['L3', null],
  ] as const)('first appearance in layer %s is %s', (layer, firstEventId) =>
    expect(aggregateOf(layer, [event(2), event(1)]).firstEventId).toBe(firstEventId),
  );

  test('a locked first appearance does not change with an earlier member', () =>
    expect(withAdded(whole(1, [5], { firstLocked: true }).incident, [event(1)], NOW)).toMatchObject({
      firstAt: 100,
      firstEventId: 5,
      firstEventAt: 500,
    }));
});

describe('differences', () => {
  const { incident } = whole(1, [1, 2]);
  const input = (facts: UpsertInput['facts'], over: Partial<UpsertInput> = {}): UpsertInput => ({
    tenant_code: 'acme',
    source_key: 'k',
    layer: 'L1',
    site_ref: 'site-a',
    event_ids: [1],
    facts,
    ...over,
  });

  test('what was not reported, or was reported alike, is no difference', () => {
    expect(differencesOf(input(undefined), incident)).toEqual([]);
    expect(
      differencesOf(
        input({
          first_at: '1970-01-01T08:00:00.1+08:00',
          last_at: '1970-01-01T00:00:00.200Z',
          event_types: ['a', 'a'],
          sources: ['video'],
          severity: 'high',
          member_count: 2,
          test_member_count: 0,
          is_test: false,
          first_appearance: { event_id: 1, at: '1970-01-01T00:00:00.100Z' },
        }),
        incident,
      ),
    ).toEqual([]);
  });

  test.each<[string, UpsertInput['facts'], Partial<UpsertInput>, unknown, unknown]>([
    [
      'first_at',
      { first_at: '1970-01-01T00:00:00Z' },
      {},
      '1970-01-01T00:00:00Z',
      '1970-01-01T00:00:00.100Z',
    ],
    ['last_at', { last_at: '1970-01-01T00:00:00Z' }, {}, '1970-01-01T00:00:00Z', '1970-01-01T00:00:00.200Z'],
    ['event_types', { event_types: ['a', 'b'] }, {}, ['a', 'b'], ['a']],
    ['sources', { sources: [] }, {}, [], ['video']],
    ['severity', { severity: 'low' }, {}, 'low', 'high'],
    ['member_count', { member_count: 3 }, {}, 3, 2],
    ['test_member_count', { test_member_count: 1 }, {}, 1, 0],
    ['is_test', { is_test: true }, {}, true, false],
    [
      'first_appearance',
      { first_appearance: null },
      {},
      null,
      { event_id: 1, at: '1970-01-01T00:00:00.100Z' },
    ],
    ['site_ref', undefined, { site_ref: 'site-b' }, 'site-b', 'site-a'],
    ['point_ref', undefined, { point_ref: 'p' }, 'p', null],
    ['title', undefined, { title: 't' }, 't', null],
  ])('%s', (field, facts, over, reported, computed) =>
    expect(differencesOf(input(facts, over), incident)).toEqual([{ field, reported, computed }]),
  );
});
