// The day of a scheduled version, with several hubs, one that is killed, and a clock that jumps: each time
// the version before it is superseded exactly once, and there is always one in force.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { PolicySchedule } from '../../../hq/policy/promotion/schedule.ts';
import { type HubStore, openHubStore } from '../../../hq/stores.ts';
import { TEST_START, TestClock } from '../../support/clock.ts';
import { seedLibrary } from '../../support/policy-library.ts';
import { until } from '../../support/request.ts';
import { openPolicyRig, type PolicyRig } from './search-rig.ts';

const DAY_MS = 86_400_000;
const none = new AbortController().signal;

let rig: PolicyRig;
let hubs: { store: HubStore; clock: TestClock; schedule: PolicySchedule }[];

/** The ids of a version in force and of the one that is to take its place in a day. */
let ids: [number, number];

beforeEach(async () => {
  rig = await openPolicyRig();
  hubs = [];
  const [first, second] = await seedLibrary(rig.client, [
    { status: 'effective', chunks: [{ text: '旧的规定' }] },
    { status: 'scheduled', from: TEST_START + DAY_MS, chunks: [{ text: '新的规定' }] },
  ]);
  ids = [first?.docId ?? 0, second?.docId ?? 0];
  await rig.client.query('update kb_docs set policy_id = $1', [ids[0]]);
  await rig.client.query('update kb_docs set supersedes = $1 where id = $2', ids);
});
afterEach(async () => {
  for (const { store } of hubs) await store.close();
  await rig.close();
});

async function hub() {
  const clock = new TestClock(TEST_START, hubs.length + 1);
  const store = await openHubStore({ url: rig.url, clock, log: silentLogger() });
  const schedule = new PolicySchedule({
    documents: store.policy.documents,
    alarms: store.alarms,
    clock,
    log: silentLogger(),
    instance: `hq-${hubs.length}`,
  });
  const made = { store, clock, schedule };
  hubs.push(made);
  return made;
}

const states = async (): Promise<unknown[]> =>
  (await rig.client.query<{ status: string }>('select status from kb_docs order by id')).rows.map(
    ({ status }) => status,
  );
const supersessions = async (): Promise<number> =>
  (
    await rig.client.query(
      "select 1 from audit where actor = 'schedule' and action = 'kb.document.superseded'",
    )
  ).rowCount ?? 0;

test('several hubs at once bring it into force once', async () => {
  for (let at = 0; at < 3; at += 1) await hub();
  for (const { schedule } of hubs) await schedule.round(none);
  expect(await states()).toEqual(['effective', 'scheduled']);
  for (const { clock } of hubs) clock.advance(DAY_MS);
  await Promise.all([...hubs, ...hubs].map(({ schedule }) => schedule.round(none)));
  expect(await states()).toEqual(['superseded', 'effective']);
  expect(await supersessions()).toBe(1);
  expect(hubs.reduce((sum, { schedule }) => sum + schedule.counts.promoted, 0)).toBe(1);
});

test('a hub that is killed in the midst of it leaves the version before it, and another hub goes on', async () => {
  const [killed, other] = [await hub(), await hub()];
  killed.clock.advance(DAY_MS);
  other.clock.advance(DAY_MS);
  // It has written both versions, and waits with what the audit is to say.
  await rig.client.query('begin');
  await rig.client.query('lock table audit in exclusive mode');
  const round = killed.schedule.round(none).then(
    () => 'done',
    () => 'broken',
  );
  const pid = await until('the hub to wait', async () => {
    const { rows } = await rig.client.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows[0]?.pid;
  });
  await rig.client.query('select pg_terminate_backend($1)', [pid]);
  await rig.client.query('rollback');
  expect(await round).toBe('broken');
  expect(await states()).toEqual(['effective', 'scheduled']);
  await other.schedule.round(none);
  await killed.schedule.round(none);
  expect(await states()).toEqual(['superseded', 'effective']);
  expect(await supersessions()).toBe(1);
});

test('a clock that jumps ahead and is put right brings nothing into force early', async () => {
  const { schedule, clock } = await hub();
  await schedule.round(none);
  clock.step(400 * DAY_MS);
  await schedule.round(none);
  clock.advance(5_000);
  await schedule.round(none);
  expect(await states()).toEqual(['effective', 'scheduled']);
  clock.step(-400 * DAY_MS);
  await schedule.round(none);
  expect(await states()).toEqual(['effective', 'scheduled']);
  clock.advance(DAY_MS);
  await schedule.round(none);
  expect(await states()).toEqual(['superseded', 'effective']);
});

test('a clock that was rightly set forward is believed after a while, and one that was set back changes nothing', async () => {
  const { schedule, clock } = await hub();
  await schedule.round(none);
  clock.step(DAY_MS);
  await schedule.round(none);
  expect(await states()).toEqual(['effective', 'scheduled']);
  clock.advance(10 * 60_000);
  await schedule.round(none);
  clock.step(-2 * DAY_MS);
  await schedule.round(none);
  expect(await states()).toEqual(['superseded', 'effective']);
  expect(await supersessions()).toBe(1);
});
