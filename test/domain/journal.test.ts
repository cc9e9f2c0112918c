// The journal of a service as `logs` shows it. What journalctl prints is played by a program of its name: a
// machine that runs the tests need not have systemd. The real one is asked in the appliance's tests.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterAll, expect, test } from 'vitest';
import { readArchive } from '../../common/archive.ts';
import { withPriority } from '../../common/log.ts';
import { readEntry, renderEntry } from '../../common/terminal/journal/entry.ts';
import { type, type Typed } from '../support/command.ts';

const dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-journal-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const at = (micros: number, more: object): string =>
  JSON.stringify({ __REALTIME_TIMESTAMP: String(1_763_800_000_000_000 + micros), PRIORITY: '6', ...more });
const LINES = [
  at(0, { MESSAGE: 'Starting fieldline-site.service - Fieldline site...', SYSLOG_IDENTIFIER: 'systemd' }),
  at(5_000, {
    PRIORITY: '4',
    MESSAGE: JSON.stringify({
      level: 40,
      time: '2025-11-22T08:26:40.004Z',
      pid: 7,
      hostname: 'gw',
      name: 'fieldline-site',
      consumer: 'night shift',
      err: { type: 'Error', message: 'connect ECONNREFUSED', stack: 'Error: connect\n    at here' },
      attempts: 3,
      msg: 'a push failed',
    }),
  }),
  'not of the journal at all',
];

/** A journalctl that prints its arguments into a file and the lines given. */
function machineWith(name: string, lines: readonly string[], exit = 0, said = ''): string {
  const bin = path.join(dir, name);
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'lines'), lines.map((line) => `${line}\n`).join(''));
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > "${bin}/args"\n/bin/cat "${bin}/lines"\n`;
  writeFileSync(path.join(bin, 'journalctl'), `${script}echo '${said}' >&2\nexit ${exit}\n`, { mode: 0o755 });
  return bin;
}

const logs = (bin: string, ...argv: string[]): Promise<Typed> =>
  type('site/main.ts', ['logs', ...argv], { PATH: bin, TZ: 'Asia/Shanghai', CORE_DATA_DIR: dir });

test('each entry is a line with its time and zone, its level in a word, and what it is about', async () => {
  const { code, out, err } = await logs(machineWith('some', LINES), '--since', '-1h', '--level', 'info');
  expect([code, err]).toEqual([0, '']);
  expect(out.split('\n')).toEqual([
    '2025-11-22 16:26:40 UTC+08:00  info   Starting fieldline-site.service - Fieldline site...',
    '2025-11-22 16:26:40 UTC+08:00  warn   a push failed  consumer="night shift"  ' +
      'err="connect ECONNREFUSED"  attempts=3',
    '',
  ]);
});

test('as JSON an entry keeps all that it has', async () => {
  const { out } = await logs(machineWith('json', LINES), '--json');
  const entries = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(entries).toMatchObject([
    { at: '2025-11-22T08:26:40.000Z', level: 'info' },
    { level: 'warn', message: 'a push failed', fields: { attempts: 3, err: { type: 'Error' } } },
  ]);
});

test('a machine without a journal, one that may not be read and an empty one say so', async () => {
  const bare = path.join(dir, 'bare');
  mkdirSync(bare);
  expect(await logs(bare)).toMatchObject({ code: 2, err: expect.stringContaining('no journalctl here') });
  const refused = await logs(machineWith('refused', [], 1, 'No journal files were opened'));
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('No journal files were opened') });
  expect(refused.err).toContain('systemd-journal');
  expect(await logs(machineWith('empty', []))).toMatchObject({
    code: 0,
    out: 'The journal has nothing of fieldline-site.service that fits.\n',
  });
  expect(await logs(bare, '--lines', '0')).toMatchObject({ code: 2 });
});

test('what an entry holds cannot move the cursor of a terminal or add a line', () => {
  const bytes = [...Buffer.from('bad \u001b[2J\nname')];
  const entry = readEntry(at(0, { MESSAGE: bytes, PRIORITY: '3' }));
  expect(entry && renderEntry(entry)).toMatch(/error {2}bad {2}\[2J name$/);
  for (const odd of ['', '[]', '{"MESSAGE":"x"}', '{"__REALTIME_TIMESTAMP":"soon"}'])
    expect(readEntry(odd)).toBeNull();
  expect(readEntry(at(0, { MESSAGE: null }))?.message).toBe('');
});

test('under systemd each line of the log says its priority', () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, withPriority({ write: (line) => lines.push(line) }));
  for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const) log[level](level);
  expect(lines.map((line) => /^<(\d)>\{.*\}\n$/.exec(line)?.[1])).toEqual(['2', '3', '4', '6', '7', '7']);
});

test('the archive for support holds the end of the journal', async () => {
  const file = path.join(dir, 'support.tgz');
  const env = { PATH: machineWith('support', LINES), CORE_DATA_DIR: dir, CORE_INSTANCE: 'tunnel-7' };
  expect(await type('site/main.ts', ['bundle', file], env)).toMatchObject({ code: 0, err: '' });
  const texts = new Map<string, string>();
  await readArchive(file, async (name, _size, parts) => {
    const chunks: Buffer[] = [];
    for await (const part of parts) chunks.push(part);
    texts.set(name, Buffer.concat(chunks).toString('utf8'));
  });
  expect(texts.get('journal.txt')).toContain('a push failed');
  expect(texts.get('unit.txt')).toContain('no systemctl on this machine');
});
