// How often the answers to a site look for what is wanted of it: not with each of the many that a site gets
// which drains a backlog.
import { beforeEach, expect, test } from 'vitest';
import { DueLooks } from '../../../hq/evidence/due.ts';

const SITE = { instance: 'site-1', epoch: 'a' };

let looks: DueLooks;
beforeEach(() => {
  looks = new DueLooks();
});

/** Answers every 20 ms for a second. */
const ofOneSecond = (from: number): boolean[] =>
  Array.from({ length: 50 }, (_, index) => looks.take(SITE, from + index * 20));

test('many answers of one second look once', () => {
  expect(ofOneSecond(0).filter(Boolean)).toHaveLength(1);
  expect(ofOneSecond(1_000).filter(Boolean)).toHaveLength(1);
});

test('what was asked for is told with the next answer to each site', () => {
  looks.take(SITE, 0);
  looks.take({ instance: 'site-2', epoch: 'a' }, 0);
  looks.asked();
  expect(looks.take(SITE, 1)).toBe(true);
  expect(looks.take({ instance: 'site-2', epoch: 'a' }, 1)).toBe(true);
  expect(looks.take(SITE, 2)).toBe(false);
});

test('a site with another store is looked up at once', () => {
  looks.take(SITE, 0);
  expect(looks.take({ ...SITE, epoch: 'b' }, 1)).toBe(true);
});
