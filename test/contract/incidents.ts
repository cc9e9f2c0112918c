// The contract of IncidentPort.
import { describe, expect, test } from 'vitest';
import type { EventRecord } from '../../common/core/event/record.ts';
import type { IncidentRecord } from '../../common/core/incident/record.ts';
import { HOUR, SECOND, TEST_START } from '../support/clock.ts';
import { type Bench, type MakeHarness, useStores } from './harness.ts';
import { at, by, checkIncidents, fill, groupOf, upserted } from './incident-check.ts';
import { incidentDecisions } from './incident-decisions.ts';
import { newEvent, range, siteEvent } from './samples.ts';

export function incidentContract(make: MakeHarness): void {
  describe('incidents: write-back', () => writeBack(make));
  describe('incidents: decisions', () => incidentDecisions(make));
  describe('incidents: retention', () => retention(make));
  describe('incidents: reads', () => reads(make));
  describe('incidents: many writers', () => manyWriters(make));
}

const membersOf = async (bench: Bench, id: number): Promise<number[]> =>
  (await bench.stores.incidents.detail(id, null, 1000))?.members.map(({ member }) => member.eventId) ?? [];

function writeBack(make: MakeHarness): void {
  const bench = useStores(make);

  test('a new source key makes a group with the facts of its members', async () => {
    await fill(bench, 3, (i) => ({
      type: ['b.x', 'a.x', 'b.x'][i] ?? '',
      severity: (['low', 'critical', 'high'] as const)[i] ?? null,
      isTest: i === 0,
    }));
    const outcome = await bench.stores.incidents.upsert(
      groupOf('key', [3, 1, 2], { pointRef: 'p-1', title: 'gate' }),
      bench.stamp(),
    );
    expect(outcome).toEqual({
      kind: 'upserted',
      created: true,
      redirectedFrom: null,
      added: [3, 1, 2],
      skipped: [],
      incident: {
        id: 1,
        tenantCode: 'acme',
        instance: null,
        originId: null,
        sourceKey: 'key',
        layer: 'L1',
        siteRef: 'site-a',
        pointRef: 'p-1',
        title: 'gate',
        state: 'auto',
        stateBefore: null,
        mergedInto: null,
        splitFrom: null,
        firstAt: at(1),
        lastAt: at(3),
        eventTypes: ['a.x', 'b.x'],
        sources: ['video'],
        severity: 'critical',
        memberCount: 3,
        testMemberCount: 1,
        isTest: false,
        firstEventId: 1,
        firstEventAt: at(1),
        firstLocked: false,
        confirmedBy: null,
        confirmedAt: null,
        closedAt: null,
        clearedCount: 0,
        revision: 0,
        createdAt: TEST_START,
        updatedAt: TEST_START,
      },
    });
    if (outcome.kind === 'upserted') expect(await bench.stores.incidents.get(1)).toEqual(outcome.incident);
  });

  test('a replay changes nothing, and later events are added', async () => {
    await fill(bench, 4);
    const first = await upserted(bench, groupOf('key', [2, 3]));
    bench.clock.advance(HOUR);
    expect(
      await bench.stores.incidents.upsert(
        groupOf('key', [3, 2], { title: 'other', siteRef: 'elsewhere' }),
        bench.stamp(),
      ),
    ).toEqual({
      kind: 'upserted',
      incident: first,
      created: false,
      redirectedFrom: null,
      added: [],
      skipped: [],
    });
    const grown = await upserted(bench, groupOf('key', [1, 2, 4]));
    expect(grown).toMatchObject({
      id: first.id,
      memberCount: 4,
      firstEventId: 1,
      firstAt: at(1),
      lastAt: at(4),
      updatedAt: TEST_START + HOUR,
      siteRef: 'site-a',
    });
    expect(await membersOf(bench, grown.id)).toEqual([1, 2, 3, 4]);
    expect(
      (await bench.stores.audit.list({ tenantCode: 'acme', subject: 'incident:1' }, null, 10)).map(
        ({ action, actor }) => [action, actor],
      ),
    ).toEqual([
      ['incident.members_added', 'agent'],
      ['incident.created', 'agent'],
    ]);
  });

  test('the same source key of another tenant is another group', async () => {
    await fill(bench, 2, (i) => ({ tenantCode: i === 0 ? 'acme' : 'other' }));
    expect((await upserted(bench, groupOf('key', [1]))).id).toBe(1);
    expect((await upserted(bench, groupOf('key', [2], { tenantCode: 'other' }))).id).toBe(2);
  });

  test('an event of another group of the layer is skipped and that group named; in another layer it is added', async () => {
    await fill(bench, 3);
    const one = await upserted(bench, groupOf('one', [1, 2]));
    expect(await bench.stores.incidents.upsert(groupOf('two', [1, 2, 3]), bench.stamp())).toMatchObject({
      kind: 'upserted',
      created: true,
      added: [3],
      skipped: [
        { eventId: 1, incidentId: one.id },
        { eventId: 2, incidentId: one.id },
      ],
    });
    expect(
      await bench.stores.incidents.upsert(groupOf('three', [1, 2, 3], { layer: 'L2' }), bench.stamp()),
    ).toMatchObject({ added: [1, 2, 3], skipped: [] });
    await checkIncidents(bench.stores);
  });

  test('a new source key whose events all belong elsewhere makes no group', async () => {
    await fill(bench, 2);
    await upserted(bench, groupOf('one', [1, 2]));
    expect(await bench.stores.incidents.upsert(groupOf('two', [2]), bench.stamp())).toEqual({
      kind: 'nothing',
      skipped: [{ eventId: 2, incidentId: 1 }],
    });
    expect((await upserted(bench, groupOf('two', await fill(bench, 1)))).id).toBe(2);
  });

  test('unknown events and those of another tenant are refused by name, and nothing changes', async () => {
    await fill(bench, 3, (i) => ({ tenantCode: i === 1 ? 'other' : 'acme' }));
    const before = await upserted(bench, groupOf('key', [1]));
    for (const key of ['key', 'new']) {
      expect(await bench.stores.incidents.upsert(groupOf(key, [3, 99, 2, 1]), bench.stamp())).toEqual({
        kind: 'unknown_events',
        eventIds: [99, 2],
      });
    }
    expect(await bench.stores.incidents.get(1)).toEqual(before);
    expect(await bench.stores.incidents.get(2)).toBeNull();
  });

  test('a source key stays in its layer', async () => {
    await fill(bench, 2);
    await upserted(bench, groupOf('key', [1]));
    expect(await bench.stores.incidents.upsert(groupOf('key', [2], { layer: 'L2' }), bench.stamp())).toEqual({
      kind: 'layer_mismatch',
      layer: 'L1',
    });
  });

  test('the first appearance is the earliest member, the smaller id of two; in L3 there is none', async () => {
    await fill(bench, 3, (i) => ({ occurredAt: TEST_START + (i === 0 ? HOUR : 0) }));
    expect(await upserted(bench, groupOf('one', [3, 1, 2]))).toMatchObject({
      firstEventId: 2,
      firstEventAt: TEST_START,
    });
    expect(await upserted(bench, groupOf('three', [1, 2, 3], { layer: 'L3' }))).toMatchObject({
      firstEventId: null,
      firstEventAt: null,
      firstAt: TEST_START,
    });
  });

  test('an event without a time counts from its receipt, at the site where it arose', async () => {
    await bench.stores.events.ingest([newEvent('a', { occurredAt: null })], TEST_START + 7);
    await bench.stores.events.ingest([siteEvent('b', { occurredAt: null })], TEST_START + 9);
    expect(await upserted(bench, groupOf('key', [1, 2]))).toMatchObject({
      firstAt: TEST_START - 1_000,
      firstEventId: 2,
      lastAt: TEST_START + 7,
    });
  });

  test('an event without severity counts as medium', async () => {
    await fill(bench, 2, (i) => ({ severity: i === 0 ? null : 'low' }));
    expect((await upserted(bench, groupOf('key', [1, 2]))).severity).toBe('medium');
  });

  test('only when all members are of the test flow is it a test group', async () => {
    await fill(bench, 3, (i) => ({ isTest: i < 2 }));
    expect(await upserted(bench, groupOf('key', [1, 2]))).toMatchObject({ isTest: true, testMemberCount: 2 });
    expect(await upserted(bench, groupOf('key', [3]))).toMatchObject({
      isTest: false,
      testMemberCount: 2,
      memberCount: 3,
    });
  });

  test('groups outlive a restart, and ids are not given again', async () => {
    await fill(bench, 2);
    const group = await upserted(bench, groupOf('key', [1]));
    await bench.stores.incidents.forgetEvents([1], bench.stamp());
    await bench.restart();
    const again = await upserted(bench, groupOf('key', [2]));
    expect(again.id).toBe(group.id + 1);
    await bench.restart();
    expect(await bench.stores.incidents.get(again.id)).toEqual(again);
  });
}

function retention(make: MakeHarness): void {
  const bench = useStores(make);
  const forget = (...ids: number[]) => bench.stores.incidents.forgetEvents(ids, bench.stamp());

  test('a group is recomputed from what is left, and deleted when nothing is', async () => {
    await fill(bench, 4, (i) => ({ severity: i === 0 ? 'critical' : 'low', type: i === 0 ? 'a' : 'b' }));
    const group = await upserted(bench, groupOf('key', [1, 2, 3]));
    const other = await upserted(bench, groupOf('other', [1, 4], { layer: 'L2' }));
    expect(await forget(1, 77)).toEqual({ events: 1, recomputed: [group.id, other.id], deleted: [] });
    expect(await bench.stores.incidents.get(group.id)).toMatchObject({
      memberCount: 2,
      firstEventId: 2,
      firstAt: at(2),
      severity: 'low',
      eventTypes: ['b'],
    });
    expect(await forget(2, 3)).toEqual({ events: 2, recomputed: [], deleted: [group.id] });
    expect(await bench.stores.incidents.get(group.id)).toBeNull();
    expect(
      await bench.stores.audit.list({ tenantCode: 'acme', action: 'incident.deleted' }, null, 10),
    ).toMatchObject([
      { actor: 'system', subject: `incident:${group.id}`, after: null, before: { memberCount: 2 } },
    ]);
    expect(await forget(1, 2, 3)).toEqual({ events: 0, recomputed: [], deleted: [] });
  });

  test('a real group that a person confirmed stays as a record, with what it last said', async () => {
    await fill(bench, 2);
    const group = await upserted(bench, groupOf('key', [1, 2]));
    await bench.stores.incidents.confirm(by(group.id), bench.stamp());
    expect(await forget(1, 2)).toMatchObject({ recomputed: [group.id], deleted: [] });
    expect(await bench.stores.incidents.get(group.id)).toMatchObject({
      state: 'confirmed',
      memberCount: 0,
      firstAt: at(1),
      lastAt: at(2),
      firstEventId: 1,
      severity: 'high',
      isTest: false,
    });
    expect(
      await bench.stores.incidents.list({ tenantCode: 'acme', includeTest: false }, null, 10),
    ).toHaveLength(1);
  });

  test('a test group goes although it was confirmed', async () => {
    await fill(bench, 1, () => ({ isTest: true }));
    await upserted(bench, groupOf('key', [1]));
    await bench.stores.incidents.confirm(by(1), bench.stamp());
    expect(await forget(1)).toMatchObject({ deleted: [1] });
  });

  test('what was confirmed as real stays real, in whatever order its members are cleared', async () => {
    await fill(bench, 2, (i) => ({ isTest: i === 1 }));
    await upserted(bench, groupOf('key', [1, 2]));
    await bench.stores.incidents.confirm(by(1), bench.stamp());
    await forget(1);
    expect(await forget(2)).toMatchObject({ recomputed: [1], deleted: [] });
    expect(await bench.stores.incidents.get(1)).toMatchObject({ isTest: false, memberCount: 0 });
  });

  test('a group that another one still points to stays until that one goes', async () => {
    await fill(bench, 3);
    const target = await upserted(bench, groupOf('target', [1]));
    const away = await upserted(bench, groupOf('away', [2, 3]));
    await bench.stores.incidents.merge({ ...by(target.id), incidentIds: [away.id] }, bench.stamp());
    await bench.stores.incidents.split({ ...by(target.id), eventIds: [2] }, bench.stamp());
    expect(await forget(1, 3)).toMatchObject({ recomputed: [target.id, away.id], deleted: [] });
    expect(await bench.stores.incidents.detail(away.id, null, 10)).toMatchObject({ wentTo: target.id });
    expect(await forget(2)).toMatchObject({ deleted: [target.id, away.id, away.id + 1] });
  });

  test('of thousands at once, of several tenants and layers', async () => {
    const ids = await fill(bench, 1_500, (i) => ({ tenantCode: i % 2 === 0 ? 'acme' : 'other' }));
    for (const tenantCode of ['acme', 'other']) {
      const own = ids.filter((id) => (id % 2 === 1) === (tenantCode === 'acme'));
      for (const layer of ['L1', 'L3'] as const)
        await upserted(bench, groupOf(`key-${layer}`, own, { tenantCode, layer }));
    }
    expect(await forget(...ids.slice(0, 1_400))).toEqual({
      events: 1_400,
      recomputed: [1, 2, 3, 4],
      deleted: [],
    });
    for (const id of [1, 2, 3, 4])
      expect(await bench.stores.incidents.get(id)).toMatchObject({ memberCount: 50 });
    expect(await forget(...ids)).toEqual({ events: 100, recomputed: [], deleted: [1, 2, 3, 4] });
  });
}

function reads(make: MakeHarness): void {
  const bench = useStores(make);
  const listed = async (
    over: Partial<Parameters<Bench['stores']['incidents']['list']>[0]> = {},
  ): Promise<number[]> =>
    (await bench.stores.incidents.list({ tenantCode: null, includeTest: false, ...over }, null, 100)).map(
      ({ id }) => id,
    );

  test('the list is by the last member, then by id, and holds live real groups unless asked', async () => {
    await fill(bench, 8, (i) => ({
      isTest: i === 2,
      tenantCode: i === 3 ? 'other' : 'acme',
      occurredAt: TEST_START + (i === 5 ? 4 : i) * SECOND,
    }));
    await upserted(bench, groupOf('a', [8]));
    await upserted(bench, groupOf('b', [1]));
    await upserted(bench, groupOf('test', [3]));
    await upserted(bench, groupOf('other', [4], { tenantCode: 'other' }));
    await upserted(bench, groupOf('c', [5], { siteRef: 'site-b' }));
    await upserted(bench, groupOf('d', [6], { layer: 'L3' }));
    await upserted(bench, groupOf('away', [2]));
    await bench.stores.incidents.merge({ ...by(2), incidentIds: [7] }, bench.stamp());
    await bench.stores.incidents.confirm(by(5), bench.stamp());
    expect(await listed()).toEqual([1, 6, 5, 4, 2]);
    expect(await listed({ includeTest: true })).toEqual([1, 6, 5, 4, 3, 2]);
    expect(await listed({ state: 'closed' })).toEqual([7]);
    expect(await listed({ state: 'confirmed' })).toEqual([5]);
    expect(await listed({ state: 'auto' })).toEqual([1, 6, 4, 2]);
    expect(await listed({ state: 'split' })).toEqual([]);
    expect(await listed({ tenantCode: 'other' })).toEqual([4]);
    expect(await listed({ layer: 'L3' })).toEqual([6]);
    expect(await listed({ siteRef: 'site-b', tenantCode: 'acme' })).toEqual([5]);
    expect(await listed({ eventId: 6 })).toEqual([6]);
    expect(await listed({ eventId: 2 })).toEqual([2]);
    expect(await listed({ eventId: 2, tenantCode: 'other' })).toEqual([]);
    expect(await listed({ eventId: 7 })).toEqual([]);
    await upserted(bench, groupOf('b', [7]));
    expect(await listed()).toEqual([1, 2, 6, 5, 4]);
  });

  test('pages follow one another, also between groups of one time', async () => {
    await fill(bench, 9, (i) => ({ occurredAt: TEST_START + (i % 2) * SECOND }));
    for (const id of range(9, (i) => i + 1)) await upserted(bench, groupOf(`k${id}`, [id]));
    const all = await listed();
    const seen: IncidentRecord[] = [];
    for (let page = seen; seen.length === 0 || page.length > 0; seen.push(...page)) {
      const last = seen.at(-1);
      page = await bench.stores.incidents.list(
        { tenantCode: 'acme', includeTest: false },
        last ? { lastAt: last.lastAt, id: last.id } : null,
        4,
      );
    }
    expect(seen.map(({ id }) => id)).toEqual(all);
  });

  test(
    'the detail has the members in order with their events, a page at a time, and the groups of other ' +
      'layers',
    async () => {
      await fill(bench, 4, (i) => ({ occurredAt: TEST_START - (i % 2) * SECOND }));
      await upserted(bench, groupOf('one', [1, 2, 3, 4]));
      await upserted(bench, groupOf('two', [2, 3], { layer: 'L2', title: 'series' }));
      await upserted(bench, groupOf('three', [4], { layer: 'L3' }));
      const detail = await bench.stores.incidents.detail(1, null, 3);
      expect(detail?.members.map(({ member }) => member.eventId)).toEqual([2, 4, 1]);
      expect(detail?.members.map(({ event }) => event)).toEqual(
        await Promise.all([2, 4, 1].map((id): Promise<EventRecord | null> => bench.stores.events.get(id))),
      );
      expect(detail?.otherLayers).toEqual([
        { id: 2, layer: 'L2', state: 'auto', title: 'series', sharedCount: 2 },
        { id: 3, layer: 'L3', state: 'auto', title: null, sharedCount: 1 },
      ]);
      expect(detail?.wentTo).toBeNull();
      expect(
        (await bench.stores.incidents.detail(1, { at: TEST_START, eventId: 1 }, 3))?.members.map(
          ({ member }) => member.eventId,
        ),
      ).toEqual([3]);
      expect(await bench.stores.incidents.detail(9, null, 3)).toBeNull();
    },
  );
}

function manyWriters(make: MakeHarness): void {
  const bench = useStores(make);
  const twenty = <T>(write: (i: number) => Promise<T>): Promise<T[]> => Promise.all(range(20, write));

  test('twenty write-backs of one source key make one group with every event', async () => {
    const ids = await fill(bench, 30);
    const outcomes = await twenty((i) =>
      bench.stores.incidents.upsert(groupOf('key', ids.slice(i, i + 11)), bench.stamp()),
    );
    expect(outcomes.filter((outcome) => outcome.kind === 'upserted' && outcome.created)).toHaveLength(1);
    const added = outcomes.flatMap((outcome) => (outcome.kind === 'upserted' ? outcome.added : []));
    expect(added.sort((a, b) => a - b)).toEqual(ids);
    expect(await checkIncidents(bench.stores)).toHaveLength(1);
  });

  test('twenty source keys that want the same events share them out', async () => {
    const ids = await fill(bench, 12);
    const outcomes = await twenty((i) =>
      bench.stores.incidents.upsert(groupOf(`key-${i}`, i % 2 === 0 ? ids : ids.toReversed()), bench.stamp()),
    );
    expect(outcomes.filter((outcome) => outcome.kind === 'upserted')).toHaveLength(1);
    expect(
      outcomes.filter((outcome) => outcome.kind === 'nothing' && outcome.skipped.length === 12),
    ).toHaveLength(19);
    await checkIncidents(bench.stores);
  });

  test('of twenty confirmations one counts', async () => {
    await upserted(bench, groupOf('key', await fill(bench, 1)));
    const outcomes = await twenty((i) =>
      bench.stores.incidents.confirm(by(1, { by: `p${i}` }), bench.stamp()),
    );
    expect(outcomes.filter((outcome) => outcome.kind === 'confirmed' && outcome.changed)).toHaveLength(1);
    expect(
      await bench.stores.audit.list({ tenantCode: null, action: 'incident.confirmed' }, null, 100),
    ).toHaveLength(1);
  });

  test('twenty splits of one group leave one member', async () => {
    await upserted(bench, groupOf('key', await fill(bench, 10)));
    const outcomes = await twenty((i) =>
      bench.stores.incidents.split({ ...by(1), eventIds: [(i % 10) + 1] }, bench.stamp()),
    );
    expect(outcomes.filter(({ kind }) => kind === 'split')).toHaveLength(9);
    expect(outcomes.filter(({ kind }) => kind === 'not_members' || kind === 'every_member')).toHaveLength(11);
    expect(await checkIncidents(bench.stores)).toHaveLength(10);
  });

  test('twenty merges crosswise end in one live group, or in groups that were not reached', async () => {
    const ids = await fill(bench, 10);
    for (const id of ids) await upserted(bench, groupOf(`k${id}`, [id]));
    const outcomes = await twenty((i) =>
      bench.stores.incidents.merge(
        { ...by((i % 10) + 1), incidentIds: [((i + 1) % 10) + 1, ((i + 3) % 10) + 1] },
        bench.stamp(),
      ),
    );
    const all = await checkIncidents(bench.stores);
    const merges = outcomes.filter(({ kind }) => kind === 'merged').length;
    expect(all.filter(({ incident }) => incident.state === 'closed')).toHaveLength(2 * merges);
    expect(
      all.filter(({ incident }) => incident.state !== 'closed').flatMap(({ members }) => members),
    ).toHaveLength(10);
  });

  test('everything at once on one group, and it still holds together', async () => {
    const ids = await fill(bench, 40);
    await upserted(bench, groupOf('key', ids.slice(0, 10)));
    await upserted(bench, groupOf('other', ids.slice(10, 20)));
    await twenty(async (i) => {
      const { incidents } = bench.stores;
      switch (i % 5) {
        case 0:
          return incidents.upsert(groupOf('key', ids.slice(i, i + 20)), bench.stamp());
        case 1:
          return incidents.merge({ ...by(1), incidentIds: [2] }, bench.stamp());
        case 2:
          return incidents.split({ ...by(1), eventIds: [ids[i] ?? 0, ids[i + 1] ?? 0] }, bench.stamp());
        case 3:
          return incidents.unmerge(by(2), bench.stamp());
        default:
          return incidents.forgetEvents([ids[i] ?? 0, ids[i + 15] ?? 0], bench.stamp());
      }
    });
    await checkIncidents(bench.stores);
  });
}
