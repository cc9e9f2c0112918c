// Which rule an event falls under, held against a plain reference that shares no code with it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseRule } from '../../common/agent/rule-set/choose.ts';
import { loadRules } from '../../common/agent/rule-set/load.ts';
import { firstFailing, Matcher, withinHours } from '../../common/agent/rule-set/match.ts';
import type { AgentEvent, ResponseRule } from '../../common/agent/rule-set/record.ts';
import { shadowedRules, shadows } from '../../common/agent/rule-set/shadowing.ts';
import { fillIn } from '../../common/agent/rule-set/template.ts';
import { placeholders, responseBody } from '../../common/core/rule/schema.ts';
import { campaign } from '../support/campaign.ts';

const RUNS = campaign('RULE_RUNS', 3_000, 10_000);
const MINUTE = 60_000;
const T0 = Date.UTC(2026, 2, 1);

const eventOf = (over: Partial<AgentEvent> = {}): AgentEvent => ({
  id: 1,
  tenantCode: 'acme',
  type: 'vehicle.intrusion',
  kind: 'alert',
  source: 'video',
  severity: 'high',
  isTest: false,
  occurredAt: T0,
  receivedAt: T0,
  siteRef: 's1',
  cameraRef: 'c1',
  cameraName: '东门',
  pointRef: null,
  confidence: null,
  ...over,
});
const ruleOf = (body: object, over: Partial<ResponseRule> = {}): ResponseRule => ({
  ...responseBody.parse(body),
  tenantCode: 'acme',
  name: 'r',
  version: 1,
  ...over,
});

const types = [
  'vehicle',
  'vehicle.intrusion',
  'vehicle.speeding',
  'vehicles.x',
  'fire.smoke',
  'fire.night_light',
];
const patterns = [...types, '*', 'vehicle.*', 'vehicle*', 'fire.*', 'fire.n*'];
const some = <T>(values: readonly T[]): fc.Arbitrary<T[] | undefined> =>
  fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined });
const hour = fc.integer({ min: 0, max: 96 }).map((quarters) => quarters / 4);
const severity = fc.constantFrom('low', 'medium', 'high', 'critical');
const defined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));

const anyRule = fc
  .record({
    priority: fc.integer({ min: 0, max: 5 }),
    enabled: fc.boolean(),
    name: fc.constantFrom('a', 'b', 'c', 'd', 'A', '甲'),
    version: fc.integer({ min: 1, max: 3 }),
    match: fc
      .record({
        event_types: some(patterns),
        min_severity: fc.option(severity, { nil: undefined }),
        site_refs: some(['s1', 's2']),
        camera_refs: some(['c1', 'c2']),
        hours: fc.option(
          fc.tuple(hour, hour).filter(([from, to]) => from !== to && from < 24),
          { nil: undefined },
        ),
        tz_offset_min: fc.option(fc.integer({ min: -840, max: 840 }), { nil: undefined }),
      })
      .map(defined),
  })
  .map(({ name, version, ...body }) => ruleOf(body, { name, version }));
const anyEvent = fc
  .record({
    type: fc.constantFrom(...types),
    severity: fc.option(severity, { nil: null }),
    siteRef: fc.constantFrom('s1', 's2', null),
    cameraRef: fc.constantFrom('c1', 'c2', null),
    occurredAt: fc.option(
      fc.integer({ min: 0, max: 2 * 1_440 }).map((minute) => T0 + minute * MINUTE),
      { nil: null },
    ),
  })
  .map((over) => eventOf(over as Partial<AgentEvent>));

/**
 * As one would do it by hand: a list, sorted by three keys, each condition read off the clock on the wall.
 */
function byHand(rules: readonly ResponseRule[], event: AgentEvent): string | null {
  const ranks = ['low', 'medium', 'high', 'critical'];
  const order = [...rules].sort((a, b) =>
    a.priority !== b.priority
      ? a.priority - b.priority
      : a.name !== b.name
        ? a.name > b.name
          ? 1
          : -1
        : a.version - b.version,
  );
  for (const { match, enabled, name, version } of order) {
    if (!enabled) continue;
    if (match.event_types !== undefined) {
      const hit = match.event_types.filter((pattern) =>
        new RegExp(
          `^${pattern.replace(/\*$/, '\u0000').replace(/[.]/g, '\\.').replace('\u0000', '.*')}$`,
        ).test(event.type),
      );
      if (hit.length === 0) continue;
    }
    if (
      match.min_severity !== undefined &&
      ranks.indexOf(event.severity ?? 'medium') < ranks.indexOf(match.min_severity)
    )
      continue;
    if (match.hours !== undefined) {
      const local = new Date((event.occurredAt ?? event.receivedAt) + (match.tz_offset_min ?? 480) * MINUTE);
      const clock = local.getUTCHours() + local.getUTCMinutes() / 60;
      const [from, to] = match.hours;
      if (from < to ? clock < from || clock >= to : clock < from && clock >= to) continue;
    }
    if (match.site_refs !== undefined && !match.site_refs.some((ref) => ref === event.siteRef)) continue;
    if (match.camera_refs !== undefined && !match.camera_refs.some((ref) => ref === event.cameraRef))
      continue;
    return `${name} ${version}`;
  }
  return null;
}

test(
  `${RUNS} random rule sets and events: the matcher finds what the reference finds`,
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(
        fc.array(anyRule, { maxLength: 8 }),
        fc.array(anyEvent, { minLength: 1, maxLength: 4 }),
        (rules, events) => {
          const matcher = new Matcher(rules);
          for (const event of events) {
            const found = matcher.find(event);
            expect(found && `${found.name} ${found.version}`).toBe(byHand(rules, event));
            if (found) expect(firstFailing(found, event)).toBeNull();
          }
        },
      ),
      { numRuns: RUNS },
    );
  },
);

test('a rule that is called covered never decides: random rules', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(
      fc.array(anyRule, { minLength: 2, maxLength: 5 }),
      fc.array(anyEvent, { minLength: 1, maxLength: 8 }),
      (made, events) => {
        const rules = made.map((rule, index) => ({ ...rule, name: `${rule.name}${index}` }));
        const hidden = new Set(shadowedRules(rules).map(({ name }) => name));
        const matcher = new Matcher(rules);
        for (const event of events) expect(hidden.has(matcher.find(event)?.name ?? '')).toBe(false);
      },
    ),
    { numRuns: 500 },
  );
  expect(
    shadows(
      ruleOf({ match: { event_types: ['vehicle.*'] } }),
      ruleOf({ match: { event_types: ['vehicle.intrusion', 'vehicle.x*'], hours: [1, 2] } }),
    ),
  ).toBe(true);
  expect(
    shadows(ruleOf({ match: { hours: [20, 6] } }), ruleOf({ match: { hours: [13, 22], tz_offset_min: 0 } })),
  ).toBe(true);
  expect(shadows(ruleOf({ match: { hours: [20, 6] } }), ruleOf({ match: { hours: [5, 7] } }))).toBe(false);
});

test(
  'one window covers another exactly when it has each minute of it: random windows',
  { timeout: 120_000 },
  () => {
    const anyWindow = fc.tuple(
      fc.tuple(hour, hour).filter(([from, to]) => from !== to && from < 24),
      fc.integer({ min: -840, max: 840 }),
    );
    const minutes = Array.from({ length: 1_440 }, (_, minute) => minute * MINUTE);
    fc.assert(
      fc.property(anyWindow, anyWindow, ([wide, wideOffset], [narrow, narrowOffset]) => {
        const expected = minutes.every(
          (at) => !withinHours(narrow, narrowOffset, at) || withinHours(wide, wideOffset, at),
        );
        expect(
          shadows(
            ruleOf({ match: { hours: wide, tz_offset_min: wideOffset } }),
            ruleOf({ match: { hours: narrow, tz_offset_min: narrowOffset } }),
          ),
        ).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  },
);

test.each([
  [[24, 6], false],
  [[24, 0], false],
  [[8, 8], false],
  [[0, 24], true],
  [[20, 0], true],
  [[20, 6], true],
])('the window %j may be registered: %s', (hours, allowed) => {
  expect(responseBody.safeParse({ match: { hours } }).success).toBe(allowed);
});

describe('windows of hours', () => {
  test.each<[[number, number], number]>([
    [[8, 18], 480],
    [[20, 6], 480],
    [[0, 24], 0],
    [[22.5, 22.25], -840],
    [[23, 24], 840],
    [[0, 1], -840],
    [[6, 20], 345],
  ])('%j at %i minutes from UTC, at each minute of two days', ([from, to], offset) => {
    for (let minute = 0; minute < 2 * 1_440; minute += 1) {
      const at = T0 - offset * MINUTE + minute * MINUTE;
      const clock = (minute % 1_440) / 60;
      const expected = from < to ? clock >= from && clock < to : clock >= from || clock < to;
      expect(withinHours([from, to], offset, at), `minute ${minute}`).toBe(expected);
      expect(withinHours([from, to], offset, at + MINUTE - 1), `the end of minute ${minute}`).toBe(expected);
    }
  });

  test('before 1970 too', () => expect(withinHours([20, 6], 0, -MINUTE)).toBe(true));
});

describe('what is chosen', () => {
  const tenantOf = (...bodies: [string, object][]) => {
    const rules = bodies.map(([name, body]) => ({
      tenantCode: 'acme',
      kind: name === 'threshold.agent' ? 'threshold' : name === 'names.agent' ? 'prompt' : 'response',
      name,
      version: 1,
      body,
    }));
    const tenant = loadRules(rules, [], null).tenants.get('acme');
    if (!tenant) throw new Error('no rules were loaded');
    return tenant;
  };

  test.each<[AgentEvent['severity'], string]>([
    ['critical', 'high'],
    ['high', 'high'],
    ['medium', 'low'],
    ['low', 'low'],
    [null, 'low'],
  ])(
    'without a match an event of severity %s is reviewed with severity %s, and nobody is notified',
    (severityOf, expected) => {
      const choice = chooseRule(
        tenantOf(['other', { match: { event_types: ['fire.*'] } }]),
        eventOf({ severity: severityOf }),
      );
      expect(choice).toMatchObject({
        ruleName: null,
        kind: 'review',
        severity: expected,
        channels: [],
        dueMinutes: null,
        cooldownS: 0,
        llm: false,
      });
      expect(choice.message).toContain('没有匹配的响应规则');
    },
  );

  test(
    "severity is the rule's, or the event's, or medium; kind is review unless given; channels that there " +
      'are not are dropped',
    () => {
      const bare = tenantOf(['r', { action: { channels: ['chat', 'pigeon', 'inbox'] } }]);
      expect(chooseRule(bare, eventOf())).toMatchObject({
        kind: 'review',
        severity: 'high',
        channels: ['chat', 'inbox'],
        llm: true,
        message: '2026-03-01 08:00:00 s1 东门 发生车辆闯入(高),请及时处理。',
      });
      expect(chooseRule(bare, eventOf({ siteRef: null })).message).toBe(
        '2026-03-01 08:00:00 东门 发生车辆闯入(高),请及时处理。',
      );
      expect(chooseRule(bare, eventOf({ pointRef: '3号门' })).message).toBe(
        '2026-03-01 08:00:00 s1 3号门 东门 发生车辆闯入(高),请及时处理。',
      );
      expect(chooseRule(bare, eventOf({ type: 'site.own_type' })).message).toBe(
        '2026-03-01 08:00:00 s1 东门 发生告警 site.own_type(高),请及时处理。',
      );
      expect(chooseRule(bare, eventOf({ severity: null })).severity).toBe('medium');
      expect(chooseRule(tenantOf(['r', { action: { severity: 'low' } }]), eventOf()).severity).toBe('low');
    },
  );

  test.each([
    [0.59, true],
    [0.6, false],
    [null, false],
  ])('a confidence of %s is below the fallback threshold: %s', (confidence, below) => {
    expect(chooseRule(tenantOf(['r', {}]), eventOf({ confidence })).judgedBelow).toBe(below);
  });

  test('a rule without a tenant, or with a body that is not valid, is dropped and said to be bad', () => {
    const { rules, badRules } = loadRules(
      [
        { kind: 'response', name: 'a', version: 1, body: {} },
        {
          tenantCode: 'acme',
          kind: 'response',
          name: 'b',
          version: 2,
          body: { priority: 'x', action: { message: '{who}' } },
        },
        {
          tenantCode: 'acme',
          kind: 'threshold',
          name: 'threshold.agent',
          version: 1,
          body: { judge_min_conf: 3 },
        },
        'text',
        { tenantCode: 'acme', kind: 'response', name: 'good', version: 1, body: {} },
      ],
      [],
      null,
    );
    expect(rules.map(({ name }) => name)).toEqual(['good']);
    expect(badRules.map(({ name, why }) => [name, why.length])).toEqual([
      ['a', 1],
      ['b', 2],
      ['threshold.agent', 1],
      ['undefined', 1],
    ]);
  });

  test("headquarters' rule goes before one of the same name that was registered here", () => {
    const own = [
      {
        tenantCode: 'acme',
        kind: 'response' as const,
        name: 'r',
        version: 9,
        body: responseBody.parse({ priority: 1 }),
        by: 'li',
        createdAt: 0,
      },
    ];
    const { rules, givingWay } = loadRules(
      [{ tenantCode: 'acme', kind: 'response', name: 'r', version: 2, body: { priority: 5 } }],
      own,
      new Set(['acme']),
    );
    expect(rules).toMatchObject([{ version: 2, body: { priority: 5 } }]);
    expect(givingWay).toEqual([{ tenantCode: 'acme', kind: 'response', name: 'r' }]);
  });
});

test("every placeholder is filled in; a tenant's names go first, and what is not known is a dash", () => {
  const template = placeholders.map((name) => `{${name}}`).join('|');
  const names = { types: { 'vehicle.intrusion': '闯卡' }, severities: { high: '严重' } };
  expect(fillIn(template, { event: eventOf({ id: 7 }), names, offsetMin: 480 })).toBe(
    '东门|c1|闯卡|vehicle.intrusion|严重|high|s1|2026-03-01 08:00:00|7',
  );
  expect(
    fillIn(template, {
      event: eventOf({
        id: null,
        cameraName: null,
        cameraRef: null,
        siteRef: null,
        severity: null,
        type: 'a.b',
      }),
      names: { types: {}, severities: {} },
    }),
  ).toBe('-|-|a.b|a.b|中|medium|-|2026-03-01 08:00:00|-');
});
