// Whose is an event: keys that several instances use, judgements of others, a site under another name, merges
// across sites.
import { beforeEach, describe, expect, test } from 'vitest';
import type { NewEvent } from '../../../common/core/event/record.ts';
import type { JudgementItem } from '../../../common/uplink/change/judgement.ts';
import type { BatchHead } from '../../../hq/receiver/port.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { waitingDecisions } from '../../support/inbox.ts';
import { correction, event, hubStores, stampAt, T0, testClock, uplinked, verdict } from '../store/hub.ts';

const hub = hubStores();
const clock = testClock();
let store: HubStore;

beforeEach(async () => {
  store = await hub.open((await hub.database()).url, clock);
  for (const instance of ['site-1', 'site-2'])
    await store.sites.add({ instance, tenants: ['acme'] }, T0, 'admin');
  await send('site-1', [uplinked('a', 1), uplinked('b', 2)]);
});

const headOf = (instance: string, from: number, to: number): BatchHead => ({
  instance,
  epoch: `epoch of ${instance}`,
  version: '1.0',
  from,
  to,
  head: Math.max(to, 100),
  oldest: 1,
  held: null,
  at: null,
});
const of = (instance: string, key: string, originId: number, more: Partial<NewEvent> = {}): NewEvent =>
  uplinked(key, originId, { origin: { instance, originId, receivedAt: T0 - 400 }, ...more });
const send = (instance: string, events: NewEvent[], now = T0) =>
  store.receiver.storeEvents(
    headOf(instance, 0, Math.max(...events.map((one) => one.origin?.originId ?? 0))),
    events,
    [],
    now,
  );
const judge = (instance: string, items: JudgementItem[], from = 0) =>
  store.receiver.storeChanges(headOf(instance, from, from + items.length), items, [], stampAt(T0, clock));
const judged = (no: number, key: string, body: Record<string, unknown> = {}) =>
  ({
    change_no: no,
    at: T0,
    tenant_code: 'acme',
    kind: 'verdict',
    body: {
      event_key: key,
      at: T0 - 5,
      verdict: 'confirmed',
      by: 'op',
      by_kind: 'human',
      note: null,
      decision_id: null,
      ...body,
    },
  }) as JudgementItem;
const corrected = (no: number, key: string) =>
  ({
    change_no: no,
    at: T0,
    tenant_code: 'acme',
    kind: 'correction',
    body: {
      event_key: key,
      at: T0 - 2,
      id: 'c1',
      verdict: 'false_alarm',
      by: 'op',
      by_kind: 'human',
      note: 'a dog',
    },
  }) as JudgementItem;
const conflicts = (instance?: string) => store.receiver.conflicts({ instance, tenantCode: null }, 10);

describe('a key that another instance used first', () => {
  const fire = () => of('site-2', 'a', 1, { type: 'fire.smoke', severity: 'critical', occurredAt: T0 - 900 });
  const held = {
    tenantCode: 'acme',
    key: 'a',
    instance: 'site-2',
    originId: 1,
    type: 'fire.smoke',
    severity: 'critical',
    occurredAt: T0 - 900,
    heldBy: 'site-1',
    heldId: 1,
  };

  test('is another event: it is refused, and that it exists is kept', async () => {
    expect(await send('site-2', [fire(), of('site-2', 'own', 2)])).toMatchObject({
      kind: 'stored',
      accepted: 1,
      duplicates: 0,
      cursor: 2,
      conflicts: [held],
      sameAs: null,
      rejected: [
        {
          originId: 1,
          error: 'key_of_another_instance',
          message: expect.stringContaining('site-1 used the idempotency key a') as string,
        },
      ],
    });
    expect(await conflicts()).toMatchObject([{ ...held, count: 1, firstAt: T0, lastAt: T0 }]);
    expect(await store.events.page(0, 10)).toMatchObject([
      { instance: 'site-1' },
      { instance: 'site-1' },
      { instance: 'site-2', idempotencyKey: 'own' },
    ]);
    // An answer that was lost: it is said again, and is one event still.
    expect(await send('site-2', [fire()], T0 + 9)).toMatchObject({
      rejected: [{ originId: 1 }],
      conflicts: [held],
    });
    expect(await conflicts('site-2')).toMatchObject([{ count: 2, firstAt: T0, lastAt: T0 + 9 }]);
    expect(await conflicts('site-1')).toEqual([]);
    expect(await store.receiver.conflicts({ tenantCode: 'other' }, 10)).toEqual([]);
    expect((await store.sites.sources()).find((one) => one.instance === 'site-2')).toMatchObject({
      receivedTotal: 1,
      rejectedTotal: 2,
      conflictTotal: 2,
    });
  });

  test.each<[string, () => NewEvent]>([
    ['with the same content', () => of('site-2', 'a', 1)],
    [
      'with the same content under the same id',
      () => of('site-2', 'a', 1, { origin: { instance: 'site-2', originId: 1, receivedAt: T0 - 499 } }),
    ],
  ])('is another event also %s', async (_, made) => {
    expect(await send('site-2', [made()])).toMatchObject({
      rejected: [{ error: 'key_of_another_instance' }],
      conflicts: [{ key: 'a' }],
    });
  });

  test('stays another event when retention has deleted the first, whose site may say it again', async () => {
    await store.retention.dropEvents({ before: T0 + 1, through: 2, limit: 10, holdUnsent: false, now: T0 });
    expect(await send('site-2', [fire()])).toMatchObject({
      rejected: [{ error: 'key_of_another_instance' }],
      conflicts: [held],
    });
    expect(await send('site-1', [uplinked('a', 1)])).toMatchObject({
      duplicates: 1,
      rejected: [],
      conflicts: [],
      sameAs: null,
    });
  });

  test("of headquarters' own events likewise, both ways", async () => {
    await store.events.ingest([event('own')], T0);
    expect(await send('site-2', [of('site-2', 'own', 1)])).toMatchObject({
      rejected: [{ error: 'key_of_another_instance' }],
      conflicts: [{ heldBy: null }],
    });
    expect(await store.events.ingest([event('a')], T0)).toMatchObject([
      { id: 1, duplicate: true, conflicting: true, elsewhere: { instance: 'site-1', same: false } },
    ]);
  });

  test('of the same site with another content is a duplicate, and listed', async () => {
    expect(await send('site-1', [uplinked('a', 1, { type: 'fire.smoke' })])).toMatchObject({
      duplicates: 1,
      rejected: [],
      conflicts: [{ key: 'a', heldBy: 'site-1' }],
    });
    expect(await conflicts('site-1')).toMatchObject([{ key: 'a', heldBy: 'site-1', type: 'fire.smoke' }]);
    expect(await send('site-1', [uplinked('a', 1)])).toMatchObject({ duplicates: 1, conflicts: [] });
    expect(await conflicts('site-1')).toEqual([]);
  });
});

describe('what a site says on events of another', () => {
  test('is refused one by one, and the rightful one keeps the first word', async () => {
    expect(
      await judge('site-2', [judged(1, 'a', { verdict: 'false_alarm', note: 'dog' }), corrected(2, 'a')]),
    ).toMatchObject({
      accepted: 0,
      cursor: 2,
      rejected: [
        { originId: 1, error: 'event_of_another_instance' },
        { originId: 2, error: 'event_of_another_instance' },
      ],
      foreign: [
        { eventId: 1, key: 'a', heldBy: 'site-1', kind: 'verdict', verdict: 'false_alarm' },
        { kind: 'correction' },
      ],
    });
    expect(await store.verdicts.get(1)).toBeNull();
    expect(await judge('site-1', [judged(1, 'a')])).toMatchObject({ accepted: 1, rejected: [] });
    expect(await store.verdicts.get(1)).toMatchObject({ verdict: 'confirmed', by: 'op' });
    expect(
      await store.audit.list({ tenantCode: 'acme', action: 'verdict.refused_foreign' }, null, 10),
    ).toHaveLength(2);
    expect((await store.sites.sources()).find((one) => one.instance === 'site-2')).toMatchObject({
      channel: 'verdicts',
      conflictTotal: 2,
    });
  });

  test('settles none of the decisions for the other', async () => {
    await store.verdicts.write(verdict(1, { by: 'hq' }), stampAt(T0, clock));
    const [pending] = await waitingDecisions(store, 'site-1');
    const id = pending?.decision_id ?? '';
    const refusal = {
      change_no: 1,
      at: T0,
      tenant_code: '',
      kind: 'decision_refused',
      body: { event_key: '', at: T0, decision_id: id, reason: 'no' },
    } as JudgementItem;
    expect(await judge('site-2', [refusal, judged(2, 'a', { by: 'hq', decision_id: id })])).toMatchObject({
      duplicates: 1,
      rejected: [{ originId: 2 }],
    });
    expect(await waitingDecisions(store, 'site-1')).toHaveLength(1);
  });
});

describe('a site that was set up again under another name', () => {
  const events = () =>
    [1, 2].map((id) =>
      of('site-2', id === 1 ? 'a' : 'b', id, {
        origin: { instance: 'site-2', originId: id, receivedAt: T0 - 500 },
      }),
    );

  test('brings nothing twice, and is named; it writes on its old events once headquarters says so', async () => {
    await judge('site-1', [judged(1, 'a')]);
    await store.verdicts.write(verdict(2, { by: 'hq' }), stampAt(T0, clock));
    expect(await send('site-2', events())).toMatchObject({
      duplicates: 2,
      rejected: [],
      conflicts: [],
      sameAs: 'site-1',
    });
    // What stands already is no judgement.
    expect(await judge('site-2', [judged(1, 'a'), corrected(2, 'a')])).toMatchObject({
      duplicates: 1,
      rejected: [{ originId: 2 }],
    });

    const say = (names: string[]) => store.sites.change('site-2', { continues: names }, T0, 'admin');
    await expect(say(['site-1'])).rejects.toMatchObject({ status: 409, code: 'site_live' });
    await store.sites.remove('site-1', T0, 'admin');
    expect(await say(['site-1'])).toBe(true);
    await expect(
      store.sites.add({ instance: 'site-1', tenants: ['acme'] }, T0, 'admin'),
    ).rejects.toMatchObject({ status: 409, code: 'site_continued' });
    expect(await send('site-2', events())).toMatchObject({ duplicates: 2, sameAs: null });
    expect(await judge('site-2', [corrected(2, 'a')], 1)).toMatchObject({ accepted: 1, rejected: [] });
    // And what waited for the old name goes down to the new one.
    const [pending] = await waitingDecisions(store, 'site-2');
    expect(pending).toMatchObject({ event_key: 'b', by: 'hq' });
    expect(
      await judge('site-2', [judged(3, 'b', { by: 'hq', decision_id: pending?.decision_id })], 2),
    ).toMatchObject({ duplicates: 1, rejected: [] });
    expect(await waitingDecisions(store, 'site-2')).toEqual([]);
  });
});

describe('a merge across sites', () => {
  beforeEach(async () => {
    await send('site-2', [of('site-2', 'theirs', 1)]);
  });
  const merge = () =>
    store.verdicts.write(verdict(1, { verdict: 'merged', mergedInto: 3 }), stampAt(T0, clock));

  test('goes down by identity, with what follows on its event after it', async () => {
    await merge();
    await store.verdicts.correct(correction(1, 'c1'), stampAt(T0, clock));
    await store.verdicts.write(verdict(2, { verdict: 'merged', mergedInto: 1 }), stampAt(T0, clock));
    const within = { event_key: 'b', merged_into_key: 'a', merged_into_instance: 'site-1' };
    expect(await waitingDecisions(store, 'site-1')).toMatchObject([
      { verdict: 'merged', merged_into_key: 'theirs', merged_into_instance: 'site-2' },
      { decision_id: 'c1' },
      within,
    ]);
    expect(await store.decisions.counts()).toEqual(
      new Map([['site-1', { waiting: 3, oldestWaitingAt: T0, refused: 0 }]]),
    );
  });

  test('that comes up is found, also when its target comes later', async () => {
    const into = { verdict: 'merged', merged_into_key: 'later', merged_into_instance: 'site-1' };
    expect(await judge('site-1', [judged(1, 'a', into)])).toMatchObject({ accepted: 1 });
    expect(await store.verdicts.get(1)).toMatchObject({
      mergedInto: null,
      mergedIntoKey: 'later',
      mergedIntoInstance: 'site-1',
    });
    // Another site's event under that key is not the one.
    await send('site-2', [of('site-2', 'later', 2)]);
    expect(await store.verdicts.get(1)).toMatchObject({ mergedInto: null });
    await judge('site-1', [judged(2, 'b', { ...into, merged_into_key: 'at last' })], 1);
    await send('site-1', [uplinked('at last', 3)]);
    expect(await store.verdicts.get(2)).toMatchObject({ mergedInto: 5, mergedIntoKey: 'at last' });
  });

  test('that its site refuses after all is shown on the event until it is carried out', async () => {
    await merge();
    const shown = () => store.decisions.openOf({ id: 1, tenantCode: 'acme' }, 10);
    expect(await shown()).toMatchObject([{ kind: 'verdict', instance: 'site-1', refused: null }]);
    const [open] = await shown();
    const refusal = {
      change_no: 1,
      at: T0,
      tenant_code: '',
      kind: 'decision_refused',
      body: { event_key: '', at: T0, decision_id: open?.id, reason: 'no such event' },
    } as JudgementItem;
    expect(await judge('site-1', [refusal])).toMatchObject({
      refused: [{ eventId: 1, tenantCode: 'acme', reason: 'no such event' }],
    });
    // The answer was lost: it is told again.
    expect(await judge('site-1', [refusal])).toMatchObject({ duplicates: 1, refused: [{ eventId: 1 }] });
    expect(await shown()).toMatchObject([{ refused: { at: T0, reason: 'no such event' } }]);
    expect(await store.decisions.counts()).toEqual(
      new Map([['site-1', { waiting: 0, oldestWaitingAt: null, refused: 1 }]]),
    );
    expect(await shown()).toHaveLength(1);
    expect(
      await judge('site-1', [judged(2, 'a', { verdict: 'merged', by: 'duty', decision_id: open?.id })], 1),
    ).toMatchObject({ duplicates: 1 });
    expect(await shown()).toEqual([]);
  });
});

test('a call with nothing in it is heard, and brings nothing', async () => {
  const [before] = await store.sites.sources();
  await store.receiver.storeEvents(headOf('site-1', 2, 2), [], [], T0 + 5_000);
  expect(await store.sites.sources()).toEqual([{ ...before, heardAt: T0 + 5_000 }]);
});
