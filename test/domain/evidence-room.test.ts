// How much room evidence has, by tenant and site.
import { expect, test } from 'vitest';
import { fullRoom, nearlyFull } from '../../common/core/evidence/room/decide.ts';
import { room } from '../support/evidence-room.ts';

const use = (tenantCode: string, instance: string | null, bytes: number) => ({ tenantCode, instance, bytes });
const over = (uses: ReturnType<typeof use>[], tenantCode: string, instance: string | null, size: number) =>
  fullRoom(uses, { tenantCode, instance }, size, room(1_000))?.over ?? null;

test('a tenant that is alone has all, and one with a neighbour, also one without files, its even part', () => {
  expect(over([], 'a', null, 1_000)).toBeNull();
  expect(over([], 'a', null, 1_001)).toBe('over_limit');
  expect(over([use('b', null, 0)], 'a', null, 500)).toBeNull();
  expect(over([use('b', null, 0)], 'a', null, 501)).toBe('over_tenant');
  expect(over([use('b', 'site-b', 500)], 'a', 'site-a', 500)).toBeNull();
});

test('a site has half of the share of its tenant, where that has others', () => {
  expect(over([use('a', 'one', 0)], 'a', 'one', 900)).toBeNull();
  const two = [use('a', 'one', 400), use('a', 'two', 0)];
  expect(over(two, 'a', 'one', 100)).toBeNull();
  expect(over(two, 'a', 'one', 101)).toBe('over_site');
  expect(over(two, 'a', 'two', 500)).toBeNull();
  expect(over(two, 'a', null, 600)).toBeNull();
});

test('what was full before a tenant came is full, and told', () => {
  const uses = [use('a', null, 1_000), use('b', null, 0)];
  expect(over(uses, 'b', null, 1)).toBe('over_limit');
  expect(nearlyFull(uses, room(1_000)).map(({ owner, room: { over: which } }) => [owner, which])).toEqual([
    [{ tenantCode: 'a', instance: null }, 'over_tenant'],
    [null, 'over_limit'],
  ]);
});
