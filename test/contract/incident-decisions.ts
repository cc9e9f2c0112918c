// The contract of IncidentPort: confirm, split, merge and its undoing.
import { expect, test } from 'vitest';
import type { IncidentRecord } from '../../common/core/incident/record.ts';
import { HOUR, TEST_START } from '../support/clock.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { at, by, checkIncidents, fill, groupOf, upserted } from './incident-check.ts';

export function incidentDecisions(make: MakeHarness): void {
  const bench = useStores(make);
  const get = (id: number) => bench.stores.incidents.get(id);
  const confirm = (id: number) => bench.stores.incidents.confirm(by(id), bench.stamp());
  const split = (id: number, ...eventIds: number[]) =>
    bench.stores.incidents.split({ ...by(id), eventIds }, bench.stamp());
  const merge = (id: number, ...incidentIds: number[]) =>
    bench.stores.incidents.merge({ ...by(id), incidentIds }, bench.stamp());
  const unmerge = (id: number) => bench.stores.incidents.unmerge(by(id), bench.stamp());
  const upsert = (key: string, ...eventIds: number[]) =>
    bench.stores.incidents.upsert(groupOf(key, eventIds), bench.stamp());
  const membersOf = async (id: number) =>
    (await bench.stores.incidents.detail(id, null, 1000))?.members.map(({ member }) => member.eventId);
  /**
   * Group 1 of events 2 to 4, group 2 of 5 and 6; event 1 is the earliest and in none, 7 and 8 the latest.
   */
  const two = async (): Promise<IncidentRecord[]> => {
    await fill(bench, 8);
    return [await upserted(bench, groupOf('a', [2, 3, 4])), await upserted(bench, groupOf('b', [5, 6]))];
  };

  test('confirm: says who and when, locks the first appearance, and again changes nothing', async () => {
    await two();
    bench.clock.advance(HOUR);
    const outcome = await confirm(1);
    expect(outcome).toMatchObject({
      kind: 'confirmed',
      changed: true,
      incident: { state: 'confirmed', confirmedBy: 'li', confirmedAt: TEST_START + HOUR, firstLocked: true },
    });
    expect(await confirm(1)).toMatchObject({ kind: 'confirmed', changed: false });
    await upsert('a', 1);
    expect(await get(1)).toMatchObject({
      state: 'confirmed',
      memberCount: 4,
      firstAt: at(1),
      firstEventId: 2,
      firstEventAt: at(2),
    });
    expect(
      await bench.stores.audit.list({ tenantCode: null, action: 'incident.confirmed' }, null, 10),
    ).toMatchObject([
      {
        actor: 'user:li',
        subject: 'incident:1',
        before: { state: 'auto' },
        after: { state: 'confirmed', by: 'li', note: null },
      },
    ]);
  });

  test(
    'split: makes a group in state split; the source keeps its state, and both first appearances are ' +
      'locked',
    async () => {
      await two();
      const outcome = await split(1, 4, 2);
      expect(outcome).toMatchObject({
        kind: 'split',
        incident: { id: 1, state: 'auto', memberCount: 1, firstEventId: 3, firstLocked: true },
        splitOff: {
          id: 3,
          state: 'split',
          splitFrom: 1,
          sourceKey: null,
          memberCount: 2,
          firstEventId: 2,
          firstAt: at(2),
          lastAt: at(4),
          firstLocked: true,
        },
      });
      expect(await membersOf(1)).toEqual([3]);
      expect(await membersOf(3)).toEqual([2, 4]);
      await upsert('a', 1);
      expect(await get(1)).toMatchObject({ firstEventId: 3, firstAt: at(1) });
      expect(
        (await bench.stores.audit.list({ tenantCode: null, subject: 'incident:3' }, null, 10))[0],
      ).toMatchObject({ action: 'incident.split_off', after: { by: 'li', eventIds: [2, 4] } });
    },
  );

  test('split: a confirmed group stays confirmed, and keeps the first appearance it was confirmed with', async () => {
    await two();
    await confirm(1);
    expect(await split(1, 2)).toMatchObject({
      incident: { state: 'confirmed', firstEventId: 2, firstAt: at(3) },
      splitOff: { state: 'split', confirmedBy: null, firstEventId: 2 },
    });
  });

  test('split: what was split off is not pulled back by replays, which name where it is', async () => {
    await two();
    await split(1, 3);
    expect(await upsert('a', 2, 3, 4)).toMatchObject({
      kind: 'upserted',
      added: [],
      skipped: [{ eventId: 3, incidentId: 3 }],
    });
    await merge(2, 3);
    expect(await upsert('a', 2, 3, 4, 7)).toMatchObject({
      added: [7],
      skipped: [{ eventId: 3, incidentId: 2 }],
    });
    await checkIncidents(bench.stores);
  });

  test('split: what is no member is named, and every member is refused', async () => {
    const [before] = await two();
    expect(await split(1, 5, 2, 99)).toEqual({ kind: 'not_members', eventIds: [5, 99] });
    expect(await split(1, 2, 3, 4)).toEqual({ kind: 'every_member' });
    expect(await get(1)).toEqual(before);
    expect(await get(3)).toBeNull();
  });

  test('split: severity and facts of both are computed anew', async () => {
    await fill(bench, 3, (i) => ({
      severity: i === 0 ? 'critical' : 'low',
      isTest: i === 2,
      source: i === 0 ? 'quick_photo' : 'video',
    }));
    await upserted(bench, groupOf('a', [1, 2, 3]));
    expect(await split(1, 1)).toMatchObject({
      incident: { severity: 'low', sources: ['video'], testMemberCount: 1 },
      splitOff: { severity: 'critical', testMemberCount: 0 },
    });
    expect(await split(1, 2)).toMatchObject({ incident: { isTest: true }, splitOff: { isTest: false } });
  });

  test('merge: moves the members, closes the other and points to the target, which keeps its state', async () => {
    const [, away] = await two();
    bench.clock.advance(HOUR);
    const outcome = await merge(1, 2);
    expect(outcome).toMatchObject({
      kind: 'merged',
      incident: { id: 1, state: 'auto', memberCount: 5, firstEventId: 2, lastAt: at(6), firstLocked: false },
      merged: [
        {
          ...away,
          state: 'closed',
          stateBefore: 'auto',
          revision: 1,
          mergedInto: 1,
          closedAt: TEST_START + HOUR,
          updatedAt: TEST_START + HOUR,
        },
      ],
    });
    expect(await membersOf(1)).toEqual([2, 3, 4, 5, 6]);
    expect(await bench.stores.incidents.detail(2, null, 10)).toMatchObject({
      wentTo: 1,
      incident: { memberCount: 2 },
      members: [{}, {}],
    });
    expect(
      (await bench.stores.audit.list({ tenantCode: null, subject: 'incident:2' }, null, 10))[0],
    ).toMatchObject({
      action: 'incident.closed',
      before: { state: 'auto' },
      after: { state: 'closed', mergedInto: 1, by: 'li' },
    });
  });

  test('merge: a first appearance that is not locked may become an earlier one, a locked one not', async () => {
    await two();
    expect(await merge(2, 1)).toMatchObject({ incident: { firstEventId: 2 } });
    await unmerge(1);
    await confirm(2);
    expect(await merge(2, 1)).toMatchObject({
      incident: { firstEventId: 5, firstAt: at(2), state: 'confirmed' },
    });
  });

  test('merge: later additions go to where the group went, along the chain', async () => {
    await two();
    await upsert('c', 7);
    await merge(1, 2);
    expect(await upsert('b', 5, 6, 1)).toMatchObject({
      incident: { id: 1 },
      created: false,
      redirectedFrom: 2,
      added: [1],
      skipped: [],
    });
    await merge(3, 1);
    expect(await upsert('b', 6, 8)).toMatchObject({
      incident: { id: 3, memberCount: 8 },
      redirectedFrom: 2,
      added: [8],
    });
    expect(await bench.stores.incidents.detail(2, null, 10)).toMatchObject({
      wentTo: 3,
      incident: { mergedInto: 1 },
    });
    await checkIncidents(bench.stores);
  });

  test('merge: all of them or none', async () => {
    await two();
    await upserted(bench, groupOf('l2', [7], { layer: 'L2' }));
    await fill(bench, 1, () => ({ tenantCode: 'other' }));
    await upserted(bench, groupOf('o', [9], { tenantCode: 'other' }));
    const before = await checkIncidents(bench.stores);
    expect(await merge(1, 2, 1, 3, 4)).toEqual({
      kind: 'not_mergeable',
      faults: [
        { id: 1, reason: 'itself' },
        { id: 3, reason: 'layer' },
        { id: 4, reason: 'tenant' },
      ],
    });
    expect(await merge(1, 2, 98, 99)).toEqual({ kind: 'not_found', ids: [98, 99] });
    expect(
      await bench.stores.incidents.merge(
        { ...by(1, { tenantCode: 'acme' }), incidentIds: [2, 4] },
        bench.stamp(),
      ),
    ).toEqual({ kind: 'not_found', ids: [4] });
    expect(await checkIncidents(bench.stores)).toEqual(before);
  });

  test('a closed group refuses every decision but its own undoing, and names where it went', async () => {
    await two();
    await merge(1, 2);
    const closed = { kind: 'closed', incidents: [{ id: 2, mergedInto: 1 }] };
    expect(await confirm(2)).toMatchObject(closed);
    expect(await split(2, 5)).toMatchObject(closed);
    expect(await merge(2, 1)).toMatchObject(closed);
    expect(await merge(1, 2)).toMatchObject(closed);
  });

  test('unmerge: everything is as before, with what the agent added since', async () => {
    const [a, b] = await two();
    await confirm(2);
    const confirmed = await get(2);
    await merge(1, 2);
    await upsert('b', 7);
    await upsert('a', 8);
    expect(await unmerge(2)).toMatchObject({
      kind: 'unmerged',
      incident: { id: 2, state: 'confirmed', mergedInto: null, memberCount: 3 },
      from: { id: 1, memberCount: 4 },
    });
    expect(await membersOf(2)).toEqual([5, 6, 7]);
    expect(await membersOf(1)).toEqual([2, 3, 4, 8]);
    expect(await get(2)).toEqual({ ...confirmed, memberCount: 3, lastAt: at(7), revision: 3 });
    expect(await get(1)).toEqual({ ...a, memberCount: 4, lastAt: at(8), revision: 2 });
    expect(b?.state).toBe('auto');
    expect(
      (await bench.stores.audit.list({ tenantCode: null, action: 'incident.unmerged' }, null, 10))[0],
    ).toMatchObject({
      subject: 'incident:2',
      before: { state: 'closed', mergedInto: 1 },
      after: { state: 'confirmed', mergedInto: null },
    });
  });

  test('unmerge: out of the middle of a chain, and the middle one afterwards keeps only its own', async () => {
    await two();
    await upsert('c', 7);
    await merge(1, 2);
    await merge(3, 1);
    expect(await unmerge(2)).toMatchObject({ from: { id: 3, memberCount: 4 } });
    expect(await get(1)).toMatchObject({ state: 'closed', memberCount: 3 });
    await merge(3, 2);
    expect(await unmerge(1)).toMatchObject({ incident: { memberCount: 3 }, from: { id: 3, memberCount: 3 } });
    expect(await membersOf(3)).toEqual([5, 6, 7]);
    await checkIncidents(bench.stores);
  });

  test('unmerge: refused once a former member was split off, or cleared, or when it would leave nothing', async () => {
    await two();
    await merge(1, 2);
    await split(1, 5);
    expect(await unmerge(2)).toEqual({
      kind: 'members_gone',
      cleared: 0,
      elsewhere: [{ eventId: 5, incidentId: 3 }],
    });
    await merge(1, 3);
    expect(await unmerge(3)).toMatchObject({ kind: 'unmerged' });
    await merge(1, 3);
    await split(1, 2, 3, 4);
    expect(await unmerge(2)).toEqual({ kind: 'every_member', incidentId: 1 });
    await bench.stores.incidents.forgetEvents([5], bench.stamp());
    expect(await unmerge(2)).toEqual({ kind: 'members_gone', cleared: 1, elsewhere: [] });
    expect(await unmerge(1)).toMatchObject({ kind: 'not_merged', incident: { state: 'auto' } });
    await checkIncidents(bench.stores);
  });

  test("another tenant's group does not exist", async () => {
    await two();
    const outsider = by(1, { tenantCode: 'other' });
    const missing = { kind: 'not_found', ids: [1] };
    expect(await bench.stores.incidents.confirm(outsider, bench.stamp())).toEqual(missing);
    expect(await bench.stores.incidents.split({ ...outsider, eventIds: [2] }, bench.stamp())).toEqual(
      missing,
    );
    expect(await bench.stores.incidents.unmerge(outsider, bench.stamp())).toEqual(missing);
    expect(await confirm(99)).toEqual({ kind: 'not_found', ids: [99] });
    expect(await split(99, 1)).toEqual({ kind: 'not_found', ids: [99] });
    expect(await merge(99, 1)).toEqual({ kind: 'not_found', ids: [99] });
    expect(await unmerge(99)).toEqual({ kind: 'not_found', ids: [99] });
  });
}
