// The loops of the agent on a store of their own, with a clock that the test moves.
import { expect, test } from 'vitest';
import { Agent } from '../../common/agent/act/agent.ts';
import { LeaderLease } from '../../common/agent/act/leader-lease.ts';
import { MAX_ATTEMPTS, NotificationSender } from '../../common/agent/channel/sender.ts';
import { MailClient } from '../../common/agent/channel/smtp.ts';
import { Escalator } from '../../common/agent/escalation/escalator.ts';
import { emptyTenant } from '../../common/agent/rule-set/load.ts';
import { fallbackThresholds } from '../../common/agent/rule-set/record.ts';
import { Summarizer, type SummarizerOptions } from '../../common/agent/summary/summarizer.ts';
import { noCameraNames } from '../../common/core/camera/record.ts';
import type { NewEvent } from '../../common/core/event/record.ts';
import { Watermark, WATERMARK_MS } from '../../common/core/event/watermark.ts';
import { ModelBudget } from '../../common/core/model-call/budget.ts';
import { HourlyCalls } from '../../common/core/model-call/hourly.ts';
import { SubscriptionService } from '../../common/core/subscription/service.ts';
import { silentLogger } from '../../common/log.ts';
import { createHttpClient } from '../../hq/http-client.ts';
import { HOUR, SECOND } from '../support/clock.ts';
import { giveSecret, secretResolver } from '../support/secret-resolver.ts';
import { siteHarness } from '../support/site-harness.ts';
import { channel, choice } from './agent.ts';
import { useStores } from './harness.ts';
import { docOf, newEvent, stored } from './samples.ts';

const bench = useStores(siteHarness);
const none = new AbortController().signal;

function escalator(leader: LeaderLease): Escalator {
  return new Escalator({
    agent: bench.stores.agent,
    leader,
    ruleSet: { thresholds: () => fallbackThresholds },
    alarms: bench.stores.alarms,
    leftOut: bench.stores.leftOut,
    clock: bench.clock,
    log: silentLogger(),
    self: 'site-1',
    handsUp: () => false,
    onNotifications: () => undefined,
    onEscalated: () => undefined,
  });
}

async function decided(leader: LeaderLease, over: Parameters<typeof choice>[0]): Promise<void> {
  const eventId = await stored(bench.stores, newEvent('a'), bench.clock.now());
  const lease = await leader.acquire();
  if (!lease) throw new Error('no lease');
  const links = { minLink: 0.5, linkGapMs: 1, sameCameraGapMs: 1 };
  await bench.stores.agent.handle(
    [{ eventId, choice: choice(over), graceS: 0, links, summaries: false, handsUp: false, taskPages: null }],
    lease,
    bench.stamp(),
  );
}

test('a deadline pages when it passes, wherever the wall clock was set, and once', async () => {
  const leader = new LeaderLease(bench.stores.agent, bench.clock);
  await decided(leader, { dueMinutes: 10 });
  const loop = escalator(leader);
  bench.clock.step(-48 * HOUR);
  bench.clock.advance(599 * SECOND);
  await loop.round(none);
  expect(loop.counts.escalated).toBe(0);
  bench.clock.advance(SECOND);
  await loop.round(none);
  await loop.round(none);
  expect(loop.counts).toEqual({ escalated: 1, settled: 0, late: 0 });
});

test('after a long outage what is overdue is paged at once, with how late it is, and an alarm is raised', async () => {
  await decided(new LeaderLease(bench.stores.agent, bench.clock), { dueMinutes: 10 });
  await bench.stores.tasks.create(
    {
      tenantCode: 'acme',
      type: 'review',
      eventId: null,
      title: 'by hand',
      severity: 'low',
      assigneeOrg: null,
      dueAt: bench.clock.now() + SECOND,
      suppressed: false,
      body: {},
      by: 'li',
      actor: 'li',
    },
    bench.stamp(),
  );
  await bench.restart();
  bench.clock.advance(8 * HOUR);
  const loop = escalator(new LeaderLease(bench.stores.agent, bench.clock));
  await loop.round(none);
  expect(loop.counts).toEqual({ escalated: 2, settled: 0, late: 2 });
  expect(await bench.stores.alarms.list({ tenantCode: 'acme', includeCleared: false }, 10)).toMatchObject([
    { key: 'escalation_late:acme', count: 2, severity: 'critical' },
  ]);
  const pages = await bench.stores.notifications.list(
    { tenantCode: 'acme', kind: 'escalation', includeTest: false },
    null,
    10,
  );
  expect(pages.map(({ message }) => message.slice(0, 24)).sort()).toEqual([
    expect.stringMatching(/^【超时未接管，通知迟发 7 小时 50 分钟】/),
    expect.stringMatching(/^【超时未接管，通知迟发 7 小时 59 分钟】/),
  ]);
});

test('a task of a person escalates to the inbox', async () => {
  await bench.stores.tasks.create(
    {
      tenantCode: 'acme',
      type: 'review',
      eventId: null,
      title: 'by hand',
      severity: 'low',
      assigneeOrg: null,
      dueAt: bench.clock.now() + SECOND,
      suppressed: false,
      body: {},
      by: 'li',
      actor: 'li',
    },
    bench.stamp(),
  );
  bench.clock.advance(2 * SECOND);
  await escalator(new LeaderLease(bench.stores.agent, bench.clock)).round(none);
  expect(
    await bench.stores.notifications.list(
      { tenantCode: 'acme', kind: 'escalation', includeTest: false },
      null,
      10,
    ),
  ).toMatchObject([{ channel: 'inbox', taskId: 1, message: '【超时未接管】by hand' }]);
});

test('a channel that never answers is given up after its tries, with an alarm; one that was removed at once', async () => {
  await bench.stores.channels.create(channel('robot', { urlHost: '127.0.0.1:1' }), 'admin', bench.stamp());
  await giveSecret(bench.stores, 'robot-address', 'http://127.0.0.1:1/', {
    use: 'channel_address',
    tenantCode: 'acme',
    host: '127.0.0.1:1',
  });
  await decided(new LeaderLease(bench.stores.agent, bench.clock), { channels: ['chat'] });
  const client = createHttpClient();
  const sender = new NotificationSender({
    mailClient: new MailClient(null),
    notifications: bench.stores.notifications,
    channels: bench.stores.channels,
    alarms: bench.stores.alarms,
    client,
    secretResolver: secretResolver(bench.stores),
    clock: bench.clock,
    log: silentLogger(),
    self: 'site-1',
  });
  for (let tries = 1; tries <= MAX_ATTEMPTS; tries += 1) {
    await sender.round(none);
    bench.clock.advance(HOUR);
  }
  client.close();
  expect(
    await bench.stores.notifications.list({ tenantCode: null, includeTest: false }, null, 10),
  ).toMatchObject([
    { state: 'failed', attempts: MAX_ATTEMPTS, lastError: expect.stringContaining('ECONNREFUSED') as string },
  ]);
  expect(await bench.stores.alarms.list({ tenantCode: 'acme', includeCleared: false }, 10)).toMatchObject([
    { key: 'notification_failed:robot' },
  ]);
});

test(
  'its first start acts on what came after the start, however late its first round is, and on nothing ' +
    'before',
  async () => {
    const { stores, clock } = bench;
    await stored(stores, newEvent('before'), clock.now());
    const subscriptions = new SubscriptionService({
      ...stores,
      secretResolver: secretResolver(stores),
      watermark: new Watermark(),
      clock,
      epoch: () => stores.epoch(),
    });
    const agent = new Agent({
      clauses: null,
      ...stores,
      subscriptions,
      ruleSet: {
        choose: () => choice(),
        thresholds: () => fallbackThresholds,
        refresh: () => Promise.resolve(),
        unreached: false,
      },
      leader: new LeaderLease(stores.agent, clock),
      tenants: null,
      summaries: false,
      handsUp: () => false,
      taskPages: null,
      clock,
      log: silentLogger(),
      self: 'site-1',
      onNotifications: () => undefined,
    });
    await agent.begin();
    clock.advance(SECOND);
    const eventId = await stored(stores, newEvent('after'), clock.now());
    clock.advance(WATERMARK_MS);
    await agent.round(none);
    expect(await stores.agent.decisions({ tenantCode: null }, null, 10)).toMatchObject([{ eventId }]);
  },
);

/** Decides on one event, whose summary is then to be made. */
async function summarized(key: string, over: Partial<NewEvent> = {}): Promise<number> {
  const { agent } = bench.stores;
  const eventId = await stored(bench.stores, newEvent(key, over), bench.clock.now());
  const lease = await new LeaderLease(agent, bench.clock).acquire();
  if (!lease) throw new Error('no lease');
  const links = { minLink: 0.5, linkGapMs: 1, sameCameraGapMs: 1 };
  const how = { graceS: 0, links, summaries: true, handsUp: false, taskPages: null };
  await agent.handle([{ eventId, choice: choice({ llm: true }), ...how }], lease, bench.stamp());
  return eventId;
}

const budgetOf = (most: number): ModelBudget =>
  new ModelBudget({
    ...{ kind: 'summary', most, calls: bench.stores.modelCalls, alarms: bench.stores.alarms },
    ...{ instance: 'i', clock: bench.clock },
  });

const hourlyOf = (most: number): HourlyCalls =>
  new HourlyCalls({ most, alarms: bench.stores.alarms, instance: 'i', clock: bench.clock });

function summarizerOf(over: Pick<SummarizerOptions, 'ask'> & Partial<SummarizerOptions>): Summarizer {
  const { agent, tasks, events, leftOut } = bench.stores;
  return new Summarizer({
    ...{ agent, tasks, events, leftOut, model: 'm', clock: bench.clock, log: silentLogger(), policies: null },
    leader: new LeaderLease(agent, bench.clock),
    ruleSet: { tenant: () => emptyTenant },
    cameras: noCameraNames,
    budget: budgetOf(1_000),
    hourly: hourlyOf(1_000),
    ...over,
  });
}

test('a summary that the model could not give is asked for again, later each time, while it is of use', async () => {
  const { agent, tasks } = bench.stores;
  await summarized('a');
  let asked = 0;
  const summarizer = summarizerOf({
    ask: () => Promise.resolve((asked += 1) < 3 ? { error: 'the model answered 500' } : { text: 'said' }),
  });
  const states = async () => (await agent.pendingSummaries(0, 10)).length;
  await summarizer.round(none);
  await summarizer.round(none);
  expect([asked, await states()]).toEqual([1, 1]);
  bench.clock.advance(10 * SECOND);
  await summarizer.round(none);
  bench.clock.advance(10 * SECOND);
  await summarizer.round(none);
  expect(asked).toBe(2);
  bench.clock.advance(10 * SECOND);
  await summarizer.round(none);
  expect(summarizer.counts).toEqual({ succeeded: 1, failed: 0, retried: 2 });
  expect(await states()).toBe(0);
  expect(String((await tasks.get(1))?.task.body)).toContain('"text":"said"');
});

test('a hundred summaries that fail hold up no further one', async () => {
  const failing = new Set<number>();
  for (let at = 0; at < 100; at += 1) failing.add(await summarized(`failing-${at}`));
  const last = await summarized('last', { doc: docOf({ title: 'the last one' }) });
  const summarizer = summarizerOf({
    ask: (_, user) =>
      Promise.resolve(user.includes('the last one') ? { text: 'said' } : { error: 'the model answered 500' }),
  });
  // Each failure waits; after all of them comes what is behind them.
  for (let round = 0; round < 26; round += 1) await summarizer.round(none);
  expect(await bench.stores.agent.decisions({ tenantCode: null, eventId: last }, null, 1)).toMatchObject([
    { summary: 'succeeded' },
  ]);
  expect(summarizer.counts).toEqual({ succeeded: 1, failed: 0, retried: 100 });
});

test('the model is told what happened there before, and what the policies say, in bounds', async () => {
  const gate = { cameraRef: 'gate', siteRef: 's1' };
  await stored(
    bench.stores,
    newEvent('before', { doc: docOf({ ...gate, title: 'a car before' }) }),
    bench.clock.now(),
  );
  await stored(
    bench.stores,
    newEvent('else', { doc: docOf({ cameraRef: 'roof', title: 'elsewhere' }) }),
    bench.clock.now(),
  );
  bench.clock.advance(SECOND);
  await summarized('now', { doc: docOf({ ...gate, title: 'a car now' }) });
  let told = '';
  const asked: string[] = [];
  const summarizer = summarizerOf({
    ask: (_, user) => {
      told = user;
      return Promise.resolve({ text: 'said' });
    },
    policies: (tenantCode, about) => {
      asked.push(`${tenantCode}: ${about}`);
      return Promise.resolve(['第一条 '.padEnd(5_000, '车')]);
    },
    cameras: () =>
      Promise.resolve({
        called: ({ cameraRef }) => (cameraRef === 'gate' ? '西门' : null),
        hasAny: () => false,
      }),
  });
  await summarizer.round(none);
  const given = JSON.parse(told) as { camera: string; earlier: { title: string }[]; policies: string[] };
  expect(given.camera).toBe('西门');
  expect(given.earlier.map(({ title }) => title)).toEqual(['a car before']);
  expect(given.policies.map((text) => text.length)).toEqual([600]);
  expect(asked).toEqual([expect.stringMatching(/^acme: .*a car now/)]);
});

test('no summary is asked for past the calls of a day, and what the model has used is counted', async () => {
  const [first, second] = [await summarized('a'), await summarized('b')];
  let asked = 0;
  const summarizer = summarizerOf({
    ask: () => Promise.resolve({ text: `said ${(asked += 1)}`, tokens: 70 }),
    budget: budgetOf(1),
  });
  await summarizer.round(none);
  expect(asked).toBe(1);
  const states = await Promise.all(
    [first, second].map(async (eventId) => {
      const [decision] = await bench.stores.agent.decisions({ tenantCode: null, eventId }, null, 1);
      return decision?.summary;
    }),
  );
  expect(states.sort()).toEqual(['failed', 'succeeded']);
  expect(await bench.stores.modelCalls.list('acme', '2026-03-01')).toMatchObject([
    { kind: 'summary', calls: 1, tokens: 70, most: 1 },
  ]);
});

test('a burst at one camera has one summary at once, and one more for all that came since', async () => {
  const at = (name: string) => ({ doc: docOf({ cameraRef: name, siteRef: 's1', title: name }) });
  const told: { burst?: { events: number } }[] = [];
  const summarizer = summarizerOf({
    ask: (_, user) => {
      told.push(JSON.parse(user) as { burst?: { events: number } });
      return Promise.resolve({ text: `said ${told.length}` });
    },
  });
  const first = await summarized('first', at('gate'));
  await summarizer.round(none);
  const since = [await summarized('b', at('gate')), await summarized('c', at('gate'))];
  const elsewhere = await summarized('d', at('roof'));
  await summarizer.round(none);
  expect(told.map(({ burst }) => burst?.events)).toEqual([undefined, undefined]);
  bench.clock.advance(60 * SECOND);
  await summarizer.round(none);
  expect(told.map(({ burst }) => burst?.events)).toEqual([undefined, undefined, 2]);
  const textOf = async (eventId: number): Promise<unknown> => {
    const [decision] = await bench.stores.agent.decisions({ tenantCode: null, eventId }, null, 1);
    const found = await bench.stores.tasks.get(decision?.taskId ?? 0);
    return (JSON.parse(String(found?.task.body)) as { summary: object }).summary;
  };
  const machine = { model: 'm', machineGenerated: true };
  expect(await textOf(first)).toEqual({ text: 'said 1', ...machine });
  expect(await textOf(elsewhere)).toEqual({ text: 'said 2', ...machine });
  for (const eventId of since)
    expect(await textOf(eventId)).toEqual({ text: 'said 3', ...machine, events: 2 });
  expect(summarizer.counts).toEqual({ succeeded: 4, failed: 0, retried: 0 });
});

test('a rule that fires without end has no more summaries within the hour, which people are told', async () => {
  const standing = async () =>
    (await bench.stores.alarms.list({ tenantCode: 'acme', includeCleared: false }, 10)).map(({ key }) => key);
  const [first, second] = [await summarized('a'), await summarized('b')];
  const hourly = hourlyOf(1);
  const summarizer = summarizerOf({ ask: () => Promise.resolve({ text: 'said' }), hourly });
  await summarizer.round(none);
  const states = await Promise.all(
    [first, second].map(async (eventId) => {
      const [decision] = await bench.stores.agent.decisions({ tenantCode: null, eventId }, null, 1);
      return decision?.summary;
    }),
  );
  expect(states.sort()).toEqual(['failed', 'succeeded']);
  expect([hourly.refused, await standing()]).toEqual([1, [expect.stringMatching(/^model_calls_hour:acme:/)]]);
  bench.clock.advance(3_600 * SECOND);
  const third = await summarized('c');
  await summarizer.round(none);
  expect(await standing()).toEqual([]);
  expect(await bench.stores.agent.decisions({ tenantCode: null, eventId: third }, null, 1)).toMatchObject([
    { summary: 'succeeded' },
  ]);
});

test('a library that does not answer holds no summary up', async () => {
  const eventId = await summarized('a');
  const summarizer = summarizerOf({
    ask: () => Promise.resolve({ text: 'said' }),
    policies: () => Promise.reject(new Error('index_building')),
  });
  await summarizer.round(none);
  expect(await bench.stores.agent.decisions({ tenantCode: null, eventId }, null, 1)).toMatchObject([
    { summary: 'succeeded' },
  ]);
});
