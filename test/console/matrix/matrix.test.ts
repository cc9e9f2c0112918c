// Every screen of the console in both languages, widths and looks: nothing raw, cut or unreadable. `npm test`
// walks every fourth in one language and look, every fourth in the other; `npm run test:matrix` each in both.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quarter } from '../../support/campaign.ts';
import { keeper } from './pictures.ts';
import { OUTSIDE, screens, writtenRoutes } from './screens.ts';
import { walk, walkDialogs } from './walk.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.rig.close());

test('every route of the console is walked', () => {
  const walked = new Set(screens.map(({ route }) => route));
  expect(writtenRoutes().filter((route) => !OUTSIDE.includes(route) && !walked.has(route))).toEqual([]);
  expect([...walked].filter((route) => !writtenRoutes().includes(route))).toEqual([]);
});

test('in Chinese and light, wide and narrow', async () => {
  expect(
    await walk(world, quarter(screens, 0), {
      user: 'li.chief',
      locale: 'zh-CN',
      look: 'light',
      axeAt: 1366,
      seen: keeper('zh'),
    }),
  ).toEqual({});
});

test('in English and dark, wide and narrow', async () => {
  expect(
    await walk(world, quarter(screens, 1), {
      user: 'li.chief',
      locale: 'en-GB',
      look: 'dark',
      axeAt: 390,
      seen: keeper('en'),
    }),
  ).toEqual({});
});

test('dialogs in Chinese and light, wide', async () => {
  expect(
    await walkDialogs(world, {
      user: 'li.chief',
      locale: 'zh-CN',
      look: 'light',
      width: 1366,
      seen: keeper('zh'),
    }),
  ).toEqual({});
});

test('dialogs in English and dark, on a phone', async () => {
  expect(
    await walkDialogs(world, {
      user: 'li.chief',
      locale: 'en-GB',
      look: 'dark',
      width: 390,
      seen: keeper('en'),
    }),
  ).toEqual({});
});
