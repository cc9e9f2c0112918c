// Events that say what somebody looks for, and how far one request looks.
import { expect, test } from 'vitest';
import type { EventFilter, Room, Stretch } from '../../common/core/event/port.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import { searchEvents } from '../../common/core/event/search.ts';
import { says, wordsIn } from '../../common/core/event/text.ts';

const event = (doc: object, type = 'helmet.missing') => ({
  ...{ type, doc: JSON.stringify(doc), tenantCode: 'acme', instance: null },
});

test.each([
  ['安全帽', event({ title: '未戴安全帽进入三号洞口' }), true],
  ['安全帽 三号', event({ title: '未戴安全帽', siteRef: '三号洞口' }), true],
  ['安全帽 五号', event({ title: '未戴安全帽', siteRef: '三号洞口' }), false],
  ['GATE', event({ cameraName: 'North gate' }), true],
  ['helmet', event({}), true],
  ['say "stop"', event({ description: 'They say "stop"\nat once' }), true],
  ['secret', event({ payload: { secret: 'secret' } }), false],
  ['title', event({ title: 'x' }), false],
  ['%', event({ title: 'ab' }), false],
  ['A-17', event({ localAlertNo: 'a-17' }), true],
])('%s', (text, one, found) => {
  expect(says(one, wordsIn(text))).toBe(found);
});

const FILTER: EventFilter = { tenantCode: null, includeTest: false };
const record = (id: number, title: string): EventRecord => ({
  id,
  tenantCode: 'acme',
  idempotencyKey: `k${id}`,
  type: 'helmet',
  kind: 'alert',
  source: 'video',
  severity: null,
  occurredAt: null,
  receivedAt: id,
  isTest: false,
  nodeKey: null,
  instance: null,
  originId: null,
  originReceivedAt: null,
  doc: JSON.stringify({ title }),
  verdict: null,
  correctedTo: null,
});
/** Events with these ids, of which each hundredth speaks of smoke. */
const listOf = (newest: number) => ({
  asked: 0,
  newest(_filter: EventFilter, before: number | null, { rows }: Room): Promise<Stretch> {
    this.asked += 1;
    const top = before === null ? newest : before - 1;
    const length = Math.max(0, Math.min(rows, top));
    const items = Array.from({ length }, (_, index) =>
      record(top - index, (top - index) % 100 === 0 ? '烟雾' : '安全帽'),
    );
    return Promise.resolve({ items, more: length === rows });
  },
});
const still = { monotonic: () => 0 };
const bytes = 1_000_000;

test('one request looks at 20,000 events, and says where it stopped', async () => {
  const events = listOf(50_000);
  const words = wordsIn('明火');
  const found = await searchEvents({ events, clock: still }, FILTER, {
    words,
    before: null,
    limit: 30,
    bytes,
  });
  expect([found.items, found.last?.id, found.more]).toEqual([[], 30_001, true]);
  const rest = await searchEvents({ events, clock: still }, FILTER, {
    words,
    before: 10_001,
    limit: 30,
    bytes,
  });
  expect([rest.items, rest.last?.id, rest.more]).toEqual([[], 1, false]);
});

test('it ends where a page is full, and after a second', async () => {
  const events = listOf(50_000);
  const words = wordsIn('烟雾');
  const page = await searchEvents({ events, clock: still }, FILTER, { words, before: null, limit: 3, bytes });
  expect([page.items.map(({ id }) => id), page.last?.id, page.more]).toEqual([
    [50_000, 49_900, 49_800],
    49_701,
    true,
  ]);
  const slow = listOf(50_000);
  let now = 0;
  const clock = { monotonic: () => (now += 300) };
  const cut = await searchEvents({ events: slow, clock }, FILTER, {
    words: ['x'],
    before: null,
    limit: 3,
    bytes,
  });
  expect([slow.asked, cut.more]).toEqual([3, true]);
});
