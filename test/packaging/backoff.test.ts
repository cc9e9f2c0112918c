// How long the service manager waits before the next start.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SCRIPT = path.resolve(import.meta.dirname, '../../packaging/deb/backoff.sh');
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-backoff-'));
  writeFileSync(path.join(dir, 'sleep'), '#!/bin/sh\necho "$1"\n');
  chmodSync(path.join(dir, 'sleep'), 0o755);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const run = (verb: string, result = ''): string =>
  execFileSync('sh', [SCRIPT, verb], {
    encoding: 'utf8',
    env: {
      PATH: `${dir}:/usr/bin:/bin`,
      RUNTIME_DIRECTORY: dir,
      STATE_DIRECTORY: dir,
      SERVICE_RESULT: result,
    },
  }).trim();
const waits = (): number => Number(run('wait') || '0');
const failures = (): string => path.join(dir, 'failures');

test('failures in a row make it wait 2, 4, 8, 16, 32 and at last 60 s, the 2 s of the unit included', () => {
  expect(waits()).toBe(0);
  expect(
    Array.from({ length: 8 }, () => {
      run('note', 'exit-code');
      return waits() + 2;
    }),
  ).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
});

test('how it ended is left to the program, which counts what nobody had asked for', () => {
  run('note', 'watchdog');
  expect(readFileSync(path.join(dir, 'last-end'), 'utf8')).toBe('watchdog\n');
});

test('a clean end, and a long life, begin anew; what is in the file does not matter', () => {
  for (let n = 0; n < 4; n += 1) run('note', 'watchdog');
  run('note', 'success');
  expect([waits(), existsSync(failures())]).toEqual([0, false]);
  for (let n = 0; n < 4; n += 1) run('note', 'signal');
  const before = Date.now() / 1000 - 660;
  utimesSync(failures(), before, before);
  run('note', 'signal');
  expect(waits()).toBe(0);
  writeFileSync(failures(), 'rubbish\n');
  expect(waits()).toBe(0);
  run('note', 'signal');
  run('note', 'signal');
  expect(waits()).toBe(2);
});
