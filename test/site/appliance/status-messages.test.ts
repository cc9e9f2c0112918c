// What a technician reads, at the terminal, on the page and from the service manager.
import path from 'node:path';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { transportFault } from '../../../common/http/outbound/client.ts';
import { type Catalogue, say } from '../../../common/message.ts';
import { fold } from '../../../common/terminal/fold.ts';
import { displayWidth } from '../../../common/terminal/table.ts';
import { checkMessages } from '../../../site/cli/check-messages.ts';
import { Dialog } from '../../../site/cli/dialog.ts';
import { runCommand } from '../../../site/cli/main.ts';
import { statusScreen } from '../../../site/cli/status/screen.ts';
import { statusMessages } from '../../../site/cli/status/status-messages.ts';
import { readSiteConfig } from '../../../site/config.ts';
import { type LinkFault, siteMessages } from '../../../site/site-messages.ts';
import { judge } from '../../../site/status/judge.ts';
import { pageMessages } from '../../../site/status/page/page-messages.ts';
import type { SiteFacts } from '../../../site/status/schema.ts';
import { readAnswer } from '../../../site/uplink/answer.ts';
import { flowsOf } from '../../../site/uplink/flow/decide.ts';
import { faultView } from '../../../site/uplink/status.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const NOW = '2026-03-01T00:10:00.000Z';

const channel = (name: 'events' | 'verdicts'): SiteFacts['uplink']['channels'][number] => ({
  name,
  cursor: 10,
  head: 10,
  backlog: 0,
  backlogBytes: 0,
  oldestUnsentAt: null,
  lastAckAt: '2026-03-01T00:00:00.000Z',
  ...faultView(null),
  consecutiveFailures: 0,
  nextAttemptAt: null,
  sentTotal: 10,
  duplicateTotal: 0,
  parked: 0,
  conflicts: 0,
});
type Uplink = SiteFacts['uplink'];
const told = (uplink: Omit<Uplink, 'flows'>): Uplink => ({
  ...uplink,
  flows: flowsOf(uplink, Date.parse(NOW)),
});
const facts = (over: Partial<SiteFacts> = {}): SiteFacts => ({
  state: 'well',
  instance: 't7',
  version: '1',
  commit: '',
  epoch: 'e',
  now: NOW,
  uptimeSeconds: 5,
  dataDir: '/data',
  addresses: ['http://10.0.0.5:8080'],
  storing: { ok: true, reason: null, events: 10 },
  uplink: told({
    role: 'site',
    instance: 't7',
    epoch: 'e',
    enabled: true,
    link: 'up',
    tenants: null,
    channels: [channel('events'), channel('verdicts')],
    decisions: { waiting: 0, carriedOut: 0, refused: 0, failed: 0 },
    evidence: null,
    notifications: null,
    orders: null,
  }),
  lastBackup: null,
  unplannedEnds: {
    ...{ days: 30, count: 0, hangs: 0, lastAt: null, lastKind: null },
    stalls: { count: 0, longestSeconds: 0, lastAt: null, lastSeconds: null },
  },
  disk: {
    level: 'ok',
    capacityBytes: 1e9,
    usedBytes: 1e6,
    roomBytes: 9e8,
    reserveBytes: 1e7,
    dbBytes: 1,
    walBytes: 1,
    shed: { evidence: 0, evidenceBytes: 0, observations: 0, events: 0, lost: 0, lostBytes: 0 },
    refused: 0,
    guardSince: null,
    aside: [],
  },
  wear: {
    bytesWritten: null,
    diskBytesWritten: null,
    disk: null,
    lifeUsedPercent: null,
    endOfLife: null,
    events: 1,
    syncs: 1,
    walBytesWritten: 1,
    bytesPerEvent: 2000,
    syncsPerEvent: 1,
    bytesPerDay: null,
  },
  clock: { suspect: false, synchronized: true, lastStep: null },
  cameras: [],
  settings: null,
  integrity: { state: 'good', checkedAt: null, fault: null },
  alarms: [],
  history: { stepSeconds: 300, steps: [] },
  ...over,
});
const screen = (given: SiteFacts, language: 'zh' | 'en'): string =>
  statusScreen(given, { language, colour: false, columns: null });
const down = (failures: number): Uplink =>
  told({
    ...facts().uplink,
    link: 'down',
    channels: [
      {
        ...channel('events'),
        backlog: 7,
        consecutiveFailures: failures,
        ...faultView(transportFault('hq:443', 'ECONNREFUSED', '')),
        nextAttemptAt: '2026-03-01T00:11:00.000Z',
      },
      channel('verdicts'),
    ],
  });

test('what headquarters set is named with whose it is, and one that was taken back is to be looked at', () => {
  const settings = {
    version: 3,
    by: 'chief',
    since: NOW,
    inUse: [{ name: 'CORE_LOG_LEVEL', value: 'debug' }],
  };
  const lineOf = (state: 'in_force' | 'taken_back', inUse = settings.inUse): string =>
    screen(facts({ settings: { ...settings, state, inUse } }), 'en');
  expect(screen(facts(), 'en')).not.toContain('settings');
  expect(lineOf('in_force')).toMatch(
    /settings +CORE_LOG_LEVEL=debug; version 3 of headquarters, by chief: in use/,
  );
  expect(lineOf('taken_back', [])).toContain('none of headquarters in use; version 3 of headquarters');
  expect(screen(facts({ settings: { ...settings, state: 'refused' } }), 'zh')).toContain('已拒绝');
});

test('before the first try after a start the link is not said to be cut off, and nothing is wrong', () => {
  const { state: _, ...untried } = facts({ uplink: { ...facts().uplink, link: 'down' } });
  expect(judge(untried)).toBe('well');
  expect(screen({ ...untried, state: 'well' }, 'en')).toMatch(
    /headquarters +not tried yet, last answer 10 min ago/,
  );
  const { state: __, ...failed } = facts({ uplink: down(3) });
  expect(judge(failed)).toBe('look');
});

test('the first line says what to look at, and a broken link why and when it is tried again', () => {
  const look = facts({
    state: 'look',
    uplink: down(3),
    cameras: [
      {
        keyId: 'k',
        name: 'gate',
        tenantCode: 'a',
        lastEventAt: null,
        events: 0,
        silent: true,
        connection: null,
        kind: null,
        refused: null,
        refs: [],
      },
    ],
  });
  expect(screen(look, 'en')).toMatch(/^● TAKE A LOOK: headquarters, cameras\n/);
  expect(screen(look, 'en')).toContain(
    'CUT OFF, last answer 10 min ago; nothing listens at hq:443 (ECONNREFUSED); check the address and port, ' +
      'or wait until it is up again; next try in 60 s',
  );
  expect(screen(look, 'zh')).toMatch(/^● 需要查看：总部，摄像机\n/);
  expect(screen(look, 'zh')).toContain(
    '已断开，上次应答 10 分钟前；hq:443 没有程序监听（ECONNREFUSED），请核对地址和端口，或等对方恢复；60 秒后再试',
  );
});

test('one of a thing is told as one, and what waits or is parked by its own name', () => {
  const one = facts({
    state: 'look',
    storing: { ok: true, reason: null, events: 1 },
    wear: { ...facts().wear, events: 100 },
    uplink: told({
      ...facts().uplink,
      channels: [
        { ...channel('events'), parked: 1, backlog: 1, oldestUnsentAt: '2026-03-01T00:00:00.000Z' },
        { ...channel('verdicts'), backlog: 2, oldestUnsentAt: '2026-02-28T00:00:00.000Z' },
      ],
    }),
    disk: {
      ...facts().disk,
      refused: 1,
      shed: { evidence: 1, evidenceBytes: 1, observations: 0, events: 2, lost: 0, lostBytes: 0 },
    },
  });
  const said = screen(one, 'en');
  expect(said).toMatch(/^● TAKE A LOOK: parked, backlog\n/);
  for (const text of [
    '1 event kept in /data',
    '1 request refused',
    '1 evidence file, 2 events',
    '2.0 KiB and 1 sync per event',
    '1 parked; see:',
  ])
    expect(said).toContain(text);
  expect(screen(one, 'zh')).toMatch(/^● 需要查看：搁置，积压\n/);
  expect(said).not.toMatch(/\d{4}-\d\d-\d\dT/);
  expect(screen({ ...one, wear: { ...one.wear, events: 3, bytesPerDay: 3_000_000 } }, 'en')).toContain(
    '2.9 MiB written a day; 3 events since start, too few for a figure',
  );
});

test('what travels beside the channels is told with its bytes, its age and why it does not go', () => {
  const tries = { consecutiveFailures: 4, nextAttemptAt: NOW };
  const hangs = faultView(transportFault('hq:443', 'ETIMEDOUT', ''));
  const more = { lastAckAt: null };
  const uplink = told({
    ...facts().uplink,
    channels: [
      channel('events'),
      { ...channel('verdicts'), backlog: 2, backlogBytes: 2_048, oldestUnsentAt: '2026-03-01T00:08:00.000Z' },
    ],
    evidence: {
      ...{ ...tries, ...hangs, ...more, mode: 'on_demand', kbps: null, awaited: 0, orders: 0 },
      ...{ backlog: 3, backlogBytes: 5_000_000, oldestWaitingAt: '2026-02-28T23:10:00.000Z' },
      previews: { waiting: 0, sent: 0, bytes: 0, unreadable: 0, refused: 0 },
      ...{ sentFiles: 1, sentBytes: 9 },
    },
    notifications: {
      ...{ ...tries, ...faultView(null), ...more, underWay: 0, delivered: 2, failed: 0, takenBack: 0 },
      ...{ backlog: 1, backlogBytes: 300, oldestWaitingAt: '2026-02-28T23:50:00.000Z' },
    },
    orders: {
      ...{ ...tries, ...faultView(null), carriedOut: 3, refused: 1, failed: 0 },
      ...{ backlog: 1, backlogBytes: null, oldestWaitingAt: '2026-03-01T00:09:00.000Z' },
    },
  });
  const waits = (over: Partial<Uplink>): string => judge(facts({ uplink: told({ ...uplink, ...over }) }));
  expect(waits({})).toBe('look');
  expect(waits({ evidence: null, notifications: null })).toBe('well');
  // A cap on evidence may hold it for hours.
  const slow = uplink.evidence && { ...uplink.evidence, consecutiveFailures: 0 };
  expect(waits({ evidence: slow, notifications: null })).toBe('well');
  expect(waits({ notifications: null })).toBe('look');
  const given = facts({ state: 'look', uplink });
  const said = screen(given, 'en');
  for (const text of [
    /verdicts, tasks +2 waiting \(2\.0 KiB\), the oldest for 2 min, 10 sent/,
    /evidence +3 waiting \(4\.8 MiB\), the oldest for 60 min, 1 file sent since start; .*ETIMEDOUT/,
    /messages +1 waiting \(300 B\), the oldest for 20 min, 2 delivered by headquarters since start/,
    /orders +1 under way, the oldest for 60 s, 3 carried out and 1 refused since start/,
  ])
    expect(said).toMatch(text);
  expect(screen(given, 'zh')).toMatch(/证据 +3 条待上传（?.*4\.8 MiB/);
});

test('lines are folded to the terminal, whole words and figures with their units, and nothing is lost', () => {
  const given = facts({
    state: 'look',
    uplink: down(3),
    alarms: [
      {
        key: 'disk_full',
        severity: 'critical',
        message: 'The disk is full. '.repeat(8),
        code: 'disk_full',
        messageZh: '磁盘已满，新事件被拒绝。'.repeat(8),
        count: 1,
        raisedAt: NOW,
      },
    ],
  });
  for (const language of ['zh', 'en'] as const) {
    const open = screen(given, language);
    for (const columns of [40, 60, 80]) {
      const folded = statusScreen(given, { language, colour: false, columns });
      const lines = folded.split('\n').slice(2);
      expect(
        lines.filter(
          (line) => displayWidth(line) > columns && line.trim().includes(' ') && !/\S{20}/.test(line),
        ),
      ).toEqual([]);
      expect(folded.replace(/\s+/g, '')).toBe(open.replace(/\s+/g, ''));
      expect(folded).not.toMatch(/\d\n +(?:s|min|MiB|秒)\b/);
    }
  }
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'word', '已', '断，', '12', 's', '127.0.0.1:8090', '。'), {
        maxLength: 40,
      }),
      fc.integer({ min: 10, max: 40 }),
      (parts, width) => {
        const text = parts.join(' ');
        const lines = fold(text, width);
        expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        for (const line of lines)
          expect(displayWidth(line) <= width || !/\S \S/.test(line) || /^\d+ \S+$/.test(line)).toBe(true);
      },
    ),
  );
});

test('why the link is down is told in Chinese whatever the reason, with its particulars', () => {
  const systems = [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ETIMEDOUT',
    'ECONNRESET',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'CERT_HAS_EXPIRED',
  ];
  const hosts = systems.map((code): LinkFault => ({
    code: 'hub_unreachable',
    params: { fault: transportFault('hq.example:443', code, `connect ${code}`) },
  }));
  const http = (status: number, error: string, more = {}): LinkFault => {
    const body = Buffer.from(JSON.stringify({ error, message: 'm', ...more }));
    const outcome = readAnswer({ marks: [] } as never, { status, headers: {}, body }, Date.parse(NOW));
    if (outcome.kind !== 'failed') throw new Error(outcome.kind);
    return outcome.fault;
  };
  const answers = [
    http(401, 'bad_signature'),
    http(401, 'clock_skew', { serverUnixSeconds: 1 }),
    http(403, 'forbidden'),
    http(404, 'not_found'),
    http(400, 'protocol_unsupported'),
    http(503, 'busy'),
    http(429, 'slow'),
    http(500, 'internal'),
    http(507, 'evidence_limit'),
    http(418, 'tea'),
  ];
  expect(answers.map(({ code }) => code)).toEqual([
    'hub_refused_key',
    'clock_ahead',
    'hub_refused_site',
    'no_uplink_there',
    'hub_older_protocol',
    'hub_busy',
    'hub_busy',
    'hub_failed',
    'hub_full',
    'hub_answered',
  ]);
  for (const [index, system] of systems.entries()) {
    const told = say(siteMessages, hosts[index] as LinkFault, 'zh');
    expect(told).toMatch(/^连不上总部：/);
    expect(told).toContain('hq.example:443');
    expect(told).toContain(system);
  }
  for (const fault of [...hosts, ...answers])
    expect(say(siteMessages, fault, 'zh')).toMatch(/\p{Script=Han}{4}/u);
  expect(say(siteMessages, answers[1] as LinkFault, 'zh')).toMatch(/本机时钟快 \d+ 秒/);
});

test('each command explains itself when it is asked to, without a running site', async () => {
  const neverRead = (): never => {
    throw new Error('a help needs no configuration');
  };
  const said = async (...argv: string[]): Promise<string> => {
    const out: string[] = [];
    const terminal = { out: (text: string) => void out.push(text) };
    expect(await runCommand(argv, { env: {}, readConfig: neverRead, terminal })).toBe(0);
    return out.join('');
  };
  expect(
    (await said('parked', '--help'))
      .split('\n')
      .filter((line) => line.startsWith('  parked'))
      .map((line) => line.trim().split(' ')[1]),
  ).toEqual(['list', 'show', 'replay', 'discard']);
  expect(await said('setup', '-h')).toMatch(/^Usage: fieldline-site setup \[--instance NAME\] [^]*--ca FILE/);
  expect(await said('run', '--help')).toMatch(/^Usage: fieldline-site run\n/);
  expect(await said('help', 'node', 'add', '--lang', 'zh')).toMatch(
    /^用法：fieldline-site node add [^]*（必填）/,
  );
});

test('answers that are pasted at once wait for their questions, and an end before an answer saves nothing', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const dialog = new Dialog(input, output);
  input.write('tunnel-7\n https://hq.example \nid:');
  expect([await dialog.ask('Name: '), await dialog.ask('Address: ')]).toEqual([
    'tunnel-7',
    'https://hq.example',
  ]);
  const key = dialog.ask('Key: ');
  input.end('secret\n');
  expect(await key).toBe('id:secret');
  await expect(dialog.ask('More: ')).rejects.toThrow('Nothing was saved.');
  dialog.close();
  expect(String(output.read())).toMatch(/Name: [^]*Address: [^]*Key: /);
});

test('the checks speak Chinese when they are asked to, and name what to do', async () => {
  const out: string[] = [];
  const config = readSiteConfig({ CORE_DATA_DIR: path.join(ROOT, 'no-such-folder') });
  expect(
    await runCommand(['check', '--lang', 'zh'], {
      env: {},
      readConfig: () => config,
      terminal: { out: (text: string) => void out.push(text) },
    }),
  ).toBe(2);
  expect(out.join('')).toMatch(/^故障 +服务 +本地套接字没有应答；[^\n]*systemctl status fieldline-site/);
});

test('an alarm is told in the language of the reader, in English where it has no Chinese text', () => {
  const one = {
    key: 'disk_full',
    severity: 'critical' as const,
    message: 'The disk is full.',
    count: 1,
    raisedAt: NOW,
  };
  const bad = facts({
    state: 'bad',
    alarms: [
      { ...one, code: 'disk_full', messageZh: '磁盘已满。' },
      { ...one, key: 'old', code: null, messageZh: null },
    ],
  });
  expect(screen(bad, 'zh')).toMatch(/disk_full，已 0 秒：磁盘已满。\n +old，已 0 秒：The disk is full\.\n/);
  expect(screen(bad, 'en')).toMatch(/disk_full, for 0 s: The disk is full\.\n/);
});

test('what is said in Chinese is Chinese', () => {
  const said: Catalogue = { ...pageMessages, ...statusMessages, ...checkMessages };
  for (const [key, { zh }] of Object.entries(said))
    if (key !== 'other' && /[a-z]{2}/i.test(zh.replaceAll(/\{\w+\}/g, '')))
      expect(zh, key).toMatch(/[\u4e00-\u9fff]/);
});

test('what waits behind tries that fail again and again is worth a look before ten minutes are over', () => {
  const evidence = (failures: number): Uplink => {
    const { uplink } = facts();
    const tries = { ...faultView(transportFault('hq:443', 'ECONNREFUSED', '')), nextAttemptAt: null };
    const waiting = { backlog: 3, backlogBytes: 30, oldestWaitingAt: NOW, consecutiveFailures: failures };
    return told({ ...uplink, evidence: { ...tries, ...waiting } as never });
  };
  const state = (failures: number): string => judge({ ...facts(), uplink: evidence(failures) });
  expect(state(2)).toBe('well');
  expect(state(3)).toBe('look');
});
