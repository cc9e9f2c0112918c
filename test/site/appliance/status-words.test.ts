// What a technician reads, at the terminal, on the page and from the service manager.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../../site/cli/main.ts';
import { statusScreen } from '../../../site/cli/status-screen.ts';
import { checkWords } from '../../../site/cli/check-words.ts';
import { words } from '../../../site/cli/status-words.ts';
import { readSiteConfig } from '../../../site/config.ts';
import { chineseOf } from '../../../site/status/alarm-words.ts';
import { judge } from '../../../site/status/judge.ts';
import { script } from '../../../site/status/page-script.ts';
import type { SiteFacts } from '../../../site/status/schema.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const NOW = '2026-03-01T00:10:00.000Z';

const channel = (name: 'events' | 'verdicts'): SiteFacts['uplink']['channels'][number] => ({
  name, cursor: 10, head: 10, backlog: 0, backlogBytes: 0, oldestUnsentAt: null, lastAckAt: '2026-03-01T00:00:00.000Z', lastError: null, consecutiveFailures: 0, nextAttemptAt: null,
  sentTotal: 10, duplicateTotal: 0, parked: 0,
});
const facts = (over: Partial<SiteFacts> = {}): SiteFacts => ({
  state: 'well', instance: 't7', version: '1', commit: '', epoch: 'e', now: NOW, uptimeSeconds: 5, dataDir: '/data', storing: { ok: true, reason: null },
  uplink: { role: 'site', instance: 't7', epoch: 'e', enabled: true, link: 'up', channels: [channel('events'), channel('verdicts')] },
  disk: { level: 'ok', capacityBytes: 1e9, usedBytes: 1e6, roomBytes: 9e8, reserveBytes: 1e7, dbBytes: 1, walBytes: 1, shed: { evidence: 0, evidenceBytes: 0, observations: 0, events: 0 }, refused: 0, guardSince: null, aside: [] },
  wear: { bytesWritten: null, diskBytesWritten: null, disk: null, lifeUsedPercent: null, endOfLife: null, events: 1, syncs: 1, walBytesWritten: 1, bytesPerEvent: 2000, syncsPerEvent: 1 },
  clock: { suspect: false, synchronized: true, lastStep: null }, cameras: [], integrity: { state: 'good', checkedAt: null, fault: null }, alarms: [], history: { stepSeconds: 300, steps: [] }, ...over,
});
const screen = (given: SiteFacts, language: 'zh' | 'en'): string => statusScreen(given, { language, colour: false });
const down = (failures: number): SiteFacts['uplink'] => ({
  ...facts().uplink, link: 'down', channels: [{ ...channel('events'), backlog: 7, consecutiveFailures: failures, lastError: 'ECONNREFUSED', nextAttemptAt: '2026-03-01T00:11:00.000Z' }, channel('verdicts')],
});

test('before the first try after a start the link is not said to be cut off, and nothing is wrong', () => {
  const { state: _, ...untried } = facts({ uplink: { ...facts().uplink, link: 'down' } });
  expect(judge(untried, Date.parse(NOW))).toBe('well');
  expect(screen({ ...untried, state: 'well' }, 'en')).toMatch(/headquarters +not tried yet, last answer 10 min ago/);
  const { state: __, ...failed } = facts({ uplink: down(3) });
  expect(judge(failed, Date.parse(NOW))).toBe('look');
});

test('the first line says what to look at, and a broken link why and when it is tried again', () => {
  const look = facts({ state: 'look', uplink: down(3), cameras: [{ keyId: 'k', name: 'gate', tenantCode: 'a', lastEventAt: null, events: 0, silent: true }] });
  expect(screen(look, 'en')).toMatch(/^● TAKE A LOOK: headquarters, cameras\n/);
  expect(screen(look, 'en')).toContain('CUT OFF, last answer 10 min ago; last error: ECONNREFUSED; next try in 60 s');
  expect(screen(look, 'zh')).toMatch(/^● 需要查看：总部，摄像机\n/);
  expect(screen(look, 'zh')).toContain('已断开，上次应答 10 分钟前；上次错误：ECONNREFUSED；60 秒后再试');
});

test('the checks speak Chinese when they are asked to, and name what to do', async () => {
  const out: string[] = [];
  const config = readSiteConfig({ CORE_DATA_DIR: path.join(ROOT, 'no-such-folder') });
  expect(await runCommand(['check', '--lang', 'zh'], config, { out: (text: string) => void out.push(text) } as never)).toBe(2);
  expect(out.join('')).toMatch(/^BAD +服务 +本地套接字没有应答；[^\n]*systemctl status fieldline-site/);
});

test('an alarm is told in Chinese with what to do, and its message below', () => {
  const one = facts({ state: 'bad', alarms: [{ key: 'disk_full', severity: 'critical', message: 'The disk is full.', count: 1, raisedAt: NOW }] });
  expect(screen(one, 'zh')).toMatch(/disk_full，已 0 秒：磁盘已满，[^\n]+\n +The disk is full\.\n/);
  expect(screen(one, 'en')).toMatch(/disk_full, for 0 s: The disk is full\.\n/);
});

/** Keys of alarms that the sources of a site raise. */
function alarmKeys(): string[] {
  const files = ['common/agent', 'common/core', 'site'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts')).map((name) => path.join(ROOT, folder, name)));
  const keys = files.map((file) => readFileSync(file, 'utf8')).filter((text) => /AlarmPort|alarms\.raise/.test(text)).flatMap((text) => [
    ...[...text.matchAll(/(?:_ALARM|DAMAGED|STALE) = '([a-z_]+)'/g)].map(([, key]) => key ?? ''),
    ...[...text.matchAll(/raise\(\{\s*key: ['`]([a-z_]+)/g)].map(([, key]) => key ?? ''),
    ...[...text.matchAll(/(?:raise|this\.raise)\('([a-z_]+)'/g)].map(([, key]) => key ?? ''),
    ...[...text.matchAll(/Alarm(?:Key)? = [^\n]*=> `([a-z_]+):/g)].map(([, key]) => key ?? ''), ...[...text.matchAll(/alarmKey = [^\n]*`([a-z_]+):/g)].map(([, key]) => key ?? ''),
    ...[...text.matchAll(/DISK_ALARMS = \{([^}]*)\}/g)].flatMap(([, list]) => [...(list ?? '').matchAll(/'([a-z_]+)'/g)].map(([, key]) => key ?? '')),
  ]);
  return [...new Set(keys)].sort();
}

test('every alarm that a site can raise has its words in Chinese', () => {
  const keys = alarmKeys();
  expect(keys.length).toBeGreaterThan(15);
  expect(keys.filter((key) => chineseOf(key) === null)).toEqual([]);
});

test('the page is a script as it stands, with the same words in both languages', () => {
  expect(() => new Function(script)).not.toThrow();
  const found = /const words = (\{[^]*?\n\});/.exec(script)?.[1] ?? '';
  const page = new Function(`return ${found}`)() as Record<'zh' | 'en', Record<string, unknown>>;
  expect(Object.keys(page.zh).sort()).toEqual(Object.keys(page.en).sort());
  const used = [...script.matchAll(/\bt\('([a-zA-Z_]+)'\)/g)].map(([, key]) => key ?? '');
  expect(used.filter((key) => !(key in page.zh))).toEqual([]);
  for (const [key, text] of [...Object.entries(page.zh), ...Object.entries(words.zh), ...Object.entries(checkWords.zh)]) {
    if (typeof text === 'string' && key !== 'other' && /[a-z]{2}/i.test(text)) expect(text, key).toMatch(/[\u4e00-\u9fff]/);
  }
});
