// An event that headquarters refused is given up at the site: nothing that is said of it waits for ever.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import { newEvent } from '../../contract/samples.ts';
import { openPair, type Pair } from './pair.ts';

let pair: Pair;
beforeEach(async () => {
  pair = await openPair(['acme']);
});
afterEach(() => pair.close());

const stamp = () => stampOf(pair.rig.clock);

const DOC = JSON.stringify({ feedbackUrl: 'http://127.0.0.1:9/x' });

/** Two events of a tenant that this site may not send for. */
async function refused(): Promise<[number, number]> {
  const events = await pair.rig.store.events.ingest(
    ['one', 'two'].map((key) => newEvent(key, { tenantCode: 'other', doc: DOC })),
    pair.rig.clock.now(),
  );
  return events.map(({ id }) => id) as [number, number];
}

const group = (sourceKey: string, eventIds: number[], layer: 'L1' | 'L2' = 'L1') =>
  pair.rig.store.incidents.upsert(
    {
      ...{ tenantCode: 'other', sourceKey, layer, siteRef: 's', pointRef: null, title: null },
      ...{ eventIds, actor: 'a' },
    },
    stamp(),
  );

const parked = (): string[] =>
  pair.rig.parked.list({ state: 'parked' }, 100).map((one) => `${one.channel} ${one.originId} ${one.error}`);

/** The site may send for the tenant now; what was refused is sent again, but for one event. */
async function allowedBut(event: number): Promise<void> {
  await pair.call('PATCH', '/api/core/sites/site-1', { tenants: ['acme', 'other'] });
  const events = pair.rig.parked.list({ channel: 'events', state: 'parked' }, 10);
  const originIds = events.map(({ originId }) => originId).filter((id) => id !== event);
  await pair.rig.parked.replay({ channel: 'events', originIds });
}

async function task(eventId: number): Promise<number> {
  const made = await pair.rig.store.tasks.create(
    {
      ...{ tenantCode: 'other', type: 'disposal', eventId, title: 'look', severity: 'high' },
      ...{ assigneeOrg: null, dueAt: null, suppressed: false, body: {}, by: 'li', actor: 'li' },
    },
    stamp(),
  );
  if (made.kind !== 'created') throw new Error(made.kind);
  return made.detail.task.id;
}

test('its tasks, verdicts and messages to the camera are given up with it, and a group goes up without it', async () => {
  const [lost, kept] = await refused();
  const id = await task(lost);
  await group('both', [lost, kept]);
  await group('alone', [lost], 'L2');
  await pair.rig.judge(lost);
  await pair.drain();
  await allowedBut(lost);
  await pair.rig.parked.replay({ channel: 'verdicts' });
  expect(parked()).toHaveLength(6);

  await pair.rig.parked.discard('events', lost, 'li');
  await pair.drain();
  expect(parked()).toEqual([]);
  expect(await pair.rig.parked.replay({})).toEqual({ replayed: [], refused: [] });
  expect((await pair.rig.alarm('uplink_parked'))?.clearedAt).not.toBeNull();
  const there = await pair.hub.store.incidents.list({ tenantCode: null, includeTest: true }, null, 10);
  expect(there.map(({ sourceKey, memberCount }) => ({ sourceKey, memberCount }))).toEqual([
    { sourceKey: 'both', memberCount: 1 },
  ]);
  const told = await pair.rig.store.audit.list({ tenantCode: null, action: 'uplink.discarded' }, null, 100);
  expect(told.map(({ subject }) => subject.replace(/\d+$/, '')).sort()).toEqual([
    'parked:events:',
    'parked:verdicts:',
    'parked:verdicts:',
    'parked:verdicts:',
    'parked:verdicts:',
  ]);

  // What is said of it later is listed as given up, and raises no alarm.
  await pair.rig.store.tasks.addStep(
    { taskId: id, tenantCode: 'other', kind: 'note', text: 'x', by: 'li', at: null, actor: 'li' },
    stamp(),
  );
  await group('both', [lost, kept]);
  await pair.drain();
  expect(parked()).toEqual([]);
  expect((await pair.rig.alarm('uplink_parked'))?.clearedAt).not.toBeNull();
});

test('a group of it alone goes up once it has another member', async () => {
  const [lost, kept] = await refused();
  await group('both', [lost]);
  await pair.drain();
  await allowedBut(lost);
  await pair.rig.parked.discard('events', lost, 'li');
  await group('both', [kept]);
  await pair.drain();
  expect(parked()).toEqual([]);
  expect(
    await pair.hub.store.incidents.list({ tenantCode: null, includeTest: true }, null, 10),
  ).toMatchObject([{ sourceKey: 'both', memberCount: 1 }]);
});
