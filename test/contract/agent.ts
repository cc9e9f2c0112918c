// The contract of AgentPort, NotificationPort and ChannelPort.
import { describe, expect, test } from 'vitest';
import { LATE_MS } from '../../common/agent/act/decide.ts';
import { LeaderLease } from '../../common/agent/act/leader-lease.ts';
import type { AgentLease, EscalateDeadline } from '../../common/agent/act/port.ts';
import type { HandleEvent, RuleChoice } from '../../common/agent/act/record.ts';
import type { ChannelRecord } from '../../common/agent/channel/record.ts';
import { HOUR, SECOND, TEST_START } from '../support/clock.ts';
import { type Bench, type MakeHarness, useStores } from './harness.ts';
import { docOf, newEvent, range, stored, verdictOn } from './samples.ts';

const MINUTE = 60 * SECOND;

export function choice(over: Partial<RuleChoice> = {}): RuleChoice {
  return {
    ruleName: 'cars',
    ruleVersion: 3,
    kind: 'notify',
    severity: 'high',
    channels: ['inbox'],
    assigneeOrg: null,
    dueMinutes: null,
    cooldownS: 0,
    llm: false,
    message: 'a car',
    standard: false,
    judgedBelow: false,
    ...over,
  };
}

const command = (
  eventId: number,
  over: Partial<RuleChoice> = {},
  rest: Partial<HandleEvent> = {},
): HandleEvent => ({
  eventId,
  choice: choice(over),
  graceS: 0,
  links: { minLink: 0.5, linkGapMs: 900 * SECOND, sameCameraGapMs: 120 * SECOND },
  summaries: true,
  handsUp: false,
  taskPages: null,
  ...rest,
});

export const channel = (id: string, over: Partial<ChannelRecord> = {}): ChannelRecord => ({
  id,
  tenantCode: 'acme',
  name: id,
  channel: 'chat',
  format: 'wecom',
  urlRef: 'robot-address',
  urlHost: 'robot.example',
  secretRef: null,
  recipients: [],
  bodyTemplate: null,
  contentType: null,
  mail: null,
  alarms: null,
  enabled: true,
  createdAt: TEST_START,
  updatedAt: TEST_START,
  ...over,
});

export function agentContract(make: MakeHarness): void {
  describe('agent: decisions', () => decisions(make));
  describe('agent: cooldowns and clocks', () => cooldowns(make));
  describe('agent: deadlines', () => deadlines(make));
  describe('agent: runs of events', () => chains(make));
  describe('notifications and channels', () => outbox(make));
}

let holder = '';

/** The lease of a new process; the one before it has let go. */
async function leased(bench: Bench): Promise<{ leader: LeaderLease; lease: AgentLease }> {
  await bench.stores.agent.release(holder);
  const leader = new LeaderLease(bench.stores.agent, bench.clock);
  const lease = await leader.acquire();
  if (!lease) throw new Error("the lease is another's");
  holder = leader.holder;
  return { leader, lease };
}

const event = (bench: Bench, key: string, over: Parameters<typeof newEvent>[1] = {}): Promise<number> =>
  stored(
    bench.stores,
    newEvent(key, { doc: docOf({ siteRef: 's', cameraRef: 'c' }), ...over }),
    bench.clock.now(),
  );

function decisions(make: MakeHarness): void {
  const bench = useStores(make);
  const decide = async (commands: HandleEvent[]) =>
    bench.stores.agent.handle(commands, (await leased(bench)).lease, bench.stamp());
  const tasks = () => bench.stores.tasks.list({ tenantCode: null }, null, 100);
  const told = () => bench.stores.notifications.list({ tenantCode: null, includeTest: true }, null, 100);

  test('an event that comes again, also after a restart and under another rule, finds its decision', async () => {
    const id = await event(bench, 'a');
    const [first] = await decide([command(id, { dueMinutes: 5, llm: true })]);
    expect(first).toMatchObject({
      kind: 'decided',
      notifications: 1,
      decision: { outcome: 'task', ruleName: 'cars', ruleVersion: 3, summary: 'pending', taskId: 1 },
    });
    await bench.restart();
    const again = await decide([command(id, { ruleName: 'other', kind: 'dispatch' }), command(id)]);
    expect(again).toEqual(
      [1, 2].map(() => ({ kind: 'replayed', decision: first?.kind === 'decided' ? first.decision : null })),
    );
    expect(await tasks()).toMatchObject([
      {
        type: 'disposal',
        eventId: id,
        severity: 'high',
        dueAt: TEST_START + 5 * MINUTE,
        suppressed: false,
        createdBy: 'agent',
        title: 'a car',
      },
    ]);
    expect(await told()).toMatchObject([
      { eventId: id, taskId: 1, channel: 'inbox', state: 'sent', kind: 'task', message: 'a car' },
    ]);
    expect(
      await bench.stores.audit.list({ tenantCode: 'acme', action: 'task.created' }, null, 10),
    ).toMatchObject([{ actor: 'agent' }]);
  });

  test('false alarms and observations that nobody asks for make no task and are not dropped', async () => {
    const judged = await event(bench, 'a');
    await bench.stores.verdicts.write(
      verdictOn(judged, { verdict: 'false_alarm', note: 'a shadow' }),
      bench.stamp(),
    );
    const seen = await event(bench, 'b', { kind: 'observation' });
    const asked = await event(bench, 'c', { kind: 'observation' });
    await decide([
      command(judged),
      command(seen, { ruleName: null, ruleVersion: null, kind: 'review' }),
      command(asked),
    ]);
    expect(
      (await bench.stores.agent.decisions({ tenantCode: null }, null, 10)).map(({ outcome, taskId }) => [
        outcome,
        taskId,
      ]),
    ).toEqual([
      ['task', 1],
      ['observed', null],
      ['judged', null],
    ]);
    expect(await bench.stores.agent.decisions({ tenantCode: 'other' }, null, 10)).toEqual([]);
    expect(
      (await bench.stores.agent.decisions({ tenantCode: 'acme', outcome: 'judged' }, null, 10)).map(
        ({ eventId }) => eventId,
      ),
    ).toEqual([judged]);
    expect((await tasks()).map(({ eventId }) => eventId)).toEqual([asked]);
  });

  test(
    'below judge_min_conf a person reviews and nobody is paged; a test event tells the inbox only; so ' +
      'does one that waited',
    async () => {
      await bench.stores.channels.create(channel('robot'), 'admin', bench.stamp());
      const weak = await event(bench, 'a');
      const trial = await event(bench, 'b', { isTest: true });
      const old = await event(bench, 'c');
      const loud = { channels: ['chat', 'inbox'] as const, severity: 'critical' as const, dueMinutes: 5 };
      await decide([command(weak, { ...loud, judgedBelow: true }), command(trial, loud)]);
      bench.clock.advance(LATE_MS + 1);
      await decide([command(old, loud)]);
      expect((await told()).map(({ eventId, channel: way }) => [eventId, way])).toEqual([
        [old, 'inbox'],
        [trial, 'inbox'],
      ]);
      expect((await tasks()).at(-1)).toMatchObject({
        type: 'review',
        severity: 'low',
        dueAt: null,
        eventId: weak,
      });
      expect(
        (await bench.stores.agent.decisions({ tenantCode: null }, null, 10)).every(
          ({ note }) => note !== null,
        ),
      ).toBe(true);
    },
  );

  test('one row per configured channel; a way that is not configured has failed visibly', async () => {
    for (const one of [
      channel('r1'),
      channel('r2'),
      channel('off', { enabled: false }),
      channel('theirs', { tenantCode: 'other' }),
    ])
      await bench.stores.channels.create(one, 'admin', bench.stamp());
    const [outcome] = await decide([
      command(await event(bench, 'a'), { channels: ['chat', 'sms', 'inbox'] }),
    ]);
    expect(outcome).toMatchObject({ notifications: 4, unconfigured: ['sms'] });
    expect((await told()).map(({ channelId, state }) => [channelId, state])).toEqual([
      [null, 'sent'],
      [null, 'failed'],
      ['r2', 'pending'],
      ['r1', 'pending'],
    ]);
  });

  test('what is kept of deleted events goes, tasks stay', async () => {
    const ids = [await event(bench, 'a'), await event(bench, 'b')];
    await decide(ids.map((id) => command(id)));
    expect(await bench.stores.agent.forgetEvents(ids.slice(0, 1))).toEqual({
      agent_decisions: 1,
      notifications: 1,
    });
    expect((await told()).map(({ eventId }) => eventId)).toEqual([ids[1]]);
    expect(await tasks()).toHaveLength(2);
  });

  test('a standard message says where its task is shown, one of a rule stays as it is written', async () => {
    const pages = { taskPages: 'https://hub.example/tasks/of/site-1/' };
    await decide([
      command(await event(bench, 'a'), { standard: true, dueMinutes: 5 }, pages),
      command(await event(bench, 'b'), {}, pages),
    ]);
    expect((await told()).map(({ message }) => message).sort()).toEqual([
      'a car',
      'a car\nhttps://hub.example/tasks/of/site-1/1',
    ]);
    const [late] = await bench.stores.agent.dueDeadlines(Number.MAX_SAFE_INTEGER, bench.clock.now(), 10);
    expect(late?.message).toBe('a car\nhttps://hub.example/tasks/of/site-1/1');
    expect((await tasks())[0]?.title).toBe('a car');
  });

  test('a summary is asked for once and settled once', async () => {
    const id = await event(bench, 'a');
    await decide([command(id, { llm: true })]);
    expect((await bench.stores.agent.pendingSummaries(0, 10)).map(({ eventId }) => eventId)).toEqual([id]);
    expect(await bench.stores.agent.pendingSummaries(id, 10)).toEqual([]);
    await bench.stores.agent.settleSummary(id, 'failed');
    await bench.stores.agent.settleSummary(id, 'succeeded');
    expect(await bench.stores.agent.pendingSummaries(0, 10)).toEqual([]);
    expect(await bench.stores.agent.decisions({ tenantCode: null, eventId: id }, null, 1)).toMatchObject([
      { summary: 'failed' },
    ]);
  });
}

function cooldowns(make: MakeHarness): void {
  const bench = useStores(make);
  const rule = { cooldownS: 600 };

  /** Outcome of a new event of the rule with a cooldown of 10 minutes. */
  async function next(
    leader: LeaderLease,
    key: string,
    over: Partial<RuleChoice> = {},
    more: Parameters<typeof newEvent>[1] = {},
  ): Promise<unknown> {
    const lease = await leader.acquire();
    if (!lease) throw new Error("the lease is another's");
    const [outcome] = await bench.stores.agent.handle(
      [command(await event(bench, key, more), { ...rule, ...over })],
      lease,
      bench.stamp(),
    );
    return outcome?.kind === 'decided' ? outcome.decision.outcome : outcome?.kind;
  }

  test(
    'one notification per tenant, camera, type and rule; the others make suppressed tasks without ' +
      'deadline',
    async () => {
      const { leader } = await leased(bench);
      expect(await next(leader, 'a', { dueMinutes: 5 })).toBe('task');
      expect(await next(leader, 'b', { dueMinutes: 5 })).toBe('suppressed');
      expect(await next(leader, 'c', { ruleName: 'other' })).toBe('task');
      expect(await next(leader, 'd', {}, { type: 'fire.flame' })).toBe('task');
      expect(await next(leader, 'e', {}, { tenantCode: 'other' })).toBe('task');
      expect(await next(leader, 'f', {}, { doc: docOf({ cameraRef: 'another' }) })).toBe('task');
      expect(await next(leader, 'g', {}, { isTest: true })).toBe('task');
      expect(await next(leader, 'h', { kind: 'dispatch' })).toBe('task');
      const suppressed = (await bench.stores.tasks.list({ tenantCode: 'acme' }, null, 20)).filter(
        (task) => task.suppressed,
      );
      expect(suppressed).toMatchObject([{ dueAt: null }]);
      expect(
        (await bench.stores.notifications.list({ tenantCode: null, includeTest: true }, null, 20)).filter(
          ({ taskId }) => taskId === suppressed[0]?.id,
        ),
      ).toEqual([]);
    },
  );

  test('survives a restart, and ends after its period', async () => {
    expect(await next((await leased(bench)).leader, 'a')).toBe('task');
    await bench.restart();
    bench.clock.advance(599 * SECOND);
    const { leader } = await leased(bench);
    expect(await next(leader, 'b')).toBe('suppressed');
    bench.clock.advance(SECOND);
    expect(await next(leader, 'c')).toBe('task');
  });

  test.each([-24 * HOUR, -1, 24 * HOUR])(
    'a wall clock that steps by %d ms neither stretches nor loses it',
    async (by) => {
      const { leader } = await leased(bench);
      expect(await next(leader, 'a')).toBe('task');
      bench.clock.step(by);
      bench.clock.advance(599 * SECOND);
      expect(await next(leader, 'b')).toBe('suppressed');
      bench.clock.advance(SECOND);
      expect(await next(leader, 'c')).toBe('task');
    },
  );

  test('a wall clock that was set back before a restart stretches it by the outage at most', async () => {
    const first = await leased(bench);
    expect(await next(first.leader, 'a')).toBe('task');
    bench.clock.advance(300 * SECOND);
    expect(await next(first.leader, 'b')).toBe('suppressed');
    bench.clock.step(-24 * HOUR);
    await first.leader.release();
    await bench.restart();
    const { leader } = await leased(bench);
    bench.clock.advance(299 * SECOND);
    expect(await next(leader, 'c')).toBe('suppressed');
    bench.clock.advance(SECOND);
    expect(await next(leader, 'd')).toBe('task');
  });
}

function deadlines(make: MakeHarness): void {
  const bench = useStores(make);
  const escalate = (taskId: number, lateMs = 0): EscalateDeadline => ({
    taskId,
    lateMs,
    by: 'agent',
    note: 'late',
    handsUp: false,
    actor: 'agent',
  });

  async function task(
    key: string,
    graceS = 60,
    over: Partial<RuleChoice> = {},
  ): Promise<{ leader: LeaderLease; lease: AgentLease; eventId: number }> {
    const { leader, lease } = await leased(bench);
    const eventId = await event(bench, key);
    await bench.stores.agent.handle(
      [command(eventId, { dueMinutes: 5, ...over }, { graceS })],
      lease,
      bench.stamp(),
    );
    return { leader, lease, eventId };
  }

  test('is due at the deadline and the grace, wherever the wall clock stands, and escalates once', async () => {
    const { leader } = await task('a');
    bench.clock.step(-24 * HOUR);
    bench.clock.advance(6 * MINUTE - 1);
    const steady = async (): Promise<AgentLease> =>
      (await leader.acquire()) ?? Promise.reject(new Error('no lease'));
    expect(await bench.stores.agent.dueDeadlines((await steady()).steadyAt, bench.clock.now(), 10)).toEqual(
      [],
    );
    bench.clock.advance(1);
    const lease = await steady();
    expect(await bench.stores.agent.dueDeadlines(lease.steadyAt, bench.clock.now(), 10)).toMatchObject([
      { taskId: 1, channels: ['inbox'], message: 'a car' },
    ]);
    expect(await bench.stores.agent.escalate(escalate(1), lease, bench.stamp())).toMatchObject({
      kind: 'escalated',
      deadline: { state: 'escalated' },
    });
    expect(await bench.stores.agent.escalate(escalate(1), lease, bench.stamp())).toEqual({
      kind: 'unchanged',
    });
    expect((await bench.stores.tasks.get(1))?.task.escalatedAt).not.toBeNull();
    expect(
      await bench.stores.notifications.list(
        { tenantCode: null, kind: 'escalation', includeTest: false },
        null,
        10,
      ),
    ).toMatchObject([{ taskId: 1, channel: 'inbox' }]);
    expect(await bench.stores.agent.dueDeadlines(lease.steadyAt, bench.clock.now(), 10)).toEqual([]);
  });

  test('a task that was taken over, and one whose event was judged false, page nobody', async () => {
    await task('a');
    const { eventId, lease } = await task('b');
    await bench.stores.tasks.move(
      {
        taskId: 1,
        tenantCode: 'acme',
        to: 'taken_over',
        by: 'li',
        note: null,
        resultCode: null,
        actor: 'li',
      },
      bench.stamp(),
    );
    await bench.stores.verdicts.write(
      verdictOn(eventId, { verdict: 'false_alarm', note: 'a shadow' }),
      bench.stamp(),
    );
    for (const id of [1, 2])
      expect(await bench.stores.agent.escalate(escalate(id), lease, bench.stamp())).toMatchObject({
        kind: 'settled',
      });
    expect(
      await bench.stores.notifications.list(
        { tenantCode: null, kind: 'escalation', includeTest: false },
        null,
        10,
      ),
    ).toEqual([]);
  });

  test('one that is found late says how late it is; a negative grace turns it off', async () => {
    const { lease } = await task('a');
    const lateMs = 7 * HOUR + 90 * SECOND;
    expect(await bench.stores.agent.escalate(escalate(1, lateMs), lease, bench.stamp())).toMatchObject({
      kind: 'escalated',
      notifications: [
        { message: expect.stringMatching(/^【超时未接管，通知迟发 7 小时 1 分钟】/) as string },
      ],
    });
    expect((await bench.stores.tasks.get(1))?.task.escalatedAt).not.toBeNull();
    await task('b', -1);
    expect(await bench.stores.agent.dueDeadlines(TEST_START + 1_000 * HOUR, bench.clock.now(), 10)).toEqual(
      [],
    );
  });

  test('overdue tasks that people made are found once', async () => {
    const made = {
      tenantCode: 'acme',
      type: 'disposal',
      eventId: null,
      title: 'by hand',
      severity: 'low',
      assigneeOrg: null,
      dueAt: TEST_START + 1,
      suppressed: false,
      body: {},
      by: 'li',
      actor: 'li',
    } as const;
    await bench.stores.tasks.create(made, bench.stamp());
    await task('a');
    expect(await bench.stores.agent.foreignOverdue(TEST_START, 10)).toEqual([]);
    const found = await bench.stores.agent.foreignOverdue(TEST_START + 1_000 * HOUR, 10);
    expect(found).toEqual([
      { taskId: 1, tenantCode: 'acme', eventId: null, title: 'by hand', dueAt: TEST_START + 1 },
    ]);
    await bench.stores.agent.adopt([
      {
        taskId: 1,
        tenantCode: 'acme',
        eventId: null,
        ruleName: null,
        channels: ['inbox'],
        message: 'x',
        isTest: false,
        state: 'pending',
        escalateAt: TEST_START,
        settledAt: null,
      },
    ]);
    expect(await bench.stores.agent.foreignOverdue(TEST_START + 1_000 * HOUR, 10)).toEqual([]);
  });
}

function chains(make: MakeHarness): void {
  const bench = useStores(make);

  test('L1 by kind, L2 by point, L3 by site and source; written members are not written again', async () => {
    const { lease } = await leased(bench);
    const at = (seconds: number, type: string, source: 'video' | 'quick_photo' = 'video') => ({
      occurredAt: TEST_START + seconds * SECOND,
      type,
      source,
      doc: docOf({ siteRef: 's', pointRef: 'p', cameraRef: 'c' }),
    });
    const ids: number[] = [];
    for (const [index, one] of [
      at(0, 'a.b'),
      at(100, 'a.b'),
      at(300, 'a.b'),
      at(350, 'c.d'),
      at(360, 'c.d', 'quick_photo'),
    ].entries())
      ids.push(await event(bench, `k${index}`, one));
    await bench.stores.agent.handle(
      ids.map((id) => command(id)),
      lease,
      bench.stamp(),
    );
    const found = await bench.stores.agent.unwrittenChains(bench.clock.now(), 20);
    const members = (layer: string) =>
      found
        .filter((chain) => chain.layer === layer)
        .map(({ pending }) => pending.map((id) => ids.indexOf(id)))
        .sort();
    expect([members('L1'), members('L2'), members('L3')]).toEqual([
      [
        [0, 1],
        [3, 4],
      ],
      [[2, 3, 4]],
      [[0, 1, 2, 3, 4]],
    ]);
    for (const chain of found) await bench.stores.agent.chainWritten(chain, chain.pending.slice(0, 1));
    expect(
      (await bench.stores.agent.unwrittenChains(bench.clock.now(), 20))
        .map(({ pending }) => pending.length)
        .sort(),
    ).toEqual(found.map(({ pending }) => pending.length - 1).sort());
    for (const chain of found) await bench.stores.agent.chainWritten(chain, chain.pending);
    expect(await bench.stores.agent.unwrittenChains(bench.clock.now(), 20)).toEqual([]);
    expect(
      await bench.stores.agent.sweep({ steadyAt: TEST_START, touchedBefore: TEST_START + HOUR }, 100),
    ).toBeGreaterThan(3);
  });
}

function outbox(make: MakeHarness): void {
  const bench = useStores(make);

  test('due rows are claimed once; a failure waits, the last one ends it', async () => {
    await bench.stores.channels.create(channel('robot'), 'admin', bench.stamp());
    const ids = [await event(bench, 'a'), await event(bench, 'b')];
    await bench.stores.agent.handle(
      ids.map((id) => command(id, { channels: ['chat'] })),
      (await leased(bench)).lease,
      bench.stamp(),
    );
    const { notifications } = bench.stores;
    const claims = await Promise.all(range(4, () => notifications.claimDue(TEST_START, 30 * SECOND, 10)));
    const [first, second] = claims.flat();
    expect(claims.flat()).toHaveLength(2);
    if (!first || !second) return;
    await notifications.failed(first.id, 'no route', { at: TEST_START + 5 * SECOND, now: TEST_START });
    await notifications.sent(second.id, TEST_START + 1);
    await notifications.failed(second.id, 'late', { at: null, now: TEST_START });
    expect(await notifications.claimDue(TEST_START + 5 * SECOND - 1, SECOND, 10)).toEqual([]);
    expect(await notifications.claimDue(TEST_START - 24 * HOUR, SECOND, 10)).toMatchObject([
      { id: first.id, attempts: 1, lastError: 'no route' },
    ]);
    await notifications.failed(first.id, 'given up', { at: null, now: TEST_START + 9 });
    expect(await notifications.counts()).toEqual({ pending: 0, failed: 1, oldestPendingAt: null });
    expect(await notifications.ofEvent(second.eventId ?? 0, 10)).toMatchObject([
      { state: 'sent', attempts: 1, settledAt: TEST_START + 1 },
    ]);
    expect(
      (await notifications.list({ tenantCode: 'acme', state: 'failed', includeTest: true }, null, 10)).map(
        ({ id }) => id,
      ),
    ).toEqual([first.id]);
    expect(await notifications.list({ tenantCode: 'other', includeTest: true }, null, 10)).toEqual([]);
  });

  test('names of channels are unique in a tenant, changes are audited without what opens them', async () => {
    const { channels, audit } = bench.stores;
    await channels.create(channel('a', { urlRef: 'file:/secret-path' }), 'admin', bench.stamp());
    expect(await channels.create(channel('b', { name: 'a' }), 'admin', bench.stamp())).toEqual({
      kind: 'name_taken',
    });
    expect(
      (await channels.create(channel('b', { name: 'a', tenantCode: 'other' }), 'admin', bench.stamp())).kind,
    ).toBe('saved');
    expect(await channels.change(channel('none'), 'admin', bench.stamp())).toEqual({ kind: 'no_channel' });
    expect((await channels.change(channel('a', { enabled: false }), 'admin', bench.stamp())).kind).toBe(
      'saved',
    );
    expect((await channels.remove('a', 'admin', bench.stamp()))?.id).toBe('a');
    expect(await channels.remove('a', 'admin', bench.stamp())).toBeNull();
    expect((await channels.list(null)).map(({ id }) => id)).toEqual(['b']);
    const entries = await audit.list({ tenantCode: null, subject: 'channel:a' }, null, 10);
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'channel.changed',
      'channel.created',
      'channel.removed',
    ]);
    expect(JSON.stringify(entries)).not.toContain('secret-path');
  });
}
