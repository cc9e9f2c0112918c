// The agent's rules in memory: what comes in which order, what is kept when something goes wrong.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { previewDecision } from '../../common/agent/act/decide.ts';
import { RulesCache } from '../../common/agent/rule-set/cache.ts';
import { keepThresholds, loadRules } from '../../common/agent/rule-set/load.ts';
import { rehearse } from '../../common/agent/rule-set/rehearse.ts';
import { RuleSet } from '../../common/agent/rule-set/rule-set.ts';
import { saidOf } from '../../common/agent/rule-set/rule-set-fault-messages.ts';
import type { PulledRules, RemoteRules } from '../../common/agent/rule-set/source.ts';
import type { RaiseAlarm } from '../../common/core/alarm/port.ts';
import { noCameraNames } from '../../common/core/camera/record.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import type { RulePort } from '../../common/core/rule/port.ts';
import type { RuleRecord } from '../../common/core/rule/record.ts';
import { registerInput } from '../../common/core/rule/schema.ts';
import { namesTag } from '../../common/http/etag.ts';
import { TransportError } from '../../common/http/outbound/client.ts';
import { validate } from '../../common/http/validate.ts';
import { silentLogger } from '../../common/log.ts';
import { SingleFlight } from '../../common/single-flight.ts';
import { HOUR, TestClock } from '../support/clock.ts';

const record = (name: string, more: Partial<RuleRecord> = {}): RuleRecord => ({
  tenantCode: 'acme',
  kind: 'response',
  name,
  version: 1,
  body: { priority: 1, enabled: true, match: {}, action: { kind: 'review', cooldown_s: 0, llm: true } },
  by: 'li',
  createdAt: 0,
  deleted: false,
  ...more,
});
const threshold = (body: object, version = 1): RuleRecord =>
  record('threshold.agent', { kind: 'threshold', version, body });

const folder = mkdtempSync(path.join(tmpdir(), 'fieldline-rules-'));
const sets: RuleSet[] = [];
afterEach(async () => {
  for (const set of sets.splice(0)) await set.loop.stop();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
});

/** A store of rules in memory; `gate` is awaited after a read has been taken and before it is answered. */
class MemoryRules implements RulePort {
  held: RuleRecord[] = [];
  reads = 0;
  broken = false;
  damaged = false;
  gate: Promise<void> = Promise.resolve();

  remove(): Promise<RuleRecord | null> {
    throw new Error('not asked');
  }
  register(): Promise<RuleRecord> {
    return Promise.reject(new Error('is not asked for'));
  }

  async current(): Promise<RuleRecord[]> {
    this.reads += 1;
    if (this.broken) throw new Error('the store is away');
    const taken = [...this.held];
    await this.gate;
    return taken;
  }

  revision(): Promise<number> {
    if (this.damaged)
      return Promise.reject(new Error('a query failed', { cause: new Error('invalid page in block 0') }));
    return this.broken ? Promise.reject(new Error('the store is away')) : Promise.resolve(this.held.length);
  }

  history(): Promise<RuleRecord[]> {
    return Promise.resolve([]);
  }
}

interface Bench {
  set: RuleSet;
  rules: MemoryRules;
  clock: TestClock;
  alarms: RaiseAlarm[];
  cleared: string[];
}

function bench(options: { remote?: () => Promise<PulledRules>; cacheFile?: string } = {}): Bench {
  const [rules, clock] = [new MemoryRules(), new TestClock()];
  const [alarms, cleared]: [RaiseAlarm[], string[]] = [[], []];
  const set = new RuleSet({
    rules,
    clock,
    log: silentLogger(),
    instance: 'site-1',
    tenants: () => Promise.resolve(['acme']),
    cameras: noCameraNames,
    isDamage: (error) =>
      error instanceof Error &&
      String((error.cause as Error | undefined)?.message).startsWith('invalid page'),
    remote: options.remote ? ({ pull: options.remote } as unknown as RemoteRules) : null,
    cache: options.cacheFile === undefined ? null : new RulesCache(options.cacheFile),
    alarms: {
      raise: (alarm) => Promise.resolve(alarms.push(alarm) > 0),
      clear: (key) => Promise.resolve(cleared.push(key) > 0),
    },
  });
  sets.push(set);
  return { set, rules, clock, alarms, cleared };
}

const gate = (): { wait: Promise<void>; open: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, open: resolve };
};
const names = ({ set }: Bench): string[] => set.loaded.rules.map(({ name }) => name);

test('a run that someone is given begins after they asked, and many who ask meanwhile share one', async () => {
  const [first, begun] = [gate(), [] as number[]];
  const shared = new SingleFlight(async () => {
    begun.push(begun.length);
    if (begun.length === 1) await first.wait;
    return begun.length;
  });
  const runs = [shared.run(), shared.run(), shared.run()];
  expect(begun).toEqual([0]);
  first.open();
  expect(await Promise.all(runs)).toEqual([1, 2, 2]);
  expect(begun).toEqual([0, 1]);
  expect(await shared.run()).toBe(3);
});

test('a run after one that failed begins all the same', async () => {
  let nth = 0;
  const shared = new SingleFlight(() =>
    ++nth === 1 ? Promise.reject(new Error('no')) : Promise.resolve(nth),
  );
  const [first, second] = [shared.run(), shared.run()];
  await expect(first).rejects.toThrow('no');
  expect(await second).toBe(2);
});

test('a reading that began before a registration does not undo what came after it', async () => {
  const here = bench();
  const slow = gate();
  here.rules.held = [record('old')];
  here.rules.gate = slow.wait;
  const early = here.set.refresh();
  await expect.poll(() => here.rules.reads).toBe(1);
  here.rules.held = [record('old'), record('new')];
  here.rules.gate = Promise.resolve();
  const late = here.set.registered();
  slow.open();
  await Promise.all([early, late]);
  expect(names(here)).toEqual(['old', 'new']);
});

test('a link that is down is no failure of the loop; what headquarters answers wrongly is', async () => {
  let fault: Error = new TransportError({ code: 'given_up', params: {} }, 'ABORT_ERR');
  const here = bench({ remote: () => Promise.reject(fault) });
  here.set.loop.start();
  await expect.poll(() => here.set.status().lastError).toBe(fault.message);
  expect(here.set.loop.consecutiveFailures).toBe(0);
  fault = new Error('headquarters gives rules without end');
  here.set.loop.kick();
  await expect.poll(() => here.set.loop.consecutiveFailures).toBeGreaterThan(0);
});

test('rules that did not change are not read again', async () => {
  const here = bench();
  here.rules.held = [record('one')];
  await here.set.refresh();
  const { loaded } = here.set;
  expect(await here.set.reload()).toBe(false);
  expect(here.set.loaded).toBe(loaded);
  expect(here.rules.reads).toBe(1);
});

test('a registration is answered when the rules cannot be read; they stay as they are', async () => {
  const here = bench();
  here.rules.held = [record('one')];
  await here.set.refresh();
  here.rules.broken = true;
  await here.set.registered();
  expect(names(here)).toEqual(['one']);
  await expect(here.set.refresh()).rejects.toThrow('the store is away');
});

const event: EventRecord = {
  ...{ id: 7, tenantCode: 'acme', idempotencyKey: 'k-7', type: 'fire.smoke', kind: 'alert', source: 'video' },
  ...{ severity: 'critical', occurredAt: 1, receivedAt: 2, isTest: false, nodeKey: 'cam-1', instance: null },
  ...{ originId: null, originReceivedAt: null, doc: '{}', verdict: null, correctedTo: null },
};

test('rules that cannot be read for damage keep nobody from starting, and nothing is said to fit or not', async () => {
  const here = bench();
  here.rules.held = [record('one')];
  here.rules.damaged = true;
  await here.set.start();
  expect([here.set.unread, names(here)]).toEqual([true, []]);
  expect(here.alarms).toMatchObject([
    {
      key: 'rules_unreadable',
      severity: 'critical',
      message: expect.stringContaining('None is in force') as string,
    },
  ]);
  expect(here.set.status().lastError).toBe('invalid page in block 0');
  const choice = here.set.choose(event);
  expect(choice).toMatchObject({ ruleName: null, kind: 'review', severity: 'high', rulesUnread: true });
  expect(choice.message).toContain('响应规则无法读取');
  expect(previewDecision(event, choice).note).toContain('whether one fits is not known');
  await here.set.refresh();
  expect(here.alarms).toHaveLength(1);

  here.rules.damaged = false;
  await here.set.refresh();
  expect([here.set.unread, names(here), here.cleared]).toEqual([false, ['one'], ['rules_unreadable']]);
  expect(here.set.choose(event)).toMatchObject({ ruleName: 'one' });
});

test('damage that is met later leaves what was read before in force, and says so', async () => {
  const here = bench();
  here.rules.held = [record('one')];
  await here.set.start();
  here.rules.damaged = true;
  await here.set.refresh();
  expect([here.set.unread, names(here)]).toEqual([false, ['one']]);
  expect(here.alarms.map(({ message }) => message)).toEqual([expect.stringContaining('stay in force')]);
});

test('a rule of this store that is not valid is skipped and counted, whoever wrote it', async () => {
  const here = bench();
  here.rules.held = [record('good'), record('bad', { body: { action: {}, match: 7 } })];
  await here.set.refresh();
  expect(names(here)).toEqual(['good']);
  expect(here.set.loaded.badRules).toMatchObject([{ name: 'bad' }]);
});

test('a threshold of headquarters that is out of range leaves the old value, also over a restart', async () => {
  const answers: unknown[][] = [
    [threshold({ judge_min_conf: 0.8 })],
    [threshold({ judge_min_conf: 7 }, 2)],
    [threshold({ judge_min_conf: 7 }, 2)],
    [threshold({ judge_min_conf: 0.9 }, 3)],
  ];
  const remote = (): Promise<PulledRules> =>
    Promise.resolve({ kind: 'rules', rules: answers.shift() ?? [], etag: null });
  const cacheFile = path.join(folder, 'cache.json');
  const here = bench({ remote, cacheFile });
  for (const expected of [0.8, 0.8, 0.8]) {
    await here.set.reload();
    expect(here.set.thresholds('acme').judgeMinConf).toBe(expected);
  }
  expect(here.set.loaded.badRules).toMatchObject([{ kind: 'threshold', version: 2 }]);
  const again = bench({ remote: () => Promise.reject(new Error('away')), cacheFile });
  await again.set.start();
  expect(again.set.thresholds('acme').judgeMinConf).toBe(0.8);
  await here.set.reload();
  expect(here.set.thresholds('acme').judgeMinConf).toBe(0.9);
  expect(here.set.loaded.badRules).toEqual([]);
});

test('only thresholds of the tenant that is refused are kept, and no other rule', () => {
  const before = [threshold({ judge_min_conf: 0.8 }), threshold({ judge_min_conf: 0.7 }), record('gone')].map(
    (rule, index) => (index === 1 ? { ...rule, tenantCode: 'other' } : rule),
  );
  const kept = keepThresholds(before, [
    threshold({ judge_min_conf: -1 }),
    record('x', { body: { priority: 'x' } }),
  ]);
  expect(loadRules(kept, [], null).rules).toEqual([before[0]]);
  expect(keepThresholds(before, [])).toEqual([]);
});

test('each kind says where its rules are from', async () => {
  const here = bench({
    remote: () => Promise.resolve({ kind: 'rules', rules: [record('theirs')], etag: '"1"' }),
  });
  here.rules.held = [threshold({ judge_min_conf: 0.9 })];
  await here.set.reload();
  const { ruleSource } = here.set.status();
  expect(Object.entries(ruleSource).map(([kind, { source }]) => [kind, source])).toEqual([
    ['response', 'core'],
    ['threshold', 'core'],
    ['prompt', 'builtin'],
    ['model_ledger', 'builtin'],
  ]);
});

test('rules that headquarters has not confirmed for a week stay, and an alarm says so once', async () => {
  let away = false;
  const here = bench({
    remote: () =>
      away
        ? Promise.reject(new Error('no route'))
        : Promise.resolve({ kind: 'rules', rules: [record('one')], etag: null }),
  });
  await here.set.reload();
  away = true;
  for (const hours of [7 * 24, 1, 1]) {
    here.clock.advance(hours * HOUR);
    await expect(here.set.reload()).rejects.toThrow('no route');
  }
  expect(here.alarms.map(({ key }) => key)).toEqual(['rules_stale']);
  expect(here.set.status().lastError).toBe('no route');
  expect(names(here)).toEqual(['one']);
  away = false;
  await here.set.reload();
  expect(here.cleared.at(-1)).toBe('rules_stale');
  expect(here.set.status().lastError).toBeNull();
});

test(
  'a cache that cannot be read or moved does not keep the agent from starting; one that cannot be ' +
    'written is said',
  async () => {
    const cacheFile = path.join(folder, 'not-a-folder', 'cache.json');
    writeFileSync(path.join(folder, 'not-a-folder'), '');
    const here = bench({
      remote: () => Promise.resolve({ kind: 'rules', rules: [record('one')], etag: null }),
      cacheFile,
    });
    await here.set.start();
    expect(here.alarms).toMatchObject([
      { key: 'rules_cache_damaged', message: expect.stringContaining('could not be moved') as unknown },
    ]);
    await here.set.reload();
    expect(names(here)).toEqual(['one']);
    expect(here.set.status().cache).toMatchObject({
      savedAt: null,
      error: expect.stringMatching(/EEXIST|ENOTDIR/) as unknown,
    });
  },
);

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['"ab"', false],
  ['a', false],
  ['', false],
])('If-None-Match %s names the tag "a": %s', (header, expected) =>
  expect(namesTag(header, '"a"')).toBe(expected),
);

test.each<[unknown, string[]]>([
  [
    {
      tenant_code: 'acme',
      kind: 'response',
      name: 'x',
      nope: 1,
      body: { priority: 'a', action: { message: '{who}' } },
    },
    ['nope', 'body.priority', 'body.action.message'],
  ],
  [
    { kind: 'threshold', name: 't', body: { judge_min_conf: 7 } },
    ['tenant_code', 'name', 'body.judge_min_conf'],
  ],
  [{ tenant_code: 'acme', kind: 'none', name: 'x', body: { priority: 'a' } }, ['kind']],
  [null, ['']],
  ['text', ['']],
  [[], ['']],
])('the faults of wrapper and body are told at once: %j', (body, paths) => {
  let details: readonly { path: string }[] = [];
  try {
    validate(registerInput, body);
  } catch (error) {
    details = (error as { details: typeof details }).details;
  }
  expect(details.map(({ path: at }) => at)).toEqual(paths);
});

test(
  'a draft is what a store would make of it: the last of a name counts, a threshold keeps what is left ' +
    'out',
  () => {
    const draft = [
      {
        tenant_code: 'acme',
        kind: 'threshold',
        name: 'threshold.agent',
        body: { judge_min_conf: 0.9, traj_min_link: 0.4 },
      },
      { tenant_code: 'acme', kind: 'response', name: 'r', body: { match: { event_types: ['fire.*'] } } },
      { tenant_code: 'acme', kind: 'response', name: 'r', body: { match: { event_types: ['vehicle.*'] } } },
      { tenant_code: 'acme', kind: 'threshold', name: 'threshold.agent', body: { traj_min_link: 0.5 } },
      'text',
    ];
    const event = {
      tenant_code: 'acme',
      type: 'fire.smoke',
      occurred_at: '2026-03-01T08:00:00Z',
      judged: { type: 'fire.smoke', confidence: 0.8, by: 'm' },
    };
    const { events, badRules, faults } = rehearse(draft, [
      { line: 2, value: event },
      { line: 4, fault: saidOf('not_json', { reason: 'x' }) },
    ]);
    expect(events).toMatchObject([
      {
        line: 2,
        choice: { ruleName: null, judgedBelow: true, severity: 'low' },
        makesTask: true,
        rules: [{ name: 'r', version: 2, failed: 'event_types' }],
      },
    ]);
    expect(badRules).toHaveLength(1);
    expect(faults).toMatchObject([{ line: 4, faults: [{ path: '', message: 'is not JSON: x' }] }]);
  },
);

test.each<
  [string, object, object, { kind: string; channels: string[]; makesTask: boolean; note: string | null }]
>([
  [
    'notify without channels uses the inbox',
    { kind: 'notify' },
    {},
    { kind: 'notify', channels: ['inbox'], makesTask: true, note: null },
  ],
  [
    'a review without channels tells nobody',
    {},
    {},
    { kind: 'review', channels: [], makesTask: true, note: null },
  ],
  [
    'a test event tells the inbox only',
    { kind: 'notify', channels: ['sms'] },
    { is_test: true },
    { kind: 'notify', channels: ['inbox'], makesTask: true, note: 'a test event notifies the inbox only' },
  ],
  [
    'an observation that a rule asks for',
    { kind: 'notify', channels: ['chat'] },
    { kind: 'observation' },
    { kind: 'notify', channels: ['chat'], makesTask: true, note: null },
  ],
  [
    'an observation that no rule asks for',
    { kind: 'notify' },
    { kind: 'observation', type: 'fire.smoke' },
    { kind: 'review', channels: [], makesTask: false, note: 'an observation that no rule asks for' },
  ],
  [
    'a judgement below the threshold',
    { kind: 'notify', channels: ['sms'] },
    { judged: { type: 'x', confidence: 0.5, by: 'm' } },
    {
      kind: 'review',
      channels: [],
      makesTask: true,
      note: 'the machine judgement is below judge_min_conf and counts as a false alarm; a person reviews it',
    },
  ],
])(
  'what would be done is said as the agent does it: %s',
  (_, action, event, { kind, channels, makesTask, note }) => {
    const draft = [
      {
        tenant_code: 'acme',
        kind: 'response',
        name: 'r',
        body: { match: { event_types: ['vehicle.*'] }, action },
      },
    ];
    const value = {
      tenant_code: 'acme',
      type: 'vehicle.intrusion',
      severity: 'high',
      occurred_at: '2026-03-01T08:00:00Z',
      ...event,
    };
    expect(rehearse(draft, [{ line: 1, value }]).events).toMatchObject([
      {
        choice: { kind, channels },
        makesTask,
        note,
        noteZh: note === null ? null : (expect.stringMatching(/[\u4e00-\u9fff]/) as unknown),
      },
    ]);
  },
);
