// Which rows a browser keeps for when there is no link: the newest of each kind, and no more than fits.
import { expect, test } from 'vitest';
import {
  chosenRows,
  isKept,
  type KeptQuery,
  MOST_KEPT,
  OLDEST_MS,
} from '../../hq/console/session/kept-choice.ts';

const NOW = 1_700_000_000_000;
const query = (key: unknown[], age: number, data: unknown = 'x'): KeptQuery => ({ key, at: NOW - age, data });
const keys = (all: readonly KeptQuery[]): unknown[] => chosenRows(all, NOW).map(({ key }) => key);

test('the newest of each kind is kept, and three events with their course', () => {
  const events = [1, 2, 3, 4].flatMap((id) => [
    query(['event', id], id),
    query(['event', id, 'timeline'], 10 + id),
  ]);
  const lists = [
    query(['events', { q: 'old' }, 'pages'], 9, { pages: [['a'], ['b']], pageParams: [null, 'c'] }),
    query(['events', {}, 'pages'], 5, { pages: [['a'], ['b']], pageParams: [null, 'c'] }),
    query(['events', {}, 'head'], 4, ['a']),
    query(['events', 'unjudged', null], 3),
  ];
  const chosen = chosenRows([...events, ...lists, query(['alarms'], 0), query(['session'], 0)], NOW);
  expect(chosen.map(({ key }) => JSON.stringify(key)).toSorted()).toEqual(
    [
      ...[1, 2, 3].flatMap((id) => [`["event",${id}]`, `["event",${id},"timeline"]`]),
      ...['["events",{},"pages"]', '["events",{},"head"]', '["events","unjudged",null]'],
    ].toSorted(),
  );
  // Of a list that grew, its first page.
  expect(chosen.find(({ key }) => key[2] === 'pages')?.data).toEqual({ pages: [['a']], pageParams: [null] });
});

test('what is old, or known anew, or has no room is left out', () => {
  expect(keys([query(['event', 1], OLDEST_MS + 1)])).toEqual([]);
  expect(chosenRows([query(['event', 1], 5, 'before'), query(['event', 1], 1, 'now')], NOW)).toEqual([
    query(['event', 1], 1, 'now'),
  ]);
  const large = 'x'.repeat(MOST_KEPT);
  expect(keys([query(['event', 1], 1, large), query(['event', 2], 2)])).toEqual([['event', 2]]);
  const many = Array.from({ length: 50 }, (_, at) =>
    query(['event', 1, `part ${at}`], at, 'y'.repeat(20_000)),
  );
  expect(JSON.stringify(chosenRows(many, NOW)).length).toBeLessThanOrEqual(MOST_KEPT + 100);
});

test('of rules only what types are called is kept', () => {
  expect(isKept(['rules', 'event-types', 'acme'])).toBe(true);
  expect(isKept(['rules', 'acme'])).toBe(false);
  expect(isKept(['secrets'])).toBe(false);
});
