// What an empty call is answered from: what was noted of a site, for as long as nothing of it is changed.
import { beforeEach, expect, test } from 'vitest';
import { QuietSites } from '../../../hq/receiver/contact/quiet.ts';
import type { BatchHead } from '../../../hq/receiver/port.ts';

const MINUTE = 60_000;
let now = 0;
let listening = true;
let hubEpoch = 'h1';
let tell: (instance: string | null) => void = () => undefined;
let quiet: QuietSites;

beforeEach(() => {
  [now, listening, hubEpoch] = [0, true, 'h1'];
  const news = { current: () => listening, onSite: (told: typeof tell) => void (tell = told) };
  quiet = new QuietSites(
    news,
    { monotonic: () => now },
    () => hubEpoch,
    () => Promise.resolve(['acme']),
  );
});

const at = (position: number, more: Partial<BatchHead> = {}): BatchHead => ({
  instance: 'site-1',
  epoch: 'e1',
  version: '1.0',
  from: position,
  to: position,
  head: position,
  oldest: 1,
  held: null,
  at: null,
  ...more,
});
const isEmpty = (head: BatchHead, items = 0, features = ['a']): boolean =>
  quiet.isEmpty(quiet.of('site-1', features), 'events', head, items);
const store = (cursor: number, epoch = 'e1'): void =>
  quiet.stored(quiet.of('site-1', ['a']), 'events', epoch, cursor);

test('a call is empty where it brings nothing and stands at the position that was stored', () => {
  expect(isEmpty(at(5))).toBe(false);
  store(5);
  expect(isEmpty(at(5))).toBe(true);
  expect(isEmpty(at(5), 1)).toBe(false);
  expect(isEmpty(at(4))).toBe(false);
  expect(isEmpty(at(6))).toBe(false);
  expect(isEmpty(at(5, { head: 6 }))).toBe(false);
  expect(isEmpty(at(5, { from: 4 }))).toBe(false);
  expect(isEmpty(at(5, { epoch: 'e2' }))).toBe(false);
  expect(quiet.isEmpty(quiet.of('site-1', ['a']), 'verdicts', at(5), 0)).toBe(false);
});

test('of two batches that end in the other order the later position counts', () => {
  store(9);
  store(5);
  expect(isEmpty(at(9))).toBe(true);
  store(3, 'e2');
  expect(isEmpty(at(3, { epoch: 'e2' }))).toBe(true);
  expect(isEmpty(at(9))).toBe(false);
});

test.each<[string, () => void]>([
  ['something of the site is changed', () => tell('site-1')],
  ['news may have been missed', () => tell(null)],
  ['nobody listens', () => (listening = false)],
  ['the epoch of this store is another', () => (hubEpoch = 'h2')],
  ['it was not looked up for minutes', () => (now = 5 * MINUTE)],
])('nothing is believed once %s', (_, happens) => {
  store(5);
  quiet.of('site-1', ['a']).quietAfter = 7;
  happens();
  expect(isEmpty(at(5))).toBe(false);
  expect(quiet.isQuiet(quiet.of('site-1', ['a']), 'site-1', 7)).toBe(false);
});

test('what is noted on a record that was given up meanwhile is lost with it', () => {
  const read = quiet.of('site-1', ['a']);
  tell('site-1');
  quiet.stored(read, 'events', 'e1', 5);
  read.quietAfter = 7;
  expect(isEmpty(at(5))).toBe(false);
  expect(quiet.isQuiet(read, 'site-1', 7)).toBe(false);
  expect(quiet.isQuiet(quiet.of('site-1', ['a']), 'site-1', 7)).toBe(false);
});

test('of another site nothing is lost, and a site that understands more is looked up anew', () => {
  store(5);
  tell('site-2');
  expect(isEmpty(at(5))).toBe(true);
  expect(isEmpty(at(5), 0, ['a', 'b'])).toBe(false);
});
