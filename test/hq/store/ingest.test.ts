// Group commit of the calls of one process, and what happens to the innocent when one call is bad.
import { expect, test } from 'vitest';
import { AppError } from '../../../common/http/error.ts';
import type { HubStore } from '../../../hq/stores.ts';
import { event, hubStores, T0, watchStatements } from './hub.ts';

const hub = hubStores();
const open = async () => hub.open((await hub.database()).url);

function countBegins(store: HubStore): { begins: number } {
  const counted = { begins: 0 };
  watchStatements(store, (statement) => void (counted.begins += statement === 'begin' ? 1 : 0));
  return counted;
}

test('calls that come together share a transaction and each gets its own results', async () => {
  const store = await open();
  const counted = countBegins(store);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => store.events.ingest([event(`a${i}`), event('same')], T0)),
  );
  expect(counted.begins).toBe(1);
  expect(answers.map(([own]) => own?.duplicate)).toEqual(Array.from({ length: 50 }, () => false));
  expect(answers.filter(([, same]) => same?.duplicate === false)).toHaveLength(1);
  expect(new Set(answers.map(([, same]) => same?.id)).size).toBe(1);
  expect(await store.events.bounds()).toEqual({ oldest: 1, highWaterMark: 51 });
});

test('a transaction takes about 2000 events, and a larger call alone', async () => {
  const store = await open();
  const counted = countBegins(store);
  const batch = (name: string, size: number) => Array.from({ length: size }, (_, i) => event(`${name}${i}`));
  await Promise.all([
    store.events.ingest(batch('a', 1500), T0),
    store.events.ingest(batch('b', 600), T0),
    store.events.ingest(batch('c', 2500), T0),
  ]);
  expect(counted.begins).toBe(3);
  expect((await store.events.page(0, 5000)).map((e) => e.id)).toEqual(
    Array.from({ length: 4600 }, (_, i) => i + 1),
  );
});

test('one bad call fails alone, and leaves no gap in the ids', async () => {
  const store = await open();
  const bad = event('nul\u0000key');
  const settled = await Promise.allSettled([
    store.events.ingest([event('a')], T0),
    store.events.ingest([event('b'), bad], T0),
    store.events.ingest([event('c')], T0),
  ]);
  expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const reason = settled[1]?.status === 'rejected' ? (settled[1].reason as unknown) : undefined;
  expect(reason).toBeInstanceOf(AppError);
  expect(reason).toMatchObject({ status: 400, code: 'unstorable_text' });
  expect((await store.events.page(0, 10)).map((e) => [e.id, e.idempotencyKey])).toEqual([
    [1, 'a'],
    [2, 'c'],
  ]);
});

test('the receipt time never falls, whatever the wall clock does', async () => {
  const store = await open();
  await store.events.ingest([event('a')], T0);
  await Promise.all([
    store.events.ingest([event('b')], T0 - 60_000),
    store.events.ingest([event('c')], T0 + 5),
    store.events.ingest([event('d')], T0 + 1),
  ]);
  expect((await store.events.page(0, 10)).map((e) => e.receivedAt - T0)).toEqual([0, 0, 5, 5]);
});

test('what comes again is a duplicate, and conflicting when its content differs', async () => {
  const store = await open();
  await store.events.ingest([event('a'), event('b')], T0);
  const again = await store.events.ingest(
    [event('a'), event('b', { severity: 'low' }), event('c'), event('c', { doc: '{ "title": "gate" }' })],
    T0,
  );
  expect(again).toEqual([
    { id: 1, duplicate: true, conflicting: false },
    { id: 2, duplicate: true, conflicting: true },
    { id: 3, duplicate: false, conflicting: false },
    { id: 3, duplicate: true, conflicting: false },
  ]);
});

test('every member survives the way through COPY', async () => {
  const store = await open();
  const whole = event('k "\\ \n 键 😀', {
    kind: 'observation',
    source: 'quick_photo',
    severity: null,
    occurredAt: null,
    isTest: true,
    nodeKey: null,
    doc: JSON.stringify({ title: '😀\\n"'.repeat(9000) }),
    origin: { instance: 'site-1', originId: 2 ** 53 - 1, receivedAt: 1 },
  });
  await store.events.ingest([event('first'), whole, event('last', { occurredAt: -1 })], T0);
  const { origin, ...members } = whole;
  expect(await store.events.get(2)).toEqual({
    id: 2,
    ...members,
    receivedAt: T0,
    instance: origin?.instance,
    originId: origin?.originId,
    originReceivedAt: origin?.receivedAt,
    verdict: null,
    correctedTo: null,
  });
  expect((await store.events.get(3))?.occurredAt).toBe(-1);
});
