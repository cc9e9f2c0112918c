// Walks the screens in one look of the console and says what is wrong with them.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { quarter } from '../../support/campaign.ts';
import type { VisitOptions } from '../rig.ts';
import { dialogs, openDialog } from './dialogs.ts';
import { goTo, settled } from './going.ts';
import { lookOver } from './in-page.mjs';
import type { ScreenCase } from './screens.ts';
import type { World } from './world.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GRAVE = ['serious', 'critical'];

/** What axe is asked, as text, since what runs in the page is not TypeScript's of this side. */
const runAxe = (
  within: string,
): string => `axe.run(${within}, { resultTypes: ['violations'], elementRef: false })
  .then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact,
    where: nodes.slice(0, 3).map(({ target, any, all }) =>
      target.join(' ') + ' ' + [...any, ...all].map(({ message }) => message).join('; ').slice(0, 160)) })))`;

interface Violation {
  id: string;
  impact: string | null;
  where: string[];
}

export type Seen = (page: Page, screen: { route: string; address: string }, width: number) => Promise<void>;

export interface WalkOptions {
  user: string;
  locale: NonNullable<VisitOptions['locale']>;
  look: NonNullable<VisitOptions['look']>;
  /** At which axe is asked; the layout is looked over at both. */
  axeAt: 1366 | 390;
  /** Told of each screen as it stands. */
  seen: Seen;
}

const HEIGHTS = { 1366: 768, 390: 844 } as const;

/** @returns what is wrong, by address */
export async function walk(
  world: World,
  screens: readonly ScreenCase[],
  { user, locale, look, axeAt, seen }: WalkOptions,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const visit = await world.rig.enter(user, '/site-states', { locale, look });
  const { page } = visit;
  page.setDefaultTimeout(15_000);
  await page.evaluate(AXE);
  for (const screen of screens) {
    const address = screen.address(world);
    const faults: string[] = [];
    try {
      await goTo(page, address);
      await settled(page, screen.shows);
      // From the width of the last screen, so that each is changed once.
      for (const width of [1366, 390] as const) {
        await resize(page, width);
        faults.push(
          ...(await page.evaluate(lookOver, { zh: locale === 'zh-CN' })).map((one) => `${width}: ${one}`),
        );
        // The frame differs by width, and is the same around every screen.
        if (width === axeAt || screen === screens[0]) faults.push(...(await grave(page)));
        await seen(page, { route: screen.route, address }, width);
      }
    } catch (error) {
      faults.push(`not shown: ${(error as Error).message.slice(0, 300)}`);
    }
    if (faults.length > 0) found[address] = faults;
  }
  // No error in the browser's console, no call to another host.
  visit.check();
  await visit.context.close();
  return found;
}

/** Opens each dialog at one width. @returns what is wrong, by its name */
export async function walkDialogs(
  world: World,
  { user, locale, look, width, seen }: Omit<WalkOptions, 'axeAt'> & { width: 1366 | 390 },
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const visit = await world.rig.enter(user, '/site-states', { locale, look, width });
  const { page } = visit;
  page.setDefaultTimeout(10_000);
  await page.evaluate(AXE);
  for (const one of quarter(dialogs, look === 'light' ? 0 : 1)) {
    if (one.phone && width !== 390) continue;
    const faults: string[] = [];
    try {
      const over = await openDialog(page, world, one);
      faults.push(...(await page.evaluate(lookOver, { zh: locale === 'zh-CN' })));
      faults.push(...(await grave(page, over)));
      await seen(page, { route: `/dialog/${one.name}`, address: '' }, width);
    } catch (error) {
      faults.push(`not shown: ${(error as Error).message.slice(0, 300)}`);
    }
    if (faults.length > 0) found[one.name] = faults;
  }
  visit.check();
  await visit.context.close();
  return found;
}

/** The console draws the narrow screen anew, with another frame. */
async function resize(page: Page, width: 1366 | 390): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHTS[width] });
  await page.locator('.sider').waitFor({ state: width === 390 ? 'detached' : 'visible' });
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

/** @param within a selector; left out: the whole page */
async function grave(page: Page, within?: string): Promise<string[]> {
  const where = within === undefined ? 'document' : JSON.stringify(within);
  const violations = await page.evaluate<Violation[]>(runAxe(where));
  return violations
    .filter(({ impact }) => GRAVE.includes(impact ?? ''))
    .map(({ id, where }) => `axe ${id}: ${where.join(' | ')}`);
}
