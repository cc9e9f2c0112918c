// "All is well" at headquarters is made from what would have to be otherwise, each by itself.
import { expect, test } from 'vitest';
import { type Answers, findingsOf, type FlowAnswer, type SiteAnswer } from '../../hq/cli/findings.ts';

const flow = (over: Partial<FlowAnswer> = {}): FlowAnswer => ({
  ...{ name: 'events', at: 'site', waiting: 0, bytes: null, oldestAt: null, failed: 0 },
  ...{ lastError: null, lastErrorZh: null },
  ...over,
});
const site = (over: Partial<SiteAnswer> = {}): SiteAnswer => ({
  ...{
    instance: 't7',
    displayName: null,
    state: 'current',
    silentAfterMinutes: 10,
    lastSeenAt: '2026-03-01T00:00:00Z',
  },
  ...{ version: '1', events: { receivedTotal: 1 }, decisions: { waiting: 0, refused: 0 } },
  report: { state: 'well', storing: true, alarms: 0 },
  flows: [flow()],
  ...over,
});
const answers = (over: Partial<Answers> = {}): Answers => ({
  ...{ version: '1', instance: 'hq', storing: true, sites: [site()], alarms: [] },
  lastBackup: null,
  alarmCounts: { total: 0, critical: 0 },
  unplannedEnds: {
    ...{ days: 30, count: 0, hangs: 0, lastAt: null, lastKind: null },
    stalls: { count: 0, longestSeconds: 0, lastAt: null, lastSeconds: null },
  },
  ...over,
});
const worst = (given: Answers): string => {
  const levels = findingsOf(given, { language: 'en', time: (at) => at }).map(({ level }) => level);
  return ['bad', 'look'].find((one) => levels.some((level) => level === one)) ?? 'well';
};

test.each<[string, string, Partial<Answers>]>([
  ['nothing', 'well', {}],
  ['a site that has told nothing yet', 'well', { sites: [site({ report: null })] }],
  [
    'a site that asks for a look',
    'look',
    { sites: [site({ report: { state: 'look', storing: true, alarms: 0 } })] },
  ],
  ['one that is bad', 'bad', { sites: [site({ report: { state: 'bad', storing: true, alarms: 0 } })] }],
  [
    'one that does not store',
    'bad',
    { sites: [site({ report: { state: 'well', storing: false, alarms: 0 } })] },
  ],
  [
    'a word of a later version',
    'look',
    { sites: [site({ report: { state: 'odd', storing: true, alarms: 0 } })] },
  ],
  [
    'one that is planned to be away',
    'bad',
    {
      sites: [site({ state: 'away', report: { state: 'bad', storing: true, alarms: 1 } })],
    },
  ],
  ['items that are parked there', 'look', { sites: [site({ flows: [flow({ failed: 1 })] })] }],
  ['what failed here once', 'well', { sites: [site({ flows: [flow({ at: 'hq', failed: 1 })] })] }],
  ['sites that cannot be read', 'bad', { sites: null }],
  ['more alarms than are named', 'look', { alarmCounts: { total: 501, critical: 0 } }],
  ['a critical one among them', 'bad', { alarmCounts: { total: 501, critical: 1 } }],
])('%s makes it %s', (_what, level, over) => expect(worst(answers(over))).toBe(level));

test('what it says names the site, and what to type there, in both languages', () => {
  const told = answers({
    sites: [site({ report: { state: 'bad', storing: true, alarms: 0 }, flows: [flow({ failed: 3 })] })],
    alarmCounts: { total: 7, critical: 0 },
  });
  for (const [language, words] of [
    [
      'en',
      ['t7 says of itself that something is wrong', '3 of its events were refused here', '7 more stand'],
    ],
    ['zh', ['t7 自报有故障', '3 项事件被总部拒收', '另有 7 条告警']],
  ] as const) {
    const text = findingsOf(told, { language, time: (at) => at })
      .map((one) => one.text)
      .join('\n');
    for (const word of [...words, 'fieldline-site status', 'fieldline-site parked list'])
      expect(text).toContain(word);
  }
});

test('a site is named as people call it, with the name that commands take', () => {
  const sites = [site({ displayName: 'Tunnel 7', state: 'silent', flows: [flow({ failed: 2 })] })];
  const alarm = { key: 'disk_full', instance: 't7', message: 'full', messageZh: null } as const;
  const alarms = [{ ...alarm, severity: 'critical' as const }];
  const said = findingsOf(answers({ sites, alarms }), { language: 'en', time: (at) => at });
  const named = said.map(({ text }) => text).filter((text) => text.includes('t7'));
  expect(named).toHaveLength(3);
  for (const text of named) expect(text).toContain('Tunnel 7 (t7)');
  const away = findingsOf(answers({ sites: [site({ displayName: 'Tunnel 7', state: 'away' })] }), {
    language: 'en',
    time: (at) => at,
  });
  expect(away.map(({ text }) => text)).toContain(
    'Tunnel 7 (t7) is planned to be away; it is back: fieldline-hq site back t7',
  );
});
