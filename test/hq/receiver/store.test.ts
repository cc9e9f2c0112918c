// The receiver's store: batches with their position in one transaction, and the life of a decision.
import { beforeEach, describe, expect, test } from 'vitest';
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
  await store.sites.add({ instance: 'site-1', tenants: ['acme'] }, T0, 'admin');
});

const head = (from: number, to: number, more: Partial<BatchHead> = {}): BatchHead => ({
  instance: 'site-1',
  epoch: 'e1',
  version: '1.0',
  from,
  to,
  head: to,
  oldest: 1,
  held: null,
  at: null,
  ...more,
});
const sendEvents = (batch: BatchHead, keys: string[]) =>
  store.receiver.storeEvents(
    batch,
    keys.map((key, i) => uplinked(key, batch.from + i + 1)),
    [],
    T0,
  );
const sendChanges = (from: number, items: JudgementItem[]) =>
  store.receiver.storeChanges(head(from, from + items.length), items, [], stampAt(T0 + from, clock));
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

describe('events', () => {
  test('are stored with where they arose, and known ones are duplicates', async () => {
    expect(await sendEvents(head(0, 2), ['a', 'b'])).toEqual({
      kind: 'stored',
      accepted: 2,
      duplicates: 0,
      cursor: 2,
      rejected: [],
      gap: null,
      conflicts: [],
      foreign: [],
      refused: [],
      refusedOrders: [],
      failed: [],
      sameAs: null,
      newStore: null,
    });
    expect(await sendEvents(head(1, 3), ['b', 'c'])).toMatchObject({ accepted: 1, duplicates: 1, cursor: 3 });
    expect(await store.events.page(0, 10)).toMatchObject(
      [1, 2, 3].map((id) => ({ id, instance: 'site-1', originId: id, originReceivedAt: T0 - 500 })),
    );
    expect(await store.sites.sources()).toEqual([
      {
        instance: 'site-1',
        epoch: 'e1',
        channel: 'events',
        cursor: 3,
        receivedTotal: 3,
        duplicateTotal: 1,
        rejectedTotal: 0,
        conflictTotal: 0,
        lastReceivedAt: T0,
        heardAt: T0,
      },
    ]);
  });

  test('that come before those on their way ahead of them are not stored, and nothing counts as lost', async () => {
    await sendEvents(head(0, 2), ['a', 'b']);
    const epoch = store.epoch();
    const second = head(3, 4, { held: 2, oldest: 4 });
    expect(await sendEvents(second, ['d'])).toEqual({ kind: 'early', known: 2 });
    expect(store.epoch()).toBe(epoch);
    expect(await sendEvents(head(2, 3), ['c'])).toMatchObject({ accepted: 1, cursor: 3 });
    expect(await sendEvents(second, ['d'])).toMatchObject({ accepted: 1, cursor: 4, gap: null });
    expect((await store.events.page(0, 10)).map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      ...['a', 'b', 'c', 'd'],
    ]);
  });

  test('a refused item does not stop its batch', async () => {
    const malformed = { originId: 1, error: 'validation_failed', message: 'type: bad' };
    const outcome = await store.receiver.storeEvents(
      head(0, 3),
      [uplinked('b', 2, { tenantCode: 'other' }), uplinked('c', 3)],
      [malformed],
      T0,
    );
    expect(outcome).toMatchObject({
      accepted: 1,
      cursor: 3,
      rejected: [malformed, { originId: 2, error: 'tenant_not_allowed' }],
    });
    expect(await store.sites.sources()).toMatchObject([{ cursor: 3, receivedTotal: 1, rejectedTotal: 2 }]);
  });

  test('out of step, nothing is stored', async () => {
    await sendEvents(head(0, 2), ['a', 'b']);
    expect(await sendEvents(head(4, 5), ['e'])).toEqual({ kind: 'cursor_ahead', known: 2 });
    expect(await sendEvents(head(0, 1), ['x'])).toEqual({ kind: 'sender_rolled_back', known: 2 });
    expect(await sendEvents(head(4, 5, { oldest: 5 }), ['e'])).toMatchObject({
      kind: 'stored',
      cursor: 5,
      gap: { from: 3, to: 4 },
    });
    expect((await store.events.page(0, 10)).map((e) => e.idempotencyKey)).toEqual(['a', 'b', 'e']);
  });

  test('a new epoch begins at 0 and finds its events known', async () => {
    await sendEvents(head(0, 2), ['a', 'b']);
    expect(await sendEvents(head(2, 3, { epoch: 'e2' }), ['c'])).toEqual({ kind: 'cursor_ahead', known: 0 });
    expect(await sendEvents(head(0, 3, { epoch: 'e2' }), ['a', 'b', 'c'])).toMatchObject({
      accepted: 1,
      duplicates: 2,
      cursor: 3,
    });
  });

  test('a new epoch of a known site tells of no gap, and of an empty store only where nothing is kept', async () => {
    expect(await sendEvents(head(4, 6, { oldest: 5 }), ['e', 'f'])).toMatchObject({
      gap: { from: 1, to: 4 },
      newStore: null,
    });
    // Salvaged: the oldest are lost, and ids go on further up.
    expect(await sendEvents(head(5, 10_007, { epoch: 'e2', oldest: 6 }), ['f', 'g'])).toMatchObject({
      gap: null,
      newStore: { through: 6, empty: false },
    });
    // Begun with nothing, ids from the beginning or far beyond.
    expect(await sendEvents(head(0, 0, { epoch: 'e3' }), [])).toMatchObject({
      gap: null,
      newStore: { through: 10_007, empty: true },
    });
    expect(await sendEvents(head(0, 1, { epoch: 'e3' }), ['h'])).toMatchObject({ gap: null, newStore: null });
    expect(
      await sendEvents(head(1_010_007, 1_010_008, { epoch: 'e4', oldest: 1_010_008 }), ['i']),
    ).toMatchObject({ gap: null, newStore: { through: 10_007, empty: true } });
  });

  test('the same batch sent twice at once is stored once', async () => {
    const outcomes = await Promise.all([
      sendEvents(head(0, 2), ['a', 'b']),
      sendEvents(head(0, 2), ['a', 'b']),
    ]);
    expect(outcomes.map((one) => one.kind === 'stored' && one.accepted).sort()).toEqual([0, 2]);
    expect(await store.events.bounds()).toEqual({ oldest: 1, highWaterMark: 2 });
  });

  test('of a site that is unknown or removed are refused', async () => {
    await expect(sendEvents(head(0, 1, { instance: 'nobody' }), ['a'])).rejects.toMatchObject({
      status: 403,
      code: 'site_unknown',
    });
    await sendEvents(head(0, 1), ['a']);
    await store.sites.remove('site-1', T0, 'admin');
    await expect(sendEvents(head(1, 2), ['b'])).rejects.toMatchObject({ status: 403 });
  });
});

describe('a decision', () => {
  const decide = () => store.verdicts.write(verdict(1, { by: 'hq' }), stampAt(T0, clock));
  const states = async () =>
    (
      await store.pool.query<{ state: string; note: string | null }>(
        'select state, note from decisions order by change_no',
      )
    ).rows;

  beforeEach(async () => {
    await sendEvents(head(0, 2), ['a', 'b']);
  });

  test('waits for its site until that has carried it out', async () => {
    const written = await decide();
    expect(written).toMatchObject({ kind: 'written', awaitsSite: 'site-1', feedbackId: null });
    await store.verdicts.correct(correction(1, 'c1'), stampAt(T0, clock));
    const pending = await waitingDecisions(store, 'site-1');
    expect(pending).toMatchObject([
      {
        kind: 'verdict',
        tenant_code: 'acme',
        event_key: 'a',
        verdict: 'confirmed',
        by: 'hq',
        by_kind: 'human',
        note: null,
        merged_into_key: null,
        at: T0,
      },
      {
        kind: 'correction',
        decision_id: 'c1',
        verdict: 'false_alarm',
        note: 'a dog',
        judged: null,
        disposition: null,
      },
    ]);
    expect(await waitingDecisions(store, 'site-2')).toEqual([]);
    const decisionId = pending[0]?.decision_id;
    expect(await sendChanges(0, [judged(1, 'a', { by: 'hq', decision_id: decisionId })])).toMatchObject({
      accepted: 0,
      duplicates: 1,
      cursor: 1,
    });
    expect(await waitingDecisions(store, 'site-1')).toMatchObject([{ decision_id: 'c1' }]);
    expect(await states()).toMatchObject([{ state: 'applied' }, { state: 'pending' }]);
    expect(await store.verdicts.newestChangeNo()).toBe(2);
  });

  test("is lost when the site had judged first: the site's verdict stands", async () => {
    await decide();
    expect(await sendChanges(0, [judged(1, 'a', { verdict: 'false_alarm', note: 'dog' })])).toMatchObject({
      accepted: 1,
      rejected: [],
    });
    expect(await store.verdicts.get(1)).toMatchObject({
      verdict: 'false_alarm',
      by: 'op',
      at: T0 - 5,
      decisionId: null,
    });
    expect((await store.events.get(1))?.verdict).toBe('false_alarm');
    expect(await states()).toEqual([{ state: 'lost', note: 'the site had judged false_alarm by op' }]);
    expect((await store.verdicts.changes(0, 10)).map((one) => [one.changeNo, one.kind])).toEqual([
      [1, 'verdict'],
      [2, 'verdict'],
    ]);
    expect(
      await store.audit.list({ tenantCode: null, action: 'verdict.replaced_by_site' }, null, 10),
    ).toMatchObject([{ before: { by: 'hq' }, after: { by: 'op' } }]);
    expect(await sendChanges(0, [judged(1, 'a', { verdict: 'false_alarm', note: 'dog' })])).toMatchObject({
      accepted: 0,
      duplicates: 1,
    });
  });

  test('is refused when the site cannot carry it out', async () => {
    await decide();
    const [pending] = await waitingDecisions(store, 'site-1');
    const refused = {
      change_no: 1,
      at: T0,
      tenant_code: '',
      kind: 'decision_refused',
      body: { event_key: '', at: T0, decision_id: pending?.decision_id, reason: 'not kept' },
    } as JudgementItem;
    expect(await sendChanges(0, [refused])).toMatchObject({ accepted: 1 });
    expect(await states()).toEqual([{ state: 'refused', note: 'not kept' }]);
    expect(await waitingDecisions(store, 'site-1')).toEqual([]);
  });

  test('is not made for an event that arose here', async () => {
    await store.events.ingest([event('own', { doc: '{"feedbackUrl":"http://10.0.0.1/f"}' })], T0);
    expect(await store.verdicts.write(verdict(3), stampAt(T0, clock))).toMatchObject({
      awaitsSite: null,
      feedbackId: expect.any(String) as string,
    });
    expect(await states()).toEqual([]);
  });
});

test('changes of a site are numbered here, with the correction last', async () => {
  await sendEvents(head(0, 2), ['a', 'b']);
  const corrected = {
    change_no: 3,
    at: T0,
    tenant_code: 'acme',
    kind: 'correction',
    body: {
      event_key: 'a',
      at: T0 - 2,
      id: 'c9',
      verdict: 'merged',
      by: 'op',
      by_kind: 'human',
      note: 'same matter',
      merged_into_key: 'b',
    },
  } as JudgementItem;
  expect(await sendChanges(0, [judged(1, 'a'), judged(2, 'x'), corrected])).toMatchObject({
    accepted: 2,
    cursor: 3,
    rejected: [{ originId: 2, error: 'event_unknown' }],
  });
  expect(await store.verdicts.corrections(1)).toEqual([
    {
      id: 'c9',
      eventId: 1,
      tenantCode: 'acme',
      verdict: 'merged',
      by: 'op',
      byKind: 'human',
      note: 'same matter',
      mergedInto: 2,
      mergedIntoKey: 'b',
      mergedIntoInstance: 'site-1',
      at: T0 - 2,
    },
  ]);
  expect(await store.events.get(1)).toMatchObject({ verdict: 'confirmed', correctedTo: 'merged' });
  expect((await store.verdicts.changes(0, 10)).map((one) => one.changeNo)).toEqual([1, 2]);
});

test('the registry of sites', async () => {
  const { sites } = store;
  await expect(sites.add({ instance: 'site-1', tenants: [] }, T0, 'admin')).rejects.toMatchObject({
    status: 409,
    code: 'site_exists',
  });
  expect(await sites.change('site-1', { tenants: ['acme', '"quoted",\\'] }, T0, 'admin')).toBe(true);
  expect((await sites.get('site-1'))?.tenants).toEqual(['acme', '"quoted",\\']);
  await sites.noteContacts([{ instance: 'site-1', version: '1.1', features: [], at: T0 + 5 }]);
  await sites.noteContacts([{ instance: 'site-1', version: '1.2', features: [], at: T0 + 3 }]);
  const seen = { at: T0 + 5, version: '1.2', report: null };
  expect(await sites.lastSeen()).toEqual(new Map([['site-1', seen]]));
  expect([await sites.lastSeenOf('site-1'), await sites.lastSeenOf('site-2')]).toEqual([seen, null]);
  expect(await sites.heard()).toEqual(new Map([['site-1', T0 + 5]]));
  const machine = {
    at: '2026-03-01T00:00:00Z',
    state: 'well',
    storing: true,
    disk: { level: 'ok', room_bytes: 1, used_bytes: 1, refused: 0 },
    shed: { events: 0, evidence: 0, evidence_bytes: 0, observations: 0, lost: 0, lost_bytes: 0 },
    clock_suspect: false,
    life_used_percent: null,
    silent_cameras: 0,
    order: { run: 'run-1', no: 1 },
    alarms: [],
  };
  const camera = { key_id: 'k', name: '门岗', tenant: null, last_event_at: null, events: 1, silent: false };
  const report = { ...machine, cameras: [camera], parked: [], hours: [] };
  expect(await sites.keepReport('site-1', report)).toBe(true);
  const numbered = (run: string, no: number) => ({ ...report, state: `${run} ${no}`, order: { run, no } });
  expect(await sites.keepReport('site-1', numbered('run-1', 0))).toBe(false);
  expect(await sites.keepReport('site-1', numbered('run-1', 3))).toBe(true);
  expect(await sites.keepReport('site-1', numbered('run-1', 2))).toBe(false);
  expect((await sites.lastSeenOf('site-1'))?.report?.state).toBe('run-1 3');
  expect(await sites.keepReport('site-1', numbered('run-2', 0))).toBe(true);
  expect(await sites.keepReport('site-1', report)).toBe(true);
  expect((await sites.lastSeenOf('site-1'))?.report).toEqual(report);
  expect((await sites.lastSeen()).get('site-1')?.report).toEqual(machine);
  expect(await sites.remove('site-1', T0 + 9, 'admin')).toBe(true);
  expect(await sites.remove('site-1', T0 + 9, 'admin')).toBe(false);
  expect(await sites.change('site-1', { tenants: [] }, T0, 'admin')).toBe(false);
  expect(await sites.list()).toEqual([]);
  expect(await sites.get('site-1')).toMatchObject({ removedAt: T0 + 9 });
  await sites.add({ instance: 'site-1', tenants: ['other'] }, T0 + 20, 'admin');
  expect(await sites.list()).toEqual([
    {
      instance: 'site-1',
      tenants: ['other'],
      displayName: null,
      groups: [],
      continues: [],
      silentAfterMinutes: 10,
      away: false,
      createdAt: T0 + 20,
      removedAt: null,
    },
  ]);
  const trail = await store.audit.list({ tenantCode: null, subject: 'site:site-1' }, null, 10);
  expect(trail.map((entry) => entry.action).sort()).toEqual([
    'site.added',
    'site.added',
    'site.removed',
    'site.tenants_changed',
  ]);
});
