// What people read in two languages: catalogues of sentences, and nothing that guesses at English text.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { noteMessages } from '../../common/agent/act/note-messages.ts';
import { agentMessages } from '../../common/agent/agent-messages.ts';
import { explainMessages } from '../../common/agent/rule-set/explain-messages.ts';
import { coreAlarmMessages } from '../../common/core/alarm/alarm-messages.ts';
import { alarmText, readAlarmText } from '../../common/core/alarm/alarm-text.ts';
import { farMessages } from '../../common/core/evidence/far-messages.ts';
import { groupRefusalMessages } from '../../common/core/incident/refusal-messages.ts';
import { orderRefusalMessages } from '../../common/core/task/refusal-messages.ts';
import { wayMessages } from '../../common/core/timeline/way-messages.ts';
import { decisionRefusalMessages } from '../../common/core/verdict/refusal-messages.ts';
import { inputFaultMessages } from '../../common/http/fault/fault-messages.ts';
import { transportMessages } from '../../common/http/outbound/transport-messages.ts';
import { type Catalogue, say, sentences, translate } from '../../common/message.ts';
import { faultMessages } from '../../common/uplink/fault-messages.ts';
import { libraryRefusalMessages } from '../../common/uplink/library-refusal-messages.ts';
import { requestRefusalMessages } from '../../common/uplink/request-refusal-messages.ts';
import { settingsMessages } from '../../common/uplink/settings/settings-messages.ts';
import { upgradeMessages } from '../../common/uplink/upgrade/upgrade-messages.ts';
import { backupMessages, copyReasons } from '../../hq/backup/backup-messages.ts';
import { sourceMessages, sourceReasons } from '../../hq/dataset/source-messages.ts';
import { sendingMessages } from '../../hq/duty/duty-messages.ts';
import { hubAlarmMessages, hubMessages } from '../../hq/hub-messages.ts';
import { deliveryMessages } from '../../hq/integration/delivery-messages.ts';
import { ingestMessages } from '../../hq/policy/ingest/ingest-messages.ts';
import { connectionMessages } from '../../site/intake/connection/connection-messages.ts';
import { deviceMessages } from '../../site/intake/device-messages.ts';
import { siteMessages } from '../../site/site-messages.ts';
import { machineAlarmMessages } from '../../site/status/alarm-messages.ts';
import { refusedMessages } from '../../site/status/refused/refused-messages.ts';
import { storeMessages } from '../../site/store/store-messages.ts';
import { upgradeAlarmMessages } from '../../site/upgrade/upgrade-alarm-messages.ts';
import { linkMessages } from '../../site/uplink/link-messages.ts';
import { uplinkAlarmMessages } from '../../site/uplink/uplink-alarm-messages.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const sources = (): string[] =>
  ['site', 'hq', 'common'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.join(ROOT, folder, name)),
  );

const common = { coreAlarmMessages, agentMessages };
const ofSite = {
  upgradeMessages,
  upgradeAlarmMessages,
  ...common,
  transportMessages,
  linkMessages,
  uplinkAlarmMessages,
  machineAlarmMessages,
  deviceMessages,
  refusedMessages,
  connectionMessages,
};
/** What rooms say of faults of input. */
async function faultCatalogues(): Promise<Record<string, Catalogue>> {
  const files = sources().filter((file) => /-fault-messages\.ts$/.test(file));
  expect(files.length).toBeGreaterThan(15);
  const made = await Promise.all(files.map((file) => import(file) as Promise<Record<string, Catalogue>>));
  return Object.fromEntries(
    made.flatMap((one) => Object.entries(one).filter(([name]) => name.endsWith('FaultMessages'))),
  );
}

const catalogues: Record<string, Catalogue> = {
  ...ofSite,
  hubAlarmMessages,
  storeMessages,
  explainMessages,
  noteMessages,
  wayMessages,
  faultMessages,
  orderRefusalMessages,
  groupRefusalMessages,
  decisionRefusalMessages,
  libraryRefusalMessages,
  requestRefusalMessages,
  settingsMessages,
  farMessages,
  inputFaultMessages,
  sourceMessages,
  deliveryMessages,
  sendingMessages,
  ...(await faultCatalogues()),
  backupMessages,
  copyReasons,
  ingestMessages,
};

/** Names of the particulars of a sentence. */
const named = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{([^}|]*)/g)].map(([, name]) => name ?? ''))].sort();

describe.each(Object.entries(catalogues))('%s', (_, catalogue) => {
  test.each(Object.entries(catalogue))('%s says the same in both languages', (_code, { en, zh }) => {
    expect(en).not.toMatch(/\p{Script=Han}/u);
    // A sentence of nothing but what the system said is itself in Chinese only around it.
    expect(zh).toMatch(/\p{Script=Han}/u);
    const [english, chinese] = [named(en), named(zh)];
    expect(chinese).toEqual(english);
    for (const name of english) expect(name).toMatch(/^[a-zA-Z]+$/);
  });
});

test('no code stands in two catalogues of one program', () => {
  const count = (parts: readonly Catalogue[]): number =>
    parts.reduce((sum, one) => sum + Object.keys(one).length, 0);
  expect(Object.keys(siteMessages)).toHaveLength(count(Object.values(ofSite)));
  expect(Object.keys(hubMessages)).toHaveLength(
    count([
      ...Object.values(common),
      faultMessages,
      orderRefusalMessages,
      groupRefusalMessages,
      decisionRefusalMessages,
      libraryRefusalMessages,
      requestRefusalMessages,
      settingsMessages,
      upgradeMessages,
      sourceReasons,
      hubAlarmMessages,
    ]),
  );
});

const tried = {
  plain: sentences('{count} {count|file|files} of {owner}', '{owner} 的 {count} 个文件'),
  around: sentences('It holds {parts}. {more}Look.', '其中有{parts}。{more}请查看。'),
  more: sentences('There is more. ', '还有更多。'),
};

test('a sentence has its particulars, other messages in its own language, and lists of them', () => {
  const file = { code: 'plain', params: { count: 1, owner: 'gate $& {count}' } } as const;
  expect(say(tried, file, 'en')).toBe('1 file of gate $& {count}');
  const both = {
    code: 'around',
    params: { parts: [file, { code: 'plain', params: { count: 2, owner: 'b' } }], more: [] },
  } as const;
  expect(say(tried, both, 'en')).toBe('It holds 1 file of gate $& {count}, 2 files of b. Look.');
  const more = { code: 'around', params: { ...both.params, more: { code: 'more', params: {} } } } as const;
  expect(say(tried, more, 'zh')).toBe('其中有gate $& {count} 的 1 个文件、b 的 2 个文件。还有更多。请查看。');
});

test.each([
  ['another code', { code: 'gone', params: {} }],
  ['a code of every object', { code: 'constructor', params: {} }],
  ['a particular missing', { code: 'plain', params: { count: 1 } }],
  ['a particular of another kind', { code: 'plain', params: { count: 1, owner: null } }],
  [
    'a message within it that is not known',
    { code: 'around', params: { parts: [{ code: 'gone', params: {} }], more: '' } },
  ],
  ['no message', 'plain'],
  ['nothing', null],
])('what a store has of another version is not made up: %s', (_, message) => {
  expect(translate(tried, message, 'zh')).toBeNull();
});

test('an alarm keeps its English sentence, and what its Chinese one is made from', () => {
  const alarm = alarmText(tried, { code: 'plain', params: { count: 2, owner: 'b' } }, { free: 1 });
  expect(alarm).toMatchObject({ message: '2 files of b', details: { free: 1 } });
  const stored: unknown = JSON.parse(JSON.stringify(alarm.details));
  expect(readAlarmText(tried, stored)).toEqual({ code: 'plain', messageZh: 'b 的 2 个文件' });
  for (const details of [null, {}, { told: 'plain' }, { told: { code: 'plain' } }]) {
    expect(readAlarmText(tried, details)).toEqual({ code: null, messageZh: null });
  }
  expect(readAlarmText({}, stored)).toEqual({ code: 'plain', messageZh: null });
});

test('alarms have their particulars in Chinese too', () => {
  const count = (code: string, value: number) => ({ code, params: { count: value } });
  expect(
    say(
      siteMessages,
      {
        code: 'disk_shed',
        params: { deleted: [count('shed_evidence', 3), count('shed_events', 1)] },
      },
      'zh',
    ),
  ).toMatch(/累计删除以下数据，总部均有保存：3 个证据文件、1 个事件。/);
  expect(
    say(
      siteMessages,
      {
        code: 'uplink_parked',
        params: { refused: [count('parked_events', 1), count('parked_verdicts', 2)] },
      },
      'zh',
    ),
  ).toMatch(/^总部拒收了 1 个事件、2 条研判、任务或事件组变更，已搁置。/);
  const what = [
    { code: 'lost_groups', params: {} },
    { code: 'lost_verdicts', params: {} },
  ];
  const lostToo = { code: 'others_lost', params: { what } };
  expect(
    say(
      siteMessages,
      {
        code: 'store_salvaged',
        params: {
          reason: 'malformed',
          aside: 'site.db.damaged',
          saved: { code: 'saved_some', params: { events: 7 } },
          others: [lostToo],
          devices: [],
          orders: [],
          keys: [{ code: 'keys_doubtful', params: {} }],
          tasks: [],
          rules: [],
          consumers: [],
          tables: [],
          log: [],
          missing: [{ code: 'events_lost', params: { events: 2 } }],
        },
      },
      'zh',
    ),
  ).toMatch(
    /（malformed），已另存为 site\.db\.damaged；恢复了 7 个事件，不是全部。至少丢失 2 个事件。以下数据也部分或全部丢失：事件组及其成员、研判结论和更正。密钥可能丢失/,
  );
});

test('the types refuse a sentence that lacks a particular, and a message that does', () => {
  // @ts-expect-error the Chinese sentence does not name the file
  expect(sentences('{file} is gone', '文件没有了')).toBeDefined();
  // @ts-expect-error the English sentence does not name the file
  expect(sentences('it is gone', '{file} 没有了')).toBeDefined();
  // @ts-expect-error there is no Chinese sentence
  expect(() => sentences('it is gone')).toThrow();
  // @ts-expect-error the owner is missing
  expect(say(tried, { code: 'plain', params: { count: 1 } }, 'en')).toBe('plain {"count":1}');
  // @ts-expect-error there is no such code
  expect(say(tried, { code: 'gone', params: {} }, 'en')).toBe('gone {}');
});

/** Whether a function of another file makes the alarm, and that file gives every one its code. */
function madeElsewhere(call: string, file: string, text: string): boolean {
  const [, maker] = /^alarms\.raise\(\s*(\w+)\(/.exec(call) ?? [];
  const [, from] = new RegExp(`import \\{[^}]*\\b${maker}\\b[^}]*\\} from '([^']+)'`).exec(text) ?? [];
  if (maker === undefined || from === undefined) return false;
  const made = readFileSync(path.resolve(path.dirname(file), from), 'utf8');
  const makers = made.match(/\): RaiseAlarm \{/g) ?? [];
  return makers.length > 0 && makers.length === (made.match(/\.\.\.alarmText\(/g) ?? []).length;
}

test('every alarm says what it says by a code of a catalogue', () => {
  const raising = sources()
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .filter(({ file, text }) => /alarms\.raise\(/.test(text) && !/\/(?:store|core\/alarm)\//.test(file));
  expect(raising.length).toBeGreaterThan(10);
  for (const { file, text } of raising) {
    for (const [call] of text.matchAll(
      /alarms\.raise\([^]*?clock\.now\(\)|alarms\.raise\([^]*?now,?\s*\)/g,
    )) {
      // Headquarters passes on what a site said.
      if (path.basename(file) !== 'report.ts' && !madeElsewhere(call, file, text))
        expect(call, file).toMatch(/\.\.\.(?:alarmText\(|text\b)/);
    }
  }
});

test('every code that a source names stands in a catalogue', () => {
  const known = new Set(Object.values(catalogues).flatMap((one) => Object.keys(one)));
  const used = sources().flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bcode: '([a-z_]+)',\s+params\b/g)].map(
      ([, code]) => code ?? '',
    ),
  );
  expect(used.length).toBeGreaterThan(50);
  expect(used.filter((code) => !known.has(code))).toEqual([]);
});

test('nothing is translated by a pattern over its English sentence', () => {
  const paired = /\[(?:\/[^/\n]+\/[a-z]*|'[^'\n]+'), *['`][^'`\n]*\p{Script=Han}[^'`\n]*['`]\]/u;
  for (const file of sources()) {
    // Rules of language, which read Chinese documents.
    if (/\/hq\/policy\//.test(file)) continue;
    const text = readFileSync(file, 'utf8');
    if (!/\p{Script=Han}/u.test(text)) continue;
    expect(text, file).not.toMatch(
      /new RegExp\(pattern\)|pattern\.test\(|\.message\)?\.(?:match|includes|startsWith)\(/,
    );
    if (!file.endsWith('-messages.ts')) expect([file, paired.exec(text)?.[0] ?? null]).toEqual([file, null]);
  }
});
