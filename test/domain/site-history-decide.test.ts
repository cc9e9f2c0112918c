// What a site tells of its last day, and in which zone it lies.
import { expect, test } from 'vitest';
import { daysLeft, hoursOf } from '../../site/status/decide.ts';
import { machineZone } from '../../site/status/zone.ts';

const step = (clock: string, received = 0, backlog = 0, room: number | null = null) => ({
  at: `2026-03-01T${clock}:00.000Z`,
  received,
  backlog,
  room,
});

test('an hour has the sum of what came, the most that waited and the least room', () => {
  expect(
    hoursOf([step('00:50', 2, 9, 70), step('01:00', 3, 1), step('01:05', 4, 7, 60), step('01:10', 0, 0, 80)]),
  ).toEqual([
    { at: '2026-03-01T00:00:00.000Z', received: 2, backlog: 9, room_bytes: 70 },
    { at: '2026-03-01T01:00:00.000Z', received: 7, backlog: 7, room_bytes: 60 },
  ]);
  expect(hoursOf([step('03:00')])[0]?.room_bytes).toBeNull();
  expect(hoursOf([])).toEqual([]);
});

test.each([
  [[step('00:00', 0, 0, 1_000), step('12:00', 0, 0, 900)], 4],
  [[step('00:00', 0, 0, 1_000), step('06:00'), step('12:00', 0, 0, 999)], 499],
  [[step('00:00', 0, 0, 1_000), step('05:55', 0, 0, 10)], null],
  [[step('00:00', 0, 0, 900), step('12:00', 0, 0, 900)], null],
  [[step('00:00', 0, 0, 900), step('12:00', 0, 0, 950)], null],
  [[step('00:00'), step('12:00')], null],
  [[], null],
])('days until the disk is full: %j', (steps, days) => {
  expect(daysLeft(steps)).toBe(days);
});

test('a zone that the machine cannot name is told by its offset', () => {
  expect(machineZone('Asia/Shanghai', 480)).toBe('Asia/Shanghai');
  expect(machineZone('UTC', 0)).toBe('UTC');
  expect(machineZone('Etc/Unknown', 480)).toBe('+08:00');
  expect(machineZone('Nowhere/At_All', -210)).toBe('-03:30');
});
