// What the index of events keeps of an event, what a verdict moves, what an hour counts, what a filter asks.
import { expect, test } from 'vitest';
import { entryOf, type IndexedRow, newEntry } from '../../common/core/event/index/entry.ts';
import { askedOf, sqlOfConditions } from '../../common/core/event/index/filter.ts';
import { countsOf, planRound, type Rejudged } from '../../common/core/event/index/plan.ts';
import { DAY_MS, HOUR_MS } from '../../common/core/event/index/window.ts';

const row = (over: Partial<IndexedRow> = {}): IndexedRow => ({
  id: 1,
  tenant: 'acme',
  type: 'a.b',
  kind: 'alert',
  source: 'video',
  test: false,
  severity: null,
  instance: null,
  at: 10,
  verdict: null,
  correctedTo: null,
  judged: null,
  doc: JSON.stringify({ siteRef: 's', cameraRef: 'c', judged: { type: 'person' } }),
  ...over,
});
const groupOf = (over: Partial<IndexedRow>) => JSON.parse(entryOf(row(over)).group) as unknown[];

test('an event is in a group by what it is counted by, and at a place', () => {
  const plain = ['acme', 'a.b', 'alert', 'video', null, null, false, true, 'person'];
  // One without a severity counts as medium.
  expect(groupOf({})).toEqual([...plain, 'medium', null]);
  expect(groupOf({ severity: 'critical', instance: 'site-1' })).toEqual([...plain, 'critical', 'site-1']);
  expect(JSON.parse(entryOf(row()).place)).toEqual(['acme', 's', 'c', null]);
  expect(JSON.parse(entryOf(row({ instance: 'site-1' })).place)).toEqual(['acme', 's', 'c', 'site-1']);
  expect(JSON.parse(entryOf(row({ doc: '{}' })).place)).toEqual(['acme', null, null, null]);
});

test.each([
  ['a verdict alone leaves the judgement of the event', null, [true, 'person']],
  ['one that brought a judgement goes before it', '{"type":"vehicle"}', [true, 'vehicle']],
  ['also one without a type', '{}', [true, null]],
])('%s', (_name, judged, expected) => {
  expect(groupOf({ verdict: 'confirmed', judged }).slice(4, 9)).toEqual([
    'confirmed',
    null,
    false,
    ...expected,
  ]);
});

test('what is known at intake gives the same as the row', () => {
  const { doc: _doc, verdict: _verdict, correctedTo: _correctedTo, judged: _judged, ...columns } = row();
  expect(newEntry(columns, { siteRef: 's', cameraRef: 'c', judged: true, judgedType: 'person' })).toEqual(
    expect.objectContaining({
      group: entryOf(row()).group,
      place: entryOf(row()).place,
      id: 1,
      tenant: 'acme',
      at: 10,
    }),
  );
});

test('a verdict moves an event once, and takes it out of where it was counted', () => {
  const numbers = {
    group: (text: string) => ((JSON.parse(text) as unknown[])[4] === null ? 1 : 2),
    place: () => 9,
  };
  const rejudged = (was: number): Rejudged => ({ ...entryOf(row({ verdict: 'confirmed' })), was });
  expect(planRound([entryOf(row())], [], numbers)).toEqual({
    facts: [{ id: 1, tenant: 'acme', at: 10, group: 1, place: 9 }],
    moves: [],
    counted: [expect.objectContaining({ id: 1, group: 1, by: 1 })],
  });
  expect(planRound([], [rejudged(1)], numbers)).toEqual({
    facts: [],
    moves: [expect.objectContaining({ id: 1, group: 2 })],
    counted: [expect.objectContaining({ group: 1, by: -1 }), expect.objectContaining({ group: 2, by: 1 })],
  });
  expect(planRound([], [rejudged(2)], numbers)).toEqual({ facts: [], moves: [], counted: [] });
});

test('hours and days count what occurred in them, also before 1970, in order', () => {
  const counted = [
    [5, HOUR_MS],
    [3, HOUR_MS + 1],
    [4, -1],
    [6, null],
  ].map(([id, at]) => ({ id: id ?? 0, at: at ?? null, group: 1, by: 1 }));
  expect(countsOf(counted, HOUR_MS).map(({ start, by, first, last }) => [start, by, first, last])).toEqual([
    [-HOUR_MS, 1, 4, 4],
    [HOUR_MS, 2, 3, 5],
  ]);
  expect(countsOf(counted, DAY_MS).map(({ start, by }) => [start, by])).toEqual([
    [-DAY_MS, 1],
    [0, 2],
  ]);
});

test('a filter asks of the group, the time and the place', () => {
  const asked = askedOf({
    tenantCode: 'acme',
    type: 'a.b',
    verdict: 'none',
    includeTest: false,
    since: 1,
    until: 2,
    siteRef: 's',
    severities: ['high', 'critical'],
  });
  const values: unknown[] = [];
  const sql = (conditions: typeof asked.group) =>
    sqlOfConditions(
      conditions,
      (column) => `x.${column}`,
      (value) => `$${values.push(value)}`,
    );
  expect([sql(asked.group), sql(asked.time), sql(asked.place)]).toEqual([
    'x.tenant_code = $1 and x.type = $2 and x.is_test = $3 and x.verdict is null and x.severity in ($4, $5)',
    'x.occurred_at >= $6 and x.occurred_at < $7',
    'x.site_ref = $8',
  ]);
  expect(values).toEqual(['acme', 'a.b', false, 'high', 'critical', 1, 2, 's']);
  expect(askedOf({ tenantCode: null, includeTest: true })).toEqual({
    group: [],
    time: [],
    place: [],
  });
  expect(sqlOfConditions([], String, String)).toBe('true');
});
