// A stop of the event loop is found by the process's own clock; a suspended machine or a set clock is none.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AlarmPort, AlarmRecord, RaiseAlarm } from '../../common/core/alarm/port.ts';
import { Stalls } from '../../common/core/run/stalls.ts';
import { silentLogger } from '../../common/log.ts';
import { HOUR, SECOND, TestClock } from '../support/clock.ts';

let dir: string;
let clock: TestClock;
let computed: number;
let raised: RaiseAlarm[];
let cleared: number;
let refusing: boolean;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-stalls-'));
  clock = new TestClock();
  computed = 0;
  raised = [];
  cleared = 0;
  refusing = false;
});
afterEach(() => rmSync(dir, { recursive: true }));

const make = (): Stalls =>
  new Stalls({
    ...{ dir, clock, log: silentLogger() },
    time: () => ({ monotonic: clock.monotonic(), computed }),
  });

/** Keeps the one alarm that is raised here. */
const alarms = {
  raise: (alarm: RaiseAlarm, now: number) => {
    if (refusing) return Promise.reject(new Error('the disk is full'));
    raised.push(alarm);
    standing = [{ ...alarm, lastAt: now } as unknown as AlarmRecord];
    return Promise.resolve(true);
  },
  list: () => Promise.resolve(standing),
  clear: () => {
    cleared += 1;
    standing = [];
    return Promise.resolve(true);
  },
} as unknown as AlarmPort;
let standing: AlarmRecord[] = [];

function pass(stalls: Stalls, ms: number, computing = 0): void {
  clock.advance(ms);
  computed += computing;
  stalls.turn();
}

test('is counted with how long it was, and raised with when it began', async () => {
  const stalls = make();
  pass(stalls, 5_000);
  expect(stalls.view()).toEqual({ count: 0, longestSeconds: 0, lastAt: null, lastSeconds: null });
  const began = clock.now();
  pass(stalls, 60_500);
  await stalls.tell(alarms, 'site-1');
  expect(stalls.view()).toMatchObject({ count: 1, longestSeconds: 60, lastSeconds: 60 });
  expect(raised).toMatchObject([
    { key: 'program_stalled', severity: 'warning', since: began + 500, instance: 'site-1' },
  ]);
  expect(raised[0]?.message).toMatch(/did not run for 60 seconds, until .*: it was stopped, or waited/);
  pass(stalls, 8_000, 7_900);
  await stalls.tell(alarms, 'site-1');
  expect(raised[1]?.message).toContain('it was computing all the while');
  pass(stalls, 8_000);
  await stalls.tell(alarms, 'site-1');
  expect(raised[2]).toMatchObject({ severity: 'critical' });
  expect(raised[2]?.message).toContain('This has happened 3 times within 1 hour.');
  expect(stalls.view()).toMatchObject({ count: 3, longestSeconds: 60, lastSeconds: 8 });
});

test('neither a step of the clock nor a suspended machine is one', async () => {
  const stalls = make();
  clock.step(HOUR);
  pass(stalls, 500);
  clock.step(-2 * HOUR);
  pass(stalls, 500);
  await stalls.tell(alarms, 'site-1');
  expect(stalls.view().count).toBe(0);
  expect(raised).toEqual([]);
});

test('the alarm stands for a day after the last; what could not be stored is raised later', async () => {
  const stalls = make();
  refusing = true;
  pass(stalls, 9_000);
  await expect(stalls.tell(alarms, 'site-1')).rejects.toThrow('full');
  refusing = false;
  await stalls.tell(alarms, 'site-1');
  await stalls.tell(alarms, 'site-1');
  expect(raised).toHaveLength(1);
  clock.step(24 * HOUR - SECOND);
  await stalls.tell(alarms, 'site-1');
  expect(cleared).toBe(0);
  clock.step(SECOND);
  await stalls.tell(alarms, 'site-1');
  expect(cleared).toBe(1);
});

test('those of before are known after a start; a file that cannot be read stops nothing', async () => {
  pass(make(), 9_000);
  const next = make();
  next.begin(alarms, 'site-1');
  expect(next.view()).toMatchObject({ count: 1, lastSeconds: 9 });
  await next.end();
  writeFileSync(path.join(dir, 'stalls.json'), 'rubbish');
  const last = make();
  last.begin(alarms, 'site-1');
  expect(last.view().count).toBe(0);
  await last.end();
});
